/* The sonar: geometry over the ground, how far it hears and how far it reports. */
#include <check.h>

#include "models/sensors/sonar.h"

static struct sonar_params params;
static struct sonar sonar;
static const struct world world = { .ground_down_m = 0.0 };

/* FINken 3.1.1: a beam of 7.65 m, readings up to 2.65 m. */
static void set_up(void)
{
        params = (struct sonar_params){ .axis_body = { 0.0, 0.0, 1.0 },
                                        .beam_max_m = 7.65,
                                        .incidence_max_rad = 0.5 };
        error_params_ideal(&params.range);
        params.range.min = 0.2;
        params.range.max = 2.65;
        sonar_init(&sonar, 1, 0);
}

static struct sonar_sample measure(double height_m, struct quat q_body_to_ned)
{
        struct body_state s = { .pos_ned_m = { 3.0, 4.0, -height_m },
                                .q_body_to_ned = q_body_to_ned };
        struct sonar_sample sample;

        sonar_step(&sonar, &params, &world, &s, &sample);
        return sample;
}

static struct quat level(void)
{
        return (struct quat){ 1.0, 0.0, 0.0, 0.0 };
}

static struct quat rolled(double angle_rad)
{
        return quat_from_euler(angle_rad, 0.0, 0.7);
}

START_TEST(level_range_is_the_height)
{
        for (double h = 0.2; h < 2.65; h += 0.01) {
                struct sonar_sample s = measure(h, level());

                ck_assert(s.echo);
                ck_assert_double_eq_tol(s.range_m, h, 1e-12);
        }
}
END_TEST

START_TEST(tilted_range_is_along_the_beam)
{
        for (double angle = -0.49; angle < 0.5; angle += 0.02) {
                struct sonar_sample s = measure(1.5, rolled(angle));

                ck_assert(s.echo);
                ck_assert_double_eq_tol(s.range_m, 1.5 / cos(angle), 1e-12);
        }
}
END_TEST

START_TEST(surface_hit_too_obliquely_sends_no_echo)
{
        struct sonar_sample s = measure(1.5, rolled(0.51));

        ck_assert(measure(1.5, rolled(0.49)).echo);
        ck_assert(!s.echo);
        ck_assert_double_eq(s.range_m, 2.65);
        ck_assert(!measure(1.5, rolled(-0.51)).echo);
        ck_assert(!measure(1.5, quat_from_euler(0.4, 0.4, 0.0)).echo);
}
END_TEST

START_TEST(upside_down_sends_no_echo)
{
        struct sonar_sample s = measure(1.5, rolled(M_PI));

        ck_assert(!s.echo);
        ck_assert_double_eq(s.range_m, 2.65);
}
END_TEST

/* Between the cap and the end of the beam it hears an echo that it does not report. */
START_TEST(reading_is_capped_before_the_beam_ends)
{
        ck_assert_double_eq_tol(measure(2.64, level()).range_m, 2.64, 1e-12);
        ck_assert_double_eq(measure(2.66, level()).range_m, 2.65);
        ck_assert(measure(2.66, level()).echo);
        ck_assert_double_eq(measure(7.6, level()).range_m, 2.65);
        ck_assert(measure(7.6, level()).echo);
        ck_assert_double_eq(measure(7.7, level()).range_m, 2.65);
        ck_assert(!measure(7.7, level()).echo);
}
END_TEST

START_TEST(beam_shorter_than_the_cap_is_what_silence_reads)
{
        params.beam_max_m = 2.0;
        ck_assert_double_eq(measure(2.5, level()).range_m, 2.0);
        ck_assert(!measure(2.5, level()).echo);
}
END_TEST

START_TEST(landed_sonar_reads_its_minimum)
{
        ck_assert_double_eq(measure(0.05, level()).range_m, 0.2);
        ck_assert(measure(0.05, level()).echo);
        /* Pressed into the ground. */
        ck_assert_double_eq(measure(-0.01, level()).range_m, 0.2);
}
END_TEST

