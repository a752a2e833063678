/* Quads that are pressed against each other for long, or lie on each other: how far they sink in, and what is kept. */
#include <check.h>

#include "models/plant/collision.h"
#include "models/rng.h"

#include "tests/suites.h"

#define MOST   8
#define ROUNDS 8 /* as the rig, once a period */

static struct body_params params;
static struct shape quad;
static struct body_state body[MOST];

static void setup(void)
{
        const struct vec3 way[4] = { { 1.0, 0.0, 0.0 },
                                     { 0.0, 1.0, 0.0 },
                                     { -1.0, 0.0, 0.0 },
                                     { 0.0, -1.0, 0.0 } };

        params = (struct body_params){ .mass_kg = 1.0,
                                       .inertia_kgm2 = { { 0.008, 0.0, 0.0 },
                                                         { 0.0, 0.008, 0.0 },
                                                         { 0.0, 0.0, 0.014 } } };
        ck_assert(body_params_prepare(&params));
        quad = (struct shape){ 0 };
        shape_add_rod(&quad, (struct vec3){ 0 }, (struct vec3){ 0 }, 0.05);
        for (int i = 0; i < 4; i++) {
                struct vec3 hub = vec3_scale(0.12, way[i]);
                struct shape_part disc = { .at_m = hub,
                                           .axis = { 0.0, 0.0, 1.0 },
                                           .disc_m = 0.061,
                                           .round_m = 0.0025 };

                shape_add_rod(&quad, (struct vec3){ 0 }, hub, 0.005);
                shape_add(&quad, &disc);
        }
}

static struct vec3 random_vec(struct rng *rng, double sigma)
{
        struct vec3 v;

        v.x = sigma * rng_normal(rng);
        v.y = sigma * rng_normal(rng);
        v.z = sigma * rng_normal(rng);
        return v;
}

static struct vec3 spin_of(const struct body_state *s)
{
        return vec3_add(
                quat_rotate(s->q_body_to_ned,
                            body_matrix_times(params.inertia_kgm2, s->rate_body_radps)),
                vec3_cross(s->pos_ned_m, s->vel_ned_mps));
}

static double kinetic_of(const struct body_state *s)
{
        return 0.5 * vec3_dot(s->vel_ned_mps, s->vel_ned_mps) +
               0.5 * vec3_dot(s->rate_body_radps,
                              body_matrix_times(params.inertia_kgm2, s->rate_body_radps));
}

struct sums {
        struct vec3 momentum, spin;
        double kinetic_j;
};

static struct sums sums_of(int count)
{
        struct sums s = { 0 };

        for (int i = 0; i < count; i++) {
                s.momentum = vec3_add(s.momentum, body[i].vel_ned_mps);
                s.spin = vec3_add(s.spin, spin_of(&body[i]));
                s.kinetic_j += kinetic_of(&body[i]);
        }
        return s;
}

static void meet_all(int count, double restitution)
{
        double deepest_m = (double)INFINITY;

        for (int n = 0; n < ROUNDS && deepest_m > 1e-4; n++) {
                deepest_m = 0.0;
                for (int i = 0; i < count; i++)
                        for (int k = 0; k < i; k++) {
                                struct collision_body a = { &params, &body[k], &quad },
                                                      b = { &params, &body[i], &quad };
                                struct collision met =
                                        collision_step(&a, &b, restitution, 0.3);

                                deepest_m = fmax(deepest_m, met.depth_m);
                        }
        }
}

static double deepest_m(int count)
{
        double deepest = 0.0;

        for (int i = 0; i < count; i++)
                for (int k = 0; k < i; k++) {
                        const struct shape_pose a = { &quad, body[i].pos_ned_m,
                                                      quat_to_mat3(
                                                              body[i].q_body_to_ned) };
                        const struct shape_pose b = { &quad, body[k].pos_ned_m,
                                                      quat_to_mat3(
                                                              body[k].q_body_to_ned) };
                        struct shape_contact c;

                        if (shapes_meet(&a, &b, &c))
                                deepest = fmax(deepest, c.depth_m);
                }
        return deepest;
}

static const double dt_s = 0.004;

