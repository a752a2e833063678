/* The plan of a bench, and what of it is left. */
#include <math.h>

#include "hil/stand/stand.h"

static const struct step {
        const char *name, *what, *tells;
} steps[STAND_PLAN] = {
        [STAND_REST] = { "rest",
                         "props off, motors off, 10 minutes or an hour, on concrete; the "
                         "log at the IMU's full rate",
                         "noise, bias, drift of the sensors: hilrig identify --rest "
                         "LOG" },
        [STAND_POSITIONS] = { "six positions",
                              "props off, 5 s still on each of the six sides",
                              "scale and bias of the accelerometer, as hilrig calibrate "
                              "finds them of a run; how the IMU is mounted" },
        [STAND_DELAYS] = { "delays",
                           "props off, motors on: the board in the loop for 45 s, an "
                           "analyzer on a motor pad",
                           "delay from sensor to pad: hilrig latency; the ESC's steps: "
                           "hilrig capture" },
        [STAND_ZERO] = { "zero", "command 0 for 10 s", "the load cells' offsets" },
        [STAND_CREEP] = { "ramp", "command 0 to 0.15 in steps of 0.005, 1 s each",
                          "dead band" },
        [STAND_STAIRS] = { "stairs",
                           "command 0.1 to 1 and back in steps of 0.1, 4 s each, from a "
                           "full battery",
                           "command to speed (full speed, expo), thrust and torque "
                           "factor, battery's resistance, efficiency" },
        [STAND_STEPS] = { "steps",
                          "command 0.3 and 0.6 in turn, 1 s each, 20 times; 100 samples "
                          "a second or more",
                          "motor's lag up and down" },
        [STAND_CHIRP] = { "chirp",
                          "command 0.45 with an amplitude of 0.1, 0.5 to 10 Hz in 60 s, "
                          "100 samples a second or more; a table to hold back",
                          "nothing new: whether the lags hold at all frequencies" },
};

#define SCALE 0.0049 /* 1.96 sigmas of 0.25 % */

const struct stand_name stand_names[STAND_PARAMETERS] = {
        [STAND_THRUST] = { "thrust factor", "N/(rad/s)^2", 1.0, 0.05, 0.0, SCALE,
                           STAND_STAIRS, "command, rpm, thrust_n" },
        [STAND_TORQUE] = { "torque factor", "Nm/(rad/s)^2", 1.0, 0.1, 0.0, SCALE,
                           STAND_STAIRS, "command, rpm, torque_nm" },
        [STAND_SPEED] = { "full speed", "rpm", 9.549296585513721, 0.03, 0.0, SCALE,
                          STAND_STAIRS, "command, rpm" },
        [STAND_EXPO] = { "thrust expo", "", 1.0, 0.0, 0.1, SCALE, STAND_STAIRS,
                         "command, rpm" },
        [STAND_DEAD_BAND] = { "dead band", "%", 100.0, 0.0, 0.02, 0.0, STAND_CREEP,
                              "command, rpm" },
        [STAND_TAU] = { "lag up", "s", 1.0, 0.2, 0.0, 0.0, STAND_STEPS, "command, rpm" },
        [STAND_TAU_DOWN] = { "lag down", "s", 1.0, 0.2, 0.0, 0.0, STAND_STEPS,
                             "command, rpm" },
        [STAND_RESISTANCE] = { "resistance", "mohm", 1e3, 0.25, 0.0, 2.0 * SCALE,
                               STAND_STAIRS, "battery_v, battery_a" },
        [STAND_EFFICIENCY] = { "efficiency", "", 1.0, 0.1, 0.0, 2.0 * SCALE, STAND_STAIRS,
                               "rpm, torque_nm, battery_v, battery_a" },
};

static void print_step(FILE *out, int step)
{
        fprintf(out, "%d. %s: %s\n   tells: %s\n", step + 1, steps[step].name,
                steps[step].what, steps[step].tells);
}

void stand_print_plan(FILE *out)
{
        fprintf(out, "Without propellers:\n");
        for (int i = 0; i < STAND_ZERO; i++)
                print_step(out, i);
        fprintf(out,
                "\nOn a thrust stand, a table of each (columns t_s, command of 0 to 1, "
                "rpm, thrust_n, torque_nm,\nbattery_v, battery_a):\n");
        for (int i = STAND_ZERO; i < STAND_PLAN; i++)
                print_step(out, i);
        fprintf(out, "\nThen: hilrig identify --bench TABLE... --vehicle START says what "
                     "is known, and which step is next.\n");
}

