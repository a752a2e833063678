#include <stdlib.h>

#include "hil/console/options.h"

#include "tests/suites.h"

static const struct option_spec specs[] = { { "--seed", "N", "a number" },
                                            { "--json", NULL, "a flag" },
                                            { NULL } };
static const struct options options = { .command = "test",
                                        .specs = specs,
                                        .usage = "test" };

static int next(char **argv, int argc, int *at, const char **value)
{
        return options_next(&options, argc, argv, at, value);
}

TEST(words_come_back_in_order)
{
        char *argv[] = { "rig.json", "--seed", "7", "--json", "--seed=8", "-" };
        const char *value;
        int at = 0;

        ck_assert_int_eq(next(argv, 6, &at, &value), -1);
        ck_assert_str_eq(value, "rig.json");
        ck_assert_int_eq(next(argv, 6, &at, &value), 0);
        ck_assert_str_eq(value, "7");
        ck_assert_int_eq(next(argv, 6, &at, &value), 1);
        ck_assert_int_eq(next(argv, 6, &at, &value), 0);
        ck_assert_str_eq(value, "8");
        ck_assert_int_eq(next(argv, 6, &at, &value), -1);
        ck_assert_str_eq(value, "-");
        ck_assert_int_eq(next(argv, 6, &at, &value), -2);
}

TEST(unknown_options_missing_values_and_values_of_flags_are_refused)
{
        char *unknown[] = { "--sed" }, *longer[] = { "--seeds" },
             *missing[] = { "--seed" };
        char *flag[] = { "--json=1" }, *empty[] = { "--seed", "" },
             *nothing[] = { "--seed=" }, *nobody[] = { "" };
        const char *value;
        int at = 0;

        ck_assert_int_eq(next(unknown, 1, &at, &value), -3);
        at = 0;
        ck_assert_int_eq(next(longer, 1, &at, &value), -3);
        at = 0;
        ck_assert_int_eq(next(missing, 1, &at, &value), -3);
        at = 0;
        ck_assert_int_eq(next(flag, 1, &at, &value), -3);
        at = 0;
        ck_assert_int_eq(next(empty, 2, &at, &value), -3);
        at = 0;
        ck_assert_int_eq(next(nothing, 1, &at, &value), -3);
        at = 0;
        ck_assert_int_eq(next(nobody, 1, &at, &value), -3);
}

TEST(numbers_are_whole_texts)
{
        unsigned long long n;
        double d;

        ck_assert(options_u64("18446744073709551615", &n));
        ck_assert(n == 18446744073709551615ULL);
        ck_assert(!options_u64("18446744073709551616", &n));
        ck_assert(!options_u64("-1", &n));
        ck_assert(!options_u64(" 1", &n));
        ck_assert(!options_u64("1x", &n));
        ck_assert(!options_u64("", &n));
        ck_assert(options_double("1.5e1", &d) && d == 15.0);
        ck_assert(!options_double("nan", &d));
        ck_assert(!options_double("inf", &d));
        ck_assert(!options_double("1.5 s", &d));
        ck_assert(!options_double("", &d));
}
