/* The magnetometer: a field fixed to the earth, seen from a turning vehicle. */
#include "models/sensors/mag.h"

#include "tests/suites.h"

static struct mag_params params;
static struct mag mag;

static struct body_state body;
static double current_a;

/* Field strengths of central Europe: 20 uT to the north, 1 to the east, 44 down. */
static const struct world world = {
        .magnetic_field_ned_t = { 20e-6, 1e-6, 44e-6 },
        .atmosphere = { 101325.0, 288.15 },
};

static void set_up(void)
{
        params = (struct mag_params){ .q_body_to_sensor = { 1.0, 0.0, 0.0, 0.0 } };
        error_params_ideal(&params.field);
        current_a = 0.0;
        mag_init(&mag, &params, 1, 0);
}

FIXTURE(set_up, NULL)

static struct vec3 measure(struct quat q_body_to_ned)
{
        const struct exposure exposure = { .world = &world,
                                           .body = &body,
                                           .current_a = current_a };
        struct mag_sample sample;

        body.q_body_to_ned = q_body_to_ned;
        mag_step(&mag, &params, &exposure, &sample);
        return sample.field_body_t;
}

static void assert_near(struct vec3 a, struct vec3 b)
{
        ck_assert_double_eq_tol(a.x, b.x, 1e-18);
        ck_assert_double_eq_tol(a.y, b.y, 1e-18);
        ck_assert_double_eq_tol(a.z, b.z, 1e-18);
}

TEST(level_and_northward_reads_the_field_itself)
{
        assert_near(measure(quat_from_euler(0.0, 0.0, 0.0)), world.magnetic_field_ned_t);
}

/* Nose to the east, north is on the left. */
TEST(eastward_reads_north_on_the_left)
{
        assert_near(measure(quat_from_euler(0.0, 0.0, M_PI / 2.0)),
                    (struct vec3){ 1e-6, -20e-6, 44e-6 });
}

TEST(strength_does_not_depend_on_the_attitude)
{
        double strength = vec3_norm(world.magnetic_field_ned_t);

        for (double a = -3.0; a < 3.0; a += 0.1)
                ck_assert_double_eq_tol(
                        vec3_norm(measure(quat_from_euler(a, 0.4 * a, 2.0 * a))),
                        strength, 1e-18);
}

TEST(level_field_gives_the_heading)
{
        double declination = atan2(1e-6, 20e-6);

        for (double yaw = -3.0; yaw < 3.0; yaw += 0.1) {
                struct vec3 f = measure(quat_from_euler(0.0, 0.0, yaw));
                double heading = atan2(-f.y, f.x) + declination;

                ck_assert_double_eq_tol(sin(heading - yaw), 0.0, 1e-12);
                ck_assert_double_gt(cos(heading - yaw), 0.0);
        }
}

/* The compass of a GPS mast, often turned about and upside down. */
TEST(mounting_turns_the_field)
{
        params.q_body_to_sensor = quat_from_euler(M_PI, 0.0, 0.0);
        assert_near(measure(quat_from_euler(0.0, 0.0, 0.0)),
                    (struct vec3){ 20e-6, -1e-6, -44e-6 });
}

TEST(offset_and_scale_are_the_sensors)
{
        struct vec3 north, south;

        params.field.bias[0] = 5e-6;
        params.field.scale[1][1] = 1.1;
        north = measure(quat_from_euler(0.0, 0.0, 0.0));
        south = measure(quat_from_euler(0.0, 0.0, M_PI));
        assert_near(north, (struct vec3){ 25e-6, 1.1e-6, 44e-6 });
        assert_near(south, (struct vec3){ -15e-6, -1.1e-6, 44e-6 });
}

static struct quat any_attitude(struct rng *rng)
{
        struct quat q = { rng_normal(rng), rng_normal(rng), rng_normal(rng),
                          rng_normal(rng) };

        return quat_normalise(q);
}

/* Turned every way, the readings lie on a sphere about the magnet's own field. */
TEST(hard_iron_shifts_the_sphere)
{
        const struct vec3 magnet_t = { 12e-6, -7e-6, 3e-6 };
        double strength = vec3_norm(world.magnetic_field_ned_t);
        struct rng rng;

        rng_init(&rng, 3, 0, 0, 0);
        params.hard_iron_body_t = magnet_t;
        for (int i = 0; i < 1000; i++)
                ck_assert_double_eq_tol(
                        vec3_norm(vec3_sub(measure(any_attitude(&rng)), magnet_t)),
                        strength, 1e-18);
}

/* The attitude in which the body meets the field from the other side: half a turn about a
 * normal of it. */
static struct quat opposite(struct quat q)
{
        struct vec3 b = world.magnetic_field_ned_t;
        struct vec3 n = vec3_cross(b, (struct vec3){ 0.3, 1.0, 0.2 });

