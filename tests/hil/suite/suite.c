/* What a suite file becomes, what is kept of an interrupted suite, and what a suite is worth. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hil/config/rig/rig.h"
#include "hil/record/signal_hash.h"
#include "hil/text/json.h"
#include "hil/suite/suite.h"
#include "hil/text/version.h"

#include "tests/scratch.h"

PROCESS_EACH

static char folder[] = "/tmp/hilrig_suite_XXXXXX";
static char out[100], path[200], why[700];
static struct suite suite;
static bool again; /* may fly over what finished with other settings */

static void make_scratch(void)
{
        again = false;
        scratch_make(folder);
        snprintf(out, sizeof out, "%s/out", folder);
        snprintf(path, sizeof path, "%s/suite.json", folder);
}

static void remove_scratch(void)
{
        suite_free(&suite);
        scratch_remove(folder);
}

FIXTURE(make_scratch, remove_scratch)

/* A suite of the default rig, with what `more` adds; the rig is named from the scratch folder. */
static void put_suite(const char *more)
{
        char text[1200], cwd[400];

        ck_assert_ptr_nonnull(getcwd(cwd, sizeof cwd));
        snprintf(text, sizeof text,
                 "{\"name\": \"s\", \"rigs\": [{\"file\": "
                 "\"%s/rig_configs/default.json\"}]%s}",
                 cwd, more);
        scratch_put(path, text);
}

static bool plan(const char *more)
{
        const struct suite_options o = { .file = path, .out = out, .fly_again = again };

        suite_free(&suite);
        put_suite(more);
        return suite_plan(&suite, &o, why, sizeof why);
}

#define PLAN(more) ck_assert_msg(plan(more), "%s", why)

TEST(every_rig_flies_with_every_seed_and_repeat)
{
        PLAN(", \"seeds\": {\"first\": 5, \"count\": 3}, \"repeats\": 2");
        ck_assert_int_eq(suite.runs, 6);
        ck_assert_int_eq((int)suite.run[0].seed, 5);
        ck_assert_int_eq((int)suite.run[5].seed, 7);
        ck_assert_int_eq(suite.run[5].repeat, 2);
        ck_assert_str_eq(suite.run[0].group, "default/own");
        ck_assert_ptr_nonnull(strstr(suite.run[3].folder, "/default/own/6-2"));
        for (int i = 0; i < 6; i++) {
                ck_assert_int_eq(suite.run[i].state, SUITE_WAITING);
                ck_assert_int_eq((int)strlen(suite.run[i].config_sha256), 64);
        }
}

static void check_settings(const struct suite_run *r)
{
        static struct rig_config config;
        char *resolved = NULL, sha256[65];

        ck_assert_msg(suite_read_rig(&suite, r, &config, &resolved, why, sizeof why),
                      "%s", why);
        sha256_hex(resolved, strlen(resolved), sha256);
        ck_assert_str_eq(r->config_sha256, sha256);
        config_free(&config);
        free(resolved);
}

/* Where seeds are printed otherwise, too. */
TEST(settings_are_those_of_each_seed_read_by_itself)
{
        PLAN(", \"seeds\": {\"first\": 9, \"count\": 4}, \"repeats\": 2, "
             "\"variants\": [{\"name\": \"slow\", \"set\": [\"period_us=2000\"]}]");
        ck_assert_int_eq(suite.runs, 8);
        for (int i = 0; i < suite.runs; i++)
                check_settings(&suite.run[i]);
        ck_assert_str_eq(suite.run[4].config_sha256, suite.run[5].config_sha256);
        ck_assert_str_ne(suite.run[5].config_sha256, suite.run[6].config_sha256);
        PLAN(", \"seeds\": {\"first\": 999999999999996, \"count\": 8}");
        for (int i = 0; i < suite.runs; i++)
                check_settings(&suite.run[i]);
}

