/* The magnetometer: a field fixed to the earth, seen from a turning vehicle. */
#include <check.h>

#include "models/sensors/mag.h"

static struct mag_params params;
static struct mag mag;

/* Field strengths of central Europe: 20 uT to the north, 1 to the east, 44 down. */
static const struct world world = { .magnetic_field_ned_t = { 20e-6, 1e-6, 44e-6 } };

static void set_up(void)
{
        params = (struct mag_params){ .q_body_to_sensor = { 1.0, 0.0, 0.0, 0.0 } };
        error_params_ideal(&params.field);
        mag_init(&mag, 1, 0);
}

static struct vec3 measure(struct quat q_body_to_ned)
{
        struct body_state s = { .q_body_to_ned = q_body_to_ned };
        struct mag_sample sample;

        mag_step(&mag, &params, &world, &s, &sample);
        return sample.field_body_t;
}

static void assert_near(struct vec3 a, struct vec3 b)
{
        ck_assert_double_eq_tol(a.x, b.x, 1e-18);
        ck_assert_double_eq_tol(a.y, b.y, 1e-18);
        ck_assert_double_eq_tol(a.z, b.z, 1e-18);
}

START_TEST(level_and_northward_reads_the_field_itself)
{
        assert_near(measure(quat_from_euler(0.0, 0.0, 0.0)), world.magnetic_field_ned_t);
}
END_TEST

/* Nose to the east, north is on the left. */
START_TEST(eastward_reads_north_on_the_left)
{
        assert_near(measure(quat_from_euler(0.0, 0.0, M_PI / 2.0)),
                    (struct vec3){ 1e-6, -20e-6, 44e-6 });
}
END_TEST

START_TEST(strength_does_not_depend_on_the_attitude)
{
        double strength = vec3_norm(world.magnetic_field_ned_t);

        for (double a = -3.0; a < 3.0; a += 0.1)
                ck_assert_double_eq_tol(
                        vec3_norm(measure(quat_from_euler(a, 0.4 * a, 2.0 * a))),
                        strength, 1e-18);
}
END_TEST

START_TEST(level_field_gives_the_heading)
{
        double declination = atan2(1e-6, 20e-6);

        for (double yaw = -3.0; yaw < 3.0; yaw += 0.1) {
                struct vec3 f = measure(quat_from_euler(0.0, 0.0, yaw));
                double heading = atan2(-f.y, f.x) + declination;

                ck_assert_double_eq_tol(sin(heading - yaw), 0.0, 1e-12);
                ck_assert_double_gt(cos(heading - yaw), 0.0);
        }
}
END_TEST

/* The compass of a GPS mast, often turned about and upside down. */
START_TEST(mounting_turns_the_field)
{
        params.q_body_to_sensor = quat_from_euler(M_PI, 0.0, 0.0);
        assert_near(measure(quat_from_euler(0.0, 0.0, 0.0)),
                    (struct vec3){ 20e-6, -1e-6, -44e-6 });
}
END_TEST

START_TEST(hard_iron_stays_with_the_vehicle)
{
        struct vec3 north, south;

        params.field.bias[0] = 5e-6;
        params.field.scale[1][1] = 1.1;
        north = measure(quat_from_euler(0.0, 0.0, 0.0));
        south = measure(quat_from_euler(0.0, 0.0, M_PI));
        assert_near(north, (struct vec3){ 25e-6, 1.1e-6, 44e-6 });
        assert_near(south, (struct vec3){ -15e-6, -1.1e-6, 44e-6 });
}
END_TEST

START_TEST(noise_has_its_sigma)
{
        const int n = 100000;
        struct vec3 sum = { 0.0, 0.0, 0.0 };

        for (int i = 0; i < 3; i++)
                params.field.sigma[i] = 1e-7;
        for (int i = 0; i < n; i++) {
                struct vec3 f = vec3_sub(measure((struct quat){ 1.0, 0.0, 0.0, 0.0 }),
                                         world.magnetic_field_ned_t);

                sum = vec3_add(sum, (struct vec3){ f.x * f.x, f.y * f.y, f.z * f.z });
        }
        sum = vec3_scale(1.0 / (n * 1e-14), sum);
        ck_assert_double_eq_tol(sum.x, 1.0, 4.0 * sqrt(2.0 / n));
        ck_assert_double_eq_tol(sum.y, 1.0, 4.0 * sqrt(2.0 / n));
        ck_assert_double_eq_tol(sum.z, 1.0, 4.0 * sqrt(2.0 / n));
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("mag");
        TCase *tc = tcase_create("mag");
        SRunner *sr = srunner_create(suite);
        int failures;

        tcase_add_checked_fixture(tc, set_up, NULL);
        tcase_add_test(tc, level_and_northward_reads_the_field_itself);
        tcase_add_test(tc, eastward_reads_north_on_the_left);
        tcase_add_test(tc, strength_does_not_depend_on_the_attitude);
        tcase_add_test(tc, level_field_gives_the_heading);
        tcase_add_test(tc, mounting_turns_the_field);
        tcase_add_test(tc, hard_iron_stays_with_the_vehicle);
        tcase_add_test(tc, noise_has_its_sigma);
        suite_add_tcase(suite, tc);
        srunner_run_all(sr, CK_NORMAL);
        failures = srunner_ntests_failed(sr);
        srunner_free(sr);
        return failures != 0;
}
