#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/formula/formula.h"

#include "tests/suites.h"

static const char *const quantity[] = { "x", "y", "altitude_m", "v1.altitude_m",
                                        "armed" };
static const struct formula_names names = { .count = 5, .name = quantity };

/* Height and state of three vehicles; plain names are the first's. */
static const char *const each[] = { "up_m",    "armed",    "v0.up_m", "v0.armed",
                                    "v1.up_m", "v1.armed", "v2.up_m", "v2.armed" };
static const int each_number[] = { 0, 1, 0, 1, 2, 3, 4, 5 };
static const struct formula_names fleet_names = { 8, each, each_number, 3, 2 };

static struct formula *parse(const char *text)
{
        struct formula_error why = { "" };
        struct formula *f = formula_parse(text, &names, &why);

        ck_assert_msg(f != NULL, "%s: %s", text, why.text);
        return f;
}

/* x = 3, y = -2, altitude 5, the other's 7, armed. */
static double value_of(const char *text)
{
        const double value[] = { 3.0, -2.0, 5.0, 7.0, 1.0 };
        struct formula *f = parse(text);
        double result = formula_value(f, value);

        formula_free(f);
        return result;
}

static bool holds(const char *text, double x, double y)
{
        const double value[] = { x, y, 5.0, 7.0, 1.0 };
        struct formula *f = parse(text);
        bool result = formula_holds(f, value);

        formula_free(f);
        return result;
}

static void refuses(const char *text, const char *reason)
{
        struct formula_error why = { "" };
        struct formula *f = formula_parse(text, &names, &why);

        ck_assert_msg(f == NULL, "took %s", text);
        ck_assert_str_eq(why.text, reason);
}

static double of_three(const char *text)
{
        const double value[] = { 3.0, 1.0, -2.0, 0.0, 8.0, 1.0 };
        struct formula_error why = { "" };
        struct formula *f = formula_parse(text, &fleet_names, &why);
        double result;

        ck_assert_msg(f != NULL, "%s: %s", text, why.text);
        result = formula_value(f, value);
        formula_free(f);
        return result;
}

TEST(functions_go_over_all_vehicles)
{
        const char *const wrong[][2] = {
                { "all(up_m)", "column 5: \"all\" takes a condition, and this is a "
                               "number: compare it, as in \"armed == 1\"" },
                { "highest(up_m > 1)",
                  "column 9: \"highest\" takes numbers, and this holds or does not" },
                { "count(any(up_m > 1)) > 1",
                  "column 7: one such function inside another" },
                { "count(always up_m > 1) > 1",
                  "column 7: count takes what holds at one instant, without always, "
                  "eventually and until" },
        };

        ck_assert_double_eq(of_three("all(up_m > -4)"), 2.0); /* the lowest's */
        ck_assert_double_eq(of_three("any(up_m > 4)"), 4.0);
        ck_assert_double_eq(of_three("count(armed == 1)"), 2.0);
        ck_assert_double_eq(of_three("not all(up_m > 0)"), 2.0);
        ck_assert_double_eq(of_three("highest(abs(up_m))"), 8.0);
        ck_assert_double_eq(of_three("lowest(up_m) + up_m"), 1.0);
        ck_assert_double_eq(of_three("mean(up_m)"), 3.0);
        ck_assert_double_eq(of_three("highest(up_m - v1.up_m)"), 10.0);
        for (int i = 0; i < 4; i++) {
                struct formula_error why = { "" };

                ck_assert_ptr_null(formula_parse(wrong[i][0], &fleet_names, &why));
                ck_assert_str_eq(why.text, wrong[i][1]);
        }
        refuses("all(x > 1)", "column 1: there are no vehicles here to go over");
}

TEST(arithmetic_binds_as_in_c)
{
        ck_assert_double_eq(value_of("1 + 2 * x - 4 / 2 / 2"), 6.0);
        ck_assert_double_eq(value_of("10 - 3 - 2"), 5.0);
        ck_assert_double_eq(value_of("-x * -y"), -6.0);
        ck_assert_double_eq(value_of("- - x"), 3.0);
        ck_assert_double_eq(value_of("(1 + 2) * x"), 9.0);
        ck_assert_double_eq(value_of(".5e1 + 1.5E-1"), 5.15);
        ck_assert_double_eq(value_of("altitude_m - v1.altitude_m"), -2.0);
}

