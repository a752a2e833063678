/* What rest tells, on the terminal and as JSON, in the units of the rig's own keys. */
#include <math.h>

#include "hil/rest/rest_units.h"

const struct rest_units rest_units[REST_HALVES] = {
        [REST_ACCEL] = { "accelerometer",
                         "accel",
                         { { "bias", "bias_mps2", "m/s^2", 1.0 },
                           { "white noise", "noise_density_ug_rthz", "ug/rtHz",
                             1e6 / GRAVITY },
                           { "bias instability", "bias_instability_mps2", "m/s^2", 1.0 },
                           { "random walk", "random_walk_mps3_rthz", "m/s^3/rtHz",
                             1.0 } },
                         "lsb_g",
                         1.0 / GRAVITY,
                         "sigma_mps2" },
        [REST_GYRO] = { "gyroscope",
                        "gyro",
                        { { "bias", "bias_dps", "deg/s", DEG_PER_RAD },
                          { "white noise", "noise_density_dps_rthz", "deg/s/rtHz",
                            DEG_PER_RAD },
                          { "bias instability", "bias_instability_dps", "deg/s",
                            DEG_PER_RAD },
                          { "random walk", "random_walk_dps2_rthz", "deg/s^2/rtHz",
                            DEG_PER_RAD } },
                        "lsb_dps",
                        DEG_PER_RAD,
                        "sigma_dps" },
};

const struct rest_slow rest_slow[REST_SLOWS] = {
        { "barometer", "Pa" },
        { "GPS horizontal", "m" },
        { "GPS vertical", "m" },
        { "GPS velocity", "m/s" },
};

const char *const rest_axes[3] = { "x", "y", "z" };

const struct rest_value *rest_figure(const struct rest_axis *a, int figure)
{
        const struct rest_value *const of[REST_FIGURES] = { &a->bias, &a->white,
                                                            &a->instability, &a->walk };

        return of[figure];
}

const struct markov *rest_slow_of(const struct rest_result *r, int slow, double *sigma)
{
        if (slow == 0) {
                *sigma = r->baro_sigma_pa;
                return r->has_baro ? &r->baro : NULL;
        }
        *sigma = r->fix_sigma[slow - 1];
        return r->has_fix[slow - 1] ? &r->fix[slow - 1] : NULL;
}

static void print_value(FILE *out, const char *sensor, const char *what, const char *unit,
                        const struct rest_value *v, double scale)
{
        fprintf(out, "  %-16s %-17s %-12s %11.4g %11.4g %11.4g  %s\n", sensor, what, unit,
                scale * v->found, scale * v->from, scale * v->to,
                v->told ? "told" : "the data cannot tell");
}

static void print_number(FILE *out, const char *sensor, const char *what,
                         const char *unit, double value)
{
        fprintf(out, "  %-16s %-17s %-12s %11.4g\n", sensor, what, unit, value);
}

static void print_axis(FILE *out, const struct rest_axis *a, const struct rest_units *u,
                       int axis)
{
        char name[20];

        snprintf(name, sizeof name, "%s %s", u->name, rest_axes[axis]);
        print_number(out, name, "mean", u->figure[0].unit, u->figure[0].scale * a->mean);
        print_number(out, name, "of one sample", u->figure[0].unit,
                     u->figure[0].scale * a->sigma);
        if (a->lsb > 0.0)
                print_number(out, name, "step", u->figure[0].unit,
                             u->figure[0].scale * a->lsb);
        for (int k = 0; k < REST_FIGURES; k++)
                print_value(out, name, u->figure[k].name, u->figure[k].unit,
                            rest_figure(a, k), u->figure[k].scale);
        if (!a->noise.described)
                fprintf(out,
                        "  %-16s no sum of the three describes it: the log is too short, "
                        "or something shakes\n",
                        name);
}

