/* White noise and drift of records made here, whose sizes are known. */
#include <math.h>

#include "hil/rest/markov.h"
#include "models/rng.h"

#include "tests/suites.h"

#define SAMPLES 2000
#define RUNS    20

static int64_t t_ns[SAMPLES];
static double value[3][SAMPLES];

/* Ten samples a second. */
static void make_record(double *out, double white, double drift, double tau_s,
                        uint64_t seed, uint32_t axis)
{
        double keep = exp(-0.1 / tau_s), state;
        struct rng rng;

        rng_init(&rng, seed, 0, 0, axis);
        state = drift * rng_normal(&rng);
        for (int i = 0; i < SAMPLES; i++) {
                t_ns[i] = i * INT64_C(100000000);
                out[i] = 1000.0 + state + white * rng_normal(&rng);
                state = keep * state + drift * sqrt(1.0 - keep * keep) * rng_normal(&rng);
        }
}

static void find(double white, double drift, double tau_s, uint64_t seed, int records,
                 struct markov *m)
{
        struct markov_records of = { .records = records };

        for (int i = 0; i < records; i++) {
                make_record(value[i], white, drift, tau_s, seed, (uint32_t)i);
                of.record[i] = (struct markov_record){ SAMPLES, t_ns, value[i], 1 };
        }
        ck_assert(markov_find(&of, m));
}

static int holds(const struct rest_value *v, double truth)
{
        ck_assert(v->from <= v->found && v->found <= v->to);
        return v->from <= truth && truth <= v->to;
}

static void expect_coverage(double white, double drift, double tau_s, int records)
{
        int white_held = 0, drift_held = 0, tau_held = 0;

        for (uint64_t seed = 1; seed <= RUNS; seed++) {
                struct markov m;

                find(white, drift, tau_s, seed, records, &m);
                white_held += holds(&m.white, white);
                drift_held += holds(&m.drift, drift);
                tau_held += holds(&m.tau_s, tau_s);
        }
        /* Of 20 at 95 % fewer than 16 come once in 400 times. */
        ck_assert_int_ge(white_held, 16);
        ck_assert_int_ge(drift_held, 16);
        ck_assert_int_ge(tau_held, 16);
}

TEST(markov_intervals_hold_the_truth)
{
        expect_coverage(0.5, 1.0, 8.0, 1);
}

TEST(markov_intervals_hold_the_truth_of_drift_with_little_white_noise)
{
        expect_coverage(0.02, 1.0, 1.0, 3);
}

TEST(markov_tells_a_drift_that_is_short_against_the_record)
{
        struct markov m;

        find(0.5, 1.0, 2.0, 7, 1, &m);
        ck_assert(m.white.told && m.drift.told && m.tau_s.told);
}

/* A time constant of twice the record looks as one of ten. */
TEST(markov_does_not_tell_a_drift_that_is_longer_than_the_record)
{
        struct markov m;

        find(0.5, 1.0, 1200.0, 7, 1, &m);
        ck_assert(m.white.told && !m.drift.told && !m.tau_s.told);
        ck_assert(isinf(m.drift.to) && isinf(m.tau_s.to));
}

TEST(markov_finds_no_drift_in_white_noise)
{
        struct markov m;

        find(0.5, 0.0, 1.0, 7, 1, &m);
        ck_assert(m.white.told && !m.drift.told && !m.tau_s.told);
        ck_assert(holds(&m.white, 0.5) && holds(&m.drift, 0.0));
}

TEST(markov_needs_a_hundred_samples)
{
        struct markov_records of = { 1, { { 99, t_ns, value[0], 1 } } };
        struct markov m;

        make_record(value[0], 1.0, 0.0, 1.0, 1, 0);
        ck_assert(!markov_find(&of, &m));
        of.record[0].count = 100;
        ck_assert(markov_find(&of, &m));
}
