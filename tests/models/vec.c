#include <math.h>
#include <stdlib.h>

#include "models/rng.h"
#include "models/vec.h"

#include "tests/models/near.h"
#include "tests/suites.h"

#define ATTITUDES 200
#define EPS       1e-15

/* One draw after the other: C does not say in which order an initialiser's are made. */
static struct vec3 random_vec(struct rng *rng)
{
        struct vec3 v;

        v.x = rng_normal(rng);
        v.y = rng_normal(rng);
        v.z = rng_normal(rng);
        return v;
}

/* Uniform over all attitudes. */
static struct quat random_attitude(struct rng *rng)
{
        struct vec3 v = random_vec(rng);

        return quat_normalise((struct quat){ rng_normal(rng), v.x, v.y, v.z });
}

/* Gruber 3.2, as printed: R_psi R_theta R_phi multiplied out. */
static struct mat3 gruber(double phi, double theta, double psi)
{
        double cf = cos(phi), sf = sin(phi), ct = cos(theta), st = sin(theta);
        double cp = cos(psi), sp = sin(psi);

        return (struct mat3){ { ct * cp, cp * st * sf - sp * cf, cp * st * cf + sp * sf },
                              { sp * ct, sp * st * sf + cp * cf, sp * st * cf - cp * sf },
                              { -st, ct * sf, ct * cf } };
}

TEST(rotating_agrees_with_the_thesis_matrix)
{
        struct rng rng;

        rng_init(&rng, 1, 0, 0, 0);
        for (int i = 0; i < ATTITUDES; i++) {
                double phi = 2.0 * rng_normal(&rng), theta = 2.0 * rng_normal(&rng);
                double psi = 2.0 * rng_normal(&rng);
                struct quat q = quat_from_euler(phi, theta, psi);
                struct mat3 m = gruber(phi, theta, psi);
                struct vec3 v = random_vec(&rng);

                assert_near(quat_rotate(q, v), mat3_times(m, v), 20 * EPS);
                assert_near(mat3_times(quat_to_mat3(q), v), mat3_times(m, v), 20 * EPS);
        }
}

/* The printed inverse has s_theta for c_psi in its first row (docs/errata.md); the
 * transpose is right. */
TEST(rotating_back_is_the_transpose)
{
        struct rng rng;

        rng_init(&rng, 2, 0, 0, 0);
        for (int i = 0; i < ATTITUDES; i++) {
                struct quat q = random_attitude(&rng);
                struct vec3 v = random_vec(&rng);

                assert_near(quat_rotate_inverse(q, quat_rotate(q, v)), v, 20 * EPS);
                assert_near(mat3_transpose_times(quat_to_mat3(q), v),
                            quat_rotate_inverse(q, v), 20 * EPS);
        }
}

TEST(multiplying_is_rotating_twice)
{
        struct rng rng;

        rng_init(&rng, 3, 0, 0, 0);
        for (int i = 0; i < ATTITUDES; i++) {
                struct quat a = random_attitude(&rng), b = random_attitude(&rng);
                struct vec3 v = random_vec(&rng);

                assert_near(quat_rotate(quat_multiply(a, b), v),
                            quat_rotate(a, quat_rotate(b, v)), 40 * EPS);
        }
}

TEST(rotation_keeps_lengths_and_handedness)
{
        struct rng rng;

        rng_init(&rng, 4, 0, 0, 0);
        for (int i = 0; i < ATTITUDES; i++) {
                struct quat q = random_attitude(&rng);
                struct vec3 a = random_vec(&rng), b = random_vec(&rng);
                struct vec3 ra = quat_rotate(q, a), rb = quat_rotate(q, b);

                ck_assert_double_eq_tol(vec3_norm(ra), vec3_norm(a), 20 * EPS);
                ck_assert_double_eq_tol(vec3_dot(ra, rb), vec3_dot(a, b), 50 * EPS);
                assert_near(vec3_cross(ra, rb), quat_rotate(q, vec3_cross(a, b)),
                            50 * EPS);
        }
}