/* Held level and turned nowhere by their controllers, weakly; pulled with accel. */
static void fly(struct body_state *s, struct vec3 accel)
{
        struct vec3 tilt =
                vec3_cross((struct vec3){ 0.0, 0.0, 1.0 },
                           quat_rotate(s->q_body_to_ned, (struct vec3){ 0.0, 0.0, 1.0 }));
        struct vec3 back = quat_rotate_inverse(s->q_body_to_ned, tilt);

        s->rate_body_radps = vec3_axpy(s->rate_body_radps, -60.0 * dt_s, back);
        s->rate_body_radps =
                vec3_axpy(s->rate_body_radps, -15.0 * dt_s, s->rate_body_radps);
        s->vel_ned_mps = vec3_axpy(s->vel_ned_mps, dt_s, accel);
        s->pos_ned_m = vec3_axpy(s->pos_ned_m, dt_s, s->vel_ned_mps);
        s->q_body_to_ned = quat_normalise(quat_axpy(
                s->q_body_to_ned, dt_s, quat_rate(s->q_body_to_ned, s->rate_body_radps)));
}

static struct vec3 towards(struct vec3 to, const struct body_state *s)
{
        struct vec3 pull = vec3_scale(2.0, vec3_sub(to, s->pos_ned_m));

        pull = vec3_scale(fmin(1.0, 3.0 / vec3_norm(pull)), pull);
        return vec3_axpy(pull, -2.0, s->vel_ned_mps);
}

/* By 3 m/s^2 each, with arms and discs of all yaws. */
START_TEST(eight_that_press_to_a_point_do_not_sink_in)
{
        struct rng rng;
        double worst_m = 0.0;

        rng_init(&rng, (uint64_t)_i, 0, 0, 0);
        for (int i = 0; i < MOST; i++)
                body[i] = (struct body_state){
                        .pos_ned_m = { 0.45 * (i % 4) - 0.7, i < 4 ? -0.2 : 0.25,
                                       0.05 * rng_normal(&rng) },
                        .q_body_to_ned = quat_from_euler(0.0, 0.0, rng_normal(&rng)),
                };
        for (int n = 0; n < 1250; n++) {
                for (int i = 0; i < MOST; i++)
                        fly(&body[i], towards((struct vec3){ 0 }, &body[i]));
                meet_all(MOST, 0.3);
                worst_m = fmax(worst_m, deepest_m(MOST));
        }
        ck_assert_double_lt(worst_m, 0.006);
        ck_assert_double_lt(sums_of(MOST).kinetic_j, 0.02);
}
END_TEST

START_TEST(one_between_two_that_press_stays_between_them)
{
        for (int i = 0; i < 3; i++)
                body[i] = (struct body_state){ .pos_ned_m = { 0.6 * (i - 1), 0.0, 0.0 },
                                               .q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 } };
        for (int n = 0; n < 2500; n++) {
                for (int i = 0; i < 3; i++) {
                        double x_m = i == 1 ? body[1].pos_ned_m.x : 0.0;

                        fly(&body[i], towards((struct vec3){ x_m, 0.0, 0.0 }, &body[i]));
                }
                meet_all(3, 0.3);
                ck_assert_double_lt(deepest_m(3), 0.004);
                if (n > 500)
                        ck_assert_double_lt(deepest_m(3), 0.001);
        }
        ck_assert_double_lt(fabs(body[1].pos_ned_m.x), 0.005);
        ck_assert_double_eq_tol(body[0].pos_ned_m.x, -body[2].pos_ned_m.x, 0.005);
}
END_TEST

/* The hull of each on a disc of the other. It creeps by less than 2 mm/s. */
START_TEST(one_stands_on_another_for_ten_seconds)
{
        const struct body_params held = { .mass_kg = (double)INFINITY };
        struct collision_body lower = { &held, &body[0], &quad };
        struct collision_body upper = { &params, &body[1], &quad };

        body[0] = body[1] =
                (struct body_state){ .q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 } };
        body[1].pos_ned_m = (struct vec3){ 0.12, 0.0, -0.07 };
        for (int n = 0; n < 2500; n++) {
                fly(&body[1], (struct vec3){ 0.0, 0.0, 9.8 });
                for (int k = 0; k < ROUNDS; k++)
                        collision_step(&lower, &upper, 0.3, 0.3);
                ck_assert_double_lt(deepest_m(2), 0.001);
                if (n > 250)
                        ck_assert_double_lt(vec3_norm(body[1].vel_ned_mps), 0.01);
        }
        ck_assert_double_eq_tol(body[1].pos_ned_m.z, -0.0525, 0.001);
        ck_assert_double_eq_tol(body[1].pos_ned_m.x, 0.12, 0.02);
}
END_TEST

