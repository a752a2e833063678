/* Stimuli of scenario files: names of inputs, their units, and what each shape needs. */
#include "hil/config/scenario/scenario.h"

#include <math.h>
#include <stdio.h>

#define DAY_S 86400

_Static_assert(RC_CHANNELS_MAX == 16 && ROTORS_MAX == 8, "input_names has one for each");

/* clang-format off */
static const char *const input_names[] = {
        "gyro_x_dps", "gyro_y_dps", "gyro_z_dps",
        "accel_x_mps2", "accel_y_mps2", "accel_z_mps2",
        "wind_north_mps", "wind_east_mps", "wind_down_mps",
        "force_north_n", "force_east_n", "force_down_n",
        "torque_x_nm", "torque_y_nm", "torque_z_nm",
        "north_m", "east_m", "up_m", "yaw_deg",
        "rc_0_us", "rc_1_us", "rc_2_us", "rc_3_us", "rc_4_us", "rc_5_us", "rc_6_us",
        "rc_7_us", "rc_8_us", "rc_9_us", "rc_10_us", "rc_11_us", "rc_12_us", "rc_13_us",
        "rc_14_us", "rc_15_us",
        "duty_0", "duty_1", "duty_2", "duty_3", "duty_4", "duty_5", "duty_6", "duty_7",
        NULL,
};
/* clang-format on */

/* The same in runs of names: an input's names differ in their index alone. */
static const struct {
        enum stimulus_input input;
        int names;
        double scale; /* unit of the file -> unit of the input */
        double most; /* of the amplitude, in the unit of the file */
} inputs[] = {
        { STIMULUS_GYRO, 3, RAD_PER_DEG, 10000.0 },
        { STIMULUS_ACCEL, 3, 1.0, 1000.0 },
        { STIMULUS_WIND, 3, 1.0, 100.0 },
        { STIMULUS_FORCE, 3, 1.0, 10000.0 },
        { STIMULUS_TORQUE, 3, 1.0, 1000.0 },
        { STIMULUS_NORTH, 1, 1.0, 1e5 },
        { STIMULUS_EAST, 1, 1.0, 1e5 },
        { STIMULUS_UP, 1, 1.0, 1e4 },
        { STIMULUS_YAW, 1, RAD_PER_DEG, 360.0 },
        { STIMULUS_RC, RC_CHANNELS_MAX, 1.0, 2000.0 },
        { STIMULUS_DUTY, ROTORS_MAX, 1.0, 1.0 },
};

static const char *const shape_names[] = {
        [STIMULUS_STEP] = "step",       [STIMULUS_RAMP] = "ramp",
        [STIMULUS_DOUBLET] = "doublet", [STIMULUS_SINE] = "sine",
        [STIMULUS_CHIRP] = "chirp",     [STIMULUS_PRBS] = "prbs",
        [STIMULUS_SHAPES] = NULL,
};

static const struct config_field fields[] = {
        { "input", CONFIG_CHOICE,
          "What it is added to. gyro and accel: what the sensor says, in the body's "
          "axes. "
          "wind, force: what acts on the vehicle. torque: about the body's axes. "
          "north_m, "
          "east_m, up_m, yaw_deg: the set-point. rc: a channel's pulse. duty: a "
          "rotor's command, of 0 to 1. Both are counted from 0.",
          .names = input_names, AT(stimulus_file, input) },
        { "shape", CONFIG_CHOICE,
          "step: amplitude. ramp: from 0 to amplitude. doublet: amplitude for the first "
          "half, its negative for the second. sine: of from_hz. chirp: a sine whose "
          "frequency grows exponentially from from_hz to to_hz. prbs: plus or minus "
          "amplitude, a maximum-length sequence of bits, a chip each chip_us.",
          .names = shape_names, AT(stimulus_file, stimulus.shape) },
        { "amplitude", CONFIG_NUMBER, "How large, in the unit of the input's name.",
          BETWEEN(-1e5, 1e5), AT(stimulus_file, stimulus.amplitude) },
        { "for_s", CONFIG_TIME, "How long it lasts; after that nothing is added.",
          ABOVE(0), AT_MOST(DAY_S), .scale = S_TO_NS,
          AT(stimulus_file, stimulus.for_ns) },
        { "from_hz", CONFIG_NUMBER, "Frequency of a sine, and of a chirp when it begins.",
          ABOVE(0), AT_MOST(1e5), .optional = true, AT(stimulus_file, stimulus.from_hz) },
        { "to_hz", CONFIG_NUMBER, "Frequency of a chirp when it ends.", ABOVE(0),
          AT_MOST(1e5), .optional = true, AT(stimulus_file, stimulus.to_hz) },
        { "bits", CONFIG_INTEGER, "Of a prbs: it repeats after 2^bits - 1 chips.",
          BETWEEN(STIMULUS_BITS_MIN, STIMULUS_BITS_MAX), .optional = true,
          AT(stimulus_file, stimulus.bits) },
        { "chip_us", CONFIG_TIME, "Of a prbs: how long a chip lasts, in whole periods.",
          ABOVE(0), AT_MOST(1e7), .scale = US_TO_NS, .optional = true,
          AT(stimulus_file, stimulus.chip_ns) },
        { NULL },
};

