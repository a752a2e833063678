/* Balls, rods and discs: distances and rays against many points of the surface, contacts against what the shapes' sizes
 * say. */
#include <math.h>

#include "models/rng.h"
#include "models/world/shape.h"

#include "tests/suites.h"

static struct rng rng;
static const struct mat3 level = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };

static struct vec3 random_vec(double sigma)
{
        struct vec3 v;

        v.x = sigma * rng_normal(&rng);
        v.y = sigma * rng_normal(&rng);
        v.z = sigma * rng_normal(&rng);
        return v;
}

static struct vec3 random_unit(void)
{
        struct vec3 v = random_vec(1.0);

        return vec3_scale(1.0 / vec3_norm(v), v);
}

/* A ball, a rod and a disc, in turn. */
static struct shape_part random_part(int n)
{
        return (struct shape_part){ .at_m = random_vec(0.3),
                                    .axis = random_unit(),
                                    .rod_m = n % 3 == 1 ? 0.4 : 0.0,
                                    .disc_m = n % 3 == 2 ? 0.3 : 0.0,
                                    .round_m = 0.05 };
}

/* Anywhere in the core. */
static struct vec3 random_of_core(const struct shape_part *p)
{
        struct vec3 across = vec3_cross(p->axis, random_unit());
        double far = p->disc_m * sqrt(rng_uniform(&rng)) / vec3_norm(across);
        double along = p->rod_m * (2.0 * rng_uniform(&rng) - 1.0);

        return vec3_axpy(vec3_axpy(p->at_m, far, across), along, p->axis);
}

static void setup(void)
{
        rng_init(&rng, 8, 0, 0, 0);
}

FIXTURE(setup, NULL)

TEST(distance_is_that_of_the_nearest_point)
{
        for (int n = 0; n < 60; n++) {
                struct shape_part part = random_part(n);
                struct vec3 from = random_vec(1.0), core;
                double away_m = shape_part_distance_m(&part, from, &core);
                double nearest_m = INFINITY;

                for (int i = 0; i < 5000; i++)
                        nearest_m =
                                fmin(nearest_m,
                                     vec3_norm(vec3_sub(random_of_core(&part), from)));
                ck_assert_double_le(away_m, nearest_m - part.round_m + 1e-12);
                ck_assert_double_eq_tol(away_m, nearest_m - part.round_m, 0.01);
                ck_assert_double_eq_tol(vec3_norm(vec3_sub(core, from)) - part.round_m,
                                        away_m, 1e-12);
        }
}

TEST(rays_end_on_the_surface_or_pass_by)
{
        int met = 0;

        for (int n = 0; n < 3000; n++) {
                struct shape_part part = random_part(n);
                struct vec3 from = random_vec(1.0), dir, core;
                double range_m, nearest_m = INFINITY;

                dir = vec3_axpy(vec3_sub(part.at_m, from), 0.1, random_vec(1.0));
                dir = vec3_scale(1.0 / vec3_norm(dir), dir);
                range_m = shape_part_ray_m(&part, from, dir, 10.0);
                for (double s = 0.0; s < fmin(range_m, 6.0); s += 0.02)
                        nearest_m = fmin(nearest_m,
                                         shape_part_distance_m(
                                                 &part, vec3_axpy(from, s, dir), &core));
                if (range_m == INFINITY) {
                        /* A graze may be missed. */
                        ck_assert_double_gt(nearest_m, -1e-3);
                        continue;
                }
                met++;
                ck_assert_double_gt(nearest_m, range_m > 0.0 ? 0.0 : -1.0);
                ck_assert_double_lt(shape_part_distance_m(
                                            &part, vec3_axpy(from, range_m, dir), &core),
                                    1e-6);
        }
        ck_assert_int_gt(met, 500);
}

TEST(a_disc_from_the_side_hides_little_and_a_ball_itself)
{
        struct shape_part disc = { .axis = { 0.0, 0.0, 1.0 },
                                   .disc_m = 0.2,
                                   .round_m = 0.01 };
        struct shape_part ball = { .axis = { 0.0, 0.0, 1.0 }, .round_m = 0.2 };
        const struct vec3 down = { 0.0, 0.0, 1.0 }, ahead = { 1.0, 0.0, 0.0 };

        ck_assert_double_eq_tol(shape_part_seen_m(&ball, ahead), 0.2, 1e-12);
        ck_assert_double_eq_tol(shape_part_seen_m(&disc, down), 0.21, 1e-12);
        ck_assert_double_lt(shape_part_seen_m(&disc, ahead), 0.06);
}

static struct shape one_part(struct shape_part part)
{
        struct shape s = { 0 };

        shape_add(&s, &part);
        return s;
}

