/* report.html from any run folder: nothing of a file becomes markup, no spike is thinned out, a run
 * that was cut off says so. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/page/report.h"
#include "tests/hil/record/record_run.h"
#include "tests/suites.h"

#define ROWS 200000

static char *page_of(const struct report *r)
{
        char *buffer = NULL, *page;
        size_t len;
        FILE *out = open_memstream(&buffer, &len);

        ck_assert_ptr_nonnull(out);
        ck_assert(report_page(out, r));
        fclose(out);
        page = strdup(buffer);
        free(buffer);
        return page;
}

/* A slow wave with one sample far out in each column, where no stretch begins. */
static void wave(int i, double value[3])
{
        value[0] = sin(i * 1e-4);
        value[1] = i == 77777 ? -1e6 : cos(i * 1e-4);
        value[2] = i == 123457 ? 1e6 : i * 1e-6;
}

static void fill(struct report_table *t, size_t rows_max,
                 const struct report_moments *moments)
{
        const struct report_extent extent = { ROWS, 0, (ROWS - 1) * 1000 };
        double value[3];

        ck_assert(report_table_begin(t, 3, &extent, moments, rows_max));
        for (int i = 0; i < ROWS; i++) {
                wave(i, value);
                report_table_add(t, moments, i * 1000, value);
        }
        report_table_end(t);
}

static bool holds(const struct report_table *t, int i)
{
        double value[3];

        wave(i, value);
        for (size_t row = 0; row < t->rows; row++)
                if (t->t_us[row] == i * 1000)
                        return memcmp(t->value + 3 * row, value, sizeof value) == 0;
        return false;
}

TEST(thinning_keeps_the_extremes_and_invents_nothing)
{
        struct report_table t;

        fill(&t, 1000, NULL);
        ck_assert_uint_le(t.rows, 1001);
        ck_assert_uint_ge(t.rows, 300);
        ck_assert_uint_eq(t.seen, ROWS);
        ck_assert(holds(&t, 77777));
        ck_assert(holds(&t, 123457));
        ck_assert(holds(&t, ROWS - 1));
        for (size_t row = 0; row < t.rows; row++) {
                ck_assert(holds(&t, (int)(t.t_us[row] / 1000)));
                ck_assert(row == 0 || t.t_us[row] > t.t_us[row - 1]);
        }
        report_table_free(&t);
}

TEST(about_a_moment_nothing_is_thinned)
{
        const struct report_moments moments = { 2, 50000, { 100000000, 150000000 } };
        struct report_table t;

        fill(&t, 1000, &moments);
        for (int i = 99950; i <= 100050; i++)
                ck_assert_msg(holds(&t, i), "row %d", i);
        for (int i = 149950; i <= 150050; i++)
                ck_assert_msg(holds(&t, i), "row %d", i);
        ck_assert(holds(&t, 123457));
        ck_assert(holds(&t, ROWS - 1));
        report_table_free(&t);
}

TEST(moments_without_end_cost_no_extreme)
{
        struct report_moments moments = { .count = REPORT_MOMENTS_MAX,
                                          .around_us = 1500000 };
        struct report_table t;

        for (int i = 0; i < REPORT_MOMENTS_MAX; i++)
                moments.t_us[i] = 3000000 * (int64_t)i;
        fill(&t, 1000, &moments);
        ck_assert(holds(&t, 77777));
        ck_assert(holds(&t, 123457));
        ck_assert(holds(&t, ROWS - 1));
        report_table_free(&t);
}

TEST(the_last_of_many_moments_is_kept_as_whole_as_the_first)
{
        struct report_moments moments = { .count = 20, .around_us = 1500000 };
        struct report_table t;

        for (int i = 0; i < moments.count; i++)
                moments.t_us[i] = 10000 + 9000000 * (int64_t)i;
        fill(&t, 1000, &moments);
        for (int i = 0; i < moments.count; i++)
                for (int near = -10; near <= 10; near++)
                        ck_assert(holds(&t, (int)(moments.t_us[i] / 1000) + near));
        report_table_free(&t);
}

TEST(a_flat_line_reaches_to_its_end)
{
        const struct report_extent extent = { ROWS, 0, ROWS - 1 };
        struct report_table t;

        ck_assert(report_table_begin(&t, 1, &extent, NULL, 100));
        for (int i = 0; i < ROWS; i++)
                report_table_add(&t, NULL, i, &(double){ 5.0 });
        report_table_end(&t);
        ck_assert_int_eq(t.t_us[0], 0);
        ck_assert_int_eq(t.t_us[t.rows - 1], ROWS - 1);
        report_table_free(&t);
}

