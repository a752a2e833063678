/* When it pays to look again at once, and when to sleep. */
#include "hil/time/busy_wait.h"

#include "tests/suites.h"

#define MOST_NS (10 * NS_PER_US)

static struct busy_wait fresh(void)
{
        return (struct busy_wait){ .most_ns = MOST_NS };
}

static void learn(struct busy_wait *s, int times, int64_t waited_ns, bool slept)
{
        for (int i = 0; i < times; i++)
                busy_wait_learn(s, waited_ns, slept);
}

/* The measurement keeps the thread where it is, meanwhile. */
TEST(what_it_measures_is_bounded_and_the_thread_may_move_afterwards_as_before)
{
        cpu_set_t before, after;
        int64_t most_ns;

        ck_assert_int_eq(sched_getaffinity(0, sizeof before, &before), 0);
        most_ns = busy_wait_measure();
        ck_assert_int_eq(sched_getaffinity(0, sizeof after, &after), 0);
        ck_assert(CPU_EQUAL(&before, &after));
        ck_assert_int_le(most_ns, BUSY_WAIT_MOST_NS);
        ck_assert_int_eq(most_ns > 0, CPU_COUNT(&before) > 1);
}

TEST(it_looks_no_longer_than_it_is_worth)
{
        struct busy_wait s = fresh();

        ck_assert(busy_wait_again(&s, clock_now_ns() + NS_PER_S));
        ck_assert(!busy_wait_again(&s, clock_now_ns() - 2 * MOST_NS));
}

TEST(late_answers_are_slept_for_and_prompt_ones_looked_for_again)
{
        struct busy_wait s = fresh();

        learn(&s, BUSY_WAIT_LEARNED, 3 * MOST_NS, false);
        ck_assert(!busy_wait_pays(&s));
        ck_assert(!busy_wait_again(&s, clock_now_ns() + NS_PER_S));
        /* Slept for, an answer seems later than it was, by the wake-up. */
        learn(&s, BUSY_WAIT_LEARNED, MOST_NS + MOST_NS / 4, true);
        ck_assert(busy_wait_pays(&s));
        ck_assert_uint_eq(s.looked, BUSY_WAIT_LEARNED);
        ck_assert_uint_eq(s.slept, BUSY_WAIT_LEARNED);
}

TEST(one_late_answer_among_prompt_ones_changes_nothing)
{
        struct busy_wait s = fresh();

        for (int i = 0; i < 100; i++) {
                learn(&s, 1, 100 * MOST_NS, true);
                learn(&s, 3, MOST_NS / 2, false);
                ck_assert(busy_wait_pays(&s));
        }
}

/* So many looks until it has given way next. */
static int looks_until_it_gives_way(struct busy_wait *s)
{
        int looks = 0;

        do {
                s->rest_until_ns = 0; /* whatever this host did */
                ck_assert(busy_wait_again(s, clock_now_ns() + NS_PER_S));
                looks++;
        } while (s->looks > 0);
        return looks;
}

TEST(it_gives_way_more_seldom_while_that_lets_nobody_run)
{
        struct busy_wait s = fresh();

        s.least_ns = INT64_MAX / 4; /* no time is long */
        ck_assert_int_eq(looks_until_it_gives_way(&s), 1);
        s.least_ns = INT64_MAX / 4;
        ck_assert_int_eq(looks_until_it_gives_way(&s), 2);
        for (int i = 0; i < 4; i++) {
                s.least_ns = INT64_MAX / 4;
                looks_until_it_gives_way(&s);
        }
        s.least_ns = 1; /* every time is long: somebody ran */
        ck_assert_int_eq(looks_until_it_gives_way(&s), BUSY_WAIT_ALONE_MAX);
        ck_assert_int_eq(looks_until_it_gives_way(&s), 1);
        ck_assert_int_eq(looks_until_it_gives_way(&s), 1);
}

TEST(it_rests_when_others_take_two_long_turns_one_after_the_other)
{
        struct busy_wait s = fresh();
        int64_t t_ns = NS_PER_S;

        busy_wait_note_long(&s, t_ns);
        busy_wait_note_long(&s, t_ns += BUSY_WAIT_CROWDED_NS);
        ck_assert_int_eq(s.rest_until_ns, 0);
        busy_wait_note_long(&s, t_ns += BUSY_WAIT_CROWDED_NS / 2);
        ck_assert_int_eq(s.rest_until_ns, t_ns + BUSY_WAIT_REST_NS);
        /* And again at the first one after it. */
        busy_wait_note_long(&s, t_ns += BUSY_WAIT_REST_NS + 1);
        ck_assert_int_eq(s.rest_until_ns, t_ns + BUSY_WAIT_REST_NS);
        t_ns += BUSY_WAIT_REST_NS + BUSY_WAIT_CROWDED_NS;
        busy_wait_note_long(&s, t_ns);
        ck_assert_int_lt(s.rest_until_ns, t_ns);
}

TEST(where_looking_is_worth_nothing_it_never_looks)
{
        struct busy_wait s = { 0 };

        ck_assert(!busy_wait_again(&s, clock_now_ns() - 1));
}

TEST(an_answer_is_worth_looking_for_unless_there_is_one_processor)
{
        cpu_set_t all, one;
        int64_t look_ns;

        ck_assert_int_eq(sched_getaffinity(0, sizeof all, &all), 0);
        look_ns = busy_wait_measure();
        ck_assert_int_ge(look_ns, CPU_COUNT(&all) > 1 ? 1 : 0);
        ck_assert_int_le(look_ns, BUSY_WAIT_MOST_NS);
        CPU_ZERO(&one);
        for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
                if (CPU_ISSET(i, &all))
                        CPU_SET(i, &one);
        ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
        ck_assert_int_eq(busy_wait_measure(), 0);
        sched_setaffinity(0, sizeof all, &all);
}