static const struct config_rule rules[] = {
        { { "from_hz" },
          { "shape" },
          .must = CONFIG_IS(STIMULUS_SINE) | CONFIG_IS(STIMULUS_CHIRP) },
        { { "to_hz" }, { "shape" }, .must = CONFIG_IS(STIMULUS_CHIRP) },
        { { "bits", "chip_us" }, { "shape" }, .must = CONFIG_IS(STIMULUS_PRBS) },
        { { NULL } },
};

const struct config_table config_stimulus_table = {
        .name = "stimulus",
        .about = "A shape over time, added to an input of the loop when its step fires.",
        .field = fields,
        .rule = rules,
};

static bool check_frequency(const char *key, double hz, int64_t period_ns,
                            const struct json *node, struct config_error *why)
{
        double most = 0.5e9 / (double)period_ns;

        /* A frequency that is not there is 0. */
        if (hz < most)
                return true;
        return config_refuse_at(
                why, node, key,
                "must be less than half the loop's rate, %.15g Hz, is %.15g", most, hz);
}

static bool check_periods(const char *key, int64_t ns, int64_t unit_ns, const char *unit,
                          double file_unit, const struct json *node,
                          struct config_error *why)
{
        if (ns > 0 && ns % unit_ns == 0)
                return true;
        return config_refuse_at(why, node, key,
                                "must be a multiple of %s, %.15g, is %.15g", unit,
                                (double)unit_ns / file_unit, (double)ns / file_unit);
}

static bool check_times(const struct stimulus *s, int64_t period_ns,
                        const struct json *node, struct config_error *why)
{
        if (!check_frequency("from_hz", s->from_hz, period_ns, node, why) ||
            !check_frequency("to_hz", s->to_hz, period_ns, node, why))
                return false;
        if (s->shape == STIMULUS_PRBS &&
            !check_periods("chip_us", s->chip_ns, period_ns, "the rig's period in us",
                           US_TO_NS, node, why))
                return false;
        if (s->shape == STIMULUS_DOUBLET)
                return check_periods(
                        "for_s", s->for_ns, 2 * period_ns,
                        "twice the rig's period in s, so that both halves are equal",
                        S_TO_NS, node, why);
        if (s->for_ns < period_ns)
                return config_refuse_at(
                        why, node, "for_s",
                        "must be at least the rig's period, %.15g, is %.15g",
                        (double)period_ns / S_TO_NS, (double)s->for_ns / S_TO_NS);
        return true;
}

bool config_build_stimulus(struct stimulus *s, const struct stimulus_file *file,
                           int64_t period_ns, const struct json *node,
                           struct config_error *why)
{
        double amplitude = file->stimulus.amplitude;
        int run = 0, first = 0;

        while (file->input >= first + inputs[run].names)
                first += inputs[run++].names;
        if (fabs(amplitude) > inputs[run].most)
                return config_refuse_at(why, node, "amplitude",
                                        "must be from %.15g to %.15g of %s, is %.15g",
                                        -inputs[run].most, inputs[run].most,
                                        input_names[file->input], amplitude);
        *s = file->stimulus;
        s->input = inputs[run].input;
        s->index = file->input - first;
        s->amplitude = amplitude * inputs[run].scale;
        return check_times(s, period_ns, node, why);
}

void stimulus_describe(const struct stimulus *s, char *text, size_t cap)
{
        int run = 0, first = 0;

        while (inputs[run].input != s->input)
                first += inputs[run++].names;
        snprintf(text, cap, "%s %s %.6g for %.6g s", input_names[first + s->index],
                 shape_names[s->shape], s->amplitude / inputs[run].scale,
                 (double)s->for_ns / S_TO_NS);
}
