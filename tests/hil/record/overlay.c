/* Flights laid over each other: no spike is lost however few the points, angles do not jump, and a log
 * that was cut off is drawn up to there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/page/compare_lines.h"
#include "hil/text/json.h"
#include "tests/hil/record/record_run.h"
#include "tests/suites.h"

#define SAMPLES 100000
#define END_S   40.0

static double time_of(int sample)
{
        return END_S * sample / SAMPLES;
}

/* A slow wave with two samples far out, close to each other. */
static void fill(struct overlay_run *run)
{
        ck_assert(overlay_open(run, END_S));
        for (int i = 0; i < SAMPLES; i++)
                overlay_add(run, 0, OVERLAY_UP, time_of(i),
                            i == 77777   ? -50.0
                            : i == 77779 ? 60.0
                                         : sin(i * 1e-4));
}

TEST(no_spike_is_lost_however_many_bins_are_joined)
{
        struct overlay_run run;

        fill(&run);
        for (int join = 1; join <= OVERLAY_BINS; join = 2 * join + 1) {
                int bin = 77777 / (SAMPLES / OVERLAY_BINS) / join;
                struct overlay_bin b = overlay_bin(&run, 0, OVERLAY_UP, bin * join, join);

                ck_assert_double_eq(b.low, -50.0);
                ck_assert_double_eq(b.high, 60.0);
                ck_assert(!b.low_later);
        }
        overlay_close(&run);
}

TEST(every_sample_is_in_one_bin)
{
        struct overlay_run run;
        uint32_t count = 0;

        fill(&run);
        overlay_add(&run, 0, OVERLAY_UP, END_S, 1.0);
        for (int i = 0; i < OVERLAY_BINS; i++)
                count += overlay_bin(&run, 0, OVERLAY_UP, i, 1).count;
        ck_assert_uint_eq(count, SAMPLES + 1);
        ck_assert_uint_eq(overlay_bin(&run, 0, OVERLAY_UP, 0, OVERLAY_BINS).count, count);
        ck_assert_int_eq(run.vehicles, 1);
        overlay_close(&run);
}

TEST(what_is_no_number_or_beyond_the_end_is_left_out)
{
        struct overlay_run run;

        ck_assert(overlay_open(&run, END_S));
        overlay_add(&run, 0, OVERLAY_UP, 1.0, (double)NAN);
        overlay_add(&run, 0, OVERLAY_UP, 1.0, (double)INFINITY);
        overlay_add(&run, 0, OVERLAY_UP, -1.0, 1.0);
        overlay_add(&run, 0, OVERLAY_UP, 2.0 * END_S, 1.0);
        overlay_add(&run, 0, OVERLAY_UP, (double)NAN, 1.0);
        ck_assert_int_eq(run.vehicles, 0);
        overlay_close(&run);
}

TEST(the_least_and_the_most_keep_their_order)
{
        static const double value[][3] = { { 0, 1, -1 }, { 0, -1, 1 }, { 1, 0, 0 } };
        static const bool low_later[] = { true, false, true };

        for (int k = 0; k < 3; k++) {
                struct overlay_run run;

                ck_assert(overlay_open(&run, END_S));
                for (int i = 0; i < 3; i++)
                        overlay_add(&run, 0, OVERLAY_UP, 0.1 * END_S + 1e-3 * i,
                                    value[k][i]);
                ck_assert_int_eq(
                        overlay_bin(&run, 0, OVERLAY_UP, 0, OVERLAY_BINS).low_later,
                        low_later[k]);
                overlay_close(&run);
        }
}

TEST(angles_meet_after_whole_turns)
{
        struct overlay_run run;

        ck_assert(overlay_open(&run, END_S));
        overlay_add(&run, 1, OVERLAY_YAW, 1.0, -179.0);
        overlay_add(&run, 1, OVERLAY_YAW, 2.0, -170.0);
        overlay_turn_to(&run, 1, OVERLAY_YAW, 178.0);
        ck_assert_double_eq(overlay_first(&run, 1, OVERLAY_YAW), 181.0);
        ck_assert_double_eq(overlay_bin(&run, 1, OVERLAY_YAW, 0, OVERLAY_BINS).high,
                            190.0);
        ck_assert(isnan(overlay_first(&run, 0, OVERLAY_YAW)));
        overlay_close(&run);
}

TEST(a_median_is_the_middle)
{
        double odd[] = { 9.0, 1.0, 2.0 }, even[] = { 4.0, 1.0, 3.0, 100.0 };

        ck_assert_double_eq(overlay_median(odd, 3), 2.0);
        ck_assert_double_eq(overlay_median(even, 4), 3.5);
        ck_assert(isnan(overlay_median(odd, 0)));
}

