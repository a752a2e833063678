/* Regions: the share of one box in another and its centre, against what can be worked out by hand and
 * against counting points; and what a region does to a vehicle that is partly inside. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "models/world/region.h"
#include "models/rng.h"

#include "tests/models/near.h"
#include "tests/suites.h"

#define RAD_PER_DEG (3.14159265358979323846 / 180.0)

static const struct quat level = { 1.0, 0.0, 0.0, 0.0 };

/* 4 m x 6 m x 2 m about (10, 0, -5), blowing and pushing. */
static const struct region blower = {
        .centre_ned_m = { 10.0, 0.0, -5.0 },
        .half_m = { 2.0, 3.0, 1.0 },
        .q_region_to_ned = { 1.0, 0.0, 0.0, 0.0 },
        .wind_ned_mps = { 0.0, 4.0, -1.0 },
        .force_ned_n = { 0.0, 0.0, -6.0 },
};

static struct region_body box_at(double x, double y, double z)
{
        return (struct region_body){
                .pos_ned_m = { x, y, z },
                .q_body_to_ned = level,
                .half_m = { 0.5, 0.25, 0.125 },
        };
}

static double volume_m3(struct vec3 half_m)
{
        return 8.0 * half_m.x * half_m.y * half_m.z;
}

TEST(wholly_inside_is_1_exactly_and_acts_at_the_centre)
{
        struct region_body b = box_at(10.2, 1.0, -5.1);
        struct region_overlap o = region_overlap(&blower, &b);
        const struct vec3 none = { 0.0, 0.0, 0.0 };

        ck_assert_double_eq(o.overlap_ratio, 1.0);
        assert_near(o.arm_ned_m, none, 1e-15);

        /* With its walls on the region's, too. */
        b = box_at(11.5, 2.75, -4.125);
        ck_assert_double_eq(region_overlap(&blower, &b).overlap_ratio, 1.0);
}

TEST(outside_is_0)
{
        const struct vec3 places[] = { { 0.0, 0.0, -5.0 },  { 12.5, 0.0, -5.0 },
                                       { 7.5, 0.0, -5.0 },  { 10.0, 3.25, -5.0 },
                                       { 10.0, 0.0, 1e6 },  { NAN, 0.0, -5.0 },
                                       { INFINITY, 0, -5 }, { 10.0, 0.0, -3.875 } };

        for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++) {
                struct region_body b = box_at(places[i].x, places[i].y, places[i].z);
                struct region_overlap o = region_overlap(&blower, &b);

                ck_assert_double_eq(o.overlap_ratio, 0.0);
                ck_assert_double_eq(vec3_norm(o.arm_ned_m), 0.0);
        }
}

/* One axis' overlap of [c - h, c + h] with [-H, H]: its length, and its middle from c. */
static double length_along(double c, double h, double wall, double *middle)
{
        double low = fmax(c - h, -wall), high = fmin(c + h, wall);

        *middle = 0.5 * (low + high) - c;
        return fmax(high - low, 0.0);
}

TEST(boxes_with_parallel_axes_overlap_as_intervals_do)
{
        struct rng rng;
        int partly = 0;

        rng_init(&rng, 1, 0, 0, 0);
        for (int i = 0; i < 20000; i++) {
                struct vec3 c = { 6.0 * rng_uniform(&rng) - 3.0,
                                  8.0 * rng_uniform(&rng) - 4.0,
                                  4.0 * rng_uniform(&rng) - 2.0 };
                struct region_body b = box_at(0, 0, 0);
                struct region_overlap o;
                struct vec3 middle;
                double share;

                b.half_m =
                        (struct vec3){ 4.0 * rng_uniform(&rng), 4.0 * rng_uniform(&rng),
                                       4.0 * rng_uniform(&rng) };
                b.pos_ned_m = vec3_add(blower.centre_ned_m, c);
                share = length_along(c.x, b.half_m.x, 2.0, &middle.x) *
                        length_along(c.y, b.half_m.y, 3.0, &middle.y) *
                        length_along(c.z, b.half_m.z, 1.0, &middle.z) /
                        volume_m3(b.half_m);
                o = region_overlap(&blower, &b);
                ck_assert_double_eq_tol(o.overlap_ratio, share, 1e-10);
                if (share > 1e-6) {
                        assert_near(o.arm_ned_m, middle, 1e-7);
                        partly++;
                }
        }
        ck_assert_int_gt(partly, 5000);
}

