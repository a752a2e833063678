/* Two vehicles: momentum, angular momentum, energy, restitution, friction. */
#include "models/plant/collision.h"
#include "models/rng.h"

#include "tests/suites.h"

static struct body_params light, heavy;
static struct body_state a, b;
static const struct shape small = { 1, { { .round_m = 0.3 } }, 0.3 };
static const struct shape big = { 1, { { .round_m = 0.5 } }, 0.5 };
static struct collision_body one, other;

static struct vec3 random_vec(struct rng *rng, double sigma)
{
        struct vec3 v;

        v.x = sigma * rng_normal(rng);
        v.y = sigma * rng_normal(rng);
        v.z = sigma * rng_normal(rng);
        return v;
}

static void setup(void)
{
        light = (struct body_params){ .mass_kg = 0.7,
                                      .inertia_kgm2 = { { 0.008, 0.001, 0.0 },
                                                        { 0.001, 0.009, 0.0 },
                                                        { 0.0, 0.0, 0.013 } } };
        heavy = (struct body_params){ .mass_kg = 2.5,
                                      .inertia_kgm2 = { { 0.03, 0.0, 0.002 },
                                                        { 0.0, 0.04, 0.0 },
                                                        { 0.002, 0.0, 0.05 } } };
        ck_assert(body_params_prepare(&light) && body_params_prepare(&heavy));
        a = b = (struct body_state){ .q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 } };
        one = (struct collision_body){ &light, &a, &small };
        other = (struct collision_body){ &heavy, &b, &big };
}

FIXTURE(setup, NULL)

/* Overlapping by about a centimetre, moving anyhow. */
static void meet(struct rng *rng)
{
        struct vec3 way = random_vec(rng, 1.0);

        a.pos_ned_m = random_vec(rng, 10.0);
        b.pos_ned_m = vec3_axpy(a.pos_ned_m,
                                (0.8 - 0.01 * rng_uniform(rng)) / vec3_norm(way), way);
        a.vel_ned_mps = random_vec(rng, 3.0);
        b.vel_ned_mps = random_vec(rng, 3.0);
        a.rate_body_radps = random_vec(rng, 5.0);
        b.rate_body_radps = random_vec(rng, 5.0);
        a.q_body_to_ned = quat_from_euler(rng_normal(rng), 0.5, rng_normal(rng));
        b.q_body_to_ned = quat_from_euler(rng_normal(rng), -0.3, rng_normal(rng));
}

static struct vec3 momentum(void)
{
        return vec3_add(vec3_scale(light.mass_kg, a.vel_ned_mps),
                        vec3_scale(heavy.mass_kg, b.vel_ned_mps));
}

static struct vec3 spin_of(const struct body_params *p, const struct body_state *s,
                           struct vec3 at)
{
        struct vec3 own = body_matrix_times(p->inertia_kgm2, s->rate_body_radps);

        return vec3_add(quat_rotate(s->q_body_to_ned, own),
                        vec3_cross(at, vec3_scale(p->mass_kg, s->vel_ned_mps)));
}

static double kinetic_of(const struct body_params *p, const struct body_state *s)
{
        return 0.5 * p->mass_kg * vec3_dot(s->vel_ned_mps, s->vel_ned_mps) +
               0.5 * vec3_dot(s->rate_body_radps,
                              body_matrix_times(p->inertia_kgm2, s->rate_body_radps));
}

static double kinetic_j(void)
{
        return kinetic_of(&light, &a) + kinetic_of(&heavy, &b);
}

TEST(momentum_and_the_centre_of_mass_stay)
{
        struct rng rng;

        rng_init(&rng, 1, 0, 0, 0);
        for (int n = 0; n < 2000; n++) {
                struct vec3 before, middle;

                meet(&rng);
                before = momentum();
                middle = vec3_axpy(vec3_scale(0.7, a.pos_ned_m), 2.5, b.pos_ned_m);
                collision_step(&one, &other, rng_uniform(&rng), rng_uniform(&rng));
                ck_assert_double_lt(vec3_norm(vec3_sub(momentum(), before)), 1e-12);
                middle = vec3_sub(middle, vec3_axpy(vec3_scale(0.7, a.pos_ned_m), 2.5,
                                                    b.pos_ned_m));
                ck_assert_double_lt(vec3_norm(middle), 1e-12);
        }
}

/* About the origin. */
TEST(angular_momentum_stays)
{
        struct rng rng;
        int met = 0;

        rng_init(&rng, 2, 0, 0, 0);
        for (int n = 0; n < 2000; n++) {
                struct body_state a_before, b_before;
                struct vec3 change;

                meet(&rng);
                a_before = a;
                b_before = b;
                met += collision_step(&one, &other, 0.5, 0.8) > 0.0;
                change = vec3_add(
                        vec3_sub(spin_of(&light, &a, a.pos_ned_m),
                                 spin_of(&light, &a_before, a_before.pos_ned_m)),
                        vec3_sub(spin_of(&heavy, &b, b.pos_ned_m),
                                 spin_of(&heavy, &b_before, b_before.pos_ned_m)));
                ck_assert_double_lt(vec3_norm(change), 1e-11);
        }
        ck_assert_int_gt(met, 500);
}

