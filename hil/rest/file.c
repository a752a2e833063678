/* What rest tells as a vehicle file. */
#include <math.h>

#include "hil/rest/rest_units.h"

/* Mean dilutions of precision under an open sky, as those of the rig's own GPS without satellites (hil/config/vehicle/gps.c). */
#define OPEN_SKY_HDOP 0.88
#define OPEN_SKY_PDOP 1.56
#define WITHIN        0.02 /* of each other, steps of three axes are one */

/* The number that an axis has in START: beside its part, else in it. */
static double start_of(const struct json *imu, const char *half, const char *key,
                       int axis)
{
        const struct json *list = json_member(json_member(imu, half), key);

        if (list == NULL)
                list = json_member(json_member(json_member(imu, "part"), half), key);
        if (json_item(list, axis) == NULL)
                return 0.0;
        return json_item(list, axis)->number;
}

/* Lists are replaced as a whole: what is not told stands in them as it was. */
static void add_figure(struct json *to, const struct rest_result *r, int half, int figure,
                       const struct json *imu)
{
        const struct rest_units *u = &rest_units[half];
        struct json *list;
        bool told = false;

        for (int i = 0; i < 3; i++)
                told |= rest_figure(&r->axis[half][i], figure)->told;
        if (!told)
                return;
        list = json_add_array(to, u->figure[figure].key);
        for (int i = 0; i < 3; i++) {
                const struct rest_value *v = rest_figure(&r->axis[half][i], figure);

                json_add_number(
                        list, NULL,
                        v->told ? u->figure[figure].scale * v->found
                                : start_of(imu, u->key, u->figure[figure].key, i));
        }
}

/* One for three axes. */
static double step_of(const struct rest_axis axis[3])
{
        double least = INFINITY, most = 0.0;

        for (int i = 0; i < 3; i++) {
                least = fmin(least, axis[i].lsb);
                most = fmax(most, axis[i].lsb);
        }
        return least > 0.0 && most <= (1.0 + WITHIN) * least ? 0.5 * (least + most) : 0.0;
}

/* The density takes the place of further white noise. */
static void add_half(struct json *to, const struct rest_result *r, int half,
                     const struct json *imu)
{
        const struct rest_units *u = &rest_units[half];
        double step = step_of(r->axis[half]);
        struct json *list;
        bool all = true;

        to = json_add_object(to, u->key);
        for (int k = 0; k < REST_FIGURES; k++)
                add_figure(to, r, half, k, imu);
        for (int i = 0; i < 3; i++)
                all &= r->axis[half][i].white.told;
        if (all) {
                list = json_add_array(to, u->sigma_key);
                for (int i = 0; i < 3; i++)
                        json_add_number(list, NULL, 0.0);
        }
        if (step > 0.0)
                json_add_number(to, u->lsb_key, u->lsb_scale * step);
}

static void add_baro(struct json *to, const struct rest_result *r)
{
        const struct markov *m = &r->baro;

        to = json_add_object(to, "baro");
        if (m->white.told)
                json_add_number(to, "sigma_pa", m->white.found);
        if (r->baro_lsb_pa > 0.0)
                json_add_number(to, "lsb_pa", r->baro_lsb_pa);
        if (m->drift.told && m->tau_s.told) {
                json_add_number(to, "drift_pa", m->drift.found);
                json_add_number(to, "drift_tau_s", m->tau_s.found);
        }
}

/* White noise of the sizes that were seen, for a START whose errors are white, too. */
static void add_white_fix(struct json *to, const struct rest_result *r)
{
        static const char *const keys[REST_FIXES] = { "sigma_horizontal_m",
                                                      "sigma_vertical_m",
                                                      "sigma_velocity_mps" };

        json_add_string(to, "model", "white");
        for (int k = 0; k < REST_FIXES; k++)
                if (r->has_fix[k])
                        json_add_number(to, keys[k], r->fix_sigma[k]);
}

/* Errors of ranges that make those of the position, with the dilution of an open sky. */
static void add_ranges(struct json *to, const struct rest_result *r)
{
        const struct markov *p = &r->fix[REST_HORIZONTAL], *v = &r->fix[REST_VELOCITY];
        double per_m = sqrt(2.0) / OPEN_SKY_HDOP, per_mps = sqrt(3.0) / OPEN_SKY_PDOP;

        to = json_add_object(to, "part");
        if (r->has_fix[REST_HORIZONTAL] && p->drift.told && p->tau_s.told) {
                json_add_number(to, "range_error_m", per_m * p->drift.found);
                json_add_number(to, "range_error_tau_s", p->tau_s.found);
        }
        if (r->has_fix[REST_HORIZONTAL] && p->white.told)
                json_add_number(to, "range_jitter_m", per_m * p->white.found);
        if (!r->has_fix[REST_VELOCITY])
                return;
        json_add_number(to, "range_rate_error_mps",
                        per_mps * r->fix_sigma[REST_VELOCITY]);
        if (v->drift.told && v->tau_s.told)
                json_add_number(to, "range_rate_tau_s", v->tau_s.found);
}

struct json *rest_vehicle_file(const struct rest_result *r, const char *start,
                               const struct json *resolved)
{
        const struct json *from = json_member(resolved, "sensors");
        const struct json *gps = json_member(from, "gps");
        struct json *root = json_new_object(), *to, *fix;

        json_add_string(root, "include", start);
        to = json_add_object(root, "sensors");
        if (r->has_imu && json_member(from, "imu") != NULL) {
                struct json *imu = json_add_object(to, "imu");

                for (int h = 0; h < REST_HALVES; h++)
                        add_half(imu, r, h, json_member(from, "imu"));
        }
        if (r->has_baro && json_member(from, "baro") != NULL)
                add_baro(to, r);
        if (gps == NULL || !(r->has_fix[REST_HORIZONTAL] || r->has_fix[REST_VELOCITY]))
                return root;
        fix = json_add_object(to, "gps");
        if (json_string(gps, "model") != NULL && json_string(gps, "model")[0] == 's')
                add_ranges(fix, r);
        else
                add_white_fix(fix, r);
        return root;
}
