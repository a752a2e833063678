/* The hub of a fleet: a group goes when all of its members have been heard, and pauses, or not, when one is silent. */
#include "models/fc/hub.h"
#include "models/fc/flock/flock.h"

#include "tests/suites.h"

#define MS INT64_C(1000000)

static struct hub_params two_groups(void)
{
        return (struct hub_params){
                .period_ns = 100 * MS,
                .silent_ns = 1000 * MS,
                .groups = 2,
                .group = { { "a", 2, { 0, 1 }, FLOCK_BEHAVIOURS },
                           { "b", 1, { 2 }, FLOCK_SEPARATION } },
        };
}

static int words_due(struct hub *h, const struct hub_params *p)
{
        int count = 0;

        while (hub_due(h, p) >= 0)
                count++;
        return count;
}

TEST(a_group_pauses_until_all_of_its_members_have_been_heard)
{
        struct hub_params p = two_groups();
        struct hub h;

        hub_init(&h, &p);
        hub_step(&h, &p, 0);
        hub_hear(&h, 0);
        hub_step(&h, &p, 4 * MS);
        ck_assert(hub_is_paused(&h, &p, 0));
        ck_assert_int_eq(h.group[0].here, 1);
        ck_assert_int_eq(h.group[0].missing, 1);
        hub_hear(&h, 1);
        hub_hear(&h, 77); /* nobody's */
        hub_step(&h, &p, 8 * MS);
        ck_assert(!hub_is_paused(&h, &p, 0));
        ck_assert(hub_is_paused(&h, &p, 1));
}

TEST(one_that_is_silent_pauses_its_group_alone_until_it_is_back)
{
        struct hub_params p = two_groups();
        struct hub h;

        hub_init(&h, &p);
        hub_step(&h, &p, 0);
        for (int i = 0; i < 3; i++)
                hub_hear(&h, i);
        hub_step(&h, &p, 900 * MS);
        ck_assert(!hub_is_paused(&h, &p, 0) && !hub_is_paused(&h, &p, 1));
        hub_hear(&h, 0);
        hub_hear(&h, 2);
        hub_step(&h, &p, 1001 * MS);
        ck_assert(hub_is_paused(&h, &p, 0));
        ck_assert_int_eq(h.group[0].missing, 1);
        ck_assert(!hub_is_paused(&h, &p, 1));
        hub_hear(&h, 1);
        hub_step(&h, &p, 1005 * MS);
        ck_assert(!hub_is_paused(&h, &p, 0));
}

TEST(as_configured_a_group_goes_on_without_who_is_silent_but_does_not_begin_without)
{
        struct hub_params p = two_groups();
        struct hub h;

        p.goes_on = true;
        hub_init(&h, &p);
        hub_step(&h, &p, 0);
        hub_hear(&h, 0);
        hub_step(&h, &p, 4 * MS);
        ck_assert(hub_is_paused(&h, &p, 0));
        hub_hear(&h, 1);
        hub_step(&h, &p, 8 * MS);
        ck_assert(!hub_is_paused(&h, &p, 0));
        hub_step(&h, &p, 5000 * MS);
        ck_assert_int_eq(h.group[0].here, 0);
        ck_assert(!hub_is_paused(&h, &p, 0));
}

TEST(each_group_gets_a_word_a_period_and_at_once_what_has_changed)
{
        struct hub_params p = two_groups();
        struct hub h;

        hub_init(&h, &p);
        hub_step(&h, &p, 0);
        ck_assert_int_eq(words_due(&h, &p), 2);
        hub_step(&h, &p, 50 * MS);
        ck_assert_int_eq(words_due(&h, &p), 0);
        hub_step(&h, &p, 100 * MS);
        ck_assert_int_eq(words_due(&h, &p), 2);
        hub_hear(&h, 2);
        hub_step(&h, &p, 104 * MS);
        ck_assert_int_eq(hub_due(&h, &p), 1);
        ck_assert_int_eq(hub_due(&h, &p), -1);
        hub_switch_behaviours(&h, 0, FLOCK_COHESION);
        ck_assert_int_eq(hub_due(&h, &p), 0);
        hub_switch_behaviours(&h, 0, FLOCK_COHESION);
        ck_assert_int_eq(hub_due(&h, &p), -1);
}

TEST(switches_are_thrown_at_their_time_and_wait_for_no_frame)
{
        struct hub_params p = two_groups();
        struct hub h;

        p.switches = 3;
        p.at[0] = (struct hub_switch){
                .t_ns = 1000 * MS, .group = -1, .status_given = true, .paused = true
        };
        p.at[1] = (struct hub_switch){ .t_ns = 2000 * MS,
                                       .group = 1,
                                       .behaviours_given = true,
                                       .behaviours = FLOCK_AVOID };
        p.at[2] = (struct hub_switch){
                .t_ns = 2000 * MS, .group = 0, .status_given = true, .paused = false
        };
        hub_init(&h, &p);
        for (int64_t t = 0; t <= 3000; t += 500) {
                for (int i = 0; i < 3; i++)
                        hub_hear(&h, i);
                hub_step(&h, &p, t * MS);
                ck_assert(hub_is_paused(&h, &p, 0) == (t >= 1000 && t < 2000));
                ck_assert(hub_is_paused(&h, &p, 1) == (t >= 1000));
                ck_assert_uint_eq(h.group[1].behaviours,
                                  t >= 2000 ? FLOCK_AVOID : FLOCK_SEPARATION);
        }
        /* A late frame throws all that are due, in their order. */
        hub_init(&h, &p);
        hub_hear(&h, 0);
        hub_hear(&h, 1);
        hub_step(&h, &p, 500 * MS);
        hub_step(&h, &p, 1000 * MS);
        hub_hear(&h, 0);
        hub_hear(&h, 1);
        hub_step(&h, &p, 2600 * MS);
        ck_assert(!h.group[0].held);
        ck_assert(h.group[1].held);
}
