#include <stdlib.h>

#include "models/fc/option.h"
#include "models/fc/planted.h"

#include "tests/suites.h"

static const struct planted_params nothing = { .gain_ratio = 1.0 };

TEST(without_defects_nothing_is_changed)
{
        struct planted d = { 0 };
        struct motor_command command = { .duty = { 0.1, 0.2, 0.3 } };
        struct sensor_frame frame = { .t_ns = 5, .fresh = SENSOR_BIT(SENSOR_GPS) };
        struct sensor_frame before = frame;

        planted_sensors(&d, &nothing, &frame);
        planted_output(&d, &nothing, 0.001, &command);
        ck_assert_mem_eq(&before, &frame, sizeof frame);
        ck_assert_double_eq(command.duty[2], 0.3);
}

/* What comes out of the n-th step of a ramp of one a step. */
static double ramp_after(int steps, double delay_s)
{
        struct planted_params p = { .delay_s = delay_s, .gain_ratio = 1.0 };
        struct planted d = { 0 };
        struct motor_command command = { 0 };

        for (int i = 0; i <= steps; i++) {
                command.duty[0] = i;
                planted_output(&d, &p, 0.001, &command);
        }
        return command.duty[0];
}

TEST(a_ramp_comes_out_late_by_the_delay)
{
        ck_assert_double_eq_tol(ramp_after(40, 0.00025), 39.75, 1e-9);
        ck_assert_double_eq_tol(ramp_after(40, 0.003), 37.0, 1e-9);
        ck_assert_double_eq_tol(ramp_after(40, 0.0107), 29.3, 1e-9);
        /* As late as it can be from what there has been. */
        ck_assert_double_eq_tol(ramp_after(4, 0.02), 0.0, 1e-9);
        ck_assert_double_eq_tol(ramp_after(200, 0.0625), 138.0, 1e-9);
}

TEST(a_stale_fix_comes_late_and_says_that_it_is_new)
{
        struct planted_params p = { .gain_ratio = 1.0, .gps_stale_s = 1.0 };
        struct planted d = { 0 };
        int fixes = 0;

        for (int tick = 0; tick < 3000; tick++) {
                struct sensor_frame frame = { .t_ns = tick * INT64_C(1000000) };

                if (tick % 250 == 0) {
                        frame.fresh = SENSOR_BIT(SENSOR_GPS);
                        frame.gps.t_ns = frame.t_ns;
                        frame.gps.height_m = tick;
                }
                planted_sensors(&d, &p, &frame);
                if (!(frame.fresh & SENSOR_BIT(SENSOR_GPS)))
                        continue;
                ck_assert_double_eq(frame.gps.height_m, tick - 1000);
                ck_assert_int_eq(frame.gps.t_ns, frame.t_ns);
                fixes++;
        }
        ck_assert_int_eq(fixes, 8);
}

TEST(a_bias_is_added_to_every_sample)
{
        struct planted_params p = { .gain_ratio = 1.0,
                                    .gyro_bias_radps = { 0.0, 0.25, 0.0 },
                                    .accel_bias_mps2 = { -0.5, 0.0, 0.0 } };
        struct planted d = { 0 };
        struct sensor_frame frame = { .imu.gyro_body_radps = { 1.0, 1.0, 1.0 } };

        planted_sensors(&d, &p, &frame);
        ck_assert_double_eq(frame.imu.gyro_body_radps.y, 1.25);
        ck_assert_double_eq(frame.imu.accel_body_mps2.x, -0.5);
}

TEST(a_stuck_task_keeps_its_last_torque_until_it_runs_again)
{
        struct planted_params p = nothing;
        struct planted d = { 0 };
        struct vec3 first = { 1.0, 2.0, 3.0 }, later = { 4.0, 5.0, 6.0 };

        ck_assert_double_eq(planted_torque(&d, &p, first).x, 1.0);
        p.test = PLANTED_STUCK_TASK;
        ck_assert_double_eq(planted_torque(&d, &p, later).x, 1.0);
        p.test = PLANTED_NONE;
        ck_assert_double_eq(planted_torque(&d, &p, later).x, 4.0);
}

TEST(a_late_loop_gives_the_outputs_of_ten_frames_before)
{
        struct planted_params p = nothing;
        struct planted d = { 0 };

        for (int i = 0; i < 100; i++) {
                struct motor_command command = { .duty = { i } };

                p.test = i < 50 ? PLANTED_NONE : PLANTED_LATE_LOOP;
                planted_output(&d, &p, 0.001, &command);
                /* What it remembers begins with the fault. */
                ck_assert_double_eq(command.duty[0],
                                    i < 50 ? i : fmax(i - PLANTED_LATE_FRAMES, 50));
        }
}

TEST(swapped_motors_are_the_first_two)
{
        struct planted_params p = { .gain_ratio = 1.0, .test = PLANTED_SWAPPED_MOTOR };
        struct planted d = { 0 };
        struct motor_command command = { .duty = { 0.1, 0.2, 0.3, 0.4 } };

        planted_output(&d, &p, 0.001, &command);
        ck_assert_double_eq(command.duty[0], 0.2);
        ck_assert_double_eq(command.duty[1], 0.1);
        ck_assert_double_eq(command.duty[2], 0.3);
}

/* The roll rate that it sees of 1 rad/s from tick 1 on. */
static double seen_rate(enum planted_test test, int ticks)
{
        struct planted_params p = { .gain_ratio = 1.0, .test = test };
        struct planted d = { 0 };
        struct sensor_frame frame = { 0 };

        for (int i = 0; i <= ticks; i++) {
                frame.imu.t_ns = i * INT64_C(1000000);
                frame.imu.gyro_body_radps.x = i > 0;
                planted_sensors(&d, &p, &frame);
        }
        return frame.imu.gyro_body_radps.x;
}

TEST(a_wrong_sign_turns_the_roll_rate_round)
{
        ck_assert_double_eq(seen_rate(PLANTED_NONE, 1), 1.0);
        ck_assert_double_eq(seen_rate(PLANTED_WRONG_SIGN, 1), -1.0);
}

TEST(a_slow_filter_reaches_63_percent_after_its_time_constant)
{
        double tau_s = 1.0 / (2.0 * 3.141592653589793 * PLANTED_CUTOFF_HZ);
        double reached = seen_rate(PLANTED_SLOW_FILTER, (int)(tau_s * 1e3));

        ck_assert_double_eq_tol(reached, 1.0 - exp(-1.0), 0.002);
}

TEST(the_option_plants_a_fault_by_name_and_ends_it)
{
        struct fc_params given = { .rotors = 4, .planted = nothing }, p = given;
        struct fc fc = { 0 };

        for (int i = 0; planted_test_names[i] != NULL; i++) {
                ck_assert(
                        fc_option(&fc, &p, &given, "test_fault", planted_test_names[i]));
                ck_assert_int_eq(p.planted.test, i);
        }
        ck_assert(!fc_option(&fc, &p, &given, "test_fault", "stuck"));
        ck_assert_int_eq(p.planted.test, PLANTED_TESTS - 1);
        ck_assert(fc_option(&fc, &p, &given, "test_fault", ""));
        ck_assert_int_eq(p.planted.test, PLANTED_NONE);
}
