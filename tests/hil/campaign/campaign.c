/* What a campaign file becomes, and when a flight counts: whole, once, with its own settings, and never for lying there. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hil/campaign/campaign.h"
#include "hil/text/files.h"
#include "hil/text/json.h"
#include "hil/text/version.h"
#include "tests/scratch.h"

PROCESS_EACH

static char folder[] = "/tmp/hilrig_campaign_XXXXXX";
static char out[100], path[200], why[CONFIG_ERROR_TEXT];
static struct campaign campaign;

static void make_scratch(void)
{
        scratch_make(folder);
        snprintf(out, sizeof out, "%s/out", folder);
        snprintf(path, sizeof path, "%s/campaign.json", folder);
        campaign.folder_fd = -1;
}

static void remove_scratch(void)
{
        campaign_free(&campaign);
        scratch_remove(folder);
}

FIXTURE(make_scratch, remove_scratch)

/* Two seeds of the default rig with what `more` adds, and the versions as they are given. */
static bool plan(const char *versions, const char *more)
{
        const struct campaign_options o = { .file = path, .out = out };
        char text[2000], cwd[400];

        campaign_free(&campaign);
        ck_assert_ptr_nonnull(getcwd(cwd, sizeof cwd));
        snprintf(text, sizeof text,
                 "{\"name\": \"c\", \"rigs\": [{\"file\": "
                 "\"%s/rig_configs/default.json\"%s}], \"seeds\": {\"count\": 2}, "
                 "\"versions\": [%s]}",
                 cwd, more, versions);
        scratch_put(path, text);
        return campaign_plan(&campaign, &o, why, sizeof why);
}

#define PLAN(versions, more) ck_assert_msg(plan(versions, more), "%s", why)
#define TWO                  "{\"name\": \"1.0\"}, {\"name\": \"1.1\"}"
#define FAULT                                                                            \
        ", \"board\": null}], \"faults\": [{\"name\": \"f\", \"set\": "                  \
        "[\"stop_after_s=3\"]"

TEST(flights_are_numbered_by_version_and_fault)
{
        PLAN(TWO, FAULT);
        ck_assert_int_eq(campaign.flights, 8);
        for (int i = 0; i < 8; i++) {
                ck_assert_int_eq(campaign.flight[i].number, i + 1);
                ck_assert_int_eq(campaign.flight[i].version, i / 4);
        }
        ck_assert_str_eq(campaign_flight_name(&campaign, &campaign.flight[0]),
                         "1.0/default/own/1-1");
        ck_assert_str_eq(campaign_flight_name(&campaign, &campaign.flight[7]),
                         "1.1/default+f/own/2-1");
}

TEST(a_version_is_set_before_the_fault)
{
        char text[SUITE_ARGS_MAX][SUITE_ARG_MAX];
        int n, version = -1, fault = -1;

        PLAN("{\"name\": \"a\", \"set\": [\"stop_after_s=4\"]}", FAULT);
        n = suite_run_sets(&campaign.suite[0], campaign.flight[3].run, text);
        for (int i = 0; i < n; i++) {
                version = strcmp(text[i], "stop_after_s=4") == 0 ? i : version;
                fault = strcmp(text[i], "stop_after_s=3") == 0 ? i : fault;
        }
        ck_assert_int_ge(version, 0);
        ck_assert_int_gt(fault, version);
}

TEST(variables_of_a_version_make_another_flight_and_leave_none_behind)
{
        char sha[65];

        setenv("HILRIG_TEST_A", "before", 1);
        PLAN("{\"name\": \"a\", \"environment\": {\"HILRIG_TEST_A\": \"1\", "
             "\"HILRIG_TEST_B\": \"1\"}}",
             "");
        ck_assert_str_eq(getenv("HILRIG_TEST_A"), "before");
        ck_assert_ptr_null(getenv("HILRIG_TEST_B"));
        ck_assert_ptr_null(getenv("HILRIG_VERSION"));
        memcpy(sha, campaign.flight[0].run->config_sha256, sizeof sha);
        PLAN("{\"name\": \"a\", \"environment\": {\"HILRIG_TEST_A\": \"2\", "
             "\"HILRIG_TEST_B\": \"1\"}}",
             "");
        ck_assert_str_ne(sha, campaign.flight[0].run->config_sha256);
        unsetenv("HILRIG_TEST_A");
}

