/* Parameters and loops of scenario files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/scenario/expand.h"

#include "tests/suites.h"

static struct config_error why;
static char printed[200000];

/* Expands; what comes out is in `printed`, in one line. */
static bool expand(const char *text)
{
        struct json_error parse;
        struct json *root = json_parse(text, strlen(text), "s.json", &parse);
        char *line;
        bool ok;

        ck_assert_msg(root != NULL, "%s", parse.text);
        config_error_clear(&why);
        ok = scenario_expand(root, &why);
        line = json_print_line(root);
        ck_assert_ptr_nonnull(line);
        snprintf(printed, sizeof(printed), "%s", line);
        free(line);
        json_free(root);
        return ok;
}

/* Both as the printer writes them. */
static void expect(const char *text, const char *expanded)
{
        bool ok = expand(expanded);
        char *again = strdup(printed);

        ck_assert(ok && again);
        ok = expand(text);
        ck_assert_msg(ok, "%s", why.text);
        ck_assert_str_eq(printed, again);
        free(again);
}

static void refused(const char *text, const char *message)
{
        ck_assert_msg(!expand(text), "was taken: %s", printed);
        ck_assert_msg(strncmp(why.text, message, strlen(message)) == 0, "%s", why.text);
}

TEST(a_scenario_without_any_of_it_stays_as_it_is)
{
        const char *plain =
                "{\"name\": \"a\", \"steps\": [{\"at_s\": 1.5, \"mode\": \"armed\"}], "
                "\"requirements\": [], \"x\": null, \"y\": [1, [true]]}";

        expect(plain, plain);
        ck_assert(scenario_expand(NULL, &why));
        expect("[\"=1\"]", "[\"=1\"]");
}

TEST(an_expression_becomes_its_number)
{
        expect("{\"parameters\": {\"height_m\": 5, \"unused\": -1},"
               " \"steps\": [{\"up_m\": \"=height_m\", \"at_s\": \"=height_m*2+10\"}]}",
               "{\"steps\": [{\"up_m\": 5, \"at_s\": 20}]}");
        expect("{\"d\": \"=1 / 4\", \"a\": [[\"=max(1, 2)\"]]}",
               "{\"d\": 0.25, \"a\": [[2]]}");
        expect("{\"y\": \"=180 * pi / pi\"}", "{\"y\": 180}");
}

TEST(a_parameter_may_follow_from_those_above_it)
{
        expect("{\"parameters\": {\"comment\": \"=x\", \"a\": 2, \"b\": \"=a * 3\", "
               "\"c\": \"=a + b\"},"
               " \"x\": \"=c\"}",
               "{\"x\": 8}");
        refused("{\"parameters\": {\"b\": \"=a\", \"a\": 2}}", "s.json: parameters.b: ");
}

TEST(a_number_in_a_text_stands_in_braces)
{
        expect("{\"parameters\": {\"h\": 4.5}, \"when\": \"altitude_m > ${h} and x < "
               "${-h * 2}\","
               " \"name\": \"leg ${3 - 2}\", \"cost\": \"$5 {h}\"}",
               "{\"when\": \"altitude_m > 4.5 and x < -9\", \"name\": \"leg 1\", "
               "\"cost\": \"$5 {h}\"}");
        /* A negative number behind an operator stands out. */
        expect("{\"parameters\": {\"x\": -0.5}, \"when\": \"north_m - ${x} > -${x} and "
               "east_m < ${x}\", \"name\": \"${x} / ${-x}\"}",
               "{\"when\": \"north_m - (-0.5) > -(-0.5) and east_m < -0.5\", \"name\": "
               "\"-0.5 / 0.5\"}");
        refused("{\"when\": \"a > ${1\"}", "s.json: when: must have a } to each ${");
        refused("{\"when\": \"a > ${}\"}", "s.json: when: ");
}

TEST(remarks_are_left_alone)
{
        expect("{\"comment\": \"=height ${x\", \"steps\": [{\"$schema\": \"=\"}]}",
               "{\"comment\": \"=height ${x\", \"steps\": [{\"$schema\": \"=\"}]}");
}

TEST(a_loop_becomes_its_steps_in_order)
{
        expect("{\"parameters\": {\"legs\": 3}, \"steps\": [{\"at_s\": 0}, {\"comment\": "
               "\"x\", "
               "\"repeat\": \"=legs\", \"index\": \"i\", \"steps\": [{\"north_m\": "
               "\"=10*i\"}, "
               "{\"name\": \"b${i}\"}]}, {\"at_s\": 99}]}",
               "{\"steps\": [{\"at_s\": 0}, {\"north_m\": 0}, {\"name\": \"b0\"}, "
               "{\"north_m\": "
               "10}, {\"name\": \"b1\"}, {\"north_m\": 20}, {\"name\": \"b2\"}, "
               "{\"at_s\": 99}]}");
}