/* A cube of side 2 turned by 45 degrees, its centre on the wall: the prism inside is half of it, its
 * cross-section a right triangle with the long side, 2 sqrt(2), on the wall and height sqrt(2), whose
 * centre of area is a third of that away. */
TEST(cube_turned_by_45_degrees_and_half_inside)
{
        struct region wall = blower;
        struct region_body b = { .half_m = { 1.0, 1.0, 1.0 } };
        struct region_overlap o;
        const struct vec3 arm = { sqrt(2.0) / 3.0, 0.0, 0.0 };

        wall.half_m = (struct vec3){ 50.0, 50.0, 50.0 };
        b.q_body_to_ned = quat_from_euler(0.0, 0.0, 45.0 * RAD_PER_DEG);
        b.pos_ned_m = (struct vec3){ wall.centre_ned_m.x - 50.0, 1.0, 2.0 };
        o = region_overlap(&wall, &b);
        ck_assert_double_eq_tol(o.overlap_ratio, 0.5, 1e-13);
        assert_near(o.arm_ned_m, arm, 1e-13);
}

/* A cube that stands on its corner, dipped h deep into the region: a corner of three equal edges
 * sqrt(3) h, so the volume is sqrt(3)/2 h^3, and the centre of a pyramid is 3/4 of its height from
 * the tip. */
TEST(corner_that_dips_into_a_region_is_a_pyramid)
{
        double tip = sqrt(3.0), pitch = -asin(1.0 / sqrt(3.0));
        struct region floor = blower;
        struct region_body b = { .half_m = { 1.0, 1.0, 1.0 } };

        floor.centre_ned_m = (struct vec3){ 0.0, 0.0, 100.0 };
        floor.half_m = (struct vec3){ 100.0, 100.0, 100.0 };
        b.q_body_to_ned = quat_from_euler(45.0 * RAD_PER_DEG, pitch, 0.3);
        for (double h = 1e-3; h < 1.1; h *= 1.5) {
                struct region_overlap o;
                const struct vec3 arm = { 0.0, 0.0, tip - 0.75 * h };

                b.pos_ned_m = (struct vec3){ 3.0, -2.0, h - tip };
                o = region_overlap(&floor, &b);
                ck_assert_double_eq_tol(8.0 * o.overlap_ratio,
                                        sqrt(3.0) / 2.0 * h * h * h, 1e-14);
                assert_near(o.arm_ned_m, arm, 1e-5 * pow(1e-3 / h, 3.0) + 1e-12);
        }
}

TEST(box_around_a_region_holds_all_of_it)
{
        struct region_body b = box_at(9.0, 1.0, -4.0);
        struct region_overlap o;

        b.half_m = (struct vec3){ 20.0, 30.0, 40.0 };
        b.q_body_to_ned = quat_from_euler(0.4, -0.2, 2.0);
        o = region_overlap(&blower, &b);
        ck_assert_double_eq_tol(o.overlap_ratio * volume_m3(b.half_m),
                                volume_m3(blower.half_m), 1e-9);
        assert_near(o.arm_ned_m, vec3_sub(blower.centre_ned_m, b.pos_ned_m), 1e-9);
}

static struct quat any_attitude(struct rng *rng)
{
        return quat_normalise((struct quat){ rng_normal(rng), rng_normal(rng),
                                             rng_normal(rng), rng_normal(rng) });
}

static struct vec3 any_vec(struct rng *rng, double scale)
{
        return (struct vec3){ scale * (2.0 * rng_uniform(rng) - 1.0),
                              scale * (2.0 * rng_uniform(rng) - 1.0),
                              scale * (2.0 * rng_uniform(rng) - 1.0) };
}

static bool holds(const struct region *r, struct vec3 p)
{
        struct vec3 d =
                quat_rotate_inverse(r->q_region_to_ned, vec3_sub(p, r->centre_ned_m));

        return fabs(d.x) < r->half_m.x && fabs(d.y) < r->half_m.y &&
               fabs(d.z) < r->half_m.z;
}

#define POINTS 40000

/* Points spread evenly over the body: the share that the region holds has the deviation of a binomial,
 * their mean that of a uniform spread. Five deviations. */