TEST(variants_have_folders_and_settings_of_their_own)
{
        char text[SUITE_ARGS_MAX][SUITE_ARG_MAX];
        bool changed = false;
        int n;

        PLAN(", \"seeds\": {\"list\": [3]}, \"variants\": [{\"name\": \"slow\", \"set\": "
             "[\"period_us=2000\"]}, {\"name\": \"fast\", \"set\": [\"period_us=500\", "
             "\"plant_step_us=500\"]}]");
        ck_assert_int_eq(suite.runs, 2);
        ck_assert_str_eq(suite.run[0].group, "default+slow/own");
        ck_assert_str_eq(suite.run[1].group, "default+fast/own");
        ck_assert_str_ne(suite.run[0].config_sha256, suite.run[1].config_sha256);
        n = suite_run_sets(&suite, &suite.run[0], text);
        for (int i = 0; i < n; i++)
                changed = changed || strcmp(text[i], "period_us=2000") == 0;
        ck_assert(changed);
}

TEST(flights_side_by_side_have_their_flight_controllers_inside)
{
        char text[SUITE_ARGS_MAX][SUITE_ARG_MAX];
        int n;

        PLAN(", \"seeds\": {\"count\": 2}");
        for (int i = 0; i < 2; i++) {
                ck_assert(!suite.run[i].alone);
                n = suite_run_sets(&suite, &suite.run[i], text);
                ck_assert_str_eq(text[n - 1], "vehicles.0.fc.link=\"inside\"");
        }
}

TEST(real_time_and_real_boards_fly_alone)
{
        PLAN(", \"pace\": \"realtime\", \"seeds\": {\"count\": 1}");
        ck_assert(suite.run[0].alone);
        ck_assert_int_eq(suite.run[0].vehicles, 0);
        PLAN(", \"seeds\": {\"count\": 3}, \"jobs\": 2, "
             "\"set\": [\"vehicles.0.fc.spawn=false\"]");
        ck_assert(suite.run[0].alone);
        ck_assert_int_eq(suite.jobs, 1);
        PLAN(", \"seeds\": {\"count\": 3}, \"jobs\": 2");
        ck_assert_int_eq(suite.jobs, 2);
}

#define INAV                                                                             \
        "\"pace\": \"realtime\", \"set\": [\"vehicles.0.fc.spawn=false\", "              \
        "\"vehicles.0.fc.reference=null\", \"vehicles.0.fc.codec=inav\", "               \
        "\"vehicles.0.fc.motor_order=[0,1,2,3]\", "                                      \
        "\"vehicles.0.fc.link=tcp:127.0.0.1:5760\""

TEST(firmware_that_must_be_new_for_each_flight_is_started_for_each)
{
        ck_assert(!plan(", " INAV "], \"seeds\": {\"count\": 2}"));
        ck_assert_msg(strstr(why, "the codec \"inav\" must be started anew for each") !=
                              NULL,
                      "%s", why);
        ck_assert_msg(strstr(why, "default.json") != NULL, "%s", why);
        PLAN(", " INAV "], \"seeds\": {\"count\": 1}");
        PLAN(", " INAV ", \"vehicles.0.fc.start={\\\"command\\\": \\\"inav\\\"}\"], "
             "\"seeds\": {\"count\": 2}");
        ck_assert_int_eq(suite.jobs, 1);
}

