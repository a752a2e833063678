/* Rotor wash: the jets carry the thrust, alone, merged, and along the ground; the mirror image of a wash is that
 * of the mirror image. */
#include <math.h>

#include "models/world/wash.h"

#include "tests/suites.h"

#define RADIUS_M 0.18
#define V_MPS    3.1
/* 2 rho A v^2 over rho. */
#define FLUX_M4PS2 (2.0 * M_PI * RADIUS_M * RADIUS_M * V_MPS * V_MPS)

static const struct world world = { .ground_down_m = 0.0, .ground = { 0 } };

/* Hovering, or moving through the air, so far above the ground. */
static struct wash blow(int rotors, double arm_m, double height_m, struct vec3 vel_mps)
{
        const struct vec3 down = { 0.0, 0.0, 1.0 };
        struct wash w;

        wash_begin(&w, RADIUS_M, down, vel_mps);
        for (int i = 0; i < rotors; i++)
                wash_add_rotor(&w,
                               (struct vec3){ arm_m * cos(i * M_PI_2),
                                              arm_m * sin(i * M_PI_2), -height_m },
                               wash_induced_mps(FLUX_M4PS2, RADIUS_M, w.climb_mps,
                                                w.across_mps));
        wash_finish(&w, &world);
        return w;
}

static struct wash hover(int rotors, double height_m)
{
        return blow(rotors, 0.26, height_m, (struct vec3){ 0 });
}

static struct vec3 air_at(const struct wash *w, double x, double y, double z)
{
        struct vec3 flux = { 0.0, 0.0, 0.0 };

        wash_add_flux(w, (struct vec3){ x, y, z }, &flux);
        return wash_velocity_mps(flux);
}

/* Momentum over density that passes a square, so far below the rotors. */
static double momentum_below(const struct wash *w, double height_m, double below_m)
{
        double half_m = 1.0 + below_m, step_m = 0.01 * (1.0 + below_m), sum = 0.0;

        for (double x = -half_m; x <= half_m; x += step_m)
                for (double y = -half_m; y <= half_m; y += step_m) {
                        double u = air_at(w, x, y, below_m - height_m).z;

                        sum += u * u * step_m * step_m;
                }
        return sum;
}

/* At the disc half of the thrust is pressure: the air's momentum is there 1 + s/sqrt(s^2 + R^2) over 2 of it. */
TEST_EACH(momentum_of_a_jet_is_the_thrust, 8)
{
        const double radii = (double[]){ 0.5, 1.0, 2.0, 4.0, 6.0, 10.0, 20.0, 40.0 }[_i];
        struct wash w = hover(1, 500.0);
        double share = 0.5 * (1.0 + radii / sqrt(radii * radii + 1.0));

        w.jet[0].hub_ned_m = (struct vec3){ 0.0, 0.0, -500.0 };
        ck_assert_double_eq_tol(momentum_below(&w, 500.0, radii * RADIUS_M),
                                share * FLUX_M4PS2, 0.005 * FLUX_M4PS2);
        if (radii >= 6.0)
                ck_assert_double_gt(share, 0.99);
}

TEST_EACH(four_jets_that_merge_keep_the_thrust_of_four, 4)
{
        const double below_m = 1.0 + 3.0 * _i;
        struct wash w = hover(4, 500.0);

        ck_assert_double_eq_tol(momentum_below(&w, 500.0, below_m), 4.0 * FLUX_M4PS2,
                                0.015 * 4.0 * FLUX_M4PS2);
}

TEST(two_diameters_below_the_air_has_twice_the_induced_velocity)
{
        struct wash w = hover(4, 500.0);
        struct vec3 air = air_at(&w, 0.26, 0.0, -500.0 + 4.0 * RADIUS_M);

        ck_assert_double_eq_tol(air.z, 2.0 * V_MPS, 0.1 * 2.0 * V_MPS);
        ck_assert_double_eq_tol(air_at(&w, 0.26, 0.0, -500.0).z, V_MPS, 1e-9);
}

