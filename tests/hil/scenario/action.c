/* Steps that are added while a vehicle flies, and end sooner than they say. */
#include <stdint.h>
#include <stdlib.h>

#include "hil/scenario/action.h"

#include "tests/suites.h"

static struct scenario *scenario;

static void add_step(int vehicle)
{
        struct scenario_step *step = &scenario->step[scenario->steps++];

        step->vehicle = vehicle;
        step->action = ACTION_SENSOR_FAULT;
        step->for_ns = INT64_MAX;
}

static void make_scenario(void)
{
        scenario = calloc(1, sizeof *scenario);
        add_step(0);
        scenario->reserve = 2;
}

static void free_scenario(void)
{
        free(scenario);
}

FIXTURE(make_scenario, free_scenario)

TEST(an_added_step_acts_on_the_vehicles_that_it_is_for)
{
        struct actions first, second;

        ck_assert(actions_open(&first, scenario, 0));
        ck_assert(actions_open(&second, scenario, 1));
        ck_assert_int_eq(first.count, 1);
        ck_assert_int_eq(second.count, 0);
        add_step(1);
        add_step(-1);
        for (int step = 1; step <= 2; step++) {
                action_admit(&first, scenario, step, 0);
                action_admit(&second, scenario, step, 1);
        }
        ck_assert_int_eq(first.count, 2);
        ck_assert_int_eq(first.list[1].step, 2);
        ck_assert_ptr_eq(first.list[1].of, &scenario->step[2]);
        ck_assert_int_eq(second.count, 2);
        ck_assert_int_eq(second.list[0].step, 1);
        actions_close(&first);
        actions_close(&second);
}

TEST(what_is_lifted_is_over_then_and_nothing_else_is)
{
        struct actions a;

        ck_assert(actions_open(&a, scenario, 0));
        add_step(0);
        action_admit(&a, scenario, 1, 0);
        for (int i = 0; i < 2; i++) {
                a.list[i].on = true;
                a.list[i].end_ns = 1000;
        }
        action_lift(&a, 1, 700);
        ck_assert_int_eq(a.list[0].end_ns, 1000);
        ck_assert_int_eq(a.list[1].end_ns, 700);
        /* It does not last longer for it. */
        action_lift(&a, 1, 900);
        ck_assert_int_eq(a.list[1].end_ns, 700);
        a.list[0].on = false;
        action_lift(&a, 0, 500);
        ck_assert_int_eq(a.list[0].end_ns, 1000);
        actions_close(&a);
}
