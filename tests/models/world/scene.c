/* Rays, distances and touches: against each other, and the tree against looking at every solid. */
#include <stdlib.h>
#include <string.h>

#include "tests/models/world/scene_stage.h"
#include "tests/suites.h"

static struct stage *stage;

static void setup(void)
{
        stage = calloc(1, sizeof *stage);
        ck_assert_ptr_nonnull(stage);
}

static void teardown(void)
{
        free(stage);
}

FIXTURE(setup, teardown)

static void fill(struct rng *rng, int solids, double far, double size)
{
        for (int i = 0; i < solids; i++)
                stage_add(stage, any_solid(rng, (enum solid_shape)(i % 4), far, size));
}

/* Walks along the ray by what is free, which finds the surface without knowing any formula
 * of a ray. */
static double march(const struct solid *s, struct vec3 pos, struct vec3 dir, double max_m)
{
        double at_m = 0.0;
        struct vec3 normal;

        for (int i = 0; i < 3000 && at_m < max_m; i++) {
                double free_m = solid_clearance(s, vec3_axpy(pos, at_m, dir), &normal);

                if (free_m < 1e-10)
                        return at_m;
                at_m += free_m;
        }
        return INFINITY;
}

/* To some place where the solid may be. */
static struct vec3 towards(struct rng *rng, struct vec3 pos)
{
        struct vec3 way = vec3_sub(somewhere(rng, 1.5), pos);

        return vec3_scale(1.0 / vec3_norm(way), way);
}

TEST_EACH(a_ray_ends_where_the_distance_to_the_solid_is_zero, 4)
{
        struct rng rng;
        int hits = 0;

        rng_init(&rng, 1, 0, 0, 0);
        for (int n = 0; n < 4000; n++) {
                struct solid s = any_solid(&rng, (enum solid_shape)_i, 1.0, 1.5);
                struct vec3 pos = somewhere(&rng, 5.0), dir = towards(&rng, pos), normal;
                double range_m = solid_ray(&s, pos, dir, 20.0, &normal);
                double marched_m = march(&s, pos, dir, 20.0);

                if (isinf(range_m))
                        continue;
                hits++;
                /* Who grazes it walks for ever. */
                if (isfinite(marched_m))
                        ck_assert_double_eq_tol(range_m, marched_m, 1e-5);
                ck_assert_double_le(vec3_dot(normal, dir), 1e-12);
                ck_assert_double_eq_tol(vec3_norm(normal), 1.0, 1e-12);
        }
        ck_assert_int_gt(hits, 150);
}

TEST_EACH(a_ray_misses_what_walking_along_it_misses, 4)
{
        struct rng rng;

        rng_init(&rng, 2, 0, 0, 0);
        for (int n = 0; n < 4000; n++) {
                struct solid s = any_solid(&rng, (enum solid_shape)_i, 1.0, 1.5);
                struct vec3 pos = somewhere(&rng, 5.0), dir = towards(&rng, pos), normal;
                double marched_m = march(&s, pos, dir, 20.0);

                if (isfinite(marched_m)) {
                        struct vec3 end = vec3_axpy(pos, marched_m + 1e-5, dir);
                        double range_m = solid_ray(&s, pos, dir, 20.0, &normal);

                        /* Unless it only brushes it. */
                        if (solid_clearance(&s, end, &normal) < -1e-7)
                                ck_assert(isfinite(range_m));
                }
        }
}

TEST_EACH(the_normal_is_the_slope_of_the_distance, 4)
{
        const double h = 1e-6;
        struct rng rng;

        rng_init(&rng, 3, 0, 0, 0);
        for (int n = 0; n < 2000; n++) {
                struct solid s = any_solid(&rng, (enum solid_shape)_i, 1.0, 1.5);
                struct vec3 pos = somewhere(&rng, 3.0), step = any_direction(&rng),
                            normal, other;
                double here = solid_clearance(&s, pos, &normal);
                double there = solid_clearance(&s, vec3_axpy(pos, h, step), &other);

                ck_assert_double_eq_tol(vec3_norm(normal), 1.0, 1e-12);
                /* But for the edges between two nearest faces. */
                if (vec3_dot(normal, other) > 0.999)
                        ck_assert_double_eq_tol((there - here) / h,
                                                vec3_dot(normal, step), 2e-4);
        }
}