TEST(time_that_runs_backwards_is_refused_and_counted)
{
        const struct report_extent extent = { 10, 0, 100 };
        const int64_t t_us[] = { 0, 50, 40, INT64_MAX, -1, 60 };
        struct report_table t;

        ck_assert(report_table_begin(&t, 1, &extent, NULL, 100));
        for (int i = 0; i < 6; i++)
                report_table_add(&t, NULL, t_us[i], &(double){ i });
        report_table_end(&t);
        ck_assert_uint_eq(t.refused, 3);
        ck_assert_uint_eq(t.rows, 3);
        report_table_free(&t);
}

static struct report *read_report(const char *summary, const char *config,
                                  const void *log, size_t len)
{
        const struct report_files files = { .summary = summary,
                                            .config = config,
                                            .summary_len = summary ? strlen(summary) : 0,
                                            .config_len = config ? strlen(config) : 0,
                                            .log = log,
                                            .log_len = len };
        struct report *r = calloc(1, sizeof *r);

        ck_assert_ptr_nonnull(r);
        ck_assert(report_read(r, "folder", &files));
        return r;
}

static void drop(struct report *r)
{
        report_free(r);
        free(r);
}

TEST(a_run_without_summary_is_void_because_it_was_cut_off)
{
        struct report *r = read_report(NULL, NULL, NULL, 0);
        char *page = page_of(r);

        ck_assert_str_eq(report_verdict(r), "void");
        ck_assert_ptr_nonnull(strstr(page, "The run was cut off"));
        free(page);
        drop(r);
}

TEST(a_verdict_that_nobody_gives_is_void)
{
        struct report *r = read_report("{\"verdict\": \"splendid\"}", NULL, NULL, 0);

        ck_assert_str_eq(report_verdict(r), "void");
        drop(r);
}

TEST(the_worst_moment_is_found_in_old_and_new_summaries)
{
        static const struct {
                const char *text;
                int64_t t_us;
        } q[] = { { "{\"at_s\": 22.9045}", 22904500 },
                  { "{\"at_s\": null, \"detail\": \"happened at 1 s\"}", -1 },
                  { "{\"detail\": \"held; closest at 22.904 s, value 5\"}", 22904000 },
                  { "{\"detail\": \"looked at it\"}", -1 },
                  { "{\"at_s\": -3}", -1 },
                  { "{\"at_s\": 1e300}", -1 },
                  { "{}", -1 } };
        struct json_error why;

        for (size_t i = 0; i < sizeof q / sizeof q[0]; i++) {
                struct json *root = json_parse(q[i].text, strlen(q[i].text), "x", &why);

                ck_assert_int_eq(report_worst_us(root), q[i].t_us);
                json_free(root);
        }
}

static size_t place_of(const char *page, const char *text)
{
        const char *at = strstr(page, text);

        ck_assert_msg(at != NULL, "no %s", text);
        return (size_t)(at - page);
}

TEST(failed_requirements_stand_first)
{
        struct report *r = read_report(
                "{\"verdict\": \"failed\", \"end_reason\": \"x\", \"requirements\": ["
                "{\"name\": \"fine\", \"passed\": true, \"detail\": \"\"},"
                "{\"name\": \"open\", \"passed\": false, \"outcome\": \"not judged\"},"
                "{\"name\": \"broken\", \"passed\": false, \"detail\": \"\"}]}",
                NULL, NULL, 0);
        char *page = page_of(r);
        size_t broken = place_of(page, ">broken<"), open = place_of(page, ">open<");

        ck_assert_uint_lt(broken, open);
        ck_assert_uint_lt(open, place_of(page, ">fine<"));
        ck_assert_ptr_nonnull(strstr(page, "class=\"verdict failed\""));
        free(page);
        drop(r);
}

TEST(the_headline_is_what_failed_first)
{
        struct report *r = read_report(
                "{\"verdict\": \"failed\", \"end_reason\": \"x\", \"requirements\": ["
                "{\"name\": \"late\", \"passed\": false, \"at_s\": 2, \"detail\": "
                "\"did not happen; closest at 2.000 s, value 1, off by 1\"},"
                "{\"name\": \"never\", \"passed\": false, \"detail\": \"\"},"
                "{\"name\": \"a <b>\", \"passed\": false, \"at_s\": 7, \"detail\": "
                "\"broken at 3.250 s; worst at 7.000 s, value 4, outside by 1\"}]}",
                "{\"scenario\": {\"requirements\": [{\"name\": \"late\", \"to_s\": 9}]}}",
                NULL, 0);
        char *page = page_of(r);

        ck_assert_ptr_nonnull(strstr(page, "a &lt;b&gt;, at 3.250 s</span></h1>"));
        ck_assert_uint_lt(place_of(page, ">late<"), place_of(page, ">never<"));
        free(page);
        drop(r);
}

