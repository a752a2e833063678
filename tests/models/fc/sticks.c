/* A pilot's sticks, and the filters before the laws. */
#include <stdlib.h>

#include "models/fc/laws/rate_filter.h"
#include "models/fc/sticks.h"
#include "tests/models/fc/fc_laws.h"
#include "tests/suites.h"

static const uint16_t centred[] = { 1500, 1500, 1000, 1500, 1000, 1000 };

static void hear(struct sticks *s, int channel, uint16_t us)
{
        struct pilot_input input = { .setpoint.mode = MODE_ARMED };

        input.rc_us[channel] = us;
        sticks_hear(s, &input);
}

static void hear_centred(struct sticks *s)
{
        for (int i = 0; i < 6; i++)
                hear(s, i, centred[i]);
}

TEST(until_a_throttle_is_heard_there_are_no_sticks)
{
        const struct fc_params p = law_params(ATTITUDE_CASCADE);
        struct sticks s = { .holding = false };
        struct setpoint asked;

        ck_assert(!sticks_setpoint(&s, &p.sticks, 0.0, &asked));
        ck_assert_double_eq(sticks_throttle_percent(&s), 0.0);
        ck_assert_double_eq(sticks_deflection(&s, STICKS_ROLL), 0.0);
        hear_centred(&s);
        ck_assert(sticks_setpoint(&s, &p.sticks, 0.0, &asked));
        ck_assert_int_eq(asked.mode, MODE_DISARMED);
}

TEST(arms_by_its_channel_and_flies_by_its_throttle)
{
        struct fc_params p = law_params(ATTITUDE_CASCADE);
        struct sticks s = { .holding = false };
        struct setpoint asked;

        hear_centred(&s);
        hear(&s, p.sticks.arm_channel, 1800);
        sticks_setpoint(&s, &p.sticks, 0.0, &asked);
        ck_assert_int_eq(asked.mode, MODE_ARMED);
        hear(&s, STICKS_THROTTLE, 1500);
        sticks_setpoint(&s, &p.sticks, 0.0, &asked);
        ck_assert_int_eq(asked.mode, MODE_GOTO);
        hear(&s, p.sticks.arm_channel, 1000);
        sticks_setpoint(&s, &p.sticks, 0.0, &asked);
        ck_assert_int_eq(asked.mode, MODE_DISARMED);
        /* Without a channel the set-point's mode arms. */
        p.sticks.arm_channel = -1;
        sticks_setpoint(&s, &p.sticks, 0.0, &asked);
        ck_assert_int_eq(asked.mode, MODE_GOTO);
}

TEST(a_channel_not_sent_keeps_its_value_and_odd_ones_stay_in_range)
{
        struct sticks s = { .holding = false };

        hear_centred(&s);
        hear(&s, STICKS_ROLL, 2000);
        hear(&s, STICKS_ROLL, 0);
        ck_assert_double_eq(sticks_deflection(&s, STICKS_ROLL), 1.0);
        hear(&s, STICKS_ROLL, 65535);
        ck_assert_double_eq(sticks_deflection(&s, STICKS_ROLL), 1.0);
        hear(&s, STICKS_ROLL, 1);
        ck_assert_double_eq(sticks_deflection(&s, STICKS_ROLL), -1.0);
        hear(&s, STICKS_ROLL, 1504);
        ck_assert_double_eq(sticks_deflection(&s, STICKS_ROLL), 0.0);
}

TEST(sticks_are_angles_to_the_right_and_forward)
{
        const struct fc_params p = law_params(ATTITUDE_CASCADE);
        struct sticks s = { .holding = false };
        struct vec3 euler;

        hear_centred(&s);
        hear(&s, STICKS_ROLL, 1750);
        hear(&s, STICKS_PITCH, 2000);
        euler = quat_to_euler(sticks_attitude(&s, &p.sticks, 1.2, 0.001, false));
        ck_assert_double_eq_tol(euler.x, 15.0 * DEG, 1e-9);
        ck_assert_double_eq_tol(euler.y, -30.0 * DEG, 1e-9);
        ck_assert_double_eq_tol(euler.z, 1.2, 1e-9);
}