TEST_EACH(a_solid_is_inside_its_bounds, 4)
{
        struct rng rng;

        rng_init(&rng, 4, 0, 0, 0);
        for (int n = 0; n < 3000; n++) {
                struct solid s = any_solid(&rng, (enum solid_shape)_i, 1.0, 1.5);
                struct vec3 pos = somewhere(&rng, 4.0), low, high, normal, on;
                double far_m = solid_clearance(&s, pos, &normal);

                on = vec3_axpy(pos, -far_m, normal);
                solid_bounds(&s, &low, &high);
                ck_assert(on.x >= low.x - 1e-9 && on.x <= high.x + 1e-9);
                ck_assert(on.y >= low.y - 1e-9 && on.y <= high.y + 1e-9);
                ck_assert(on.z >= low.z - 1e-9 && on.z <= high.z + 1e-9);
        }
}

TEST(inside_a_full_solid_the_range_is_zero_and_the_distance_negative)
{
        const struct vec3 centre = ned(3.0, -2.0, -1.0);
        struct solid s = { .pos_ned_m = centre, .axes_to_ned = upright };
        struct vec3 normal;

        s.size_m = ned(0.5, 0.7, 0.9);
        for (int shape = SOLID_BOX; shape <= SOLID_CYLINDER; shape++) {
                s.shape = (enum solid_shape)shape;
                ck_assert_double_eq(
                        solid_ray(&s, centre, ned(0.6, 0.0, 0.8), 9.0, &normal), 0.0);
                ck_assert_double_eq(solid_clearance(&s, centre, &normal), -0.5);
                ck_assert_double_eq(vec3_norm(normal), 1.0);
        }
}

TEST(a_triangle_is_met_from_both_sides)
{
        struct solid s = { .shape = SOLID_TRIANGLE,
                           .edge_m = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 } } };
        struct vec3 normal;

        for (int side = -1; side <= 1; side += 2) {
                struct vec3 pos = ned(0.2, 0.3, 2.0 * side), dir = ned(0.0, 0.0, -side);

                ck_assert_double_eq(solid_ray(&s, pos, dir, 9.0, &normal), 2.0);
                ck_assert_double_eq(normal.z, side);
                ck_assert_double_eq(solid_clearance(&s, pos, &normal), 2.0);
                ck_assert_double_eq(normal.z, side);
        }
        ck_assert_double_lt(solid_clearance(&s, ned(0.2, 0.3, 0.0), &normal), 1e-15);
        ck_assert_double_eq(fabs(normal.z), 1.0);
}

TEST(no_ray_slips_between_the_triangles_of_a_mesh)
{
        const double size = 0.37;
        struct rng rng;

        rng_init(&rng, 5, 0, 0, 0);
        for (int i = -10; i < 10; i++)
                for (int k = -10; k < 10; k++)
                        stage_quad(stage, ned(size * i, size * k, 0.0),
                                   ned(size * (i + 1), size * k, 0.0),
                                   ned(size * (i + 1), size * (k + 1), 0.0),
                                   ned(size * i, size * (k + 1), 0.0));
        stage_build(stage);
        for (int n = 0; n < 20000; n++) {
                /* Towards corners, edges and diagonals. */
                double t = rng_uniform(&rng);
                int i = (int)(18.0 * rng_uniform(&rng)) - 9;
                int k = (int)(18.0 * rng_uniform(&rng)) - 9;
                struct vec3 target[4] = { ned(size * i, size * k, 0.0),
                                          ned(size * (i + t), size * k, 0.0),
                                          ned(size * i, size * (k + t), 0.0),
                                          ned(size * (i + t), size * (k + t), 0.0) };
                struct vec3 pos = somewhere(&rng, 3.0), way;

                pos.z -= 4.0;
                way = vec3_sub(target[n % 4], pos);
                ck_assert_int_ge(scene_ray(&stage->scene, pos,
                                           vec3_scale(1.0 / vec3_norm(way), way), 1e3)
                                         .solid,
                                 0);
        }
}

