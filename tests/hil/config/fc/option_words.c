/* What is said of a setting that a flight controller does not take. */
#include <stdio.h>
#include <string.h>

#include "hil/config/config.h"
#include "hil/config/fc/option_words.h"
#include "models/fc/option.h"

#include "tests/suites.h"

static struct fc_params md4_200;
static char text[FC_OPTION_WORDS_MAX];

static void read_parameters(void)
{
        struct config_error why;

        ck_assert_msg(config_read_fc(&md4_200,
                                     "rig_configs/flight_controllers/md4_200.json", &why),
                      "%s", why.text);
}

FIXTURE(read_parameters, NULL)

static void refused(enum fc_option_fault fault, const char *key, const char *value,
                    const char *said)
{
        ck_assert_int_eq(fc_option_check(&md4_200, key, value, text, sizeof text), fault);
        ck_assert_msg(strstr(text, said) != NULL, "%s=%s: %s", key, value, text);
}

/* Where it is refused by its parameters alone, the words say which it lacks. */
TEST(what_the_reference_takes_is_taken_here_and_nothing_else)
{
        const struct fc_option_row *row;
        int keys = 0;

        for (int i = 0; (row = fc_option_row(i)) != NULL; i++, keys++)
                for (int v = 0; row->values[v] != NULL; v++) {
                        struct fc_params p = md4_200;
                        struct fc fc = { .failsafe = false };
                        bool taken =
                                fc_option(&fc, &p, &md4_200, row->key, row->values[v]);

                        ck_assert_int_eq(fc_option_check(&md4_200, row->key,
                                                         row->values[v], text,
                                                         sizeof text),
                                         taken ? FC_OPTION_TAKEN : FC_OPTION_VALUE);
                        ck_assert(taken || strstr(text, " needs ") != NULL);
                }
        ck_assert_int_eq(keys, 10);
        ck_assert_ptr_null(fc_option_row(keys + 1));
        ck_assert_int_eq(fc_option_check(&md4_200, "attitude_law", "", text, sizeof text),
                         FC_OPTION_TAKEN);
}

TEST(a_slip_of_the_finger_is_answered_with_what_was_meant)
{
        refused(FC_OPTION_KEY, "atitude_law", "dikmen",
                "unknown option, did you mean \"attitude_law\"?");
        refused(FC_OPTION_KEY, "test_fautl", "", "did you mean \"test_fault\"?");
        refused(FC_OPTION_VALUE, "attitude_law", "dickmen", "did you mean \"dikmen\"?");
        refused(FC_OPTION_KEY, "landing", "", "did you mean \"landing_law\"?");
        refused(FC_OPTION_VALUE, "attitude_law", "kemper", "did you mean \"kemper_p");
        refused(FC_OPTION_VALUE, "landing_law", "hover",
                "must be \"sink\", \"states\" or \"thesis\", is \"hover\"");
        refused(FC_OPTION_KEY, "colour_of_the_hull", "red",
                "unknown option; it has test_fault, attitude_law, position_law, "
                "height_law, takeoff_law, landing_law, avoidance_law, navigation_law, "
                "ground_law");
}

TEST(parameters_that_are_missing_are_named)
{
        memset(&md4_200.dikmen, 0, sizeof md4_200.dikmen);
        md4_200.sonar_ring.count = 0;
        refused(FC_OPTION_VALUE, "attitude_law", "dikmen",
                "\"dikmen\" needs gains about every axis");
        refused(FC_OPTION_VALUE, "avoidance_law", "levels",
                "\"levels\" needs a ring of sonars");
}

TEST(of_another_board_no_more_is_said_than_is_known)
{
        fc_option_explain("hilrig-fc 1.2", "law", "pid", text, sizeof text);
        ck_assert_ptr_nonnull(strstr(text, "unknown option; it has test_fault"));
        fc_option_explain("hilrig-fc 1.2", "ground_law", "waited", text, sizeof text);
        ck_assert_str_eq(text,
                         "must be \"estimated\" or \"weighted\", is \"waited\", did "
                         "you mean \"weighted\"?");
        fc_option_explain("hilrig-fc on a board", "attitude_law", "finken", text,
                          sizeof text);
        ck_assert_ptr_nonnull(strstr(text, "\"finken\" needs gains"));
        fc_option_explain("my board", "law", "pid", text, sizeof text);
        ck_assert_str_eq(text, "it has no such option, or not this value; its firmware's "
                               "documentation has those it knows");
        fc_option_explain("my board", "ground_law", "x", text, sizeof text);
        ck_assert_str_eq(text, "it has no such option, or not this value; the reference "
                               "flight controller's ground_law is \"estimated\" or "
                               "\"weighted\"");
}