TEST(share_and_centre_are_those_of_counted_points)
{
        struct rng rng;
        int partly = 0;

        rng_init(&rng, 2, 0, 0, 0);
        for (int i = 0; i < 60; i++) {
                struct region r = { .half_m = { 1.0, 0.7, 1.3 } };
                struct region_body b = { .half_m = { 0.5, 1.2, 0.8 } };
                struct vec3 sum = { 0.0, 0.0, 0.0 };
                struct region_overlap o;
                int n = 0;

                r.centre_ned_m = any_vec(&rng, 1.2);
                r.q_region_to_ned = any_attitude(&rng);
                b.q_body_to_ned = any_attitude(&rng);
                b.centre_body_m = any_vec(&rng, 0.3);
                for (int k = 0; k < POINTS; k++) {
                        struct vec3 p = any_vec(&rng, 1.0);

                        p = (struct vec3){ p.x * b.half_m.x, p.y * b.half_m.y,
                                           p.z * b.half_m.z };
                        p = quat_rotate(b.q_body_to_ned, vec3_add(p, b.centre_body_m));
                        if (holds(&r, p)) {
                                sum = vec3_add(sum, p);
                                n++;
                        }
                }
                o = region_overlap(&r, &b);
                ck_assert_double_lt(fabs(o.overlap_ratio - (double)n / POINTS),
                                    5.0 * sqrt(0.25 / POINTS));
                if (n < 500)
                        continue;
                partly += n < POINTS;
                assert_near(o.arm_ned_m, vec3_scale(1.0 / n, sum), 5.0 * 0.8 / sqrt(n));
        }
        ck_assert_int_gt(partly, 20);
}

TEST(two_boxes_share_the_same_whichever_is_the_region)
{
        struct rng rng;
        int partly = 0;

        rng_init(&rng, 3, 0, 0, 0);
        for (int i = 0; i < 2000; i++) {
                struct region r = { .half_m = vec3_add(any_vec(&rng, 0.9),
                                                       (struct vec3){ 1, 1, 1 }) };
                struct region_body b = { .half_m = vec3_add(any_vec(&rng, 0.9),
                                                            (struct vec3){ 1, 1, 1 }) };
                struct region other;
                struct region_body another;
                struct region_overlap o, back;

                r.centre_ned_m = any_vec(&rng, 1.5);
                r.q_region_to_ned = any_attitude(&rng);
                b.q_body_to_ned = any_attitude(&rng);
                other = (struct region){ .centre_ned_m = b.pos_ned_m,
                                         .half_m = b.half_m,
                                         .q_region_to_ned = b.q_body_to_ned };
                another = (struct region_body){ .pos_ned_m = r.centre_ned_m,
                                                .q_body_to_ned = r.q_region_to_ned,
                                                .half_m = r.half_m };
                o = region_overlap(&r, &b);
                back = region_overlap(&other, &another);
                ck_assert_double_eq_tol(o.overlap_ratio * volume_m3(b.half_m),
                                        back.overlap_ratio * volume_m3(r.half_m), 1e-10);
                if (o.overlap_ratio < 1e-3 || back.overlap_ratio < 1e-3)
                        continue;
                partly++;
                assert_near(vec3_add(b.pos_ned_m, o.arm_ned_m),
                            vec3_add(another.pos_ned_m, back.arm_ned_m), 1e-9);
        }
        ck_assert_int_gt(partly, 1000);
}

/* However it lies: a body as thin as paper, or a point, is inside as far as its area is. */
TEST(bodies_without_thickness_count_by_their_area)
{
        struct region wall = blower;
        struct region_body plate = { .half_m = { 1.0, 1.0, 0.0 } };
        struct region_body point = { .q_body_to_ned = level };

        wall.centre_ned_m = (struct vec3){ 50.0, 0.0, 0.0 };
        wall.half_m = (struct vec3){ 50.0, 50.0, 50.0 };
        for (double turn = 0.0; turn < 3.2; turn += 0.1) {
                /* The wall cuts it at 0.4 along its own x axis. */
                plate.q_body_to_ned = quat_from_euler(turn, 0.3, 0.0);
                plate.pos_ned_m =
                        quat_rotate(plate.q_body_to_ned, (struct vec3){ -0.4, 0.0, 0.0 });
                ck_assert_double_eq_tol(region_overlap(&wall, &plate).overlap_ratio, 0.3,
                                        1e-6);
        }
        point.pos_ned_m = (struct vec3){ 1.0, 0.0, 0.0 };
        ck_assert_double_eq(region_overlap(&wall, &point).overlap_ratio, 1.0);
        point.pos_ned_m.x = -1.0;
        ck_assert_double_eq(region_overlap(&wall, &point).overlap_ratio, 0.0);
}

TEST(a_region_without_thickness_does_nothing)
{
        struct region sheet = blower;
        struct region_body b = box_at(10.0, 0.0, -5.0);

        sheet.half_m.z = 0.0;
        ck_assert_double_eq(region_overlap(&sheet, &b).overlap_ratio, 0.0);
}