static struct campaign_flight *flown(int i, enum compared_run verdict)
{
        struct campaign_flight *f = &campaign.flight[i];
        char name[600];
        bool full;

        ck_assert(folder_make(f->run->folder, why, sizeof why));
        snprintf(name, sizeof name, "%s/summary.json", f->run->folder);
        scratch_put(name, "{}");
        f->summary = true;
        f->attempts = 2;
        f->run->verdict = verdict;
        f->run->requirements = 5;
        f->run->failed = verdict == RUN_FAILED;
        f->run->wall_s = 1.5;
        snprintf(f->run->reason, sizeof f->run->reason, "as it was");
        snprintf(f->board, sizeof f->board, "b7");
        ck_assert_msg(campaign_record_write(&campaign, f, &full, why, sizeof why), "%s",
                      why);
        f->run->state = SUITE_FLOWN;
        return f;
}

TEST(a_record_says_what_was_counted)
{
        struct campaign_flight *f;

        PLAN(TWO, "");
        flown(1, RUN_FAILED);
        PLAN(TWO, "");
        f = &campaign.flight[1];
        ck_assert_int_eq(campaign_record_read(f), RECORD_COUNTS);
        ck_assert_int_eq(f->run->verdict, RUN_FAILED);
        ck_assert_int_eq(f->run->requirements, 5);
        ck_assert_int_eq(f->run->failed, 1);
        ck_assert_int_eq(f->attempts, 2);
        ck_assert_str_eq(f->board, "b7");
        ck_assert_str_eq(f->run->reason, "as it was");
        ck_assert(f->run->wall_s == 1.5);
        ck_assert_int_eq(campaign_record_read(&campaign.flight[0]), RECORD_NONE);
}

TEST(half_a_record_is_none)
{
        char name[600], *text;
        struct config_error error;
        struct campaign_flight *f;
        size_t len;

        PLAN(TWO, "");
        f = flown(0, RUN_PASSED);
        snprintf(name, sizeof name, "%s/flight.json", f->run->folder);
        text = config_load_text(name, &len, &error);
        ck_assert_ptr_nonnull(text);
        for (size_t cut = 0; cut + 2 < len; cut += 7) {
                FILE *file = fopen(name, "w");

                fwrite(text, 1, cut, file);
                fclose(file);
                ck_assert_int_eq(campaign_record_read(f), RECORD_NONE);
        }
        free(text);
}

TEST(a_record_without_its_summary_is_none)
{
        struct campaign_flight *f;
        char name[600];

        PLAN(TWO, "");
        f = flown(0, RUN_PASSED);
        ck_assert_int_eq(campaign_record_read(f), RECORD_COUNTS);
        snprintf(name, sizeof name, "%s/summary.json", f->run->folder);
        unlink(name);
        ck_assert_int_eq(campaign_record_read(f), RECORD_NONE);
}

TEST(other_settings_are_refused_and_counted)
{
        PLAN(TWO, "");
        flown(0, RUN_PASSED);
        flown(1, RUN_PASSED);
        PLAN("{\"name\": \"1.0\", \"set\": [\"stop_after_s=3\"]}", "");
        ck_assert(!campaign_open(&campaign, why, sizeof why));
        ck_assert_ptr_nonnull(
                strstr(why, "2 flights there were flown with other settings"));
        PLAN("{\"name\": \"1.0\", \"set\": [\"stop_after_s=3\"]}", "");
        campaign.options.fly_again = true;
        ck_assert_msg(campaign_open(&campaign, why, sizeof why), "%s", why);
        ck_assert(campaign_is_open(&campaign.flight[0]));
}