TEST(euler_angles_survive_the_round_trip)
{
        struct rng rng;

        rng_init(&rng, 5, 0, 0, 0);
        for (int i = 0; i < ATTITUDES; i++) {
                double roll = M_PI * (2.0 * rng_uniform(&rng) - 1.0);
                double pitch = 0.499 * M_PI * (2.0 * rng_uniform(&rng) - 1.0);
                double yaw = M_PI * (2.0 * rng_uniform(&rng) - 1.0);
                struct vec3 e = quat_to_euler(quat_from_euler(roll, pitch, yaw));

                /* asin loses half the digits near 90 degrees. */
                assert_near(e, (struct vec3){ roll, pitch, yaw }, 1e-12);
        }
}

TEST(straight_up_the_pitch_is_a_right_angle_and_never_nan)
{
        for (int i = -1; i <= 1; i += 2) {
                for (int k = 0; k < 100; k++) {
                        double roll = 0.06 * k - 3.0;
                        struct quat q = quat_from_euler(roll, i * M_PI / 2.0, 1.0);
                        struct vec3 e = quat_to_euler(q);

                        ck_assert_double_eq_tol(e.y, i * M_PI / 2.0, 1e-7);
                        ck_assert(isfinite(e.x) && isfinite(e.z));
                }
        }
}

/* Nose to the east: clockwise from north, seen from above. */
TEST(positive_angles_turn_right_nose_up_and_right_side_down)
{
        const struct vec3 nose = { 1.0, 0.0, 0.0 }, right = { 0.0, 1.0, 0.0 };

        assert_near(quat_rotate(quat_from_euler(0.0, 0.0, M_PI / 2.0), nose),
                    (struct vec3){ 0.0, 1.0, 0.0 }, EPS);
        assert_near(quat_rotate(quat_from_euler(0.0, M_PI / 2.0, 0.0), nose),
                    (struct vec3){ 0.0, 0.0, -1.0 }, EPS);
        assert_near(quat_rotate(quat_from_euler(M_PI / 2.0, 0.0, 0.0), right),
                    (struct vec3){ 0.0, 0.0, 1.0 }, EPS);
}

/* Against R(t + dt) - R(t - dt), and the cross product that it must be. */
TEST(an_attitude_changes_at_the_rate_of_turn)
{
        const double dt = 1e-5;
        struct rng rng;

        rng_init(&rng, 6, 0, 0, 0);
        for (int i = 0; i < ATTITUDES; i++) {
                struct quat q = random_attitude(&rng);
                struct vec3 w = random_vec(&rng), v = random_vec(&rng);
                struct quat rate = quat_rate(q, w);
                struct vec3 after = quat_rotate(quat_axpy(q, dt, rate), v);
                struct vec3 before = quat_rotate(quat_axpy(q, -dt, rate), v);

                assert_near(vec3_scale(0.5 / dt, vec3_sub(after, before)),
                            quat_rotate(q, vec3_cross(w, v)), 1e-9);
        }
}

TEST(renormalising_is_normalising_for_what_is_nearly_of_unit_length)
{
        struct rng rng;

        rng_init(&rng, 7, 0, 0, 0);
        for (int i = 0; i < ATTITUDES; i++) {
                double e = 1e-4 * (2.0 * rng_uniform(&rng) - 1.0);
                struct quat q = random_attitude(&rng);
                struct quat off = quat_axpy(q, e, q);
                struct quat one = quat_renormalise(off), exact = quat_normalise(off);
                double tol = 1.6 * e * e + EPS;

                ck_assert_double_eq_tol(one.w, exact.w, tol);
                ck_assert_double_eq_tol(one.x, exact.x, tol);
                ck_assert_double_eq_tol(one.y, exact.y, tol);
                ck_assert_double_eq_tol(one.z, exact.z, tol);
        }
}
