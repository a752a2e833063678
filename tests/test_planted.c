#include <check.h>
#include <stdlib.h>

#include "models/fc/planted.h"

static const struct planted_params nothing = { .gain_ratio = 1.0 };

START_TEST(without_defects_nothing_is_changed)
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
END_TEST

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

START_TEST(a_ramp_comes_out_late_by_the_delay)
{
        ck_assert_double_eq_tol(ramp_after(40, 0.00025), 39.75, 1e-9);
        ck_assert_double_eq_tol(ramp_after(40, 0.003), 37.0, 1e-9);
        ck_assert_double_eq_tol(ramp_after(40, 0.0107), 29.3, 1e-9);
        /* As late as it can be from what there has been. */
        ck_assert_double_eq_tol(ramp_after(4, 0.02), 0.0, 1e-9);
        ck_assert_double_eq_tol(ramp_after(200, 0.0625), 138.0, 1e-9);
}
END_TEST

START_TEST(a_stale_fix_comes_late_and_says_that_it_is_new)
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
END_TEST

START_TEST(a_bias_is_added_to_every_sample)
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
END_TEST

int main(void)
{
        Suite *suite = suite_create("planted");
        TCase *tc = tcase_create("planted");
        SRunner *sr = srunner_create(suite);
        int failures;

        tcase_add_test(tc, without_defects_nothing_is_changed);
        tcase_add_test(tc, a_ramp_comes_out_late_by_the_delay);
        tcase_add_test(tc, a_stale_fix_comes_late_and_says_that_it_is_new);
        tcase_add_test(tc, a_bias_is_added_to_every_sample);
        suite_add_tcase(suite, tc);
        srunner_run_all(sr, CK_NORMAL);
        failures = srunner_ntests_failed(sr);
        srunner_free(sr);
        return failures != 0;
}
