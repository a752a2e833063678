/* What a hub says of its decisions, and the commands that it takes. */
#include <string.h>

#include "hil/reference/hub_words.h"
#include "models/fc/flock/flock.h"

#include "tests/suites.h"

static const struct hub_params params = {
        .period_ns = 100000000,
        .silent_ns = 1000000000,
        .groups = 1,
        .group = { { "a", 2, { 0, 3 }, FLOCK_BEHAVIOURS } },
};

static struct hub fresh(void)
{
        struct hub h;

        hub_init(&h, &params);
        hub_step(&h, &params, 0);
        return h;
}

static const char *obey(struct hub *h, const char *line)
{
        static char why[HUB_TEXT_MAX];

        return hub_words_obey(h, &params, line, why) ? "" : why;
}

static void says(struct hub *h, const char *text)
{
        char said[HUB_TEXT_MAX] = "";

        hub_words_news(h, &params, said);
        ck_assert_str_eq(said, text);
}

TEST(each_decision_is_told_once_and_by_name)
{
        struct hub h = fresh();

        says(&h, "hub: group a waits for its 2 members");
        says(&h, "");
        hub_hear(&h, 0);
        hub_hear(&h, 3);
        hub_step(&h, &params, 4000000);
        says(&h, "hub: group a ready: 2 of 2");
        hub_step(&h, &params, 8000000);
        says(&h, "");
        ck_assert_str_eq(obey(&h, "pause a"), "");
        says(&h, "hub: group a paused");
        ck_assert_str_eq(obey(&h, " go  a\n"), "");
        says(&h, "hub: group a goes on");
        ck_assert_str_eq(obey(&h, "behaviours a cohesion separation"), "");
        says(&h, "hub: group a: separation cohesion");
        ck_assert_str_eq(obey(&h, "behaviours a"), "");
        says(&h, "hub: group a: no behaviours");
        ck_assert_str_eq(obey(&h, "behaviours a cohesion separation alignment targeting "
                                  "avoid"),
                         "");
        hub_step(&h, &params, 600000000);
        hub_hear(&h, 0);
        hub_step(&h, &params, 1100000000);
        says(&h, "hub: group a paused: 3 is silent, 1 of 2");
        says(&h, "hub: group a: separation alignment cohesion targeting avoid");
        says(&h, "");
}

TEST(what_is_no_command_changes_nothing_and_is_told_why)
{
        static const char *const wrong[][2] = {
                { "stop a", "stop: must be pause GROUP, go GROUP or behaviours GROUP "
                            "NAME..." },
                { "pause", "pause: must be pause GROUP, go GROUP or behaviours GROUP "
                           "NAME..." },
                { "pause b", "b: no group is called so" },
                { "go a now", "now: is one word too many" },
                { "behaviours a cohesion flocking",
                  "flocking: no behaviour is called so; known: separation alignment "
                  "cohesion targeting avoid" },
        };
        struct hub h = fresh(), before = h;

        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
                ck_assert_str_eq(obey(&h, wrong[i][0]), wrong[i][1]);
        ck_assert_str_eq(obey(&h, " \n"), "");
        ck_assert_mem_eq(&h, &before, sizeof h);
}
