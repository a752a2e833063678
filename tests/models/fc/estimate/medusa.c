/* Places in an arena from what sonars should read there. */
#include <math.h>

#include "models/fc/estimate/medusa.h"
#include "models/rng.h"

#include "tests/suites.h"

#define QUARTER_RAD 1.5707963267948966

static const struct medusa_params four = {
        .length_m = 4.0,
        .width_m = 3.0,
        .sonars = 4,
        .bearing_rad = { 0.0, QUARTER_RAD, 2 * QUARTER_RAD, 3 * QUARTER_RAD },
        .offset_m = { 0.04, 0.04, 0.04, 0.04 },
        .range_max_m = 10.0,
        .sigma_m = 0.05,
};

static void read_ranges(const struct medusa_params *p, double north_m, double east_m,
                        double yaw_rad, double range_m[])
{
        for (int i = 0; i < p->sonars; i++)
                range_m[i] =
                        medusa_range_m(p, north_m, east_m, yaw_rad + p->bearing_rad[i]) -
                        p->offset_m[i];
}

static double error_of(const struct medusa *m, double north_m, double east_m)
{
        return hypot(m->north_m - north_m, m->east_m - east_m);
}

/* Whether some beam ends at a wall to the north or south, and some at one to the east or west. */
static bool tells_both(const struct medusa_params *p, double north_m, double east_m,
                       double yaw_rad)
{
        bool tells[2] = { false, false };

        for (int i = 0; i < p->sonars; i++) {
                double direction_rad = yaw_rad + p->bearing_rad[i];
                double range_m = medusa_range_m(p, north_m, east_m, direction_rad);
                double end_m = fabs(north_m + range_m * cos(direction_rad));

                tells[fabs(end_m - 0.5 * p->length_m) < 1e-9] = true;
        }
        return tells[0] && tells[1];
}

TEST(exact_ranges_give_the_exact_place)
{
        int places = 0;

        for (int i = 0; i < 500; i++) {
                double north_m = 1.8 * sin(i * 0.7), east_m = 1.3 * sin(i * 1.3);
                double yaw_rad = 0.05 + i * 0.11, range_m[4];
                struct medusa m = { 0 };

                if (!tells_both(&four, north_m, east_m, yaw_rad))
                        continue;
                read_ranges(&four, north_m, east_m, yaw_rad, range_m);
                ck_assert(medusa_step(&m, &four, yaw_rad, range_m, 0.05));
                ck_assert_double_lt(error_of(&m, north_m, east_m), 1e-9);
                ck_assert_double_gt(m.weight, 1.0 - 1e-9);
                places++;
        }
        ck_assert_int_gt(places, 400);
}

TEST(two_readings_at_a_right_angle_are_enough)
{
        double range_m[4];
        struct medusa m = { 0 };

        read_ranges(&four, 0.5, -0.7, 0.1, range_m);
        range_m[2] = range_m[3] = four.range_max_m;
        ck_assert(medusa_step(&m, &four, 0.1, range_m, 0.05));
        ck_assert_double_lt(error_of(&m, 0.5, -0.7), 1e-9);
        range_m[1] = 0.0;
        ck_assert(!medusa_step(&m, &four, 0.1, range_m, 0.05));
        ck_assert_double_lt(error_of(&m, 0.5, -0.7), 1e-9); /* it stays */
        ck_assert_int_eq(m.candidates, 0);
}

TEST(noise_of_readings_becomes_noise_of_the_place)
{
        struct rng rng;
        double squares = 0.0;

        rng_init(&rng, 1, 0, 0, 0);
        for (int i = 0; i < 1000; i++) {
                double range_m[4];
                struct medusa m = { 0 };

                read_ranges(&four, 0.3, 0.2, 0.02, range_m);
                for (int k = 0; k < 4; k++)
                        range_m[k] += 0.03 * rng_normal(&rng);
                ck_assert(medusa_step(&m, &four, 0.02, range_m, 0.05));
                squares += error_of(&m, 0.3, 0.2) * error_of(&m, 0.3, 0.2);
        }
        /* Of two coordinates with an error of a reading each: at most sqrt(2) of one. */
        ck_assert_double_lt(sqrt(squares / 1000), 0.03 * 1.5);
}

/* In the middle at 45 degrees all beams end to the east and west. */
TEST(coordinate_that_no_beam_tells_stays)
{
        double range_m[4];
        struct medusa m = { 0 };

        read_ranges(&four, 0.1, 0.1, 0.0, range_m);
        ck_assert(medusa_step(&m, &four, 0.0, range_m, 0.05));
        read_ranges(&four, 0.1, 0.2, 0.5 * QUARTER_RAD, range_m);
        ck_assert(!tells_both(&four, 0.1, 0.2, 0.5 * QUARTER_RAD));
        ck_assert(medusa_step(&m, &four, 0.5 * QUARTER_RAD, range_m, 0.05));
        ck_assert_double_lt(error_of(&m, 0.1, 0.2), 1e-9);
}

/* Somebody stands before one sonar: the other three agree on a place. */
TEST(limit_on_the_way_keeps_what_others_reflect_out)
{
        struct medusa_params slow = four;
        struct medusa m = { 0 };
        double range_m[4];

        slow.speed_max_mps = 1.0;
        read_ranges(&slow, 0.0, 0.0, 0.0, range_m);
        ck_assert(medusa_step(&m, &slow, 0.0, range_m, 0.05));
        range_m[0] = 0.4;
        medusa_step(&m, &slow, 0.0, range_m, 0.05);
        ck_assert_double_lt(error_of(&m, 0.0, 0.0), 0.05 + 1e-9);
        /* Without a limit, and with what is behind it unseen, it is taken for the wall. */
        range_m[2] = four.range_max_m;
        ck_assert(medusa_step(&m, &four, 0.0, range_m, 0.05));
        ck_assert_double_gt(m.north_m, 1.0);
}

TEST(limit_grows_with_the_time_without_a_place)
{
        struct medusa_params slow = four;
        struct medusa m = { 0 };
        double none[4] = { 0 }, range_m[4];

        slow.speed_max_mps = 1.0;
        read_ranges(&slow, -1.0, 0.0, 0.0, range_m);
        ck_assert(medusa_step(&m, &slow, 0.0, range_m, 0.05));
        read_ranges(&slow, 0.0, 0.0, 0.0, range_m);
        ck_assert(!medusa_step(&m, &slow, 0.0, range_m, 0.5));
        ck_assert(!medusa_step(&m, &slow, 0.0, none, 0.6));
        ck_assert(medusa_step(&m, &slow, 0.0, range_m, 0.05));
        ck_assert_double_lt(error_of(&m, 0.0, 0.0), 1e-9);
}

TEST(place_is_always_within_the_arena)
{
        struct rng rng;
        struct medusa m = { 0 };

        rng_init(&rng, 2, 0, 0, 0);
        for (int i = 0; i < 5000; i++) {
                double range_m[4];

                for (int k = 0; k < 4; k++)
                        range_m[k] = 3.0 * fabs(rng_normal(&rng));
                medusa_step(&m, &four, 6.0 * rng_normal(&rng), range_m, 0.05);
                ck_assert_double_le(fabs(m.north_m), 2.0);
                ck_assert_double_le(fabs(m.east_m), 1.5);
        }
        ck_assert(m.known);
}