/* No jump anywhere on the way through, walls that coincide included. */
TEST(share_changes_steadily_on_the_way_in)
{
        double before = 0.0;

        for (int i = 0; i <= 1200; i++) {
                struct region_body b = box_at(7.4 + 0.001 * i, 2.75, -4.125);
                double share = region_overlap(&blower, &b).overlap_ratio;

                ck_assert_double_ge(share, before - 1e-12);
                ck_assert_double_lt(share - before, 0.00101);
                before = share;
        }
        ck_assert_double_eq(before, 1.0);
}

TEST(force_acts_at_the_centre_of_the_share)
{
        struct region_effect e;
        struct region_body b = box_at(8.0, 0.0, -5.0); /* front half inside */
        const struct vec3 wind = { 0.0, 2.0, -0.5 }, force = { 0.0, 0.0, -3.0 };
        /* (0.25, 0, 0) x (0, 0, -3): what lifts the nose is positive. */
        const struct vec3 torque = { 0.0, 0.75, 0.0 };

        region_effect(&e, &blower, 1, &b);
        assert_near(e.wind_ned_mps, wind, 1e-14);
        assert_near(e.force_ned_n, force, 1e-14);
        assert_near(e.torque_ned_nm, torque, 1e-14);
}

TEST(wholly_inside_there_is_the_whole_force_and_no_torque)
{
        struct region_effect e;
        struct region_body b = box_at(10.0, 0.0, -5.0);

        b.q_body_to_ned = quat_from_euler(0.2, -0.1, 1.0);
        region_effect(&e, &blower, 1, &b);
        assert_near(e.wind_ned_mps, blower.wind_ned_mps, 1e-15);
        assert_near(e.force_ned_n, blower.force_ned_n, 1e-15);
        ck_assert_double_eq(vec3_norm(e.torque_ned_nm), 0.0);
}

TEST(regions_add_up_and_the_far_ones_do_nothing)
{
        struct region many[REGIONS_MAX];
        struct region_effect all, near, none;
        struct region_body b = box_at(8.2, 2.9, -4.1);

        b.q_body_to_ned = quat_from_euler(0.1, 0.2, 0.3);
        for (int i = 0; i < REGIONS_MAX; i++) {
                many[i] = blower;
                many[i].centre_ned_m.x += i < 2 ? 0.0 : 1000.0 * i;
        }
        region_effect(&all, many, REGIONS_MAX, &b);
        region_effect(&near, many, 1, &b);
        region_effect(&none, many, 0, &b);
        ck_assert_double_gt(vec3_norm(near.torque_ned_nm), 0.0);
        assert_near(all.wind_ned_mps, vec3_scale(2.0, near.wind_ned_mps), 1e-15);
        assert_near(all.force_ned_n, vec3_scale(2.0, near.force_ned_n), 1e-15);
        assert_near(all.torque_ned_nm, vec3_scale(2.0, near.torque_ned_nm), 1e-15);
        ck_assert_double_eq(vec3_norm(none.force_ned_n), 0.0);
}

/* Turn and move the whole scene: everything turns with it. */
TEST(nothing_depends_on_where_north_is)
{
        struct quat turn = quat_from_euler(0.3, -0.8, 2.1);
        struct vec3 shift = { 400.0, -300.0, 50.0 };
        struct region_body b = box_at(8.1, 2.8, -4.2), b2;
        struct region r2 = blower;
        struct region_effect e, e2;

        b.q_body_to_ned = quat_from_euler(0.3, 0.2, 0.1);
        b2 = b;
        b2.q_body_to_ned = quat_multiply(turn, b.q_body_to_ned);
        b2.pos_ned_m = vec3_add(shift, quat_rotate(turn, b.pos_ned_m));
        r2.centre_ned_m = vec3_add(shift, quat_rotate(turn, blower.centre_ned_m));
        r2.q_region_to_ned = turn;
        r2.force_ned_n = quat_rotate(turn, blower.force_ned_n);
        region_effect(&e, &blower, 1, &b);
        region_effect(&e2, &r2, 1, &b2);
        ck_assert_double_gt(vec3_norm(e.torque_ned_nm), 0.1);
        assert_near(e2.force_ned_n, quat_rotate(turn, e.force_ned_n), 1e-10);
        assert_near(e2.torque_ned_nm, quat_rotate(turn, e.torque_ned_nm), 1e-10);
}