TEST(the_tree_finds_the_ray_that_looking_at_every_solid_finds)
{
        struct rng rng;
        int hits = 0;

        rng_init(&rng, 6, 0, 0, 0);
        fill(&rng, 400, 20.0, 1.5);
        stage_build(stage);
        for (int n = 0; n < 5000; n++) {
                struct vec3 pos = somewhere(&rng, 25.0), dir = any_direction(&rng),
                            normal;
                double max_m = between(&rng, 1.0, 60.0), nearest_m = INFINITY;
                struct scene_hit hit;

                if (n % 7 == 0)
                        dir = n % 2 == 0 ? ned(0.0, -1.0, 0.0) : ned(0.6, 0.0, 0.8);
                hit = scene_ray(&stage->scene, pos, dir, max_m);
                for (int i = 0; i < stage->solids; i++)
                        nearest_m = fmin(nearest_m, solid_ray(&stage->solid[i], pos, dir,
                                                              max_m, &normal));
                ck_assert(hit.range_m == nearest_m);
                ck_assert(isfinite(nearest_m) == (hit.solid >= 0));
                hits += hit.solid >= 0;
        }
        ck_assert_int_gt(hits, 500);
}

TEST(the_tree_finds_the_room_that_looking_at_every_solid_finds)
{
        struct rng rng;

        rng_init(&rng, 7, 0, 0, 0);
        fill(&rng, 400, 20.0, 1.5);
        stage_build(stage);
        for (int n = 0; n < 3000; n++) {
                struct vec3 pos = somewhere(&rng, 25.0), normal;
                double free_m = between(&rng, 0.1, 20.0), found_m;

                found_m = scene_free_m(&stage->scene, pos, free_m);
                for (int i = 0; i < stage->solids; i++)
                        free_m = fmin(free_m,
                                      solid_clearance(&stage->solid[i], pos, &normal));
                /* Inside several, any of them will do. */
                if (free_m > 0.0)
                        ck_assert(found_m == free_m);
                else
                        ck_assert_double_le(found_m, 0.0);
        }
}

TEST(the_nearest_touch_is_the_nearest_solid)
{
        struct rng rng;
        int touched = 0;

        rng_init(&rng, 8, 0, 0, 0);
        fill(&rng, 800, 15.0, 1.5);
        stage_build(stage);
        for (int n = 0; n < 3000; n++) {
                struct vec3 pos = somewhere(&rng, 15.0), normal;
                double within_m = between(&rng, 0.0, 0.6), nearest_m = INFINITY;
                struct scene_touch t[4];
                int count = scene_touches(&stage->scene, pos, pos, within_m, t, 4);

                for (int i = 0; i < stage->solids; i++)
                        nearest_m = fmin(nearest_m,
                                         solid_clearance(&stage->solid[i], pos, &normal));
                ck_assert((nearest_m <= within_m) == (count > 0));
                if (count > 0)
                        ck_assert(t[0].clearance_m == nearest_m);
                for (int i = 1; i < count; i++)
                        ck_assert_double_ge(t[i].clearance_m, t[i - 1].clearance_m);
                touched += count > 0;
        }
        ck_assert_int_gt(touched, 300);
}

/* A wall of triangles at north 0, seen from the south; and a floor at down 0. */
static void wall_and_floor(void)
{
        stage_quad(stage, ned(0.0, -3.0, 0.0), ned(0.0, 3.0, 0.0), ned(0.0, 3.0, -3.0),
                   ned(0.0, -3.0, -3.0));
        stage_quad(stage, ned(-3.0, -3.0, 0.0), ned(0.0, -3.0, 0.0), ned(0.0, 3.0, 0.0),
                   ned(-3.0, 3.0, 0.0));
        stage_build(stage);
}

TEST(a_wall_of_two_triangles_is_one_surface)
{
        struct scene_touch t[4];

        wall_and_floor();
        /* Beside, on and beyond the diagonal. */
        for (double east = -0.3; east <= 0.3; east += 0.01) {
                struct vec3 pos = ned(-0.2, east, -1.5);

                ck_assert_int_eq(scene_touches(&stage->scene, pos, pos, 0.3, t, 4), 1);
                ck_assert_double_eq_tol(t[0].clearance_m, 0.2, 1e-12);
                ck_assert_double_eq_tol(t[0].normal_ned.x, -1.0, 1e-12);
        }
}