TEST(far_down_it_slows_as_it_widens)
{
        struct wash w = hover(1, 500.0);
        double at_10 = air_at(&w, 0.26, 0.0, -500.0 + 10.0 * RADIUS_M).z;
        double at_30 = air_at(&w, 0.26, 0.0, -500.0 + 30.0 * RADIUS_M).z;

        /* 1/(s + 3.5 R). */
        ck_assert_double_eq_tol(at_30 / at_10, (10.0 + 3.514) / (30.0 + 3.514), 0.01);
}

TEST(induced_velocity_gives_the_thrust_in_any_climb)
{
        for (double climb = 0.0; climb < 10.0; climb += 1.3)
                for (double across = 0.0; across < 20.0; across += 1.7) {
                        double v = wash_induced_mps(FLUX_M4PS2, RADIUS_M, climb, across);
                        double through = hypot(across, climb + v);

                        ck_assert_double_eq_tol(2.0 * M_PI * RADIUS_M * RADIUS_M * v *
                                                        through,
                                                FLUX_M4PS2, 1e-9);
                }
        ck_assert_double_eq(wash_induced_mps(0.0, RADIUS_M, 0.0, 0.0), 0.0);
}

TEST(mirror_images_blow_in_mirror_images)
{
        const struct vec3 way = { 3.0, 2.0, -1.0 }, mirrored = { 3.0, -2.0, -1.0 };
        struct wash one = blow(4, 0.26, 1.5, way), other = blow(4, 0.26, 1.5, mirrored);
        int felt = 0;

        for (double x = -4.0; x < 2.0; x += 0.13)
                for (double y = -3.0; y < 3.0; y += 0.13)
                        for (double z = -2.0; z < 0.0; z += 0.17) {
                                struct vec3 a = air_at(&one, x, y, z);
                                struct vec3 b = air_at(&other, x, -y, z);

                                ck_assert_double_eq_tol(a.x, b.x, 1e-9);
                                ck_assert_double_eq_tol(a.y, -b.y, 1e-9);
                                ck_assert_double_eq_tol(a.z, b.z, 1e-9);
                                felt += vec3_norm(a) > 0.1;
                        }
        ck_assert_int_gt(felt, 500);
}

TEST(fluxes_of_several_vehicles_add)
{
        struct wash near = hover(4, 3.0), far = blow(4, 0.5, 4.0, (struct vec3){ 0 });
        struct vec3 at = { 0.3, 0.1, -2.0 };
        struct vec3 one = { 0 }, other = { 0 }, both = { 0 };

        wash_add_flux(&near, at, &one);
        wash_add_flux(&far, at, &other);
        wash_add_flux(&far, at, &both);
        wash_add_flux(&near, at, &both);
        ck_assert_double_gt(vec3_norm(one), 1.0);
        ck_assert_double_gt(vec3_norm(other), 1.0);
        ck_assert_double_lt(vec3_norm(vec3_sub(both, vec3_add(one, other))), 1e-12);
}

TEST(flight_sweeps_the_jets_back)
{
        struct wash w = blow(1, 0.0, 500.0, (struct vec3){ 4.0, 0.0, 0.0 });
        /* Where the air is by now that left the disc a second ago. */
        double back = 1.0, v = w.jet[0].induced_mps;
        struct vec3 in = { -4.0 * back, 0.0, -500.0 + 2.0 * v * back };

        ck_assert_double_gt(air_at(&w, in.x, in.y, in.z).z, 1.0);
        ck_assert_double_eq(air_at(&w, 0.0, 0.0, in.z).z, 0.0);
        /* What left the disc is pushed down, not ahead. */
        ck_assert_double_eq(air_at(&w, in.x, in.y, in.z).x, 0.0);
}

TEST(nothing_flows_through_the_ground)
{
        struct wash w = hover(4, 1.0);

        for (double x = -3.0; x < 3.0; x += 0.1) {
                ck_assert_double_lt(fabs(air_at(&w, x, 0.0, -1e-4).z), 0.01);
                ck_assert_double_eq(vec3_norm(air_at(&w, x, 0.0, 0.01)), 0.0);
        }
        ck_assert_double_gt(air_at(&w, 0.26, 0.0, -0.6).z, V_MPS);
}

