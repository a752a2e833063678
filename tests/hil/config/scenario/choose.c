/* Which vehicles of a fleet a step is for: by name, by number, each k-th, by chance. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/config.h"

#include "tests/suites.h"

#define DEFAULT "rig_configs/default.json"

static struct rig_config rig;
static struct config_error why;
static char *resolved;

/* Ten vehicles, and one step for some of them. */
static bool read_for(const char *vehicles, const char *seed)
{
        char text[600];
        const struct config_overrides o = {
                .sets = 3, .set = { "vehicles.0.copies.count=10", text, seed }
        };

        snprintf(text, sizeof text,
                 "scenario={\"name\": \"s\", \"duration_s\": 60, \"steps\": [{\"at_s\": "
                 "1, \"mode\": \"armed\"}, {\"at_s\": 2, \"vehicles\": %s, "
                 "\"vehicle_fault\": {\"does\": \"motor_dead\", \"rotor\": 0}}]}",
                 vehicles);
        config_free(&rig);
        free(resolved);
        resolved = NULL;
        return config_read(&rig, DEFAULT, &o, &resolved, &why);
}

/* "0100000001": a digit for each of the ten. */
static const char *chosen(void)
{
        static char digits[11];

        for (int i = 0; i < 10; i++)
                digits[i] = scenario_step_is_for(&rig.scenario.step[1], i) ? '1' : '0';
        return digits;
}

static void expect_chosen(const char *vehicles, const char *digits)
{
        ck_assert_msg(read_for(vehicles, "seed=1"), "%s", why.text);
        ck_assert_str_eq(chosen(), digits);
        ck_assert_int_eq(scenario_step_first(&rig.scenario.step[1]),
                         (int)strcspn(digits, "1"));
}

static void refused(const char *vehicles, const char *expected)
{
        ck_assert_msg(!read_for(vehicles, "seed=1"), "was taken: %s", vehicles);
        ck_assert_msg(strstr(why.text, expected) != NULL, "%s", why.text);
}

TEST(names_numbers_and_every_kth_choose_whom_they_say)
{
        expect_chosen("{\"named\": \"md4_200_3\"}", "0001000000");
        expect_chosen("{\"named\": [\"md4_200_9\", \"md4_200_1\"]}", "0100000001");
        expect_chosen("{\"numbers\": [0, 4]}", "1000100000");
        expect_chosen("{\"every\": 3}", "1001001001");
        expect_chosen("{\"every\": 3, \"from\": 1}", "0100100100");
        expect_chosen("{\"random\": 10}", "1111111111");
        /* A step without the key is for all. */
        for (int i = 0; i < 10; i++)
                ck_assert(scenario_step_is_for(&rig.scenario.step[0], i));
}

static int count_chosen(void)
{
        int count = 0;

        for (const char *c = chosen(); *c != '\0'; c++)
                count += *c == '1';
        return count;
}

TEST(chance_is_the_seeds_and_the_resolved_text_says_who)
{
        char first[11], config[11];
        int others = 0;

        ck_assert_msg(read_for("{\"random\": 4}", "seed=1"), "%s", why.text);
        snprintf(first, sizeof first, "%s", chosen());
        ck_assert_int_eq(count_chosen(), 4);
        ck_assert(read_for("{\"random\": 4}", "seed=1"));
        ck_assert_str_eq(chosen(), first);

        ck_assert(strstr(resolved, "\"numbers\"") != NULL);
        ck_assert(strstr(resolved, "\"random\"") == NULL);
        config_free(&rig);
        ck_assert_msg(config_read_text(&rig, "config.json", resolved, strlen(resolved),
                                       NULL, NULL, &why),
                      "%s", why.text);
        snprintf(config, sizeof config, "%s", chosen());
        ck_assert_str_eq(config, first);

        for (int seed = 2; seed < 12; seed++) {
                char set[20];

                snprintf(set, sizeof set, "seed=%d", seed);
                ck_assert(read_for("{\"random\": 4}", set));
                ck_assert_int_eq(count_chosen(), 4);
                others += strcmp(chosen(), first) != 0;
        }
        ck_assert_int_ge(others, 8);
}

TEST(whom_nobody_can_be_is_refused)
{
        refused("{\"named\": [\"md4_200_3\", \"md4_200_10\"]}",
                "vehicles.named: must be names of vehicles: none is called "
                "\"md4_200_10\"");
        refused("{\"numbers\": [10]}", "vehicles.numbers: must be less than 10, the "
                                       "number of vehicles, is 10");
        refused("{\"random\": 11}",
                "vehicles.random: must be at most 10, the number of vehicles, is 11");
        refused("{\"random\": 0}", "vehicles.random: must be");
        refused("{\"every\": 0}", "vehicles.every: must be");
        refused("{\"every\": 2, \"from\": 10}", "vehicles.from: must be less than 10");
        refused("{\"random\": 2, \"from\": 1}", "from");
        refused("{}", "vehicles.named: is required");
        refused("{\"every\": 2, \"random\": 1}", "vehicles");
        refused("{\"each\": 2}", "each: unknown key");
        refused("{\"random\": 2}, \"vehicle\": 1", "vehicle");
}
