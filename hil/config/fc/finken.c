/* Gains of the FINken's laws, and what a pilot's sticks mean. */
#include "hil/config/fc/fc.h"

#define FINKEN(member) AT(fc_file, params.finken.member)
#define STICKS(member) AT(fc_file, params.sticks.member)

/* Defaults are the thesis's and its program's numbers, with time in seconds where they count steps of
 * 50 ms. */
static const struct config_field finken_fields[] = {
        { "roll_pitch_p", CONFIG_NUMBER,
          "Share of the air stream over the sine of the tilt that is missing.",
          BETWEEN(0, 100), .preset = "0.2", FINKEN(roll_pitch.p) },
        { "roll_pitch_i_per_s", CONFIG_NUMBER, "Over its integral; printed 0.1 a step.",
          BETWEEN(0, 1000), .preset = "2", FINKEN(roll_pitch.i_per_s) },
        { "roll_pitch_d_s", CONFIG_NUMBER, "Over its derivative; printed 1.5 a step.",
          BETWEEN(0, 100), .preset = "0.075", FINKEN(roll_pitch.d_s) },
        { "yaw_p", CONFIG_NUMBER,
          "Share of the air stream over the missing heading, rad.", BETWEEN(0, 100),
          .preset = "0.2", FINKEN(yaw.p) },
        { "yaw_i_per_s", CONFIG_NUMBER, "Over its integral.", BETWEEN(0, 1000),
          .preset = "2", FINKEN(yaw.i_per_s) },
        { "yaw_d_s", CONFIG_NUMBER, "Over its derivative.", BETWEEN(0, 100),
          .preset = "0.075", FINKEN(yaw.d_s) },
        { "derivative_tau_s", CONFIG_NUMBER, "Smooths the derivatives of the attitude.",
          BETWEEN(0, 10), .preset = "0.005", FINKEN(d_tau_s) },
        { "stream_full_mps", CONFIG_NUMBER, "Air stream behind a rotor at full throttle.",
          ABOVE(0), AT_MOST(1000), .preset = "22.175", FINKEN(stream_full_mps) },
        { "stream_hover_mps", CONFIG_NUMBER,
          "Air stream at which the thrust is the weight.", ABOVE(0), AT_MOST(1000),
          .preset = "11.0774", FINKEN(stream_hover_mps) },
        { "throttle_a_percent", CONFIG_NUMBER,
          "How steep the throttle curve is below the middle: small is flat; 0: no curve.",
          BETWEEN(0, 1e6), .preset = "1", FINKEN(curve_below) },
        { "throttle_b_percent", CONFIG_NUMBER, "The same above the middle.",
          BETWEEN(0, 1e6), .preset = "1", FINKEN(curve_above) },
        { "height_p_per_s", CONFIG_NUMBER, "Air stream over missing height.",
          BETWEEN(0, 100), .preset = "2", FINKEN(height_p_per_s) },
        { "climb_p", CONFIG_NUMBER, "Reduction of the air stream over rate of climb.",
          BETWEEN(0, 100), .preset = "2", FINKEN(climb_p) },
        { "target_p_deg_per_m", CONFIG_NUMBER, "Tilt over distance to the target.",
          BETWEEN(0, 100), .scale = RAD_PER_DEG, .preset = "2", FINKEN(horizontal.p) },
        { "target_i_deg_per_ms", CONFIG_NUMBER, "Tilt over its integral.",
          BETWEEN(0, 100), .scale = RAD_PER_DEG, .preset = "0",
          FINKEN(horizontal.i_per_s) },
        { "target_d_deg_per_mps", CONFIG_NUMBER, "Tilt over its derivative.",
          BETWEEN(0, 100), .scale = RAD_PER_DEG, .preset = "0.2",
          FINKEN(horizontal.d_s) },
        { "throttle_p_percent_per_m", CONFIG_NUMBER, "Throttle over missing height.",
          BETWEEN(0, 1000), .preset = "6", FINKEN(vertical.p) },
        { "throttle_i_percent_per_ms", CONFIG_NUMBER, "Throttle over its integral.",
          BETWEEN(0, 1000), .preset = "0", FINKEN(vertical.i_per_s) },
        { "throttle_d_percent_per_mps", CONFIG_NUMBER, "Throttle over its derivative.",
          BETWEEN(0, 1000), .preset = "0.4", FINKEN(vertical.d_s) },
        { "target_tau_s", CONFIG_NUMBER, "Smooths the derivatives to a target.",
          BETWEEN(0, 10), .preset = "0.05", FINKEN(target_tau_s) },
        { NULL },
};

const struct config_table config_finken_table = {
        .name = "fc_finken",
        .about = "Attitude, height and position laws finken, and the throttle of the "
                 "sticks.",
        .field = finken_fields,
};

static const struct config_field sticks_fields[] = {
        { "angle_full_deg", CONFIG_NUMBER, "Tilt of a full roll or pitch stick.",
          ABOVE(0), AT_MOST(60), .scale = RAD_PER_DEG, .preset = "30",
          STICKS(angle_full_rad) },
        { "yaw_full_dps", CONFIG_NUMBER, "Turn of a full yaw stick.", BETWEEN(0, 2000),
          .scale = RAD_PER_DEG, .preset = "90", STICKS(yaw_full_radps) },
        { "yaw_full_deg", CONFIG_NUMBER,
          "Heading of a full yaw stick, as the FINken has it, instead of a turn; 0: a "
          "turn.",
          BETWEEN(0, 180), .scale = RAD_PER_DEG, .preset = "0", STICKS(yaw_full_rad) },
        { "takeoff_percent", CONFIG_NUMBER,
          "Throttle above which it is meant to fly; below it nothing integrates.",
          BETWEEN(0, 100), .preset = "5", STICKS(takeoff_percent) },
        { "arm_channel", CONFIG_INTEGER,
          "RC channel that arms it above 1500 us, counted from 1; 0: the set-point's "
          "mode "
          "does.",
          BETWEEN(0, RC_CHANNELS_MAX), .preset = "5", STICKS(arm_channel) },
        { "hold_channel", CONFIG_INTEGER,
          "RC channel that holds the height above 1500 us, counted from 1; 0: none.",
          BETWEEN(0, RC_CHANNELS_MAX), .preset = "6", STICKS(hold_channel) },
        { NULL },
};

const struct config_table config_sticks_table = {
        .name = "fc_sticks",
        .about = "Position law sticks: roll, pitch, throttle and yaw on RC channels 1 to "
                 "4.",
        .field = sticks_fields,
};