static uint8_t *recorded(struct folder *f, size_t *len)
{
        uint8_t *log;

        folder_make(f);
        record_run(f);
        log = folder_load(f, "run.ulg", len);
        ck_assert_ptr_nonnull(log);
        return log;
}

TEST(a_recorded_run_has_every_vehicle_s_motion_and_motors)
{
        static const enum overlay_quantity there[] = { OVERLAY_UP,       OVERLAY_ROLL,
                                                       OVERLAY_PITCH,    OVERLAY_YAW,
                                                       OVERLAY_YAW_RATE, OVERLAY_MOTORS };
        struct overlay_run run;
        struct folder f;
        size_t len;
        uint8_t *log = recorded(&f, &len);

        ck_assert(overlay_open(&run, 0.2));
        ck_assert(overlay_read(&run, log, len));
        ck_assert(run.readable && !run.truncated);
        ck_assert_int_eq(run.vehicles, 2);
        for (int v = 0; v < 2; v++)
                for (size_t i = 0; i < sizeof there / sizeof there[0]; i++)
                        ck_assert(overlay_has(&run, v, there[i]));
        ck_assert_double_eq_tol(run.last_s, 0.2, 2e-3);
        overlay_close(&run);
        free(log);
        folder_remove(&f);
}

TEST(a_log_cut_anywhere_is_read_up_to_there)
{
        struct folder f;
        size_t len;
        uint8_t *log = recorded(&f, &len);
        double before_s = -1.0;

        for (size_t cut = 0; cut < len; cut += len / 23 + 1) {
                /* A copy, so that a sanitizer sees what lies beyond the cut. */
                uint8_t *part = malloc(cut + 1);
                struct overlay_run run;

                memcpy(part, log, cut);
                ck_assert(overlay_open(&run, 0.2));
                ck_assert(overlay_read(&run, part, cut));
                ck_assert(run.last_s >= before_s && run.last_s < 0.2 + 1e-9);
                before_s = run.last_s;
                overlay_close(&run);
                free(part);
        }
        ck_assert_double_gt(before_s, 0.15);
        free(log);
        folder_remove(&f);
}

static struct json *written(struct compare_lines *lines, size_t *len)
{
        struct json_error why;
        struct json *root;
        char *text = NULL;
        FILE *f = open_memstream(&text, len);

        compare_lines_put(f, lines);
        fclose(f);
        root = json_parse(text, *len, "lines", &why);
        ck_assert_msg(root != NULL, "%s", why.text);
        free(text);
        return root;
}

TEST(lines_keep_to_their_room_and_lose_no_spike)
{
        struct overlay_run run[24];
        struct compare_lines lines = { "</script>", END_S, 12, 30, run, 10000 };
        struct json *root;
        const struct json *line;
        double low = INFINITY, high = -INFINITY;
        size_t len;

        for (int i = 0; i < 24; i++)
                fill(&run[i]);
        root = written(&lines, &len);
        ck_assert_uint_lt(len, 10 * 10000);
        ck_assert_str_eq(json_string(root, "name"), "</script>");
        line = json_at(root, "vehicles.0.up.1.runs.11");
        ck_assert_int_ge(line->count, 2 * 50);
        for (const struct json *v = line->first; v != NULL; v = v->next)
                if (json_is(v, JSON_NUMBER)) {
                        low = fmin(low, v->number);
                        high = fmax(high, v->number);
                }
        ck_assert_double_eq(low, -50.0);
        ck_assert_double_eq(high, 60.0);
        ck_assert_int_eq(json_at(root, "vehicles.0.up.0.median")->count, line->count / 2);
        json_free(root);
        for (int i = 0; i < 24; i++)
                overlay_close(&run[i]);
}

TEST(a_run_alone_needs_no_median_and_may_lack_its_twin)
{
        struct overlay_run run[2] = { { 0 }, { 0 } };
        struct compare_lines lines = { "a", END_S, 1, 1, run, 500000 };
        struct json *root;
        size_t len;

        ck_assert(!compare_lines_any(&lines));
        fill(&run[0]);
        ck_assert(compare_lines_any(&lines));
        root = written(&lines, &len);
        ck_assert(json_is(json_at(root, "vehicles.0.up.0.median"), JSON_NULL));
        ck_assert_int_eq(json_at(root, "vehicles.0.up.0.runs")->count, 1);
        ck_assert_int_eq(json_at(root, "vehicles.0.up.1.runs")->count, 0);
        ck_assert_double_eq(json_number(root, "point_s"), END_S / OVERLAY_BINS);
        json_free(root);
        overlay_close(&run[0]);
}