/* Through a cylinder about the foot, 2 to 5 m from it, over the turning jets' own width. */
TEST_EACH(along_the_ground_the_momentum_flows_out, 4)
{
        const double r = 2.0 + _i;
        struct wash w = hover(4, 1.0);
        double sum = 0.0, high_m = 3.0, steps = 300.0;

        for (int i = 0; i < 300; i++) {
                double z = -(i + 0.5) * high_m / steps;
                struct vec3 air = air_at(&w, r * M_SQRT1_2, r * M_SQRT1_2, z);
                double out = (air.x + air.y) * M_SQRT1_2;

                ck_assert_double_ge(out, 0.0);
                sum += out * out * 2.0 * M_PI * r * high_m / steps;
        }
        ck_assert_double_eq_tol(sum, 4.0 * FLUX_M4PS2, 0.01 * 4.0 * FLUX_M4PS2);
}

/* Where it ends, exp(-9) of the speed in the middle is left, and no more: above the disc and below it, at hover, in a climb and
 * in fast flight. */
TEST_EACH(no_jet_is_cut_off_before_its_edge_has_faded, 4)
{
        static const struct vec3 vel_mps[4] = { { 0.0, 0.0, 0.0 },
                                                { 0.0, 0.0, -6.0 },
                                                { 3.0, 0.0, 0.0 },
                                                { 20.0, 0.0, 0.0 } };
        struct wash w = blow(1, 0.0, 100.0, vel_mps[_i]);
        struct vec3 across = { -w.way_ned.z, 0.0, w.way_ned.x };

        for (double s_m = -3.9 * RADIUS_M; s_m < 0.8 * w.length_m; s_m += 0.1) {
                struct vec3 middle =
                        vec3_axpy((struct vec3){ 0.0, 0.0, -100.0 }, s_m, w.way_ned);
                double most = vec3_norm(air_at(&w, middle.x, middle.y, middle.z));
                double last = most, u = most;

                for (double off_m = 0.0; u > 0.0; off_m += 0.002) {
                        struct vec3 at = vec3_axpy(middle, off_m, across);

                        last = u;
                        u = vec3_norm(air_at(&w, at.x, at.y, at.z));
                }
                ck_assert_double_gt(most, 0.0);
                ck_assert_double_lt(last, 2.0 * exp(-9.0) * most);
        }
}

TEST(nobody_out_of_reach_is_blown_at)
{
        struct wash w = blow(4, 0.26, 6.0, (struct vec3){ 2.0, 1.0, 0.0 });
        int felt = 0;

        for (double x = -25.0; x < 25.0; x += 0.4)
                for (double y = -25.0; y < 25.0; y += 0.4)
                        for (double z = -9.0; z < 0.0; z += 0.4) {
                                struct vec3 at = { x, y, z };

                                if (vec3_norm(air_at(&w, x, y, z)) == 0.0)
                                        continue;
                                felt++;
                                ck_assert(wash_reaches(&w, at, 0.0));
                                ck_assert_double_le(hypot(x, y), wash_reach_m(&w));
                        }
        ck_assert_int_gt(felt, 100);
        ck_assert(!wash_reaches(&w, (struct vec3){ 0.0, 0.0, -8.0 }, 0.1));
        ck_assert(!wash_reaches(&w, (struct vec3){ 3.0, 0.0, -6.0 }, 0.5));
}

TEST(rotors_at_rest_move_no_air)
{
        struct wash w;

        wash_begin(&w, RADIUS_M, (struct vec3){ 0.0, 0.0, 1.0 }, (struct vec3){ 0 });
        wash_add_rotor(&w, (struct vec3){ 0.0, 0.0, -1.0 }, 0.0);
        wash_finish(&w, &world);
        ck_assert_int_eq(w.jets, 0);
        ck_assert_double_eq(wash_reach_m(&w), 0.0);
        ck_assert(!wash_reaches(&w, (struct vec3){ 0 }, 100.0));
}
