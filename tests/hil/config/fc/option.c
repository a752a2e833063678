/* A flight controller's own settings in rig files and scenarios. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/config.h"
#include "hil/config/scenario/scenario.h"

#include "tests/suites.h"

#define LOCKSTEP "pace=lockstep"

static struct rig_config rig;
static char *resolved;
static struct config_error why;

/* Of a board that is somebody's own; with `of_reference` of the one that the rig starts. */
static bool of_reference;

static bool read_with(const char *a, const char *b, const char *c)
{
        struct config_overrides o = { .sets = 0 };
        const char *set[] = { a, b, c };

        if (!of_reference)
                o.set[o.sets++] = "vehicles.0.fc.spawn=false";

        for (int i = 0; i < 3; i++)
                if (set[i] != NULL)
                        o.set[o.sets++] = set[i];
        free(resolved);
        config_free(&rig);
        return config_read(&rig, "rig_configs/default.json", &o, &resolved, &why);
}

static void refused(const char *set, const char *said)
{
        ck_assert_msg(!read_with(set, NULL, NULL), "%s was taken", set);
        ck_assert_msg(strstr(why.text, said) != NULL, "%s: said \"%s\"", set, why.text);
}

static void end(void)
{
        free(resolved);
        resolved = NULL;
        config_free(&rig);
}

TEST(options_arrive_in_their_order_and_in_the_resolved_text)
{
        const struct fc_config *fc;

        ck_assert_msg(read_with(NULL, NULL, NULL), "%s", why.text);
        fc = &rig.vehicle[0].fc;
        ck_assert_int_eq(fc->options, 0);
        ck_assert_msg(
                read_with("vehicles.0.fc.options={\"comment\":\"a long word that is "
                          "not read\",\"law\":\"dikmen\",\"gone\":\"x\"}",
                          "vehicles.0.fc.options.test_fault=late loop",
                          "vehicles.0.fc.options.gone=null"),
                "%s", why.text);
        fc = &rig.vehicle[0].fc;
        ck_assert_int_eq(fc->options, 2);
        ck_assert_str_eq(fc->option[0].key, "law");
        ck_assert_str_eq(fc->option[0].value, "dikmen");
        ck_assert_str_eq(fc->option[1].key, "test_fault");
        ck_assert_str_eq(fc->option[1].value, "late loop");
        ck_assert_ptr_nonnull(strstr(resolved, "\"test_fault\": \"late loop\""));
        end();
}

TEST(what_no_wire_can_carry_is_refused)
{
        refused("vehicles.0.fc.options=7",
                "fc.options: must be an object of strings, is 7");
        refused("vehicles.0.fc.options.law=[7]", "fc.options.law: must be a string");
        refused("vehicles.0.fc.options.law=", "fc.options.law: must not be empty");
        refused("vehicles.0.fc.options.law=x12345678901234567890",
                "fc.options.law: must have at most 20 characters, has 21");
        refused("vehicles.0.fc.options.a12345678901234567890=x",
                "its key must have at most 20 characters, has 21");
        refused("vehicles.0.fc.options.a b=x", "its key must be of letters, digits");
        refused("vehicles.0.fc.options={\"\":\"x\"}", "its key must be of letters");
        refused("vehicles.0.fc.options.law=\xC3\xA9",
                "must be of printable ASCII characters");
        refused("vehicles.0.fc.options={\"a\":\"1\",\"b\":\"1\",\"c\":\"1\",\"d\":\"1\","
                "\"e\":\"1\",\"f\":\"1\",\"g\":\"1\",\"h\":\"1\",\"i\":\"1\",\"j\":\"1\","
                "\"k\":\"1\",\"l\":\"1\",\"m\":\"1\",\"n\":\"1\",\"o\":\"1\",\"p\":\"1\","
                "\"q\":\"1\"}",
                "must have at most 16 members");
        end();
}

