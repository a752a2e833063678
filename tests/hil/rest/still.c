/* When a log moves, and in which steps a sensor speaks. */
#include <math.h>
#include <string.h>

#include "hil/rest/rest.h"
#include "models/rng.h"

#include "tests/suites.h"

#define SAMPLES 4000 /* 40 s */

static int64_t t_ns[SAMPLES];
static double rate[SAMPLES][3], force[SAMPLES][3], motor[SAMPLES][ROTORS_MAX];
static struct track flight;

/* The log began 5 s before its first sample of the IMU. */
static void make_rest(void)
{
        struct rng rng;

        rng_init(&rng, 7, 0, 0, 0);
        memset(motor, 0, sizeof motor);
        for (int i = 0; i < SAMPLES; i++) {
                t_ns[i] = INT64_C(105000000000) + i * INT64_C(10000000);
                for (int k = 0; k < 3; k++) {
                        rate[i][k] = 0.01 + 0.002 * rng_normal(&rng);
                        force[i][k] = (k == 2 ? -9.8 : 0.1) + 0.02 * rng_normal(&rng);
                }
        }
        flight = (struct track){ .first_ns = INT64_C(100000000000), .motors = 4 };
        flight.of[TRACK_RATE] =
                (struct track_samples){ SAMPLES, SAMPLES, 3, t_ns, rate[0] };
        flight.of[TRACK_ACCEL] =
                (struct track_samples){ SAMPLES, SAMPLES, 3, t_ns, force[0] };
        flight.of[TRACK_MOTORS] =
                (struct track_samples){ SAMPLES, SAMPLES, ROTORS_MAX, t_ns, motor[0] };
}

static void expect_refusal(const char *words)
{
        char why[300];

        ck_assert(!rest_is_still(&flight, why, sizeof why));
        ck_assert_msg(strstr(why, words) != NULL, "%s", why);
}

TEST(a_vehicle_that_stands_still_is_taken)
{
        char why[300];

        make_rest();
        ck_assert(rest_is_still(&flight, why, sizeof why));
}

/* A lift of 0.3 s from 20 s of the IMU's samples on, which is 25 s of the log. */
TEST(a_bump_is_refused_with_its_moment)
{
        make_rest();
        for (int i = 2000; i < 2030; i++)
                force[i][0] += i % 2 ? 0.4 : -0.4;
        expect_refusal("moves at 25.0 s");
}

TEST(slow_turning_is_refused)
{
        make_rest();
        for (int i = 3000; i < SAMPLES; i++)
                rate[i][1] += 0.08;
        expect_refusal("turns at 35.0 s");
}

TEST(turning_motors_are_refused)
{
        make_rest();
        motor[1000][2] = 0.1;
        expect_refusal("its motors turn at 15.0 s");
}

TEST(what_comes_after_the_cut_does_not_count)
{
        char why[300];

        make_rest();
        force[3500][0] += 5.0;
        expect_refusal("moves at 40.0 s");
        rest_cut(&flight, 39.0);
        ck_assert_uint_eq(flight.of[TRACK_ACCEL].count, 3401);
        ck_assert(rest_is_still(&flight, why, sizeof why));
}

TEST(steps_are_seen_through_the_noise)
{
        make_rest();
        for (int i = 0; i < SAMPLES; i++)
                force[i][0] = 0.005 * round(force[i][0] / 0.005);
        ck_assert_double_eq_tol(rest_step(&flight.of[TRACK_ACCEL], 0), 0.005, 1e-12);
        ck_assert_double_eq(rest_step(&flight.of[TRACK_ACCEL], 1), 0.0);
}

/* As a log of single precision has them. */
TEST(steps_are_seen_in_single_precision)
{
        make_rest();
        for (int i = 0; i < SAMPLES; i++)
                force[i][2] = (double)(float)(0.0047884 * round(force[i][2] / 0.0047884));
        ck_assert_double_eq_tol(rest_step(&flight.of[TRACK_ACCEL], 2), 0.0047884, 1e-7);
}