TEST(a_corner_of_wall_and_floor_is_two_surfaces)
{
        struct vec3 pos = ned(-0.2, 0.1, -0.25);
        struct scene_touch t[4];

        wall_and_floor();
        ck_assert_int_eq(scene_touches(&stage->scene, pos, pos, 0.3, t, 4), 2);
        ck_assert_double_eq_tol(t[0].normal_ned.x, -1.0, 1e-12);
        ck_assert_double_eq_tol(t[1].normal_ned.z, -1.0, 1e-12);
        ck_assert_double_eq_tol(t[1].clearance_m, 0.25, 1e-12);
}

TEST(what_went_through_a_triangle_is_sent_back_to_its_side)
{
        struct vec3 before = ned(-0.01, 0.1, -1.0), pos = ned(0.015, 0.1, -1.0);
        struct scene_touch t[4];

        wall_and_floor();
        ck_assert_int_eq(scene_touches(&stage->scene, before, pos, 0.0, t, 4), 1);
        ck_assert_double_eq_tol(t[0].clearance_m, -0.015, 1e-12);
        ck_assert_double_eq_tol(t[0].normal_ned.x, -1.0, 1e-12);
        ck_assert_int_eq(scene_touches(&stage->scene, pos, before, 0.0, t, 4), 1);
        ck_assert_double_eq_tol(t[0].normal_ned.x, 1.0, 1e-12);
}

TEST(what_went_into_a_thin_wall_leaves_it_where_it_came_in)
{
        struct vec3 before = ned(-0.005, 0.0, 0.0);
        struct scene_touch t[4];

        stage_box(stage, ned(0.01, 0.0, 0.0), ned(0.01, 1.0, 1.0));
        stage_build(stage);
        /* Inside, nearer to the back; and beyond it. */
        for (double deep = 0.012; deep < 0.04; deep += 0.01) {
                ck_assert_int_eq(scene_touches(&stage->scene, before, ned(deep, 0.0, 0.0),
                                               0.0, t, 4),
                                 1);
                ck_assert_double_eq_tol(t[0].clearance_m, -deep, 1e-12);
                ck_assert_double_eq_tol(t[0].normal_ned.x, -1.0, 1e-12);
        }
}

TEST(two_boxes_side_by_side_are_one_floor)
{
        struct scene_touch t[4];

        stage_box(stage, ned(-1.0, 0.0, 0.5), ned(1.0, 1.0, 0.5));
        stage_box(stage, ned(1.0, 0.0, 0.5), ned(1.0, 1.0, 0.5));
        stage_build(stage);
        for (double north = -0.05; north < 0.05; north += 0.001) {
                int count = scene_touches(&stage->scene, ned(north - 0.001, 0.0, -0.01),
                                          ned(north, 0.0, -0.01), 0.1, t, 4);

                ck_assert_int_eq(count, 1);
                ck_assert_double_eq_tol(t[0].normal_ned.z, -1.0, 1e-12);
        }
}

TEST(the_same_solids_make_the_same_tree)
{
        struct stage *other = calloc(1, sizeof *other);
        struct rng rng;

        ck_assert_ptr_nonnull(other);
        rng_init(&rng, 9, 0, 0, 0);
        fill(&rng, 1000, 20.0, 1.5);
        memcpy(other->solid, stage->solid, sizeof stage->solid);
        other->solids = stage->solids;
        stage_build(stage);
        stage_build(other);
        ck_assert_int_eq(stage->scene.nodes, other->scene.nodes);
        ck_assert_int_le(stage->scene.nodes, SCENE_NODES(1000));
        ck_assert_int_eq(memcmp(stage->node, other->node, sizeof stage->node), 0);
        free(other);
}

static int depth_below(const struct scene *s, int node)
{
        const struct scene_node *n = &s->node[node];
        int left, right;

        if (n->count > 0)
                return 1;
        left = depth_below(s, n->first);
        right = depth_below(s, n->first + 1);
        return 1 + (left > right ? left : right);
}