TEST(every_wrong_one_is_told_at_once)
{
        of_reference = true;
        ck_assert(!read_with("vehicles.0.fc.options.atitude_law=dikmen",
                             "vehicles.0.fc.options.landing_law=hover", NULL));
        of_reference = false;
        ck_assert_ptr_nonnull(strstr(why.text, "atitude_law: "));
        ck_assert_ptr_nonnull(strstr(why.text, "landing_law: "));
        end();
}

TEST(a_codec_without_options_takes_none)
{
        ck_assert(!read_with("vehicles.0.fc.codec=betaflight",
                             "vehicles.0.fc.options.law=x", NULL));
        ck_assert_msg(strstr(why.text, "the codec \"betaflight\" has no options") !=
                                      NULL ||
                              strstr(why.text, "fc.link: ") != NULL,
                      "%s", why.text);
        end();
}

TEST(a_step_sets_an_option_for_a_while)
{
        const struct scenario_step *step = &rig.scenario.step[0];
        char text[160];

        ck_assert_msg(read_with("scenario.requirements=[]",
                                "scenario.steps=[{\"at_s\": 1, \"for_s\": 2, "
                                "\"fc_option\": {\"key\": \"law\", \"value\": \"pd\"}}, "
                                "{\"fc_option\": {\"key\": \"law\"}}]",
                                LOCKSTEP),
                      "%s", why.text);
        ck_assert_int_eq(step[0].action, ACTION_FC_OPTION);
        ck_assert_int_eq(step[0].for_ns, 2000000000);
        ck_assert_str_eq(step[0].fc_option.key, "law");
        ck_assert_str_eq(step[0].fc_option.value, "pd");
        scenario_describe(&step[0], text, sizeof text);
        ck_assert_str_eq(text, "FC option law = \"pd\"");
        ck_assert_str_eq(step[1].fc_option.value, "");
        ck_assert_int_eq(step[1].for_ns, INT64_MAX);
        scenario_describe(&step[1], text, sizeof text);
        ck_assert_str_eq(text, "FC option law as the FC has it");
        refused("scenario.steps=[{\"fc_option\": {\"value\": \"pd\"}}]",
                "fc_option.key: is required, and missing");
        refused("scenario.steps=[{\"fc_option\": {\"key\": \"k\", \"value\": "
                "\"\xC3\xA9\"}}]",
                "fc_option.value: must be of printable ASCII");
        refused("scenario.steps=[{\"drop\": \"x\", \"fc_option\": {\"key\": \"k\"}}]",
                "drop: means nothing beside fc_option");
        end();
}

TEST(an_option_that_the_reference_has_not_is_refused_before_the_run)
{
        of_reference = true;
        ck_assert_msg(read_with("vehicles.0.fc.options.attitude_law=dikmen",
                                "vehicles.0.fc.options.test_fault=late_loop", NULL),
                      "%s", why.text);
        refused("vehicles.0.fc.options.atitude_law=dikmen",
                "fc.options.atitude_law: unknown option, did you mean "
                "\"attitude_law\"?");
        refused("vehicles.0.fc.options.attitude_law=dickmen",
                "fc.options.attitude_law: must be \"cascade\", ");
        refused("vehicles.0.fc.options.attitude_law=dickmen",
                "is \"dickmen\", did you mean \"dikmen\"?");
        refused("vehicles.0.fc.options.avoidance_law=levels",
                "fc.options.avoidance_law: \"levels\" needs a ring of sonars");
        refused("scenario.steps=[{\"fc_option\": {\"key\": \"landing\"}}]",
                "steps.0.fc_option.key: unknown option, did you mean \"landing_law\"?");
        refused("scenario.steps=[{\"fc_option\": {\"key\": \"landing_law\", "
                "\"value\": \"sunk\"}}]",
                "steps.0.fc_option.value: must be \"sink\", \"states\" or \"thesis\"");
        of_reference = false;
        ck_assert_msg(read_with("vehicles.0.fc.options.atitude_law=dikmen", NULL, NULL),
                      "%s", why.text);
        end();
}