TEST(what_is_wrong_is_said_before_anything_flies)
{
        static const struct {
                const char *more, *says;
        } wrong[] = {
                { ", \"seed\": 3", "did you mean \"seeds\"" },
                { ", \"seeds\": {\"list\": [1, 2, 1]}", "1 twice" },
                { ", \"seeds\": {\"count\": 0}", "at least 1" },
                { ", \"scenarios\": [{\"file\": \"nowhere.json\"}]", "nowhere.json" },
                { ", \"set\": [\"masss=3\"]", "suite.json: set: masss: unknown key" },
                { ", \"set\": [\"masss\"]", "suite.json: set: masss: must be KEY=VALUE" },
                { ", \"variants\": [{\"name\": \"heavy\", \"set\": "
                  "[\"log.wire=false\", \"vehicles.0.vehicle.mass_kg=-1\"]}]",
                  "suite.json: variant heavy: set: vehicles.0.vehicle.mass_kg: must be "
                  "greater than 0" },
                { ", \"set\": [\"vehicles.0.fc.spawn=false\", "
                  "\"vehicles.0.fc.codec=betaflight\", "
                  "\"vehicles.0.fc.motor_order=[0,1,2,3]\", "
                  "\"vehicles.0.fc.link=[\\\"pty\\\",\\\"pty\\\",\\\"pty\\\"]\"]",
                  "suite.json: pace: must be \"realtime\" with the codec" },
                { ", \"variants\": [{\"name\": \"a\", \"set\": [\"log.wire=false\"]}, "
                  "{\"name\": \"a\", \"set\": [\"seed=2\"]}]",
                  "must be unique" },
        };

        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
                ck_assert_msg(!plan(wrong[i].more), "%s", wrong[i].more);
                ck_assert_msg(strstr(why, wrong[i].says) != NULL, "%s", why);
                /* Nothing was made. */
                ck_assert_int_ne(access(out, F_OK), 0);
        }
}

static void make_folders(const char *to)
{
        char name[512];

        snprintf(name, sizeof name, "%s", to);
        for (char *slash = name + 1; (slash = strchr(slash, '/')); slash++) {
                *slash = '\0';
                mkdir(name, 0777);
                *slash = '/';
        }
        mkdir(name, 0777);
}

static void put_summary(const struct suite_run *r, const char *verdict, const char *sha,
                        const char *version)
{
        char text[600], name[600];

        make_folders(r->folder);
        snprintf(text, sizeof text,
                 "{\"verdict\": \"%s\", \"end_reason\": \"so\", \"config_sha256\": "
                 "\"%s\", \"version\": \"%s\", \"wall_time_s\": 2, \"requirements\": "
                 "[{\"name\": \"holds\", \"passed\": %s}]}",
                 verdict, sha, version,
                 strcmp(verdict, "failed") == 0 ? "false" : "true");
        snprintf(name, sizeof name, "%s/summary.json", r->folder);
        scratch_put(name, text);
}

TEST(only_what_finished_with_this_configuration_and_version_is_kept)
{
        static const char seeds[] = ", \"seeds\": {\"count\": 7}";
        struct suite_run *r;

        PLAN(seeds);
        r = suite.run;
        put_summary(&r[0], "passed", r[0].config_sha256, hilrig_version());
        put_summary(&r[1], "failed", r[1].config_sha256, hilrig_version());
        put_summary(&r[2], "void", r[2].config_sha256, hilrig_version());
        put_summary(&r[3], "passed", r[0].config_sha256, hilrig_version());
        put_summary(&r[4], "passed", r[4].config_sha256, "0.0.1");
        put_summary(&r[5], "error", r[5].config_sha256, hilrig_version());
        again = true;
        PLAN(seeds);
        for (int i = 0; i < 7; i++)
                ck_assert_int_eq(suite.run[i].state, i < 2 ? SUITE_KEPT : SUITE_WAITING);
        ck_assert_int_eq(suite.run[1].verdict, RUN_FAILED);
        ck_assert_str_eq(suite.run[1].reason, "holds");
}

TEST(what_finished_with_other_settings_is_not_flown_over_unasked)
{
        static const char seeds[] = ", \"seeds\": {\"count\": 4}";
        struct suite_run *r;

        PLAN(seeds);
        r = suite.run;
        put_summary(&r[0], "void", r[1].config_sha256, hilrig_version());
        put_summary(&r[1], "passed", r[0].config_sha256, hilrig_version());
        put_summary(&r[2], "failed", r[0].config_sha256, "0.0.1");
        put_summary(&r[3], "passed", r[3].config_sha256, "0.0.1");
        ck_assert(!plan(seeds));
        ck_assert_ptr_nonnull(strstr(why, "2 finished runs"));
        ck_assert_ptr_nonnull(strstr(why, "default/own/2-1"));
        ck_assert_ptr_nonnull(strstr(why, "--fly-again"));
        again = true;
        PLAN(seeds);
        for (int i = 0; i < 4; i++)
                ck_assert_int_eq(suite.run[i].state, SUITE_WAITING);
        /* What did not finish is in nobody's way. */
        again = false;
        put_summary(&suite.run[1], "void", "", hilrig_version());
        put_summary(&suite.run[2], "error", "", hilrig_version());
        PLAN(seeds);
}

