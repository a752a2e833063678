/* Naps before answers, on a made-up host: one that sleeps wakes up `wake_ns` after what wakes it, a timer or the answer. */
#include "hil/time/nap.h"

#include <stdlib.h>

#include "hil/time/clock.h"
#include "tests/suites.h"

#define LOOK_NS (40 * NS_PER_US)

struct host {
        struct nap nap;
        int64_t wake_ns;
        int lay_there;
};

/* One answer after so long: how long it took. */
static int64_t wait_for(struct host *h, int64_t answer_ns)
{
        int64_t nap_ns = nap_begin(&h->nap, LOOK_NS), woken_ns = nap_ns;
        bool lay_there;

        if (nap_ns == 0 || nap_ns > answer_ns)
                woken_ns = answer_ns;
        woken_ns += h->wake_ns;
        lay_there = woken_ns >= answer_ns;
        if (!lay_there && answer_ns - woken_ns <= LOOK_NS)
                woken_ns = answer_ns;
        else if (!lay_there)
                woken_ns = answer_ns + h->wake_ns;
        nap_learn(&h->nap, woken_ns, lay_there);
        h->lay_there += lay_there;
        return woken_ns;
}

static double mean_ns(struct host *h, int count, int64_t answer_ns)
{
        double sum_ns = 0.0;

        for (int i = 0; i < count; i++)
                sum_ns += (double)wait_for(h, answer_ns);
        return sum_ns / count;
}

TEST(naps_spare_a_deep_sleepers_wake_up)
{
        static const int64_t answers_ns[] = { 150 * NS_PER_US, 270 * NS_PER_US,
                                              NS_PER_MS / 2, NS_PER_MS };

        for (size_t i = 0; i < sizeof answers_ns / sizeof answers_ns[0]; i++) {
                struct host h = { .wake_ns = 70 * NS_PER_US };
                double slept_ns = mean_ns(&h, NAP_SLEPT, answers_ns[i]);

                ck_assert_double_eq(slept_ns, (double)(answers_ns[i] + h.wake_ns));
                ck_assert_uint_eq(h.nap.taken, 0);
                mean_ns(&h, NAP_TRIED, answers_ns[i]);
                ck_assert_double_le(mean_ns(&h, NAP_ROUND - 2 * NAP_TRIED, answers_ns[i]),
                                    (double)(answers_ns[i] + 5 * NS_PER_US));
        }
}

TEST(two_of_three_answers_lie_there)
{
        struct host h = { .wake_ns = 70 * NS_PER_US };

        mean_ns(&h, NAP_TRIED, 270 * NS_PER_US);
        h.lay_there = 0;
        mean_ns(&h, 600, 270 * NS_PER_US);
        ck_assert_int_ge(h.lay_there, 395);
        ck_assert_int_le(h.lay_there, 405);
}

TEST(a_light_sleeper_naps_to_try_and_no_more)
{
        struct host h = { .wake_ns = 8 * NS_PER_US };

        mean_ns(&h, 4 * NAP_ROUND, 270 * NS_PER_US);
        ck_assert_uint_eq(h.nap.taken, 4 * (NAP_TRIED - NAP_SLEPT));
}

TEST(naps_follow_answers_that_take_longer_or_less)
{
        struct host h = { .wake_ns = 70 * NS_PER_US };

        mean_ns(&h, NAP_ROUND, 270 * NS_PER_US);
        mean_ns(&h, NAP_ROUND, 400 * NS_PER_US);
        ck_assert_double_le(mean_ns(&h, NAP_ROUND, 400 * NS_PER_US), 410.0 * NS_PER_US);
        mean_ns(&h, NAP_ROUND, 200 * NS_PER_US);
        ck_assert_double_le(mean_ns(&h, NAP_ROUND, 200 * NS_PER_US), 212.0 * NS_PER_US);
}

/* Whatever comes: not much worse than to sleep. */
TEST(answers_without_rule_cost_no_more_than_the_trial)
{
        struct host h = { .wake_ns = 70 * NS_PER_US };
        double slept_ns = 0.0, napped_ns = 0.0;
        uint32_t random = 1;

        for (int i = 0; i < 8 * NAP_ROUND; i++) {
                int64_t answer_ns;

                random = random * 1664525 + 1013904223;
                answer_ns = 60 * NS_PER_US + random % (600 * NS_PER_US);
                slept_ns += (double)(answer_ns + h.wake_ns);
                napped_ns += (double)wait_for(&h, answer_ns);
        }
        ck_assert_double_le(napped_ns, 1.02 * slept_ns);
}

TEST(a_host_that_stands_still_is_no_reason_to_nap)
{
        struct host h = { .wake_ns = 8 * NS_PER_US };

        for (int i = 0; i < 2 * NAP_ROUND; i++)
                wait_for(&h, i % NAP_ROUND == 5 ? NS_PER_S : 270 * NS_PER_US);
        ck_assert_uint_eq(h.nap.taken, 2 * (NAP_TRIED - NAP_SLEPT));
}

TEST(other_answers_are_learned_anew)
{
        struct host h = { .wake_ns = 70 * NS_PER_US };

        mean_ns(&h, NAP_ROUND / 2, 270 * NS_PER_US);
        ck_assert_uint_gt(h.nap.taken, 0);
        nap_forget(&h.nap);
        ck_assert_int_eq(nap_begin(&h.nap, LOOK_NS), 0);
        ck_assert(!h.nap.now);
        ck_assert_uint_gt(h.nap.taken, 0);
}