TEST(functions_are_the_c_librarys)
{
        ck_assert_double_eq(value_of("abs(y) + min(x, y) + max(x, y)"), 3.0);
        ck_assert_double_eq(value_of("sqrt(hypot(x, 4) - 1)"), 2.0);
        ck_assert_double_eq(value_of("sin(x)"), sin(3.0));
        ck_assert_double_eq(value_of("cos(y)"), cos(-2.0));
        ck_assert_double_nan(value_of("sqrt(y)"));
        ck_assert_double_nan(value_of("max(sqrt(y), x)"));
        ck_assert_double_nan(value_of("hypot(1 / 0, sqrt(y))"));
}

TEST(a_comparisons_robustness_is_the_distance_to_its_edge)
{
        ck_assert_double_eq(value_of("x < 5"), 2.0);
        ck_assert_double_eq(value_of("x > 5"), -2.0);
        ck_assert_double_eq(value_of("x <= y"), -5.0);
        ck_assert_double_eq(value_of("x >= y"), 5.0);
        ck_assert_double_eq(value_of("abs(x - 1) < 1 or y < 4"), 6.0);
        ck_assert_double_eq(value_of("x < 5 and y < 4"), 2.0);
        ck_assert_double_eq(value_of("not (x < 5)"), -2.0);
        ck_assert_double_eq(value_of("x > 2 implies y > 1"), -1.0);
}

TEST(equality_is_of_states_and_has_no_distance)
{
        ck_assert_double_eq(value_of("armed == 1"), INFINITY);
        ck_assert_double_eq(value_of("armed == 0"), -INFINITY);
        ck_assert_double_eq(value_of("armed != 0"), INFINITY);
        /* So an implication is as robust as what it implies. */
        ck_assert_double_eq(value_of("armed == 1 implies x < 5"), 2.0);
        ck_assert_double_eq(value_of("armed == 1 implies x > 5"), -2.0);
}

TEST(at_distance_0_strict_comparisons_do_not_hold)
{
        ck_assert(!holds("x < y", 2, 2) && !holds("x > y", 2, 2));
        ck_assert(holds("x <= y", 2, 2) && holds("x >= y", 2, 2));
        ck_assert(holds("not x < y", 2, 2) && !holds("not x <= y", 2, 2));
        ck_assert(holds("x < y or x >= y", 2, 2) && !holds("x < y and x >= y", 2, 2));
        ck_assert(holds("x <= y", INFINITY, INFINITY));
        ck_assert(!holds("x < y", -INFINITY, -INFINITY));
        ck_assert(holds("x < y", 0.0, 1e-300) && !holds("x < y", 0.0, -0.0));
}

TEST(a_nan_is_false_of_everything_negated_or_not)
{
        static const char *const text[] = {
                "x < 1",         "x >= 1",          "x == x",
                "x != 1",        "not x < 1",       "not x == 1",
                "not not x < 1", "x < 1 and y < 1", "not (x < 1 or y > 1)"
        };

        for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
                ck_assert_msg(!holds(text[i], NAN, 0), "%s", text[i]);
        ck_assert(holds("x < 1 or y < 1", NAN, 0));
        ck_assert(holds("not (x < 1 and y > 1)", NAN, 0));
}

TEST(words_and_signs_mean_the_same)
{
        static const char *const pair[][2] = {
                { "x<1 && y<1", "x<1 and y<1" },
                { "x<1 || y<1", "x<1 or y<1" },
                { "!x<1", "not (x<1)" },
                { "x<1 -> y<1", "x<1 implies y<1" },
                { "x<1 -> y<1 -> x>y", "x<1 -> (y<1 -> x>y)" },
                { "x<1 or y<1 and x>y", "x<1 or (y<1 and x>y)" },
                { "not x<1 and y<1", "(not x<1) and y<1" },
        };

        for (size_t i = 0; i < sizeof pair / sizeof pair[0]; i++)
                for (double x = -1; x <= 2; x++)
                        for (double y = -1; y <= 2; y++)
                                ck_assert_msg(holds(pair[i][0], x, y) ==
                                                      holds(pair[i][1], x, y),
                                              "%s", pair[i][0]);
}