        n = vec3_scale(1.0 / vec3_norm(n), n);
        return quat_multiply((struct quat){ 0.0, n.x, n.y, n.z }, q);
}

/* Soft iron makes an ellipsoid of it, whose centre is still the hard iron. */
TEST(ellipsoid_is_centred_on_the_hard_iron)
{
        const struct vec3 magnet_t = { 12e-6, -7e-6, 3e-6 };
        double least = INFINITY, most = 0.0;
        struct rng rng;

        rng_init(&rng, 4, 0, 0, 0);
        params.hard_iron_body_t = magnet_t;
        params.induced_body = (struct mat3){ { 0.10, 0.02, -0.01 },
                                             { 0.02, -0.05, 0.03 },
                                             { -0.01, 0.03, 0.04 } };
        for (int i = 0; i < 1000; i++) {
                struct quat q = any_attitude(&rng);
                struct vec3 here = measure(q), there = measure(opposite(q));
                double radius = vec3_norm(vec3_sub(here, magnet_t));

                assert_near(vec3_scale(0.5, vec3_add(here, there)), magnet_t);
                least = fmin(least, radius);
                most = fmax(most, radius);
        }
        /* The axes are the matrix's eigenvalues: between 0.93 and 1.11 of the field. */
        ck_assert_double_lt(least, 0.95 * vec3_norm(world.magnetic_field_ned_t));
        ck_assert_double_gt(most, 1.09 * vec3_norm(world.magnetic_field_ned_t));
}

/* Undone by the inverse of its matrix, which a calibration would find: here of diag(1.1,
 * 0.9, 1.25). */
TEST(soft_iron_is_undone_by_its_inverse)
{
        double strength = vec3_norm(world.magnetic_field_ned_t);
        struct rng rng;

        rng_init(&rng, 5, 0, 0, 0);
        params.induced_body = (struct mat3){ { 0.1, 0.0, 0.0 },
                                             { 0.0, -0.1, 0.0 },
                                             { 0.0, 0.0, 0.25 } };
        for (int i = 0; i < 1000; i++) {
                struct vec3 f = measure(any_attitude(&rng));
                struct vec3 back = { f.x / 1.1, f.y / 0.9, f.z / 1.25 };

                ck_assert_double_eq_tol(vec3_norm(back), strength, 1e-18);
        }
}

/* Iron and wires belong to the body: a turned sensor sees them turned. */
TEST(mounting_turns_the_iron_too)
{
        struct quat level = { 1.0, 0.0, 0.0, 0.0 };
        struct vec3 straight, turned;

        params.hard_iron_body_t = (struct vec3){ 1e-6, 2e-6, 3e-6 };
        params.current_body_t_per_a = (struct vec3){ 0.0, 1e-7, -2e-7 };
        params.induced_body.x.y = 0.1;
        current_a = 15.0;
        straight = measure(level);
        params.q_body_to_sensor = quat_from_euler(0.4, -0.2, 1.1);
        turned = measure(level);
        assert_near(quat_rotate_inverse(params.q_body_to_sensor, turned), straight);
}

TEST(current_adds_a_field_in_proportion)
{
        struct quat level = { 1.0, 0.0, 0.0, 0.0 };

        params.current_body_t_per_a = (struct vec3){ 0.2e-6, -0.1e-6, 0.5e-6 };
        for (current_a = 0.0; current_a < 60.0; current_a += 7.0)
                assert_near(vec3_sub(measure(level), world.magnetic_field_ned_t),
                            vec3_scale(current_a, params.current_body_t_per_a));
}

TEST(gain_and_offset_follow_the_temperature)
{
        struct quat level = { 1.0, 0.0, 0.0, 0.0 };

        params.gain_per_k = -0.003;
        params.bias_t_per_k = (struct vec3){ 1e-8, 0.0, -2e-8 };
        params.reference_k = 288.15;
        assert_near(measure(level), world.magnetic_field_ned_t);
        params.reference_k = 298.15;
        assert_near(measure(level), (struct vec3){ 1.03 * 20e-6 - 1e-7, 1.03 * 1e-6,
                                                   1.03 * 44e-6 + 2e-7 });
}

TEST(a_seed_repeats_and_axes_differ)
{
        struct mag again;
        struct quat level = { 1.0, 0.0, 0.0, 0.0 };

        for (int i = 0; i < 3; i++)
                params.field.sigma[i] = 1e-7;
        mag_init(&mag, &params, 9, 2);
        again = mag;
        for (int i = 0; i < 50; i++) {
                struct vec3 a = measure(level), b;
                struct mag kept = mag;

                mag = again;
                b = measure(level);
                again = mag;
                mag = kept;
                ck_assert(a.x == b.x && a.y == b.y && a.z == b.z);
                ck_assert(a.x - 20e-6 != a.y - 1e-6);
        }
}

TEST(noise_has_its_sigma)
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