START_TEST(lever_arm_moves_the_sensor)
{
        params.lever_arm_body_m = (struct vec3){ 0.0, 0.1, 0.05 };
        ck_assert_double_eq_tol(measure(1.5, level()).range_m, 1.45, 1e-12);
        /* Rolled right by 0.3: y goes down with the sine, z with the cosine. */
        ck_assert_double_eq_tol(measure(1.5, rolled(0.3)).range_m,
                                (1.5 - 0.1 * sin(0.3) - 0.05 * cos(0.3)) / cos(0.3),
                                1e-12);
}
END_TEST

START_TEST(slanted_axis_sees_the_ground_ahead)
{
        params.axis_body = (struct vec3){ sin(0.4), 0.0, cos(0.4) };
        ck_assert_double_eq_tol(measure(1.5, level()).range_m, 1.5 / cos(0.4), 1e-12);
        /* Nose down by 0.4, the beam points straight down. */
        ck_assert_double_eq_tol(measure(1.5, quat_from_euler(0.0, -0.4, 0.0)).range_m,
                                1.5, 1e-12);
}
END_TEST

START_TEST(noise_does_not_depend_on_the_echoes)
{
        struct sonar other = sonar;
        struct body_state low = { .pos_ned_m = { 0.0, 0.0, -1.0 },
                                  .q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 } };
        struct sonar_sample a, b;

        params.range.sigma[0] = 0.01;
        for (int i = 0; i < 7; i++) {
                measure(50.0, level());
                sonar_step(&other, &params, &world, &low, &b);
        }
        a = measure(1.0, level());
        sonar_step(&other, &params, &world, &low, &b);
        ck_assert_double_eq(a.range_m, b.range_m);
}
END_TEST

START_TEST(silence_is_not_noisy)
{
        params.range.sigma[0] = 0.5;
        for (int i = 0; i < 100; i++) {
                struct sonar_sample s = measure(50.0, level());

                ck_assert(!s.echo);
                ck_assert_double_eq(s.range_m, 2.65);
        }
}
END_TEST

START_TEST(noise_and_rounding_act_on_the_echo)
{
        const int n = 50000;
        double sum = 0.0, square = 0.0;

        params.range.sigma[0] = 0.02;
        params.range.lsb = 0.001;
        for (int i = 0; i < n; i++) {
                double error = measure(1.5, level()).range_m - 1.5;

                sum += error;
                square += error * error;
        }
        ck_assert_double_lt(fabs(sum / n), 4.0 * 0.02 / sqrt(n));
        ck_assert_double_eq_tol(square / n / (0.02 * 0.02), 1.0, 4.0 * sqrt(2.0 / n));
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("sonar");
        TCase *tc = tcase_create("sonar");
        SRunner *sr = srunner_create(suite);
        int failures;

        tcase_add_checked_fixture(tc, set_up, NULL);
        tcase_add_test(tc, level_range_is_the_height);
        tcase_add_test(tc, tilted_range_is_along_the_beam);
        tcase_add_test(tc, surface_hit_too_obliquely_sends_no_echo);
        tcase_add_test(tc, upside_down_sends_no_echo);
        tcase_add_test(tc, reading_is_capped_before_the_beam_ends);
        tcase_add_test(tc, beam_shorter_than_the_cap_is_what_silence_reads);
        tcase_add_test(tc, landed_sonar_reads_its_minimum);
        tcase_add_test(tc, lever_arm_moves_the_sensor);
        tcase_add_test(tc, slanted_axis_sees_the_ground_ahead);
        tcase_add_test(tc, noise_does_not_depend_on_the_echoes);
        tcase_add_test(tc, silence_is_not_noisy);
        tcase_add_test(tc, noise_and_rounding_act_on_the_echo);
        suite_add_tcase(suite, tc);
        srunner_run_all(sr, CK_NORMAL);
        failures = srunner_ntests_failed(sr);
        srunner_free(sr);
        return failures != 0;
}