TEST(another_kind_of_file_is_named)
{
        scratch_put(path, "{\"name\": \"s\", \"duration_s\": 9, \"steps\": []}");
        ck_assert(!suite_plan(&suite, &(struct suite_options){ .file = path, .out = out },
                              why, sizeof why));
        ck_assert_ptr_nonnull(strstr(why, "this looks like a scenario"));
        scratch_put(path, "{\"vehicles\": []}");
        ck_assert(!suite_plan(&suite, &(struct suite_options){ .file = path, .out = out },
                              why, sizeof why));
        ck_assert_ptr_nonnull(strstr(why, "this looks like a rig"));
        ck_assert_int_ne(access(out, F_OK), 0);
}

TEST(a_run_of_which_nothing_was_required_is_void_and_says_so)
{
        struct suite_run *r;
        char name[600], text_of_run[400], *text;

        PLAN(", \"seeds\": {\"count\": 1}");
        r = suite.run;
        put_summary(r, "passed", r->config_sha256, hilrig_version());
        ck_assert(suite_result_read(r, true));
        r->state = SUITE_FLOWN;
        ck_assert(!suite_asked_nothing(r));
        snprintf(name, sizeof name, "%s/summary.json", r->folder);
        scratch_put(name,
                    "{\"verdict\": \"void\", \"end_reason\": \"" NOTHING_REQUIRED "\", "
                    "\"requirements\": []}");
        ck_assert(suite_result_read(r, false));
        ck_assert_str_eq(r->reason, NOTHING_REQUIRED);
        ck_assert_int_eq(suite_count(&suite).asked_nothing, 1);
        ck_assert_int_eq(suite_exit_status(&suite), 3);
        text = suite_html(&suite, "");
        ck_assert_ptr_nonnull(strstr(text, "1 run: 0 passed, 0 failed, 1 void"));
        ck_assert_ptr_nonnull(strstr(text, "\"reason\":\"" NOTHING_REQUIRED));
        free(text);
        /* It was flown to its end: nobody has to fly it again. */
        snprintf(text_of_run, sizeof text_of_run,
                 "{\"verdict\": \"void\", \"end_reason\": \"" NOTHING_REQUIRED
                 "\", \"config_sha256\": \"%s\", \"version\": \"%s\"}",
                 r->config_sha256, hilrig_version());
        scratch_put(name, text_of_run);
        ck_assert(suite_result_read(r, true));
}

/* A planted fault is found by the requirement that is named, and by no other. */
TEST(a_flight_that_must_fail_passes_by_the_failure_that_was_asked_for)
{
        static const char *const said[] = { "passed", "failed" };
        static const char *const wanted[] = { "holds", "turns" };

        for (int w = 0; w < 2; w++)
                for (int v = 0; v < 2; v++) {
                        char variants[200], *text;

                        snprintf(variants, sizeof variants,
                                 ", \"variants\": [{\"name\": \"hurt\", \"set\": "
                                 "[\"stop_after_s=%d\"], "
                                 "\"must_fail\": \"%s\"}]",
                                 30 + 2 * w + v, wanted[w]);
                        again = true;
                        PLAN(variants);
                        put_summary(suite.run, said[v], suite.run->config_sha256,
                                    hilrig_version());
                        ck_assert(suite_result_read(suite.run, false));
                        ck_assert_int_eq(suite.run->verdict,
                                         w == 0 && v == 1 ? RUN_PASSED : RUN_FAILED);
                        suite.run[0].state = SUITE_FLOWN;
                        text = suite_html(&suite, "");
                        ck_assert((strstr(text, "found by: holds") != NULL) ==
                                  (w == 0 && v == 1));
                        free(text);
                }
}