TEST(metrics_name_their_vehicle_and_those_without_value_are_left_out)
{
        struct report *r = read_report(
                "{\"metrics\": [{\"name\": \"tilt\", \"vehicle\": \"blue\", \"value\": "
                "1},"
                "{\"name\": \"gain\", \"vehicle\": \"blue\", \"value\": null},"
                "{\"name\": \"drift\", \"vehicle\": 1, \"value\": 2}]}",
                "{\"vehicles\": [{\"name\": \"blue\"}, {\"name\": \"red\"}]}", NULL, 0);
        char *page = page_of(r);

        ck_assert_ptr_nonnull(
                strstr(page, "{\"name\":\"tilt\",\"vehicle\":\"blue\",\"value\":1,"));
        ck_assert_ptr_nonnull(
                strstr(page, "{\"name\":\"drift\",\"vehicle\":\"red\",\"value\":2,"));
        /* Nowhere but in the summary, which is there as it was. */
        ck_assert_ptr_eq(strstr(page, "\"gain\""),
                         strstr(strstr(page, "\"summary\":"), "\"gain\""));
        free(page);
        drop(r);
        r = read_report("{\"metrics\": [{\"name\": \"gain\", \"value\": null}]}", NULL,
                        NULL, 0);
        page = page_of(r);
        ck_assert_ptr_nonnull(strstr(page, "\"metrics\":[]"));
        free(page);
        drop(r);
}

/* Nothing of it may show as it is, anywhere in the page. */
#define EVIL      "<evil onload=1>\\\"'</script>\\u2028"
#define EVIL_JSON "\"" EVIL "\""

TEST(hostile_names_stay_text_wherever_they_stand)
{
        struct report *r = read_report(
                "{\"verdict\": \"passed\", \"end_reason\": " EVIL_JSON
                ", \"pace\": " EVIL_JSON ", \"version\": " EVIL_JSON
                ", \"config\": " EVIL_JSON ", \"firmware\": [" EVIL_JSON
                "], \"realtime_missing\": [" EVIL_JSON
                "], \"metrics\": [{\"name\": " EVIL_JSON ", \"unit\": " EVIL_JSON
                ", \"vehicle\": 0, \"value\": 1}], \"requirements\": "
                "[{\"name\": " EVIL_JSON ", \"outcome\": " EVIL_JSON
                ", \"detail\": " EVIL_JSON "}]}",
                "{\"name\": " EVIL_JSON ", \"scenario\": {\"name\": " EVIL_JSON
                ", \"requirements\": [{\"name\": " EVIL_JSON ", " EVIL_JSON
                ": [" EVIL_JSON "]}]}, \"vehicles\": [{\"name\": " EVIL_JSON "}]}",
                NULL, 0);
        char *page = page_of(r);

        ck_assert_ptr_null(strstr(page, "<evil"));
        ck_assert_ptr_nonnull(strstr(page, "&lt;evil"));
        free(page);
        drop(r);
}

TEST(a_recorded_run_fills_the_tables_of_each_vehicle)
{
        static const int every[] = { REPORT_TICK,
                                     REPORT_DUTY,
                                     REPORT_ROTORS,
                                     REPORT_AROUND,
                                     REPORT_ATTITUDE_TRUTH,
                                     REPORT_POSITION_TRUTH,
                                     REPORT_RATE_TRUTH,
                                     REPORT_GPS,
                                     REPORT_MAG };
        struct folder f;
        struct report *r;
        uint8_t *log;
        size_t len;

        folder_make(&f);
        record_run(&f);
        log = folder_load(&f, "run.ulg", &len);
        ck_assert_ptr_nonnull(log);
        r = read_report(NULL, NULL, log, len);
        ck_assert(r->log.readable && !r->log.truncated);
        ck_assert_int_eq(r->log.vehicles, 2);
        ck_assert_uint_eq(r->log.ticks, TICKS);
        for (int v = 0; v < 2; v++)
                for (size_t i = 0; i < sizeof every / sizeof every[0]; i++)
                        ck_assert_msg(r->log.vehicle[v].table[every[i]].rows > 0,
                                      "vehicle %d: %s", v, report_table_name(every[i]));
        ck_assert_uint_gt(r->log.vehicle[0].table[REPORT_SONAR].rows, 0);
        ck_assert_uint_gt(r->log.vehicle[0].table[REPORT_SONAR + 3].rows, 0);
        ck_assert_uint_eq(r->log.vehicle[1].table[REPORT_SONAR].rows, 0);
        /* 14.5 V, as recorded. */
        ck_assert_double_eq(r->log.vehicle[0].table[REPORT_BATTERY].value[0], 14.5);
        drop(r);
        free(log);
        folder_remove(&f);
}