void rest_print(FILE *out, const struct rest_result *r)
{
        fprintf(out, "%.1f s at rest\n\n  %-16s %-17s %-12s %11s %11s %11s\n",
                r->length_s, "sensor", "", "unit", "found", "95 % from", "to");
        for (int h = 0; r->has_imu && h < REST_HALVES; h++)
                for (int i = 0; i < 3; i++)
                        print_axis(out, &r->axis[h][i], &rest_units[h], i);
        for (int k = 0; k < REST_SLOWS; k++) {
                double sigma;
                const struct markov *m = rest_slow_of(r, k, &sigma);
                const struct rest_slow *s = &rest_slow[k];

                if (m == NULL)
                        continue;
                print_number(out, s->name, "of one sample", s->unit, sigma);
                if (k == 0 && r->baro_lsb_pa > 0.0)
                        print_number(out, s->name, "step", s->unit, r->baro_lsb_pa);
                print_value(out, s->name, "white", s->unit, &m->white, 1.0);
                print_value(out, s->name, "drift", s->unit, &m->drift, 1.0);
                print_value(out, s->name, "drift's time", "s", &m->tau_s, 1.0);
        }
}

static void add_value(struct json *to, const char *key, const struct rest_value *v,
                      double scale)
{
        struct json *one = json_add_object(to, key);

        json_add_number(one, "found", scale * v->found);
        json_add_number(one, "from", scale * v->from);
        json_add_number(one, "to", scale * v->to);
        json_add_bool(one, "told", v->told);
}

#define OUTSIDE 0.025 /* of the 95 % interval, on each side */

static void add_allan(struct json *to, const struct rest_axis *a, double scale)
{
        struct json *one = json_add_object(to, "allan");
        struct json *tau = json_add_array(one, "tau_s"), *deviation, *from, *high;

        for (int i = 0; i < a->allan.taus; i++)
                json_add_number(tau, NULL, allan_tau_s(&a->allan, i));
        deviation = json_add_array(one, "deviation");
        from = json_add_array(one, "from");
        high = json_add_array(one, "to");
        for (int i = 0; i < a->allan.taus; i++) {
                double v = a->allan.variance[i], n = a->freedom[i];

                json_add_number(deviation, NULL, scale * sqrt(v));
                if (n <= 0.0)
                        continue;
                json_add_number(from, NULL,
                                scale * sqrt(v * n / allan_chi_square(1.0 - OUTSIDE, n)));
                json_add_number(high, NULL,
                                scale * sqrt(v * n / allan_chi_square(OUTSIDE, n)));
        }
        if (a->noise.described)
                json_add_number(one, "described_from_s", a->noise.from_s);
}

static void add_axis(struct json *to, const struct rest_axis *a,
                     const struct rest_units *u, int axis)
{
        struct json *one = json_add_object(to, rest_axes[axis]);

        json_add_number(one, "mean", u->figure[0].scale * a->mean);
        json_add_number(one, "sample_sigma", u->figure[0].scale * a->sigma);
        if (a->lsb > 0.0)
                json_add_number(one, u->lsb_key, u->lsb_scale * a->lsb);
        for (int k = 0; k < REST_FIGURES; k++)
                add_value(one, u->figure[k].key, rest_figure(a, k), u->figure[k].scale);
        add_allan(one, a, u->figure[0].scale);
}

struct json *rest_json(const struct rest_result *r)
{
        struct json *root = json_new_object(), *to;

        json_add_number(root, "length_s", r->length_s);
        for (int h = 0; r->has_imu && h < REST_HALVES; h++) {
                to = json_add_object(root, rest_units[h].key);
                for (int i = 0; i < 3; i++)
                        add_axis(to, &r->axis[h][i], &rest_units[h], i);
        }
        for (int k = 0; k < REST_SLOWS; k++) {
                double sigma;
                const struct markov *m = rest_slow_of(r, k, &sigma);

                if (m == NULL)
                        continue;
                to = json_add_object(root, rest_slow[k].name);
                json_add_string(to, "unit", rest_slow[k].unit);
                json_add_number(to, "sample_sigma", sigma);
                if (k == 0 && r->baro_lsb_pa > 0.0)
                        json_add_number(to, "lsb_pa", r->baro_lsb_pa);
                add_value(to, "white", &m->white, 1.0);
                add_value(to, "drift", &m->drift, 1.0);
                add_value(to, "drift_tau_s", &m->tau_s, 1.0);
        }
        return root;
}