static void fly_all(enum compared_run verdict)
{
        for (int i = 0; i < suite.runs; i++) {
                suite.run[i].state = SUITE_FLOWN;
                suite.run[i].verdict = verdict;
        }
}

TEST(a_failure_weighs_more_than_an_error_and_that_more_than_void)
{
        PLAN(", \"seeds\": {\"count\": 4}");
        ck_assert_int_eq(suite_exit_status(&suite), 3);
        fly_all(RUN_PASSED);
        ck_assert_int_eq(suite_exit_status(&suite), 0);
        suite.run[0].verdict = RUN_VOID;
        ck_assert_int_eq(suite_exit_status(&suite), 3);
        suite.run[1].verdict = RUN_ERROR;
        ck_assert_int_eq(suite_exit_status(&suite), 2);
        suite.run[2].verdict = RUN_FAILED;
        ck_assert_int_eq(suite_exit_status(&suite), 1);
        suite.interrupted = true;
        ck_assert_int_eq(suite_exit_status(&suite), 3);
        ck_assert_str_eq(suite_verdict_name(&suite), "interrupted");
}

TEST(remaining_time_follows_what_was_flown_and_not_what_was_kept)
{
        PLAN(", \"seeds\": {\"count\": 10}");
        for (int i = 0; i < 4; i++)
                suite.run[i].state = SUITE_KEPT;
        ck_assert_double_lt(suite_remaining_s(&suite, 7.0), 0.0);
        suite.run[4].state = suite.run[5].state = SUITE_FLOWN;
        /* Two of six took 10 s. */
        ck_assert_double_eq_tol(suite_remaining_s(&suite, 10.0), 20.0, 1e-9);
        suite.run[6].state = suite.run[7].state = SUITE_FLYING;
        ck_assert_double_eq_tol(suite_remaining_s(&suite, 10.0), 10.0, 1e-9);
}

TEST(page_json_and_junit_tell_the_same)
{
        struct json_error error;
        struct json *root;
        char *text;

        PLAN(", \"seeds\": {\"count\": 4}");
        fly_all(RUN_PASSED);
        suite.run[0].verdict = RUN_FAILED;
        snprintf(suite.run[0].reason, sizeof suite.run[0].reason, "<holds> & \"so\"");
        suite.run[1].verdict = RUN_VOID;
        suite.run[3].state = SUITE_WAITING;
        text = suite_json(&suite);
        root = json_parse(text, strlen(text), "x", &error);
        ck_assert_double_eq(json_number(root, "failed"), 1.0);
        ck_assert_double_eq(json_number(root, "void"), 1.0);
        ck_assert_double_eq(json_number(root, "open"), 1.0);
        ck_assert_str_eq(json_string(root, "run.0.folder"), "default/own/1-1");
        json_free(root);
        free(text);
        text = suite_junit(&suite);
        ck_assert_ptr_nonnull(
                strstr(text, "tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\""));
        ck_assert_ptr_nonnull(
                strstr(text, "message=\"&lt;holds&gt; &amp; &quot;so&quot;\""));
        free(text);
        text = suite_html(&suite, "");
        ck_assert_ptr_nonnull(strstr(text, "\\u003cholds\\u003e"));
        ck_assert_ptr_null(strstr(text, "<holds>"));
        ck_assert_ptr_nonnull(strstr(text, "prefers-color-scheme: dark"));
        free(text);
}

TEST(the_shipped_suite_is_a_suite)
{
        const struct suite_options o = { .file = "rig_configs/suites/default.json",
                                         .out = out };

        ck_assert_msg(suite_plan(&suite, &o, why, sizeof why), "%s", why);
        /* Fewer can never tell, at 0.2 %. */
        ck_assert_int_ge(suite.runs, 10);
        for (int i = 0; i < suite.runs; i++)
                ck_assert(!suite.run[i].alone);
}