TEST(yaw_stick_turns_or_points)
{
        struct fc_params p = law_params(ATTITUDE_CASCADE);
        struct sticks s = { .holding = false };
        double yaw_rad = 0.0;

        hear_centred(&s);
        sticks_attitude(&s, &p.sticks, 0.0, 0.001, true);
        hear(&s, STICKS_YAW, 2000);
        for (int k = 0; k < 1000; k++)
                yaw_rad = quat_to_euler(
                                  sticks_attitude(&s, &p.sticks, yaw_rad, 0.001, false))
                                  .z;
        ck_assert_double_eq_tol(yaw_rad, 90.0 * DEG, 1e-6);
        /* No further ahead than a vehicle that does not turn could follow. */
        for (int k = 0; k < 5000; k++)
                sticks_attitude(&s, &p.sticks, 0.0, 0.001, false);
        ck_assert_double_eq_tol(s.yaw_rad, 1.0, 1e-9);
        p.sticks.yaw_full_rad = 180.0 * DEG;
        hear(&s, STICKS_YAW, 1250);
        sticks_attitude(&s, &p.sticks, 0.0, 0.001, false);
        ck_assert_double_eq_tol(s.yaw_rad, -90.0 * DEG, 1e-9);
}

TEST(hold_channel_keeps_the_height_at_which_it_was_switched_on)
{
        const struct fc_params p = law_params(ATTITUDE_CASCADE);
        struct sticks s = { .holding = false };
        struct setpoint asked;

        hear_centred(&s);
        hear(&s, p.sticks.arm_channel, 1800);
        hear(&s, STICKS_THROTTLE, 1500);
        hear(&s, p.sticks.hold_channel, 1800);
        sticks_setpoint(&s, &p.sticks, -3.0, &asked);
        sticks_setpoint(&s, &p.sticks, -4.0, &asked);
        ck_assert(s.holding);
        ck_assert_double_eq(asked.pos_ned_m.z, -3.0);
        hear(&s, p.sticks.hold_channel, 1000);
        sticks_setpoint(&s, &p.sticks, -5.0, &asked);
        ck_assert(!s.holding);
        hear(&s, p.sticks.hold_channel, 1800);
        sticks_setpoint(&s, &p.sticks, -6.0, &asked);
        ck_assert_double_eq(asked.pos_ned_m.z, -6.0);
}

/* A flight by hand: up on the throttle, hold, to the right for a second, back, down, disarmed. */
TEST_EACH(flies_by_hand, ATTITUDE_LAWS)
{
        struct flight f;
        struct pilot_input input = { .setpoint.mode = MODE_ARMED };
        double east_m, held_m;

        flight_init(&f, &quad_x_1kg, true, 1 * MS, 1, 0.3);
        f.params.law = (struct law_params){ .position = POSITION_STICKS,
                                            .attitude = (enum attitude_law)_i };
        law_gains(&f.params);
        f.params.finken.curve_below = f.params.finken.curve_above = 0.0;
        memcpy(input.rc_us, centred, sizeof centred);
        while (f.t_ns < 20000 * MS) {
                double t = flight_s(&f);

                input.rc_us[4] = t > 4.0 && t < 19.0 ? 1800 : 1000;
                input.rc_us[2] = t < 5.0 ? 1000 : t < 7.0 ? 1560 : t < 16.0 ? 1500 : 1480;
                input.rc_us[5] = t > 7.0 && t < 14.0 ? 1800 : 1000;
                input.rc_us[0] = t > 9.0 && t < 10.0    ? 1600
                                 : t > 10.0 && t < 11.0 ? 1400
                                                        : 1500;
                if (t > 9.0 && t < 9.002)
                        held_m = f.fc.estimator.pos_ned_m.z;
                if (t > 10.99 && t < 11.01) {
                        /* With its heading of 0.3 rad most of it is east. */
                        east_m = f.vehicle.body.pos_ned_m.y;
                        ck_assert_double_gt(east_m, 0.3);
                }
                if (t > 12.0 && t < 14.0)
                        ck_assert_double_eq_tol(f.fc.estimator.pos_ned_m.z, held_m, 0.25);
                if (t > 8.0 && t < 14.0)
                        ck_assert_double_lt(flight_tilt_rad(&f), 12.0 * DEG);
                fc_input(&f.fc, &input);
                flight_tick(&f);
        }
        ck_assert(!fc_armed(&f.fc));
        ck_assert_double_lt(f.vehicle.motor[0].speed_radps, 1.0);
}

