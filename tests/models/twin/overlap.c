/* One aircraft on two tracks: how the one lies on the other, and how it drifts off. */
#include <math.h>

#include "models/twin/overlap.h"

#include "tests/suites.h"

#define MS INT64_C(1000000)

static struct vec3 turned(struct vec3 v, double yaw)
{
        return (struct vec3){ cos(yaw) * v.x - sin(yaw) * v.y,
                              sin(yaw) * v.x + cos(yaw) * v.y, v.z };
}

/* A circle of 3 m, flown with the nose along it, for 20 s; the second track is turned by 0.4 rad and moved. */
static void fly(struct overlap *o, double radius_m, struct vec3 drift_mps,
                double yaw_drift_radps)
{
        for (int i = 0; i <= 1000; i++) {
                double t = i * 0.02, heading = 0.8 * t;
                struct vec3 a = { 100.0 + radius_m * cos(heading),
                                  radius_m * sin(heading), -2.0 };
                struct vec3 b = vec3_add(turned(a, 0.4), (struct vec3){ 5.0, -7.0, 1.0 });

                overlap_add(o, i * 20 * MS, a, remainder(heading, 6.283185307179586),
                            vec3_axpy(b, t, drift_mps),
                            remainder(heading + 0.4 + yaw_drift_radps * t,
                                      6.283185307179586));
        }
}

TEST(turn_and_offset_are_found)
{
        struct overlap o = { 0 };
        struct overlap_fit fit;

        fly(&o, 3.0, (struct vec3){ 0 }, 0.0);
        ck_assert(overlap_solve(&o, &fit));
        ck_assert(fit.turned);
        ck_assert_double_eq_tol(fit.yaw_rad, 0.4, 1e-9);
        ck_assert_double_eq_tol(fit.offset_m.x, 5.0, 1e-6);
        ck_assert_double_eq_tol(fit.offset_m.y, -7.0, 1e-6);
        ck_assert_double_eq_tol(fit.offset_m.z, 1.0, 1e-9);
        ck_assert_double_lt(fit.rms_m, 1e-6);
        ck_assert_double_lt(vec3_norm(fit.drift_mps), 1e-9);
}

TEST(drift_is_found)
{
        struct overlap o = { 0 };
        struct overlap_fit fit;

        fly(&o, 3.0, (struct vec3){ 0.0, 0.0, 0.01 }, 0.002);
        ck_assert(overlap_solve(&o, &fit));
        ck_assert_double_eq_tol(fit.drift_mps.z, 0.01, 1e-6);
        ck_assert_double_eq_tol(fit.yaw_drift_radps, 0.002, 1e-6);
        /* What rises evenly by 0.2 m is off its mean by that over the root of 12. */
        ck_assert_double_eq_tol(fit.rms_m, 0.2 / sqrt(12.0), 1e-3);
}

TEST(a_track_in_one_place_tells_its_heading_by_the_nose)
{
        struct overlap o = { 0 };
        struct overlap_fit fit;

        fly(&o, 0.1, (struct vec3){ 0 }, 0.0);
        ck_assert(overlap_solve(&o, &fit));
        ck_assert(!fit.turned);
        ck_assert_double_eq_tol(fit.yaw_rad, 0.4, 1e-9);
}

TEST(too_little_is_no_overlap)
{
        struct overlap o = { 0 };
        struct overlap_fit fit;

        ck_assert(!overlap_solve(&o, &fit));
        for (int i = 0; i < 10; i++)
                overlap_add(&o, i * 20 * MS, (struct vec3){ i, 0.0, 0.0 }, 0.0,
                            (struct vec3){ i, 0.0, 0.0 }, 0.0);
        ck_assert(!overlap_solve(&o, &fit));
}