enum stand_step stand_next(const struct stand_result *r)
{
        enum stand_step next = STAND_PLAN;

        for (int i = 0; i < STAND_PARAMETERS; i++)
                if (!r->told[i] && stand_names[i].step < next)
                        next = stand_names[i].step;
        return next;
}

static void print_parameter(FILE *out, const struct stand_result *r, int i)
{
        const struct stand_name *n = &stand_names[i];

        fprintf(out, "  %-14s %-13s %11.4g", n->name, n->unit, n->scale * r->start[i]);
        if (isnan(r->found[i]))
                fprintf(out, " %11s %11s %11s  not in the tables: needs %s\n", "", "", "",
                        n->needs);
        else
                fprintf(out, " %11.4g %11.4g %11.4g  %s\n", n->scale * r->found[i],
                        n->scale * (r->found[i] - r->half[i]),
                        n->scale * (r->found[i] + r->half[i]),
                        r->told[i] ? "told" : "the data cannot tell");
}

void stand_print(FILE *out, const struct stand_result *r)
{
        enum stand_step next = stand_next(r);

        fprintf(out, "%.1f s on the stand, a row every %.4g s\n\n", r->length_s,
                r->interval_s);
        fprintf(out, "  %-14s %-13s %11s %11s %11s %11s\n", "parameter", "unit", "start",
                "found", "95 % from", "to");
        for (int i = 0; i < STAND_PARAMETERS; i++)
                print_parameter(out, r, i);
        if (next == STAND_PLAN) {
                fprintf(out, "\nStop: all is known.\n");
                return;
        }
        fprintf(out, "\nNext, ");
        print_step(out, (int)next);
}

struct json *stand_json(const struct stand_result *r)
{
        struct json *root = json_new_object(), *list, *one;
        enum stand_step next = stand_next(r);

        json_add_number(root, "length_s", r->length_s);
        json_add_number(root, "interval_s", r->interval_s);
        list = json_add_object(root, "parameters");
        for (int i = 0; i < STAND_PARAMETERS; i++) {
                const struct stand_name *n = &stand_names[i];

                one = json_add_object(list, n->name);
                json_add_string(one, "unit", n->unit);
                json_add_number(one, "start", n->scale * r->start[i]);
                json_add_number(one, "found", n->scale * r->found[i]);
                json_add_number(one, "from", n->scale * (r->found[i] - r->half[i]));
                json_add_number(one, "to", n->scale * (r->found[i] + r->half[i]));
                json_add_bool(one, "told", r->told[i]);
        }
        json_add_string(root, "next", next == STAND_PLAN ? NULL : steps[next].name);
        return root;
}

static void add_told(struct json *to, const char *key, const struct stand_result *r,
                     enum stand_parameter of)
{
        if (r->told[of])
                json_add_number(to, key, stand_names[of].scale * r->found[of]);
}

struct json *stand_vehicle_file(const struct stand_result *r, const char *start)
{
        struct json *root = json_new_object(), *to;

        json_add_string(root, "include", start);
        to = json_add_object(root, "motor");
        add_told(to, "tau_s", r, STAND_TAU);
        add_told(to, "tau_down_s", r, STAND_TAU_DOWN);
        add_told(to, "speed_full_rpm", r, STAND_SPEED);
        add_told(to, "thrust_expo", r, STAND_EXPO);
        add_told(to, "dead_band_percent", r, STAND_DEAD_BAND);
        to = json_add_object(root, "rotors");
        add_told(to, "thrust_n_per_radps2", r, STAND_THRUST);
        add_told(to, "torque_nm_per_radps2", r, STAND_TORQUE);
        if (r->told[STAND_RESISTANCE] || r->told[STAND_EFFICIENCY]) {
                to = json_add_object(root, "battery");
                add_told(to, "resistance_mohm", r, STAND_RESISTANCE);
                add_told(to, "efficiency", r, STAND_EFFICIENCY);
        }
        return root;
}