TEST(loops_stand_inside_each_other)
{
        expect("{\"steps\": [{\"repeat\": 2, \"index\": \"i\", \"steps\": [{\"repeat\": "
               "\"=i+1\", "
               "\"index\": \"j\", \"steps\": [{\"x\": \"=10*i+j\"}]}, {\"y\": "
               "\"=i\"}]}]}",
               "{\"steps\": [{\"x\": 0}, {\"y\": 0}, {\"x\": 10}, {\"x\": 11}, {\"y\": "
               "1}]}");
}

TEST(a_loop_may_turn_never_or_without_a_variable)
{
        expect("{\"steps\": [{\"repeat\": 0, \"steps\": [{}]}, {\"repeat\": 2, "
               "\"steps\": [{}]}]}",
               "{\"steps\": [{}, {}]}");
}

TEST(requirements_loop_as_steps_do)
{
        expect("{\"requirements\": [{\"repeat\": 2, \"index\": \"i\", \"requirements\": "
               "[{\"name\": \"leg ${i}\"}]}]}",
               "{\"requirements\": [{\"name\": \"leg 0\"}, {\"name\": \"leg 1\"}]}");
}

TEST(a_variable_ends_with_its_loop)
{
        expect("{\"steps\": [{\"repeat\": 1, \"index\": \"i\", \"steps\": []}, "
               "{\"repeat\": 1, "
               "\"index\": \"i\", \"steps\": [{\"x\": \"=i\"}]}]}",
               "{\"steps\": [{\"x\": 0}]}");
        refused("{\"steps\": [{\"repeat\": 1, \"index\": \"i\", \"steps\": []}, {\"x\": "
                "\"=i\"}]}",
                "s.json: steps.1.x: ");
}

TEST(an_unknown_name_is_refused_where_it_stands_with_the_nearest_one)
{
        refused("{\"parameters\": {\"height_m\": 1}, \"steps\": [{\"up_m\": "
                "\"=hight_m\"}]}",
                "s.json: steps.0.up_m: ");
        ck_assert_ptr_nonnull(strstr(why.text, "did you mean \"height_m\""));
        refused("{\"steps\": [{}, {\"repeat\": 4, \"index\": \"i\", \"steps\": [{}, "
                "{\"at_s\": "
                "\"=1/(i-2)\"}]}]}",
                "s.json: steps.1.steps.1(i=2).at_s: must give a finite number, "
                "\"1/(i-2)\" gives an infinite one");
}

/* What the reader would refuse later points to where it was written, too. */
TEST(an_entry_of_a_loop_knows_where_it_was_written)
{
        static const char text[] = "{\"scenario\": {\"steps\": [{}, {\"repeat\": 2, "
                                   "\"index\": \"i\", \"steps\": [{\"repeat\": "
                                   "2, \"index\": \"k\", \"steps\": [{}, {\"stimulus\": "
                                   "{\"for_s\": \"=i+k\"}}]}]}, "
                                   "{\"at_s\": 7}]}}";
        struct json_error parse;
        struct json *root = json_parse(text, sizeof(text) - 1, "rig.json", &parse);
        char path[200];

        ck_assert(scenario_expand(json_member(root, "scenario"), &why));
        json_path(json_at(root, "scenario.steps.6.stimulus.for_s"), path, sizeof(path));
        ck_assert_str_eq(path,
                         "scenario.steps.1.steps.0.steps.1(i=1,k=0).stimulus.for_s");
        json_path(json_at(root, "scenario.steps.9.at_s"), path, sizeof(path));
        ck_assert_str_eq(path, "scenario.steps.2.at_s");
        json_free(root);
}

/* The scenario's own file begins below the rig's root. */
TEST(a_path_begins_with_the_scenarios_file)
{
        static const char text[] =
                "{\"scenario\": {\"steps\": [{\"repeat\": 2, \"steps\": [{\"a\": {\"b\": "
                "1}}]}]}}";
        struct json_error parse;
        struct json *root = json_parse(text, sizeof(text) - 1, "rig.json", &parse);
        char path[200];

        json_set_origin(json_member(root, "scenario"), "scenario.json", 0);
        ck_assert(scenario_expand(json_member(root, "scenario"), &why));
        json_path(json_at(root, "scenario.steps.1.a.b"), path, sizeof(path));
        ck_assert_str_eq(path, "steps.0.steps.0(turn=1).a.b");
        json_free(root);
}