TEST(no_arrangement_makes_the_tree_deeper_than_its_bound)
{
        /* All in one place; and each a thousandth of the way of the one before. */
        for (int i = 0; i < 1000; i++)
                stage_box(stage, ned(1.0, 2.0, 3.0), ned(0.1, 0.1, 0.1));
        for (int i = 0; i < 1000; i++)
                stage_box(stage, ned(ldexp(1.0, -i), 0.0, 0.0), ned(0.0, 0.0, 0.0));
        stage_build(stage);
        ck_assert_int_le(depth_below(&stage->scene, 0), SCENE_DEPTH_MAX);
        ck_assert_double_eq_tol(
                scene_ray(&stage->scene, ned(1.0, 2.0, -5.0), ned(0.0, 0.0, 1.0), 99.0)
                        .range_m,
                7.9, 1e-12);
}

TEST_EACH(what_is_not_finite_is_refused, 4)
{
        const struct solid good = { .shape = (enum solid_shape)_i,
                                    .axes_to_ned = upright,
                                    .size_m = { 1.0, 1.0, 1.0 } };
        struct solid bad[5] = { good, good, good, good, good };
        struct surface surface = { 0 };

        bad[0].pos_ned_m.y = NAN;
        bad[1].size_m.x = INFINITY;
        bad[2].edge_m[1].z = NAN;
        bad[3].size_m.z = -1.0;
        bad[4].surface = 1;
        for (int i = 0; i < 5; i++)
                ck_assert(!scene_build(&stage->scene, &bad[i], 1, stage->node, &surface,
                                       1));
}

TEST(solids_of_no_size_are_harmless)
{
        struct rng rng;

        rng_init(&rng, 10, 0, 0, 0);
        for (int i = 0; i < 40; i++) {
                struct solid s = any_solid(&rng, (enum solid_shape)(i % 4), 1.0, 1.0);

                s.size_m = ned(0.0, 0.0, 0.0);
                s.edge_m[1] = i % 8 < 4 ? s.edge_m[0] : ned(0.0, 0.0, 0.0);
                stage_add(stage, s);
        }
        stage_build(stage);
        for (int n = 0; n < 2000; n++) {
                struct vec3 pos = n % 2 == 0 ? somewhere(&rng, 1.0)
                                             : stage->solid[n % 40].pos_ned_m;
                struct scene_hit hit =
                        scene_ray(&stage->scene, pos, any_direction(&rng), 9.0);
                struct scene_touch t[4];
                int count = scene_touches(&stage->scene, pos, pos, 0.2, t, 4);

                ck_assert(hit.range_m >= 0.0);
                for (int i = 0; i < count; i++) {
                        ck_assert(isfinite(t[i].clearance_m));
                        ck_assert_double_eq_tol(vec3_norm(t[i].normal_ned), 1.0, 1e-9);
                }
                ck_assert(isfinite(scene_free_m(&stage->scene, pos, 9.0)));
        }
}

TEST(a_thousand_kilometres_away_it_is_still_there)
{
        struct vec3 at = ned(1e6, -1e6, -1e3);

        stage_box(stage, at, ned(1.0, 1.0, 1.0));
        stage_add(stage, (struct solid){ .shape = SOLID_CYLINDER,
                                         .pos_ned_m = vec3_add(at, ned(0.0, 5.0, 0.0)),
                                         .axes_to_ned = upright,
                                         .size_m = { 1.0, 0.0, 1.0 } });
        stage_build(stage);
        ck_assert_double_eq_tol(scene_ray(&stage->scene,
                                          vec3_add(at, ned(-5e5, 0.0, 0.0)),
                                          ned(1.0, 0.0, 0.0), 1e7)
                                        .range_m,
                                5e5 - 1.0, 1e-6);
        ck_assert_double_eq_tol(scene_ray(&stage->scene,
                                          vec3_add(at, ned(-5e5, 5.0, 0.0)),
                                          ned(1.0, 0.0, 0.0), 1e7)
                                        .range_m,
                                5e5 - 1.0, 1e-6);
}

TEST(in_an_empty_scene_there_is_nothing)
{
        const struct vec3 pos = { 1.0, 2.0, 3.0 };
        struct scene_touch t;

        stage_build(stage);
        ck_assert_int_eq(scene_ray(&stage->scene, pos, ned(0.0, 0.0, 1.0), 9.0).solid,
                         -1);
        ck_assert_int_eq(scene_touches(&stage->scene, pos, pos, 1.0, &t, 1), 0);
        ck_assert_double_eq(scene_free_m(&stage->scene, pos, 7.0), 7.0);
}
