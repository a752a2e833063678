/* A part of a suite: which runs --only and --seed ask for, and what is refused. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hil/suite/suite.h"

#include "tests/scratch.h"

PROCESS_EACH

static char folder[] = "/tmp/hilrig_only_XXXXXX";
static char out[100], path[100], why[700];
static struct suite suite;
static struct suite_options options;

/* Two rigs, two variants, two scenarios, three seeds, each twice: 48 runs. */
static void make_scratch(void)
{
        char text[1500], cwd[400];

        scratch_make(folder);
        snprintf(out, sizeof out, "%s/above/out", folder);
        snprintf(path, sizeof path, "%s/suite.json", folder);
        ck_assert_ptr_nonnull(getcwd(cwd, sizeof cwd));
        snprintf(text, sizeof text,
                 "{\"name\": \"s\", \"repeats\": 2, \"seeds\": {\"first\": 5, "
                 "\"count\": 3}, \"rigs\": [{\"file\": \"%s/rig_configs/default.json\"}, "
                 "{\"file\": \"%s/two.json\"}], \"scenarios\": [{\"file\": "
                 "\"%s/rig_configs/scenarios/gusts.json\"}, {\"file\": "
                 "\"%s/rig_configs/scenarios/hover_and_waypoints.json\"}], "
                 "\"variants\": [{\"name\": \"slow\", \"set\": [\"log.wire=false\"]}, "
                 "{\"name\": \"fast\", \"set\": [\"log.wire=true\"]}]}",
                 cwd, folder, cwd, cwd);
        scratch_put(path, text);
        snprintf(text, sizeof text, "{\"include\": \"%s/rig_configs/default.json\"}",
                 cwd);
        snprintf(cwd, sizeof cwd, "%s/two.json", folder);
        scratch_put(cwd, text);
        options = (struct suite_options){ .file = path, .out = out };
}

static void remove_scratch(void)
{
        suite_free(&suite);
        scratch_remove(folder);
}

FIXTURE(make_scratch, remove_scratch)

static bool plan(const char *only, const char *also)
{
        suite_free(&suite);
        options.onlys = 0;
        if (only != NULL)
                options.only[options.onlys++] = only;
        if (also != NULL)
                options.only[options.onlys++] = also;
        return suite_plan(&suite, &options, why, sizeof why);
}

static void names(const char *only, int runs, const char *first)
{
        ck_assert_msg(plan(only, NULL), "%s: %s", only, why);
        ck_assert_msg(suite.runs == runs, "%s: %d runs, not %d", only, suite.runs, runs);
        ck_assert_str_eq(suite.run[0].folder + strlen(out) + 1, first);
        ck_assert_int_eq(suite.left_out, 48 - runs);
}

static void refused(const char *only, const char *said)
{
        ck_assert_msg(!plan(only, NULL), "%s was taken", only);
        ck_assert_msg(strstr(why, said) != NULL, "said: %s", why);
        ck_assert_int_eq(access(out, F_OK), -1);
}

TEST(any_part_of_a_runs_name_names_it)
{
        names("default", 24, "default+slow/gusts/5-1");
        names("slow", 24, "default+slow/gusts/5-1");
        names("default+fast", 12, "default+fast/gusts/5-1");
        names("hover_and_waypoints", 24, "default+slow/hover_and_waypoints/5-1");
        names("fast/gusts", 12, "default+fast/gusts/5-1");
        names("6-2", 8, "default+slow/gusts/6-2");
        names("two+fast/gusts/7-1", 1, "two+fast/gusts/7-1");
        names("t*/hover*/[56]-1", 4, "two+slow/hover_and_waypoints/5-1");
        names("*", 48, "default+slow/gusts/5-1");
        ck_assert(plan("two/slow/gusts/6-1", "7-2"));
        ck_assert_int_eq(suite.runs, 9);
}

TEST(a_word_that_names_no_run_is_refused_with_what_there_is)
{
        refused("gust", "--only \"gust\": names no run of ");
        refused("gust", "did you mean \"gusts\"?");
        refused("default+fats", "did you mean \"default+fast\"?");
        refused("efault/gusts/5-1", "it has default+slow/gusts, default+slow/hover");
        refused("8-1", "names no run");
        refused("ault", "names no run");
        refused("", "names no run");
        ck_assert(!plan("gusts", "nothing_like_any_of_it"));
        ck_assert_ptr_nonnull(strstr(why, "\"nothing_like_any_of_it\""));
}