TEST(names_are_checked)
{
        refused("{\"parameters\": {\"pi\": 3}}", "s.json: parameters.pi: a name must be "
                                                 "used once, \"pi\" is known everywhere");
        refused("{\"parameters\": {\"min\": 3}}",
                "s.json: parameters.min: a name must not be a word of formulas");
        refused("{\"parameters\": {\"and\": 3}}",
                "s.json: parameters.and: a name must not be a word of formulas");
        refused("{\"parameters\": {\"a b\": 3}}",
                "s.json: parameters.a b: a name must be of letters");
        refused("{\"parameters\": {\"2a\": 3}}",
                "s.json: parameters.2a: a name must be of letters");
        refused("{\"parameters\": {\"i\": 3}, \"steps\": [{\"repeat\": 1, \"index\": "
                "\"i\", "
                "\"steps\": []}]}",
                "s.json: steps.0.index: a name must be used once, \"i\" is taken");
        refused("{\"steps\": [{\"repeat\": 1, \"index\": 1, \"steps\": []}]}",
                "s.json: steps.0.index: must be a string");
}

TEST(parameters_are_numbers)
{
        refused("{\"parameters\": [1]}", "s.json: parameters: must be an object");
        refused("{\"parameters\": {\"a\": \"5\"}}",
                "s.json: parameters.a: must be a number, or \"=\" and an expression, is "
                "\"5\"");
        refused("{\"x\": \"=1 < 2\"}",
                "s.json: x: must give a number, \"1 < 2\" does not");
        refused("{\"x\": \"=\"}", "s.json: x: ");
        refused("{\"x\": \"=0/0\"}",
                "s.json: x: must give a finite number, \"0/0\" gives none");
}

TEST(a_loop_is_checked)
{
        refused("{\"steps\": [{\"repeat\": 1.5, \"steps\": []}]}",
                "s.json: steps.0.repeat: must be a whole number from 0 to 256, is 1.5");
        refused("{\"steps\": [{\"repeat\": 257, \"steps\": []}]}",
                "s.json: steps.0.repeat: must be a whole number from 0 to 256, is 257");
        refused("{\"steps\": [{\"repeat\": true, \"steps\": []}]}",
                "s.json: steps.0.repeat: must be a whole number from 0 to 256, or \"=\"");
        refused("{\"steps\": [{\"repeat\": 1}]}",
                "s.json: steps.0.steps: must be an array");
        refused("{\"steps\": [{\"repeat\": 1, \"at_s\": 2, \"steps\": []}]}",
                "s.json: steps.0.at_s: unknown key; known in a loop: repeat, index, "
                "steps");
}

/* Loops within loops multiply: all of it is bounded. */
TEST(what_loops_make_is_bounded)
{
        char text[1000] = "{\"steps\": [";
        size_t used = strlen(text);

        refused("{\"steps\": [{\"repeat\": 2, \"steps\": [{\"repeat\": 129, \"steps\": "
                "[{}]}]}]}",
                "s.json: steps.0.steps.0.steps.0");
        ck_assert_ptr_nonnull(strstr(why.text, "at most 256 entries"));
        refused("{\"steps\": [{\"repeat\": 256, \"steps\": [{\"repeat\": 256, \"steps\": "
                "[]}]}]}",
                "s.json: steps.0.steps.0: all loops together");
        for (int i = 0; i < 9; i++)
                used += (size_t)snprintf(text + used, sizeof(text) - used,
                                         "{\"repeat\": 1, \"steps\": [");
        for (int i = 0; i < 9; i++)
                used += (size_t)snprintf(text + used, sizeof(text) - used, "]}");
        snprintf(text + used, sizeof(text) - used, "]}");
        ck_assert(!expand(text));
        ck_assert_ptr_nonnull(strstr(why.text, "at most 8 loops"));
}

/* 256 entries of many values each would not fit into memory. */
TEST(the_values_in_a_loop_are_bounded)
{
        static char text[10000] = "{\"steps\": [{\"repeat\": 256, \"steps\": [[0";

        for (int i = 0; i < 2000; i++)
                strcat(text, ", 0");
        strcat(text, "]]}]}");
        ck_assert(!expand(text));
        ck_assert_ptr_nonnull(strstr(why.text, "400000 values"));
}