TEST(no_collision_adds_energy)
{
        struct rng rng;

        rng_init(&rng, 3, 0, 0, 0);
        for (int n = 0; n < 5000; n++) {
                double before_j;

                meet(&rng);
                before_j = kinetic_j();
                collision_step(&one, &other, rng_uniform(&rng), 3.0 * rng_uniform(&rng));
                ck_assert_double_le(kinetic_j(), before_j * (1.0 + 1e-12));
        }
}

TEST_EACH(restitution_is_the_share_of_the_approach_that_comes_back, 5)
{
        const double e = 0.25 * _i;
        double before_j;

        a.vel_ned_mps = (struct vec3){ 2.0, 1.0, 0.0 };
        b.pos_ned_m.x = 0.8 - 1e-13;
        b.vel_ned_mps.x = -1.0;
        before_j = kinetic_j();
        ck_assert_double_eq_tol(collision_step(&one, &other, e, 0.0), 3.0, 1e-12);
        ck_assert_double_eq_tol(b.vel_ned_mps.x - a.vel_ned_mps.x, 3.0 * e, 1e-12);
        /* Without friction nothing acts across or turns. */
        ck_assert_double_eq_tol(a.vel_ned_mps.y, 1.0, 1e-12);
        ck_assert_double_eq(vec3_norm(a.rate_body_radps), 0.0);
        if (e == 1.0)
                ck_assert_double_eq_tol(kinetic_j(), before_j, 1e-12);
}

TEST(friction_brakes_the_sliding_by_mu_times_the_impulse)
{
        const double mu = 0.1;
        double impulse_ns = 3.0 / (1.0 / 0.7 + 1.0 / 2.5);

        a.vel_ned_mps = (struct vec3){ 3.0, 8.0, 0.0 };
        b.pos_ned_m.x = 0.8 - 1e-11;
        collision_step(&one, &other, 0.0, mu);
        ck_assert_double_eq_tol(0.7 * (8.0 - a.vel_ned_mps.y), mu * impulse_ns, 1e-9);
        ck_assert_double_eq_tol(2.5 * b.vel_ned_mps.y, mu * impulse_ns, 1e-9);
}

TEST(afterwards_they_do_not_overlap)
{
        struct rng rng;

        rng_init(&rng, 4, 0, 0, 0);
        for (int n = 0; n < 1000; n++) {
                meet(&rng);
                collision_step(&one, &other, 0.0, 0.5);
                ck_assert_double_ge(vec3_norm(vec3_sub(a.pos_ned_m, b.pos_ned_m)),
                                    0.8 - 1e-12);
                ck_assert_double_eq(collision_step(&one, &other, 0.0, 0.5) > 1e-9, 0);
        }
}

TEST(what_parts_or_is_apart_is_left_alone)
{
        struct body_state before;

        a.vel_ned_mps.x = -1.0;
        b.pos_ned_m.x = 0.81;
        before = a;
        ck_assert_double_eq(collision_step(&one, &other, 1.0, 1.0), 0.0);
        ck_assert_double_eq(a.pos_ned_m.x, before.pos_ned_m.x);
        b.pos_ned_m.x = 0.7;
        ck_assert_double_eq(collision_step(&one, &other, 1.0, 1.0), 0.0);
        ck_assert_double_eq(a.vel_ned_mps.x, -1.0);
}

TEST(two_in_one_place_come_apart)
{
        ck_assert_double_eq(collision_step(&one, &other, 1.0, 1.0), 0.0);
        ck_assert_double_eq_tol(vec3_norm(vec3_sub(a.pos_ned_m, b.pos_ned_m)), 0.8,
                                1e-12);
}

/* A quad's disc, arms and hull. */
static void build_quad(struct shape *s, double arm_m)
{
        const struct vec3 way[4] = { { 1.0, 0.0, 0.0 },
                                     { 0.0, 1.0, 0.0 },
                                     { -1.0, 0.0, 0.0 },
                                     { 0.0, -1.0, 0.0 } };

        *s = (struct shape){ 0 };
        shape_add_rod(s, (struct vec3){ 0 }, (struct vec3){ 0 }, 0.3 * arm_m);
        for (int i = 0; i < 4; i++) {
                struct vec3 hub = vec3_scale(arm_m, way[i]);
                struct shape_part disc = { .at_m = hub,
                                           .axis = { 0.0, 0.0, 1.0 },
                                           .disc_m = 0.6 * arm_m,
                                           .round_m = 0.03 * arm_m };

                shape_add_rod(s, (struct vec3){ 0 }, hub, 0.04 * arm_m);
                shape_add(s, &disc);
        }
}

