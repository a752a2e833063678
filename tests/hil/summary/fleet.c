/* What is told of many vehicles: the worst and the median by their names, what all say alike once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/summary/summary.h"
#include "hil/text/json.h"

#include "tests/suites.h"

#define COPIES 8

static struct rig_config config;
static struct child child[COPIES];
static struct rig rig;
static struct summary summary = { .config_path = "a.json", .reason = "because" };

/* Vehicle i tilted by so much; the last one never flew. */
static const double tilt_deg[COPIES - 1] = { 5.0, 2.0, 9.0, 1.0, 30.0, 3.0, 9.0 };

static void open_rig(int copies)
{
        char set[60];
        const struct config_overrides overrides = {
                .sets = 2, .set = { set, "vehicles.0.fc.link=pty" }
        };
        struct config_error error;
        char *resolved, why[300];

        snprintf(set, sizeof set, "vehicles.0.copies.count=%d", copies);
        ck_assert_msg(config_read(&config, "rig_configs/default.json", &overrides,
                                  &resolved, &error),
                      "%s", error.text);
        free(resolved);
        ck_assert_msg(rig_open(&rig, &config, child, why, sizeof why), "%s", why);
        for (int i = 0; i < copies && i < COPIES - 1; i++) {
                struct metric_sum *sum = &rig.vehicle[i].metrics.sum[METRIC_TILT_MAX];

                *sum = (struct metric_sum){ tilt_deg[i], 1 };
        }
        for (int i = 0; i < copies; i++) {
                struct fc_report *report = &rig.vehicle[i].port.report;

                snprintf(report->name, sizeof report->name, "board");
                snprintf(report->text, sizeof report->text, "%s",
                         i == 3 ? "no GPS" : "landed");
        }
}

static void close_rig(void)
{
        rig_close(&rig);
        config_free(&config);
}

static char *print_summary(void)
{
        char *text = NULL;
        size_t len;
        FILE *out = open_memstream(&text, &len);

        summary_print(out, &summary, &rig);
        fclose(out);
        return text;
}

static int count_of(const char *text, const char *what)
{
        int count = 0;

        for (; (text = strstr(text, what)) != NULL; text++)
                count++;
        return count;
}

TEST(the_worst_and_the_median_are_named)
{
        struct json_error why;
        struct json *root, *tilt = NULL;
        char *text;

        open_rig(COPIES);
        text = print_summary();
        ck_assert_msg(strstr(text,
                             "tilt_max_deg           worst 30 deg (md4_200_4), median "
                             "5 (md4_200_0); 1 have none\n") != NULL,
                      "%s", text);
        free(text);
        text = summary_json(&summary, &rig);
        root = json_parse(text, strlen(text), "summary.json", &why);
        ck_assert_str_eq(json_string(root, "fleet.by"), "tilt_max_deg");
        ck_assert_double_eq(json_number(root, "fleet.worst"), 4.0);
        ck_assert_double_eq(json_number(root, "fleet.median"), 0.0);
        ck_assert_double_eq(json_number(root, "fleet.best"), 3.0);
        for (struct json *m = json_at(root, "fleet.metrics")->first; m != NULL;
             m = m->next)
                if (strcmp(json_string(m, "name"), "tilt_max_deg") == 0)
                        tilt = m;
        ck_assert_ptr_nonnull(tilt);
        ck_assert_double_eq(json_number(tilt, "vehicles"), COPIES - 1);
        ck_assert_str_eq(json_string(tilt, "least.vehicle"), "md4_200_3");
        ck_assert_double_eq(json_number(tilt, "most.value"), 30.0);
        json_free(root);
        free(text);
        close_rig();
}

TEST(what_all_say_is_printed_once)
{
        char *text;

        open_rig(COPIES);
        text = print_summary();
        ck_assert_int_eq(count_of(text, "flight controller"), 2);
        ck_assert_ptr_nonnull(
                strstr(text, "flight controller of md4_200_0 and 6 others: board, last "
                             "said: \"landed\""));
        ck_assert_ptr_nonnull(strstr(
                text, "flight controller of md4_200_3: board, last said: \"no GPS\""));
        /* Whose it is shows where the requirement stands. */
        ck_assert_int_eq(count_of(text, " (md4_200_0): "), config.scenario.requirements);
        free(text);
        close_rig();
}

TEST(few_vehicles_are_told_of_one_by_one)
{
        char *text, *json;

        open_rig(CONFIG_EACH_MAX);
        text = print_summary();
        json = summary_json(&summary, &rig);
        ck_assert_int_eq(count_of(text, "\nflight controller board"), CONFIG_EACH_MAX);
        ck_assert_ptr_null(strstr(text, "median"));
        ck_assert_ptr_null(strstr(json, "\"fleet\""));
        free(text);
        free(json);
        close_rig();
}