/* Filters */

static double gain_at(const struct filter_params *p, double hz)
{
        struct rate_filter f = { .dt_s = 0.0 };
        double in = 0.0, out = 0.0;

        for (int k = 0; k < 4000; k++) {
                double x = sin(2.0 * M_PI * hz * k * 0.001);
                struct vec3 y =
                        rate_filter_step(&f, p, (struct vec3){ x, -x, 2.0 * x }, 0.001);

                ck_assert_double_eq_tol(y.x, -y.y, 1e-12);
                ck_assert_double_eq_tol(2.0 * y.x, y.z, 1e-12);
                if (k >= 2000) {
                        in += x * x;
                        out += y.x * y.x;
                }
        }
        return sqrt(out / in);
}

TEST(filters_at_rest_change_not_a_bit)
{
        const struct filter_params p = { .gyro_notch_width_hz = 30.0 };
        struct rate_filter f = { .dt_s = 0.0 };

        for (int k = 0; k < 100; k++) {
                struct vec3 in = { 0.1 * k, -0.3 * k, 1e-3 * k };
                struct vec3 out = rate_filter_step(&f, &p, in, 0.001);

                ck_assert_mem_eq(&in, &out, sizeof in);
        }
}

TEST(lowpass_halves_the_power_at_its_corner)
{
        const struct filter_params p = { .gyro_lowpass_hz = 80.0 };

        ck_assert_double_eq_tol(gain_at(&p, 2.0), 1.0, 0.002);
        ck_assert_double_eq_tol(gain_at(&p, 80.0), M_SQRT1_2, 0.005);
        ck_assert_double_lt(gain_at(&p, 320.0), 0.06);
}

TEST(notch_takes_its_frequency_out_and_leaves_the_others)
{
        const struct filter_params p = { .gyro_notch_hz = 180.0,
                                         .gyro_notch_width_hz = 40.0 };

        ck_assert_double_lt(gain_at(&p, 180.0), 0.01);
        ck_assert_double_eq_tol(gain_at(&p, 5.0), 1.0, 0.002);
        ck_assert_double_gt(gain_at(&p, 100.0), 0.9);
        ck_assert_double_gt(gain_at(&p, 300.0), 0.9);
}

TEST(filters_start_settled_and_follow_the_period)
{
        const struct filter_params p = { .gyro_lowpass_hz = 80.0,
                                         .gyro_notch_hz = 180.0,
                                         .gyro_notch_width_hz = 40.0 };
        const struct vec3 rate = { 0.4, -0.2, 1.5 };
        struct rate_filter f = { .dt_s = 0.0 };
        struct vec3 out;

        for (int k = 0; k < 200; k++) {
                out = rate_filter_step(&f, &p, rate, k < 100 ? 0.001 : 0.002);
                ck_assert_double_eq_tol(out.x, rate.x, 0.02);
                ck_assert_double_eq_tol(out.z, rate.z, 0.08);
        }
        /* At 250 Hz the notch would lie beyond what samples hold. */
        for (int k = 0; k < 400; k++)
                out = rate_filter_step(&f, &p, rate, 0.004);
        ck_assert(!f.notch.on);
        ck_assert_double_eq_tol(out.y, rate.y, 1e-6);
}