static struct shape quad[2];

static void fly_quads(void)
{
        build_quad(&quad[0], 0.2);
        build_quad(&quad[1], 0.3);
        one.shape = &quad[0];
        other.shape = &quad[1];
}

static struct vec3 angular_momentum(void)
{
        return vec3_add(spin_of(&light, &a, a.pos_ned_m),
                        spin_of(&heavy, &b, b.pos_ned_m));
}

/* Wherever and however two quads overlap. */
TEST(quads_keep_both_momenta_and_gain_no_energy)
{
        struct rng rng;
        int met = 0, turned = 0;

        rng_init(&rng, 5, 0, 0, 0);
        fly_quads();
        for (int n = 0; n < 3000; n++) {
                struct vec3 line, spin, rate;
                double before_j;

                meet(&rng);
                b.pos_ned_m = vec3_add(a.pos_ned_m, random_vec(&rng, 0.15));
                line = momentum();
                spin = angular_momentum();
                before_j = kinetic_j();
                rate = a.rate_body_radps;
                met += collision_step(&one, &other, rng_uniform(&rng), 0.5) > 0.0;
                turned += vec3_norm(vec3_sub(a.rate_body_radps, rate)) > 0.1;
                ck_assert_double_lt(vec3_norm(vec3_sub(momentum(), line)), 1e-9);
                ck_assert_double_lt(vec3_norm(vec3_sub(angular_momentum(), spin)), 1e-9);
                ck_assert_double_le(kinetic_j(), before_j * (1.0 + 1e-11));
        }
        ck_assert_int_gt(met, 500);
        ck_assert_int_gt(turned, 500);
}

/* Rims of two discs, level: pushed apart sideways, and about the vertical alone. */
TEST(rims_that_meet_push_sideways)
{
        fly_quads();
        b.pos_ned_m = (struct vec3){ 0.2 + 0.126 + 0.189 + 0.3 - 0.001, 0.0, 0.0 };
        a.vel_ned_mps.x = 1.0;
        a.vel_ned_mps.y = 0.5;
        ck_assert_double_eq_tol(collision_step(&one, &other, 0.5, 0.3), 1.0, 1e-9);
        ck_assert_double_lt(a.vel_ned_mps.x, 1.0);
        ck_assert_double_gt(b.vel_ned_mps.x, 0.0);
        ck_assert_double_eq_tol(a.vel_ned_mps.z, 0.0, 1e-12);
        ck_assert_double_gt(fabs(a.rate_body_radps.z), 0.1);
        ck_assert_double_eq_tol(b.vel_ned_mps.z, 0.0, 1e-12);
}

/* One disc of a reaches over the hull of b: a is stopped, and tips over the disc. */
TEST(who_lands_with_a_rotor_on_the_other_tips_away)
{
        fly_quads();
        b.pos_ned_m = (struct vec3){ 0.25, 0.0, 0.089 + 0.006 - 0.001 };
        a.vel_ned_mps.z = 1.0;
        ck_assert_double_eq_tol(collision_step(&one, &other, 0.0, 0.0), 1.0, 1e-9);
        ck_assert_double_lt(a.vel_ned_mps.z, 1.0);
        ck_assert_double_gt(a.vel_ned_mps.z, 0.0);
        /* The front is held up. */
        ck_assert_double_gt(a.rate_body_radps.y, 1.0);
}

TEST(what_is_held_stays_and_the_other_bounces)
{
        const struct body_params immovable = { .mass_kg = (double)INFINITY };
        struct body_state held;

        fly_quads();
        one.params = &immovable;
        b.pos_ned_m = (struct vec3){ 0.2 + 0.126 + 0.189 + 0.3 - 0.001, 0.0, 0.0 };
        b.vel_ned_mps.x = -2.0;
        held = a;
        ck_assert_double_eq_tol(collision_step(&one, &other, 0.5, 0.3), 2.0, 1e-9);
        ck_assert_mem_eq(&a, &held, sizeof a);
        ck_assert_double_eq_tol(b.vel_ned_mps.x, 1.0, 1e-9);
}

TEST(a_quad_passes_beside_another_inside_their_spheres)
{
        fly_quads();
        a.vel_ned_mps.x = 1.0;
        b.pos_ned_m = (struct vec3){ 0.1, 0.0, 0.25 };
        ck_assert_double_lt(vec3_norm(b.pos_ned_m), quad[0].radius_m + quad[1].radius_m);
        ck_assert_double_eq(collision_step(&one, &other, 0.5, 0.3), 0.0);
        ck_assert_double_eq(a.vel_ned_mps.x, 1.0);
}