TEST(seeds_stand_in_for_those_of_the_file)
{
        options.seeds = 2;
        options.seed[0] = 7;
        options.seed[1] = 900;
        ck_assert_msg(plan(NULL, NULL), "%s", why);
        ck_assert_int_eq(suite.runs, 32);
        ck_assert_int_eq(suite.left_out, 32);
        ck_assert_uint_eq(suite.run[0].seed, 7);
        ck_assert_uint_eq(suite.run[2].seed, 900);
        ck_assert_msg(plan("two+slow/gusts", NULL), "%s", why);
        ck_assert_int_eq(suite.runs, 4);
        ck_assert(!plan("5-1", NULL));
        ck_assert_ptr_nonnull(strstr(why, "no run is of both --only and --seed"));
}

TEST(a_setting_of_the_seed_is_refused_as_each_run_has_its_own)
{
        options.sets = 1;
        options.set[0] = "seed=4";
        ck_assert(!plan(NULL, NULL));
        ck_assert_str_eq(why, "--set seed=4: each run has a seed of its own; --seed 4 "
                              "flies that one");
        options.sets = 0;
        scratch_put(path,
                    "{\"name\": \"s\", \"rigs\": [{\"file\": \"two.json\"}], \"set\": "
                    "[\"seed=4\"]}");
        ck_assert(!plan(NULL, NULL));
        ck_assert_ptr_nonnull(strstr(why, "set: must leave the seed to \"seeds\""));
}

TEST(what_is_left_out_is_not_read)
{
        char two[140];

        snprintf(two, sizeof two, "%s/two.json", folder);
        scratch_put(two, "{}");
        ck_assert(!plan(NULL, NULL));
        names("default", 24, "default+slow/gusts/5-1");
}

TEST(a_folder_that_holds_what_is_left_out_is_refused)
{
        char file[200];

        ck_assert_msg(plan("two", NULL), "%s", why);
        snprintf(file, sizeof file, "mkdir -p %s/two+fast/gusts/7-1", out);
        ck_assert_int_eq(system(file), 0);
        snprintf(file, sizeof file, "%s/two+fast/gusts/7-1/summary.json", out);
        scratch_put(file, "{}");
        ck_assert_msg(plan("two+fast/gusts", NULL), "%s", why);
        ck_assert_msg(plan(NULL, NULL), "%s", why);
        ck_assert(!plan("slow", NULL));
        ck_assert_ptr_nonnull(strstr(why, "holds two+fast/gusts/7-1, which --only or"));
        /* A new folder below runs/ holds nothing, and a list looks at none. */
        options.list = true;
        ck_assert_msg(plan("slow", NULL), "%s", why);
}

TEST(a_list_makes_no_folder)
{
        options.list = true;
        names("two+fast/gusts/7-1", 1, "two+fast/gusts/7-1");
        ck_assert_int_eq(access(out, F_OK), -1);
        options.out = NULL;
        ck_assert_msg(plan("two", NULL), "%s", why);
        ck_assert_str_eq(suite.run[0].folder, "./two+slow/gusts/5-1");
        options.list = false;
}

TEST(json_and_page_say_how_many_were_left_out)
{
        char *text;

        ck_assert_msg(plan("6-2", NULL), "%s", why);
        text = suite_json(&suite);
        ck_assert_ptr_nonnull(strstr(text, "\"left_out\": 40,"));
        free(text);
        text = suite_html(&suite, "");
        ck_assert_ptr_nonnull(strstr(
                text, "40 runs of the suite left out, of which this says nothing."));
        free(text);
        ck_assert_msg(plan(NULL, NULL), "%s", why);
        text = suite_json(&suite);
        ck_assert_ptr_nonnull(strstr(text, "\"left_out\": 0,"));
        free(text);
        text = suite_html(&suite, "");
        ck_assert_ptr_null(strstr(text, "of the suite left out"));
        free(text);
}
