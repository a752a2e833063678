/* What vehicles are to each other, against what can be worked out by hand and by looking at every pair. */
#include <math.h>

#include "hil/formula/fleet.h"
#include "models/rng.h"

#include "tests/suites.h"

static struct fleet fleet_of(int count)
{
        struct fleet f;

        ck_assert(fleet_open(&f, count));
        return f;
}

/* A square of 2 m, flying north at 1 m/s. */
static struct fleet square(void)
{
        struct fleet f = fleet_of(4);

        for (int i = 0; i < 4; i++) {
                f.member[i].pos_ned_m =
                        (struct vec3){ i < 2 ? 0.0 : 2.0, 2.0 * (i % 2), -5.0 };
                f.member[i].vel_ned_mps = (struct vec3){ 1.0, 0.0, 0.0 };
        }
        return f;
}

TEST(a_square_has_its_sides_and_half_its_diagonal)
{
        struct fleet f = square();

        fleet_measure(&f);
        ck_assert_double_eq_tol(f.separation_m, 2.0, 1e-12);
        ck_assert_double_eq_tol(f.radius_m, sqrt(2.0), 1e-12);
        ck_assert_double_eq_tol(f.centre_ned_m.x, 1.0, 1e-12);
        ck_assert_double_eq_tol(f.lattice_m, 0.0, 1e-12);
        ck_assert_double_eq_tol(f.order, 1.0, 1e-12);
        ck_assert_double_eq_tol(f.speed_mps, 1.0, 1e-12);
        ck_assert_double_eq_tol(fleet_range_m(&f), 2.0, 1e-12);
        fleet_close(&f);
}

TEST(who_flies_against_each_other_has_no_order_and_who_stands_no_direction)
{
        struct fleet f = square();

        f.member[0].vel_ned_mps.x = f.member[1].vel_ned_mps.x = -3.0;
        fleet_measure(&f);
        ck_assert_double_eq_tol(f.order, 0.0, 1e-12); /* directions, not velocities */
        ck_assert_double_eq_tol(f.speed_mps, 1.0, 1e-12);
        for (int i = 0; i < 4; i++)
                f.member[i].vel_ned_mps.x = 0.01;
        fleet_measure(&f);
        ck_assert(isnan(f.order));
        fleet_close(&f);
}

TEST(a_wreck_does_not_count_where_others_fly)
{
        struct fleet f = square();

        for (int i = 0; i < 3; i++)
                f.member[i].flies = true;
        f.member[3].pos_ned_m = (struct vec3){ 0.1, 0.0, 0.0 };
        fleet_measure(&f);
        ck_assert_double_eq_tol(f.separation_m, 2.0, 1e-12);
        ck_assert_double_eq_tol(f.centre_ned_m.z, -5.0, 1e-12);
        ck_assert_double_eq_tol(fleet_range_m(&f), 2.0, 1e-12);
        ck_assert(isnan(f.member[3].nearest_m) && isnan(f.member[3].centre_m));
        for (int i = 0; i < 3; i++)
                f.member[i].flies = false; /* all do, then */
        fleet_measure(&f);
        ck_assert_double_lt(f.centre_ned_m.z, -3.7);
        fleet_close(&f);
}

TEST(one_alone_has_no_neighbour)
{
        struct fleet f = fleet_of(1);

        fleet_measure(&f);
        ck_assert(isinf(f.separation_m) && isinf(fleet_range_m(&f)));
        fleet_close(&f);
}

/* All that any of them reaches by way of others. */
static int reached(const struct fleet *f, double range_m)
{
        int list[128] = { 0 }, count = 1;
        bool seen[128] = { true };

        for (int i = 0; i < count; i++)
                for (int k = 0; k < f->count; k++)
                        if (!seen[k] &&
                            vec3_norm(vec3_sub(f->member[k].pos_ned_m,
                                               f->member[list[i]].pos_ned_m)) <=
                                    range_m) {
                                seen[k] = true;
                                list[count++] = k;
                        }
        return count;
}

TEST(nearest_and_range_are_those_of_every_pair)
{
        struct rng rng;

        rng_init(&rng, 1, 0, 0, 0);
        for (int round = 0; round < 50; round++) {
                struct fleet f = fleet_of(2 + round * 2);
                double least_m = INFINITY, range_m;

                for (int i = 0; i < f.count; i++)
                        f.member[i].pos_ned_m = (struct vec3){ 20.0 * rng_uniform(&rng),
                                                               40.0 * rng_uniform(&rng),
                                                               5.0 * rng_uniform(&rng) };
                fleet_measure(&f);
                for (int i = 0; i < f.count; i++) {
                        double nearest_m = INFINITY;

                        for (int k = 0; k < f.count; k++)
                                if (k != i)
                                        nearest_m = fmin(nearest_m,
                                                         vec3_norm(vec3_sub(
                                                                 f.member[i].pos_ned_m,
                                                                 f.member[k].pos_ned_m)));
                        ck_assert_double_eq(f.member[i].nearest_m, nearest_m);
                        least_m = fmin(least_m, nearest_m);
                }
                ck_assert_double_eq(f.separation_m, least_m);
                range_m = fleet_range_m(&f);
                ck_assert_int_eq(reached(&f, range_m), f.count);
                ck_assert_int_lt(reached(&f, range_m * (1.0 - 1e-12)), f.count);
                fleet_close(&f);
        }
}