TEST(what_lies_there_goes_aside_under_its_number)
{
        char name[200];
        struct campaign_flight *f;

        PLAN(TWO, "");
        f = flown(2, RUN_PASSED);
        ck_assert_msg(campaign_move_aside(&campaign, f, why, sizeof why), "%s", why);
        ck_assert_int_ne(access(f->run->folder, F_OK), 0);
        snprintf(name, sizeof name, "%s/.aside/00003-1/summary.json", out);
        ck_assert_int_eq(access(name, F_OK), 0);
        /* Nothing there is nothing to do; the next one does not replace the first. */
        ck_assert(campaign_move_aside(&campaign, f, why, sizeof why));
        flown(2, RUN_PASSED);
        ck_assert(campaign_move_aside(&campaign, f, why, sizeof why));
        snprintf(name, sizeof name, "%s/.aside/00003-2/summary.json", out);
        ck_assert_int_eq(access(name, F_OK), 0);
        ck_assert_int_eq(campaign.moved_aside, 2);
}

TEST(both_verdicts_in_one_version_are_flaky)
{
        struct campaign_cell cell;
        const char **group;
        int groups;

        PLAN(TWO, "");
        flown(0, RUN_PASSED);
        flown(1, RUN_FAILED);
        flown(2, RUN_PASSED);
        flown(3, RUN_VOID);
        group = campaign_groups(&campaign, &groups);
        ck_assert_ptr_nonnull(group);
        ck_assert_int_eq(groups, 1);
        cell = campaign_cell(&campaign, 0, group[0]);
        ck_assert(campaign_is_flaky(&cell));
        cell = campaign_cell(&campaign, 1, group[0]);
        ck_assert(!campaign_is_flaky(&cell));
        free(group);
        ck_assert_int_eq(campaign_exit_status(&campaign), 1);
        ck_assert_str_eq(campaign_verdict_name(&campaign), "failed");
}

/* Every flight is in one number and no other, in the text for programs and in JUnit's. */
TEST(every_flight_is_told_once)
{
        struct json_error json_error;
        struct json *root;
        char *text;
        int cases = 0;

        PLAN(TWO, FAULT);
        flown(0, RUN_PASSED);
        flown(3, RUN_FAILED);
        flown(4, RUN_ERROR);
        text = campaign_json(&campaign);
        ck_assert_ptr_nonnull(text);
        root = json_parse(text, strlen(text), "campaign.json", &json_error);
        ck_assert_ptr_nonnull(root);
        ck_assert(json_number(root, "passed") + json_number(root, "failed") +
                          json_number(root, "void") + json_number(root, "error") +
                          json_number(root, "open") ==
                  json_number(root, "flights"));
        ck_assert(json_number(root, "open") == 5);
        ck_assert_int_eq(json_member(root, "flight")->count, 8);
        ck_assert_int_eq(json_member(root, "matrix")->count, 2);
        json_free(root);
        free(text);
        text = campaign_junit(&campaign);
        ck_assert_ptr_nonnull(text);
        for (const char *at = text; (at = strstr(at, "<testcase")) != NULL; at++)
                cases++;
        ck_assert_int_eq(cases, 8);
        ck_assert_ptr_nonnull(strstr(text, "<testsuite name=\"c.1.1\" tests=\"4\""));
        free(text);
        ck_assert_int_eq(campaign_exit_status(&campaign), 3);
}

TEST(what_is_wrong_is_named)
{
        ck_assert(!plan(TWO, ", \"board\": \"stm32\""));
        ck_assert_ptr_nonnull(strstr(why, "rigs.0.board"));
        ck_assert(!plan("{\"name\": \"a\", \"says\": \"x\"}", ""));
        ck_assert_ptr_nonnull(strstr(why, "versions.0.says"));
        ck_assert(!plan("{\"name\": \"a\", \"set\": [\"seed=3\"]}", ""));
        ck_assert_ptr_nonnull(strstr(why, "seed=3"));
        ck_assert(!plan("{\"name\": \"a\", \"executable\": \"nowhere\"}", ""));
        ck_assert_ptr_nonnull(strstr(why, "nowhere is not there"));
        ck_assert(!plan("", ""));
        ck_assert_int_ne(access(out, F_OK), 0);
}
