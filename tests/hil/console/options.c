#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/console/options.h"

#include "tests/suites.h"

struct words {
        bool json;
        const char *out, *set[2], *folder[2];
        int sets, folders, seeds, taken;
        double seconds, share;
};

static bool take_two(void *of, const struct option_spec *spec, const char *value)
{
        struct words *w = of;

        ck_assert_str_eq(spec->name, "--live");
        w->taken += value[0] != '\0' ? 10 : 1;
        return strcmp(value, "99") != 0;
}

static const struct option_spec specs[] = {
        { "--seeds", "N", "a number", WHOLE(words, seeds, 1, 9) },
        { "--seconds", "S", "a number", NUMBER(words, seconds, 0, 60) },
        { "--margin", "PERCENT", "a share", PERCENT(words, share, 50) },
        { "--set", "KEY=VALUE", "several", TEXTS(words, set, sets) },
        { "--out", "DIR", "a text", TEXT(words, out) },
        { "--live", "[AT]", "taken", OTHER(take_two) },
        { "--json", NULL, "a flag", FLAG(words, json) },
        { NULL },
};
static const struct options several = {
        .command = "test",
        .specs = specs,
        .operand = { "folder", TEXTS(words, folder, folders) },
        .usage = "test",
};
static const struct options single = {
        .command = "test",
        .specs = specs,
        .operand = { "folder", .help = "a folder", TEXT(words, folder[0]) },
        .usage = "test",
};
static const struct options none = { .command = "test", .specs = specs, .usage = "test" };

/* Words between blanks; "\"\"" is an empty one. */
static int read_words(const struct options *o, struct words *w, const char *line)
{
        static char text[200];
        char *argv[20], *rest = NULL;
        int argc = 0;

        *w = (struct words){ 0 };
        snprintf(text, sizeof text, "%s", line);
        for (char *word = strtok_r(text, " ", &rest); word;
             word = strtok_r(NULL, " ", &rest))
                argv[argc++] = strcmp(word, "\"\"") == 0 ? word + 2 : word;
        return options_read(o, argc, argv, w);
}

TEST(every_kind_of_option_finds_its_place)
{
        struct words w;

        ck_assert_int_eq(
                read_words(&several, &w,
                           "a --seeds 7 --seconds=1.5 --margin 20 --set x=1 - --json "
                           "--set=y=2 --out o --live --live 12 --live=x --seeds=9"),
                OPTIONS_READ);
        ck_assert_int_eq(w.seeds, 9);
        ck_assert(w.seconds == 1.5 && w.share == 0.2 && w.json);
        ck_assert_int_eq(w.sets, 2);
        ck_assert_str_eq(w.set[0], "x=1");
        ck_assert_str_eq(w.set[1], "y=2");
        ck_assert_str_eq(w.out, "o");
        ck_assert_int_eq(w.folders, 2);
        ck_assert_str_eq(w.folder[0], "a");
        ck_assert_str_eq(w.folder[1], "-");
        ck_assert_int_eq(w.taken, 21);
}

TEST(unknown_options_missing_values_and_values_of_flags_are_refused)
{
        static const char *const wrong[] = {
                "--sed",
                "--seedss 1",
                "--seeds",
                "--json=1",
                "--seeds \"\"",
                "--seeds=",
                "\"\"",
                "--seeds 0",
                "--seeds 10",
                "--seeds 1.5",
                "--seeds -1",
                "--seconds x",
                "--seconds 61",
                "--seconds nan",
                "--margin 50.1",
                "--margin -1",
                "--out \"\"",
                "--live=99",
                "--set a --set b --set c",
                "a b c",
        };
        struct words w;

        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
                ck_assert_msg(read_words(&several, &w, wrong[i]) == 2, "%s", wrong[i]);
}

TEST(an_operand_is_taken_where_it_belongs)
{
        struct words w;

        ck_assert_int_eq(read_words(&single, &w, "here"), OPTIONS_READ);
        ck_assert_str_eq(w.folder[0], "here");
        ck_assert_int_eq(read_words(&single, &w, "here there"), 2);
        ck_assert_int_eq(read_words(&single, &w, "--json"), 2);
        ck_assert_int_eq(read_words(&several, &w, "--json"), OPTIONS_READ);
        ck_assert_int_eq(read_words(&none, &w, "--json"), OPTIONS_READ);
        ck_assert_int_eq(read_words(&none, &w, "here"), 2);
}

TEST(help_ends_the_reading)
{
        struct words w;

        ck_assert_int_eq(read_words(&single, &w, "--json -h --unknown"), 0);
        ck_assert_int_eq(read_words(&single, &w, "--help"), 0);
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