TEST(errors_name_the_column_and_what_was_expected)
{
        refuses("", "column 1: expected a name, a number or \"(\", not the end");
        refuses("altitud_m > 3",
                "column 1: unknown name \"altitud_m\", did you mean \"altitude_m\"?");
        refuses("1 < ab(x)", "column 5: unknown name \"ab\", did you mean \"abs\"?");
        refuses("x > 3 zzz", "column 7: expected an operator or the end, not \"zzz\"");
        refuses("wibbly_wobbly", "column 1: unknown name \"wibbly_wobbly\"");
        refuses("x < 5m", "column 5: expected a name, a number or \"(\", not \"5\"");
        refuses("always armed", "column 8: \"always\" takes a condition, and this is a "
                                "number: compare it, "
                                "as in \"armed == 1\"");
        refuses("1 + (x < 2)",
                "column 5: \"+\" takes numbers, and this holds or does not");
        refuses("1 < x < 3",
                "column 7: one comparison after another: write \"1 < x and x < 3\"");
        refuses("x<1 until y<1 until x<2",
                "column 15: one until after another: put parentheses");
        refuses("always[3, 1] x < 1", "column 7: the window ends before it begins");
        refuses("always[0, 1e6] x < 1", "column 11: a window must end within 86400 s");
        refuses("always[1 x < 1",
                "column 10: expected a comma between the window's ends, not \"x\"");
        refuses("min(x)", "column 6: expected a comma and a second argument, not \")\"");
        refuses("x < \x01",
                "column 5: expected a name, a number or \"(\", not byte 0x01");
        refuses("x < 1e999",
                "column 5: expected a name, a number or \"(\", not \"1e999\"");
}

TEST(length_and_depth_are_bounded)
{
        char text[2 * FORMULA_TEXT_MAX] = "";
        struct formula_error why;

        for (int i = 0; i < FORMULA_TEXT_MAX; i++)
                strcat(text, "(");
        ck_assert_ptr_null(formula_parse(text, &names, &why));
        ck_assert_str_eq(why.text, "is longer than 399 characters");
        text[100] = '\0';
        ck_assert_ptr_null(formula_parse(text, &names, &why));
        ck_assert_str_eq(why.text, "column 65: more than 64 inside each other");
        /* A long row is no depth. */
        strcpy(text, "x");
        for (int i = 0; i < 190; i++)
                strcat(text, "+x");
        ck_assert_double_eq(value_of(text), 191 * 3.0);
}

TEST(what_a_formula_is_can_be_asked)
{
        struct formula *f = parse("always[0, 5] (x > 1 implies eventually[1, 2] y > 1)");

        ck_assert(formula_is_temporal(f) && !formula_is_number(f) &&
                  !formula_has_instant(f));
        ck_assert(formula_uses(f, 0) && formula_uses(f, 1) && !formula_uses(f, 2));
        ck_assert_int_eq(formula_horizon_ns(f), 7000000000);
        formula_free(f);

        f = parse("always x > 1 and y > 1");
        ck_assert(formula_is_temporal(f) && formula_has_instant(f));
        formula_free(f);

        f = parse("x + 1");
        ck_assert(formula_is_number(f) && !formula_is_temporal(f));
        formula_free(f);

        f = parse("(x < 1) until[2, end] (eventually[3, 4] y < 1)");
        ck_assert_int_eq(formula_horizon_ns(f), 6000000000);
        formula_free(f);
}

TEST(names_may_stand_for_any_number)
{
        static const char *const alias[] = { "mine", "v0.mine" };
        static const int number[] = { 4, 4 };
        struct formula_names two = { 2, alias, number };
        const double value[] = { 0, 0, 0, 0, 42 };
        struct formula_error why;
        struct formula *f = formula_parse("mine + v0.mine", &two, &why);

        ck_assert_ptr_nonnull(f);
        ck_assert_double_eq(formula_value(f, value), 84.0);
        ck_assert(formula_uses(f, 4) && !formula_uses(f, 0));
        formula_free(f);
}