TEST(a_log_cut_anywhere_still_gives_a_page_that_says_so)
{
        struct folder f;
        uint8_t *log;
        size_t len;

        folder_make(&f);
        record_run(&f);
        log = folder_load(&f, "run.ulg", &len);
        ck_assert_ptr_nonnull(log);
        for (size_t cut = 0; cut < len; cut += len / 23 + 1) {
                /* A copy, so that a sanitizer sees what lies beyond the cut. */
                uint8_t *part = malloc(cut + 1);
                struct report *r;
                char *page;

                memcpy(part, log, cut);
                r = read_report(NULL, NULL, part, cut);
                page = page_of(r);
                ck_assert_ptr_nonnull(strstr(page, "The run was cut off"));
                if (r->log.truncated)
                        ck_assert_ptr_nonnull(strstr(page, "ends inside a record"));
                ck_assert_ptr_nonnull(strstr(page, "</html>"));
                free(page);
                drop(r);
                free(part);
        }
        free(log);
        folder_remove(&f);
}

/* A log with a fault in it, in which every `from` became `to`, as long. */
static char *page_of_patched_log(const char *from, const char *to)
{
        const struct event_record begins = { 1000000, 0,   EVENT_ACTION_BEGINS, -2,
                                             4,       0.0, "deaf: gps dropout" };
        struct folder f;
        struct report *r;
        uint8_t *log, *place;
        size_t len;
        char *page;

        folder_make(&f);
        folder_open(&f);
        ck_assert(recorder_event(f.recorder, &begins));
        folder_close(&f);
        log = folder_load(&f, "run.ulg", &len);
        ck_assert_ptr_nonnull(log);
        ck_assert_uint_eq(strlen(from), strlen(to));
        place = memmem(log, len, from, strlen(from));
        ck_assert_ptr_nonnull(place);
        memcpy(place, to, strlen(to));
        r = read_report(NULL, NULL, log, len);
        page = page_of(r);
        drop(r);
        free(log);
        folder_remove(&f);
        return page;
}

TEST(what_a_fault_is_called_is_read_whatever_room_it_has)
{
        char *type = NULL, *shorter, *page;

        ck_assert_int_gt(asprintf(&type, "char[%d] what", EVENT_TEXT_MAX), 0);
        ck_assert_int_gt(asprintf(&shorter, "char[%d] what", EVENT_TEXT_MAX - 40), 0);
        for (int i = 0; i < 2; i++) {
                page = page_of_patched_log(type, i == 0 ? type : shorter);
                ck_assert_ptr_nonnull(
                        strstr(page, "\"kind\":3,\"vehicle\":0,\"index\":4,"));
                ck_assert_ptr_nonnull(strstr(page, "\"what\":\"deaf: gps dropout\""));
                ck_assert_ptr_null(strstr(page, "cannot read everything"));
                free(page);
        }
        free(type);
        free(shorter);
}

TEST(a_topic_with_other_fields_is_named_as_not_shown)
{
        char *page = page_of_patched_log("double impact_mps", "double impact_kmh");

        ck_assert_ptr_nonnull(strstr(page, "is not shown: hilrig_event."));
        ck_assert_ptr_null(strstr(page, "deaf: gps dropout"));
        free(page);
}

TEST(the_page_asks_nothing_of_a_network_and_names_the_library)
{
        struct report *r = read_report("{}", "{}", NULL, 0);
        char *page = page_of(r);

        ck_assert_ptr_null(strstr(page, "src=\"http"));
        ck_assert_ptr_null(strstr(page, "<link"));
        ck_assert_ptr_null(strstr(page, "sourceMappingURL"));
        ck_assert_ptr_null(strstr(page, "{{data}}"));
        ck_assert_ptr_nonnull(strstr(page, "Dan Vanderkam"));
        ck_assert_ptr_nonnull(
                strstr(page, "The above copyright notice and this permission"));
        free(page);
        drop(r);
}

TEST(an_empty_folder_is_refused_with_its_name)
{
        char why[300], folder[] = "/tmp/test_report-XXXXXX";

        ck_assert_ptr_nonnull(mkdtemp(folder));
        ck_assert(!report_write(folder, NULL, why, sizeof why));
        ck_assert_ptr_nonnull(strstr(why, folder));
        ck_assert_int_eq(rmdir(folder), 0);
}

TEST(bins_meet_at_their_edges)
{
        for (int i = 0; i < REPORT_BINS; i++) {
                ck_assert_int_eq(report_bin(report_bin_ns(i)), i);
                ck_assert_int_eq(report_bin(report_bin_ns(i) * 1.05), i);
        }
        ck_assert_int_eq(report_bin(-5.0), 0);
        ck_assert_int_eq(report_bin((double)INFINITY), REPORT_BINS - 1);
}