static bool meet(const struct shape *a, const struct shape *b, struct vec3 a_from_b_m,
                 struct shape_contact *c)
{
        const struct shape_pose at_a = { a, a_from_b_m, level },
                                at_b = { b, { 0.0, 0.0, 0.0 }, level };

        return shapes_meet(&at_a, &at_b, c);
}

static const struct shape_part rotor = { .axis = { 0.0, 0.0, 1.0 },
                                         .disc_m = 0.18,
                                         .round_m = 0.007 };

TEST(level_discs_side_by_side_meet_at_their_rims)
{
        struct shape disc = one_part(rotor);
        struct shape_contact c;

        ck_assert(!meet(&disc, &disc, (struct vec3){ 0.375, 0.0, 0.0 }, &c));
        ck_assert(meet(&disc, &disc, (struct vec3){ 0.370, 0.0, 0.0 }, &c));
        ck_assert_double_eq_tol(c.depth_m, 0.004, 1e-9);
        ck_assert_double_eq_tol(c.normal_ned.x, 1.0, 1e-9);
        ck_assert_double_eq_tol(c.at_ned_m.x, 0.185, 1e-9);
        ck_assert_double_eq_tol(c.at_ned_m.z, 0.0, 1e-12);
}

TEST(discs_one_above_the_other_meet_with_their_faces)
{
        struct shape disc = one_part(rotor);
        struct shape_contact c;

        ck_assert(!meet(&disc, &disc, (struct vec3){ 0.2, 0.1, -0.015 }, &c));
        ck_assert(meet(&disc, &disc, (struct vec3){ 0.2, 0.1, -0.010 }, &c));
        ck_assert_double_eq_tol(c.depth_m, 0.004, 1e-9);
        ck_assert_double_eq_tol(c.normal_ned.z, -1.0, 1e-9);
        /* Above both of them. */
        ck_assert_double_lt(hypot(c.at_ned_m.x, c.at_ned_m.y), 0.181);
        ck_assert_double_lt(hypot(c.at_ned_m.x - 0.2, c.at_ned_m.y - 0.1), 0.181);
}

TEST(a_disc_that_stands_on_a_hull_is_lifted_off_it)
{
        struct shape disc = one_part(rotor), hull = { 0 };
        struct shape_contact c;

        shape_add_rod(&hull, (struct vec3){ 0 }, (struct vec3){ 0 }, 0.08);
        ck_assert(meet(&disc, &hull, (struct vec3){ 0.05, 0.0, -0.085 }, &c));
        ck_assert_double_eq_tol(c.depth_m, 0.002, 1e-9);
        ck_assert_double_eq_tol(c.normal_ned.z, -1.0, 1e-9);
        ck_assert_double_eq_tol(c.at_ned_m.z, -0.079, 1e-9);
        ck_assert_double_eq_tol(c.at_ned_m.x, 0.0, 1e-9);
}

/* Whatever overlaps and however, seen from either side it is the same contact; moved out by its depth the two parts
 * overlap no more. */
TEST(the_depth_along_the_normal_parts_them)
{
        int met = 0, crossed = 0;

        for (int n = 0; n < 3000; n++) {
                struct shape a = one_part(random_part(n)),
                             b = one_part(random_part(n / 3));
                struct shape_contact c, back;
                struct vec3 off = vec3_axpy(vec3_sub(b.part[0].at_m, a.part[0].at_m), 0.2,
                                            random_vec(1.0));
                bool meets = meet(&a, &b, off, &c);

                if (!meets)
                        continue;
                met++;
                crossed += c.depth_m > 0.1;
                ck_assert_double_eq_tol(vec3_norm(c.normal_ned), 1.0, 1e-12);
                off = vec3_axpy(off, c.depth_m, c.normal_ned);
                if (meet(&a, &b, off, &back))
                        ck_assert_double_lt(back.depth_m, 1e-3);
        }
        ck_assert_int_gt(met, 500);
        ck_assert_int_gt(crossed, 50);
}

TEST(two_in_one_place_have_a_way_out)
{
        struct shape disc = one_part(rotor), ball = { 0 };
        struct shape_contact c;

        shape_add_rod(&ball, (struct vec3){ 0 }, (struct vec3){ 0 }, 0.3);
        ck_assert(meet(&ball, &ball, (struct vec3){ 0 }, &c));
        ck_assert_double_eq_tol(c.depth_m, 0.6, 1e-12);
        ck_assert(meet(&disc, &disc, (struct vec3){ 0 }, &c));
        ck_assert_double_eq_tol(c.depth_m, 0.014, 1e-12);
        ck_assert_double_eq_tol(fabs(c.normal_ned.z), 1.0, 1e-12);
}