/* Thrown into one place, overlapping as deep as can be: some are so entangled that only energy would part them. */
START_TEST(a_pile_in_free_flight_keeps_both_momenta_and_gains_no_energy)
{
        struct rng rng;
        int apart = 0;

        rng_init(&rng, 7, 0, 0, 0);
        for (int n = 0; n < 25; n++) {
                for (int i = 0; i < MOST; i++)
                        body[i] = (struct body_state){
                                .pos_ned_m = random_vec(&rng, 0.15),
                                .vel_ned_mps = random_vec(&rng, 2.0),
                                .rate_body_radps = random_vec(&rng, 5.0),
                                .q_body_to_ned = quat_from_euler(rng_normal(&rng), 0.5,
                                                                 rng_normal(&rng))
                        };
                for (int k = 0; k < 20; k++) {
                        const struct sums before = sums_of(MOST);
                        struct sums after;

                        meet_all(MOST, rng_uniform(&rng));
                        after = sums_of(MOST);
                        ck_assert_double_lt(
                                vec3_norm(vec3_sub(after.momentum, before.momentum)),
                                1e-9);
                        ck_assert_double_lt(vec3_norm(vec3_sub(after.spin, before.spin)),
                                            1e-9);
                        ck_assert_double_le(after.kinetic_j,
                                            before.kinetic_j * (1.0 + 1e-9));
                }
                apart += deepest_m(MOST) < 0.002;
        }
        ck_assert_int_ge(apart, 20);
}
END_TEST

/* Whoever is named first. */
START_TEST(each_is_pushed_as_the_other_would_be)
{
        struct rng rng;
        const struct shape ball = { 1, { { .round_m = 0.2 } }, 0.2 };
        int met = 0;

        rng_init(&rng, 8, 0, 0, 0);
        for (int n = 0; n < 3000; n++) {
                struct collision_body a = { &params, &body[0], &ball },
                                      b = { &params, &body[1], &ball };
                struct collision_body a2 = { &params, &body[2], &ball },
                                      b2 = { &params, &body[3], &ball };

                for (int i = 0; i < 2; i++)
                        body[i] = body[i + 2] = (struct body_state){
                                .pos_ned_m = random_vec(&rng, 0.2),
                                .vel_ned_mps = random_vec(&rng, 1.0),
                                .rate_body_radps = random_vec(&rng, 3.0),
                                .q_body_to_ned = quat_from_euler(0.3 * rng_normal(&rng),
                                                                 0.2, rng_normal(&rng))
                        };
                met += collision_step(&a, &b, 0.4, 0.3).met_mps > 0.0;
                collision_step(&b2, &a2, 0.4, 0.3);
                for (int i = 0; i < 2; i++) {
                        ck_assert_double_lt(vec3_norm(vec3_sub(body[i].vel_ned_mps,
                                                               body[i + 2].vel_ned_mps)),
                                            1e-9);
                        ck_assert_double_lt(vec3_norm(vec3_sub(body[i].pos_ned_m,
                                                               body[i + 2].pos_ned_m)),
                                            1e-9);
                }
        }
        ck_assert_int_gt(met, 500);
}
END_TEST

static void __attribute__((constructor)) add_suite(void)
{
        Suite *suite = suite_create("collision_press");
        TCase *t = tcase_create("collision_press");

        tcase_add_checked_fixture(t, setup, NULL);
        tcase_set_timeout(t, 60.0);
        tcase_add_loop_test(t, eight_that_press_to_a_point_do_not_sink_in, 1, 3);
        tcase_add_test(t, one_between_two_that_press_stays_between_them);
        tcase_add_test(t, one_stands_on_another_for_ten_seconds);
        tcase_add_test(t, a_pile_in_free_flight_keeps_both_momenta_and_gains_no_energy);
        tcase_add_test(t, each_is_pushed_as_the_other_would_be);
        suite_add_tcase(suite, t);
        suites_add(__FILE__, suite);
}
