/* What was found, on the terminal, as JSON, and as a vehicle file. */
#include <math.h>

#include "hil/sysid/sysid.h"

static const char *const channel_names[SYSID_CHANNELS] = {
        "velocity forward", "velocity right", "velocity down",
        "roll rate",        "pitch rate",     "yaw rate"
};

static double in_unit(int channel, double value)
{
        return channel < SYSID_TURN ? value : DEG_PER_RAD * value;
}

static const char *unit_of(int channel)
{
        return channel < SYSID_TURN ? "m/s" : "deg/s";
}

void sysid_print(FILE *out, const struct sysid_result *r)
{
        int told = 0;

        fprintf(out, "%.1f s of flight, and %.1f s held back\n\n", r->flown_s, r->held_s);
        fprintf(out, "  %-17s %-12s %11s %11s %11s %11s\n", "parameter", "unit", "start",
                "found", "95 % from", "to");
        for (int i = 0; i < SYSID_PARAMETERS; i++) {
                fprintf(out, "  %-17s %-12s %11.4g %11.4g %11.4g %11.4g  %s\n",
                        sysid_names[i].name, sysid_names[i].unit, r->start[i],
                        r->found[i], r->found[i] - r->half[i], r->found[i] + r->half[i],
                        r->told[i] ? "told" : "the data cannot tell");
                told += !sysid_names[i].aside && r->told[i];
        }
        if (r->sparse)
                fprintf(out,
                        "\nThe motors' commands come too seldom in the log: of lags, "
                        "delays and turning the data cannot tell.\n");
        if (told == 0)
                fprintf(out, "\nThe flight tells nothing of the vehicle.\n");
        fprintf(out, "\n  off within %.2f s, held back%11s %11s\n", r->window_s, "start",
                "new");
        for (int c = 0; c < SYSID_CHANNELS; c++)
                fprintf(out, "  %-17s %-6s %11.4g %11.4g%s\n", channel_names[c],
                        unit_of(c), in_unit(c, r->error_start[c]),
                        in_unit(c, r->error_new[c]),
                        r->error_new[c] > SYSID_WORSE * r->error_start[c] ? "  worse"
                                                                          : "");
        if (!r->better)
                fprintf(out,
                        "\nThe new vehicle is not better than the one to start from.\n");
}

struct json *sysid_json(const struct sysid_result *r)
{
        struct json *root = json_new_object(), *list, *one;

        json_add_number(root, "fitted_s", r->flown_s);
        json_add_number(root, "held_back_s", r->held_s);
        list = json_add_object(root, "parameters");
        for (int i = 0; i < SYSID_PARAMETERS; i++) {
                one = json_add_object(list, sysid_names[i].name);
                json_add_string(one, "unit", sysid_names[i].unit);
                json_add_number(one, "start", r->start[i]);
                json_add_number(one, "found", r->found[i]);
                json_add_number(one, "from", r->found[i] - r->half[i]);
                json_add_number(one, "to", r->found[i] + r->half[i]);
                json_add_bool(one, "told", r->told[i]);
        }
        json_add_number(root, "window_s", r->window_s);
        list = json_add_object(root, "held_back");
        for (int c = 0; c < SYSID_CHANNELS; c++) {
                one = json_add_object(list, channel_names[c]);
                json_add_string(one, "unit", unit_of(c));
                json_add_number(one, "start", in_unit(c, r->error_start[c]));
                json_add_number(one, "new", in_unit(c, r->error_new[c]));
        }
        json_add_bool(root, "better", r->better);
        return root;
}

static void add_if_told(struct json *to, const char *key, const struct sysid_result *r,
                        int parameter)
{
        if (r->told[parameter])
                json_add_number(to, key, r->kept[parameter]);
}

static void add_three(struct json *to, const char *key, const double value[3])
{
        struct json *list = json_add_array(to, key);

        for (int i = 0; i < 3; i++)
                json_add_number(list, NULL, value[i]);
}

/* Lists are replaced as a whole: what is not told stands in them as it was. */
static void add_airframe(struct json *root, const struct sysid_result *r,
                         const struct vehicle_params *p)
{
        const struct airframe_params *air = &p->airframe;
        double drag[3] = { air->linear_n_per_mps.x, air->linear_n_per_mps.y,
                           air->linear_n_per_mps.z };
        double damping[3] = { air->angular_nm_per_radps.x, air->angular_nm_per_radps.y,
                              air->angular_nm_per_radps.z };
        double area[3] = { air->quadratic_area_m2.x, air->quadratic_area_m2.y,
                           air->quadratic_area_m2.z };
        struct json *to = json_add_object(root, "airframe");

        if (r->told[SYSID_DRAG_XY])
                drag[0] = drag[1] = r->kept[SYSID_DRAG_XY];
        if (r->told[SYSID_DRAG_Z])
                drag[2] = r->kept[SYSID_DRAG_Z];
        if (r->told[SYSID_AREA_XY])
                area[0] = area[1] = r->kept[SYSID_AREA_XY];
        if (r->told[SYSID_AREA_Z])
                area[2] = r->kept[SYSID_AREA_Z];
        for (int i = 0; i < 3; i++)
                if (r->told[SYSID_DAMPING_X + i])
                        damping[i] = r->kept[SYSID_DAMPING_X + i];
        add_three(to, "linear_drag_n_per_mps", drag);
        add_three(to, "drag_area_m2", area);
        add_three(to, "angular_damping_nm_per_radps", damping);
}

/* Of the IMU. */
static void add_place(struct json *root, const struct sysid_result *r)
{
        static const char *const keys[3] = { "forward", "right", "down" };
        struct json *to;

        if (!r->told[SYSID_PLACE_X] && !r->told[SYSID_PLACE_Y] && !r->told[SYSID_PLACE_Z])
                return;
        to = json_add_object(root, "sensors");
        to = json_add_object(json_add_object(to, "imu"), "at_m");
        for (int i = 0; i < 3; i++)
                add_if_told(to, keys[i], r, SYSID_PLACE_X + i);
}

struct json *sysid_vehicle_file(const struct sysid_result *r, const char *start,
                                const struct vehicle_params *p, bool has_parts)
{
        static const char *const keys[6] = { "xx", "yy", "zz", "xy", "xz", "yz" };
        struct json *root = json_new_object(), *to;

        json_add_string(root, "include", start);
        if (r->told[SYSID_TAU] || r->told[SYSID_TAU_DOWN] || r->told[SYSID_EXPO]) {
                to = json_add_object(root, "motor");
                add_if_told(to, "tau_s", r, SYSID_TAU);
                add_if_told(to, "tau_down_s", r, SYSID_TAU_DOWN);
                add_if_told(to, "thrust_expo", r, SYSID_EXPO);
        }
        if (r->told[SYSID_THRUST] || r->told[SYSID_TORQUE]) {
                to = json_add_object(root, "rotors");
                add_if_told(to, "thrust_n_per_radps2", r, SYSID_THRUST);
                add_if_told(to, "torque_nm_per_radps2", r, SYSID_TORQUE);
        }
        if (!has_parts && (r->told[SYSID_XX] || r->told[SYSID_YY] || r->told[SYSID_ZZ])) {
                to = json_add_object(root, "inertia_kgm2");
                for (int i = 0; i < 3; i++) {
                        add_if_told(to, keys[i], r, SYSID_XX + i);
                        add_if_told(to, keys[3 + i], r, SYSID_XY + i);
                }
        }
        add_place(root, r);
        add_airframe(root, r, p);
        return root;
}
