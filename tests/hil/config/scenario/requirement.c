#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/scenario/scenario.h"

#include "tests/suites.h"

#define S INT64_C(1000000000)

/* Of a scenario of 40 s with two vehicles. */
static bool read(struct requirement *r, const char *text, struct config_error *why)
{
        struct json_error error = { "" };
        struct json *node = json_parse(text, strlen(text), "s.json", &error);
        struct requirement_file file = { 0 };
        bool built;

        ck_assert_msg(node != NULL, "%s", error.text);
        *r = (struct requirement){ 0 };
        built = config_table_read(&config_requirement_table, node, &file, NULL, why) &&
                config_build_requirement(r, &file, 2, 40 * S, node, why);
        json_free(node);
        return built;
}

static struct requirement take(const char *text)
{
        struct config_error why = { "" };
        struct requirement r;

        ck_assert_msg(read(&r, text, &why), "%s", why.text);
        return r;
}

static void refuse(const char *text, const char *reason)
{
        struct config_error why = { "" };
        struct requirement r;

        ck_assert_msg(!read(&r, text, &why), "took %s", text);
        ck_assert_str_eq(why.text, reason);
        requirement_free(&r);
}

TEST(a_range_keeps_its_short_form)
{
        struct requirement r =
                take("{ \"name\": \"climbs\", \"kind\": \"eventually\", "
                     "\"signal\": \"altitude_m\", \"min\": 4, \"to_s\": 9 }");

        ck_assert_int_eq(r.form, REQUIRE_EVENTUALLY);
        ck_assert_str_eq(r.name, "climbs");
        ck_assert_str_eq(r.text, "altitude_m");
        ck_assert_double_eq(r.min, 4);
        ck_assert_double_eq(r.max, INFINITY);
        ck_assert(r.from_ns == 0 && r.to_ns == 9 * S);
        requirement_free(&r);
}

TEST(a_formula_is_read_for_its_vehicle)
{
        struct requirement r = take("{ \"name\": \"a\", \"vehicle\": 1, \"formula\": "
                                    "\"always (armed == 1 implies eventually[0, 2] "
                                    "duty_0 > 0.1)\" }");

        ck_assert_int_eq(r.form, REQUIRE_FORMULA);
        ck_assert_int_eq(r.vehicle, 1);
        ck_assert(formula_is_temporal(r.formula));
        requirement_free(&r);
}

TEST(a_metric_is_read_with_its_step)
{
        struct requirement r =
                take("{ \"name\": \"a\", \"metric\": \"settling_time_s\", \"signal\": "
                     "\"north_m - 1\", \"target\": 3, \"band\": 0.2, \"from_s\": 15, "
                     "\"max\": 4 }");

        ck_assert_int_eq(r.form, REQUIRE_METRIC);
        ck_assert_int_eq(r.figure.kind, FIGURE_SETTLING_TIME);
        ck_assert(r.figure.from_ns == 15 * S && r.figure.to_ns == 40 * S);
        ck_assert_double_eq(r.figure.target, 3);
        ck_assert_double_nan(r.figure.from);
        ck_assert_double_eq(r.figure.band, 0.2);
        requirement_free(&r);
}

TEST(since_when_a_condition_holds_takes_a_condition)
{
        struct requirement r =
                take("{ \"name\": \"a\", \"metric\": \"holds_since_s\", \"signal\": "
                     "\"altitude_m > 4 and tilt_deg < 5\", \"max\": 4 }");

        ck_assert_int_eq(r.figure.kind, FIGURE_HOLDS_SINCE);
        ck_assert(!formula_is_number(r.formula));
        requirement_free(&r);
}

TEST(errors_name_file_key_and_column)
{
        refuse("{ \"name\": \"a\" }",
               "s.json: formula: is required, and missing, without kind and metric");
        refuse("{ \"name\": \"a\", \"formula\": \"always altitude > 3\" }",
               "s.json: formula: column 8: unknown name \"altitude\", did you mean "
               "\"altitude_m\"?");
        refuse("{ \"name\": \"a\", \"formula\": \"altitude_m\" }",
               "s.json: formula: is a number: compare it, as in \"always altitude_m < "
               "1\"");
        refuse("{ \"name\": \"a\", \"formula\": \"always tilt_deg < 9 and yaw_deg < 9\" "
               "}",
               "s.json: formula: has a part outside of always, eventually and until, "
               "which "
               "would be judged at the start alone: put it in parentheses behind one");
        refuse("{ \"name\": \"a\", \"formula\": \"always[30, 41] tilt_deg < 9\" }",
               "s.json: formula: looks ahead to 41 s, and the scenario ends at 40 s");
        refuse("{ \"name\": \"a\", \"formula\": \"always tilt_deg < 9\", \"to_s\": 3 }",
               "s.json: to_s: means nothing beside formula: leave one out, or set it to "
               "null");
        refuse("{ \"name\": \"a\", \"kind\": \"always\", \"signal\": \"tilt_deg < 9\", "
               "\"max\": 3 }",
               "s.json: signal: must be a number, not a condition: conditions stand in "
               "formula");
        refuse("{ \"name\": \"a\", \"kind\": \"always\", \"signal\": \"v2.tilt_deg\", "
               "\"max\": 3 }",
               "s.json: signal: column 1: unknown name \"v2.tilt_deg\", did you mean "
               "\"v0.tilt_deg\"?");
        refuse("{ \"name\": \"a\", \"kind\": \"always\", \"signal\": \"tilt_deg\" }",
               "s.json: min: is required, and missing, without max, without formula");
        refuse("{ \"name\": \"a\", \"metric\": \"rise_time_s\", \"signal\": \"yaw_deg\", "
               "\"max\": 3 }",
               "s.json: target: is required, and missing, with \"metric\": "
               "\"rise_time_s\"");
        refuse("{ \"name\": \"a\", \"metric\": \"rms\", \"signal\": \"yaw_deg\", "
               "\"max\": 3, "
               "\"band\": 1 }",
               "s.json: band: means nothing with \"metric\": \"rms\"");
        refuse("{ \"name\": \"a\", \"kind\": \"always\", \"metric\": \"rms\", "
               "\"signal\": "
               "\"yaw_deg\", \"max\": 3 }",
               "s.json: metric: means nothing beside kind: leave one out, or set it to "
               "null");
        refuse("{ \"name\": \"a\", \"vehicle\": 2, \"formula\": \"always tilt_deg < 9\" "
               "}",
               "s.json: vehicle: must be less than 2, the number of vehicles, is 2");
}

TEST(windows_left_out_are_written_out)
{
        struct json *resolved = json_new_object();
        struct requirement r = { .form = REQUIRE_ALWAYS, .from_ns = 0, .to_ns = 7 * S };

        json_add_number(resolved, "to_s", 5);
        config_resolve_requirement(resolved, &r);
        ck_assert_double_eq(json_number(resolved, "from_s"), 0);
        ck_assert_double_eq(json_number(resolved, "to_s"), 5);
        json_free(resolved);
        resolved = json_new_object();
        json_add_number(resolved, "from_s", 3);
        config_resolve_requirement(resolved, &r);
        ck_assert_double_eq(json_number(resolved, "from_s"), 3);
        ck_assert_double_eq(json_number(resolved, "to_s"), 7);
        json_free(resolved);
        resolved = json_new_object();
        r.form = REQUIRE_FORMULA;
        config_resolve_requirement(resolved, &r);
        ck_assert_ptr_null(json_member(resolved, "to_s"));
        json_free(resolved);
}
