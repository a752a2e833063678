/* Sample times and delays: exact, for ever. */
#include "models/sensors/schedule.h"

#include "tests/suites.h"

#define MS INT64_C(1000000)

/* The number of the sample that a sensor without a grid of calls would be at. */
static int64_t samples_by(const struct schedule_params *p, int64_t t_ns)
{
        return t_ns < p->phase_ns ? 0 : (t_ns - p->phase_ns) / p->period_ns + 1;
}

static void follow(struct schedule_params p, int64_t step_ns, int64_t end_ns)
{
        struct schedule s;
        int64_t count = 0, wrong = 0;

        schedule_init(&s, &p);
        for (int64_t t_ns = 0; t_ns <= end_ns; t_ns += step_ns) {
                count += schedule_due(&s, &p, t_ns);
                wrong += count != samples_by(&p, t_ns);
        }
        ck_assert_int_gt(count, 0);
        ck_assert_int_eq(wrong, 0);
}

TEST(period_that_divides_the_step_is_exact)
{
        follow((struct schedule_params){ .period_ns = 4 * MS }, MS, 600000 * MS);
}

TEST(period_of_7_ms_in_steps_of_1_ms_never_drifts)
{
        follow((struct schedule_params){ .period_ns = 7 * MS }, MS, 600000 * MS);
}

TEST(period_of_3_ms_with_a_phase_never_drifts)
{
        follow((struct schedule_params){ .period_ns = 3 * MS, .phase_ns = 2 * MS }, MS,
               600000 * MS);
}

TEST(period_between_the_steps_never_drifts)
{
        /* 400 Hz in steps of 1 ms, and a GPS at 3 Hz. */
        follow((struct schedule_params){ .period_ns = 2500000 }, MS, 600000 * MS);
        follow((struct schedule_params){ .period_ns = 333333333, .phase_ns = 77 }, MS,
               600000 * MS);
}

TEST(a_sample_is_late_by_less_than_a_step)
{
        const struct schedule_params p = { .period_ns = 2300001, .phase_ns = 1234567 };
        struct schedule s;
        int64_t n = 0;

        schedule_init(&s, &p);
        for (int64_t t_ns = 0; t_ns < 60000 * MS; t_ns += MS)
                if (schedule_due(&s, &p, t_ns)) {
                        int64_t late_ns = t_ns - (p.phase_ns + n++ * p.period_ns);

                        ck_assert_int_ge(late_ns, 0);
                        ck_assert_int_lt(late_ns, MS);
                }
}

TEST(first_sample_is_at_the_phase)
{
        const struct schedule_params p = { .period_ns = 10 * MS, .phase_ns = 4 * MS };
        struct schedule s;

        schedule_init(&s, &p);
        ck_assert(!schedule_due(&s, &p, 0));
        ck_assert(!schedule_due(&s, &p, 4 * MS - 1));
        ck_assert(schedule_due(&s, &p, 4 * MS));
        ck_assert(!schedule_due(&s, &p, 4 * MS));
}

TEST(skipped_samples_are_not_made_up_for)
{
        const struct schedule_params p = { .period_ns = 2 * MS };
        struct schedule s;

        schedule_init(&s, &p);
        ck_assert(schedule_due(&s, &p, 0));
        ck_assert(schedule_due(&s, &p, 101 * MS));
        ck_assert(!schedule_due(&s, &p, 101 * MS));
        /* Back on the grid of even milliseconds. */
        ck_assert(schedule_due(&s, &p, 102 * MS));
}

TEST(sensor_that_is_not_fitted_never_measures)
{
        const struct schedule_params p = { .period_ns = 0 };
        struct schedule s;

        schedule_init(&s, &p);
        for (int64_t t_ns = 0; t_ns < 100 * MS; t_ns += MS)
                ck_assert(!schedule_due(&s, &p, t_ns));
}

TEST(a_year_of_simulated_time_fits)
{
        const struct schedule_params p = { .period_ns = 7 * MS };
        int64_t year_ns = 365 * INT64_C(86400000) * MS;
        struct schedule s;

        schedule_init(&s, &p);
        ck_assert(schedule_due(&s, &p, year_ns));
        ck_assert_int_eq(s.next_ns % (7 * MS), 0);
        ck_assert_int_gt(s.next_ns, year_ns);
        ck_assert_int_le(s.next_ns, year_ns + 7 * MS);
}

TEST(delay_is_exact)
{
        struct delay_line d = { 0 };
        int in = 42, out = 0;

        delay_push(&d, 5 * MS, &in, sizeof in);
        ck_assert(!delay_pop(&d, 0, &out, sizeof out));
        ck_assert(!delay_pop(&d, 5 * MS - 1, &out, sizeof out));
        ck_assert_int_eq(out, 0);
        ck_assert(delay_pop(&d, 5 * MS, &out, sizeof out));
        ck_assert_int_eq(out, 42);
        ck_assert(!delay_pop(&d, 500 * MS, &out, sizeof out));
}

TEST(samples_come_out_in_order_and_once)
{
        struct delay_line d = { 0 };
        int expected = 0, out;

        /* One every ms, 40 ms on the way: the ring wraps many times. */
        for (int n = 0; n < 1000; n++) {
                delay_push(&d, (n + 40) * MS, &n, sizeof n);
                if (delay_pop(&d, n * MS, &out, sizeof out))
                        ck_assert_int_eq(out, expected++);
                ck_assert_uint_le(d.count, 40);
        }
        ck_assert_int_eq(expected, 960);
}

TEST(newest_of_several_due_samples_is_delivered)
{
        struct delay_line d = { 0 };
        int out;

        for (int n = 0; n < 5; n++)
                delay_push(&d, n * MS, &n, sizeof n);
        ck_assert(delay_pop(&d, 3 * MS, &out, sizeof out));
        ck_assert_int_eq(out, 3);
        ck_assert_uint_eq(d.count, 1);
        ck_assert(delay_pop(&d, 4 * MS, &out, sizeof out));
        ck_assert_int_eq(out, 4);
}

TEST(full_line_loses_the_oldest)
{
        struct delay_line d = { 0 };
        int out;

        for (int n = 0; n < DELAY_SLOTS + 3; n++)
                delay_push(&d, n * MS, &n, sizeof n);
        ck_assert_uint_eq(d.count, DELAY_SLOTS);
        ck_assert(!delay_pop(&d, 2 * MS, &out, sizeof out));
        ck_assert(delay_pop(&d, 3 * MS, &out, sizeof out));
        ck_assert_int_eq(out, 3);
}

TEST(largest_sample_comes_out_whole)
{
        struct delay_line d = { 0 };
        unsigned char in[DELAY_SAMPLE_MAX], out[DELAY_SAMPLE_MAX] = { 0 };

        for (int i = 0; i < DELAY_SAMPLE_MAX; i++)
                in[i] = (unsigned char)(i * 37 + 5);
        delay_push(&d, 0, in, sizeof in);
        ck_assert(delay_pop(&d, 0, out, sizeof out));
        ck_assert_mem_eq(in, out, sizeof in);
}
