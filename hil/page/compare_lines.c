#include "hil/page/compare_lines.h"

#include <math.h>
#include <stdlib.h>

#include "hil/config/config.h"
#include "hil/text/markup.h"

/* Bins in a point: with more of them less than 50 points were left, which hide what happened when. */
#define JOINED_MAX 20
#define RUNS_MAX   64

static const char *const names[OVERLAY_QUANTITIES] = {
        [OVERLAY_UP] = "up",
        [OVERLAY_OFF_COURSE] = "off_course",
        [OVERLAY_ROLL] = "roll",
        [OVERLAY_PITCH] = "pitch",
        [OVERLAY_YAW] = "yaw",
        [OVERLAY_ROLL_RATE] = "roll_rate",
        [OVERLAY_PITCH_RATE] = "pitch_rate",
        [OVERLAY_YAW_RATE] = "yaw_rate",
        [OVERLAY_MOTORS] = "motors",
};

/* How the numbers of one line are put. */
struct pen {
        FILE *f;
        const char *between;
};

static void put_point(struct pen *pen, double value)
{
        fputs(pen->between, pen->f);
        pen->between = ",";
        if (isfinite(value))
                fprintf(pen->f, "%.5g", value);
        else
                fputs("null", pen->f);
}

static int count_lines(const struct compare_lines *lines)
{
        int count = 0;

        for (int i = 0; i < 2 * lines->pairs; i++)
                for (int v = 0; v < lines->run[i].vehicles; v++)
                        for (int q = 0; q < OVERLAY_QUANTITIES; q++)
                                count += overlay_has(&lines->run[i], v,
                                                     (enum overlay_quantity)q);
        return count;
}

bool compare_lines_any(const struct compare_lines *lines)
{
        return count_lines(lines) > 0;
}

static int vehicles_of(const struct compare_lines *lines)
{
        int most = 0;

        for (int i = 0; i < 2 * lines->pairs; i++)
                if (lines->run[i].vehicles > most)
                        most = lines->run[i].vehicles;
        return most;
}

/* Bins that are one point, so that all points are few enough. */
static int bins_per_point(const struct compare_lines *lines)
{
        double wanted =
                ceil(2.0 * OVERLAY_BINS * count_lines(lines) / lines->numbers_max);

        return (int)fmax(1.0, fmin(wanted, JOINED_MAX));
}

static void turn_together(struct compare_lines *lines, int vehicle,
                          enum overlay_quantity q)
{
        double near_deg = NAN;

        for (int i = 0; i < 2 * lines->pairs; i++) {
                if (!overlay_has(&lines->run[i], vehicle, q))
                        continue;
                if (isnan(near_deg))
                        near_deg = overlay_first(&lines->run[i], vehicle, q);
                overlay_turn_to(&lines->run[i], vehicle, q, near_deg);
        }
}

static void put_run(FILE *f, const struct overlay_run *run, int vehicle,
                    enum overlay_quantity q, int join)
{
        struct pen pen = { f, "" };

        putc('[', f);
        for (int i = 0; i < OVERLAY_BINS; i += join) {
                struct overlay_bin b = overlay_bin(run, vehicle, q, i, join);
                bool one = b.count == 0 || b.low == b.high;

                put_point(&pen, b.count == 0  ? (double)NAN
                                : b.low_later ? b.high
                                              : b.low);
                put_point(&pen, one ? (double)NAN : b.low_later ? b.low : b.high);
        }
        putc(']', f);
}

/* Of a single run it would say nothing that the run does not. */
static void put_median(FILE *f, const struct overlay_run *const *run, int runs,
                       int vehicle, enum overlay_quantity q, int join)
{
        struct pen pen = { f, "" };

        if (runs < 2) {
                fputs("null", f);
                return;
        }
        putc('[', f);
        for (int i = 0; i < OVERLAY_BINS; i += join) {
                double mean[RUNS_MAX];
                int n = 0;

                for (int k = 0; k < runs; k++) {
                        struct overlay_bin b = overlay_bin(run[k], vehicle, q, i, join);

                        if (b.count > 0)
                                mean[n++] = b.sum / b.count;
                }
                put_point(&pen, overlay_median(mean, n));
        }
        putc(']', f);
}

static void put_side(FILE *f, const struct compare_lines *lines, int side, int vehicle,
                     enum overlay_quantity q, int join)
{
        const struct overlay_run *run[RUNS_MAX];
        int runs = 0;

        for (int i = side; i < 2 * lines->pairs && runs < RUNS_MAX; i += 2)
                if (overlay_has(&lines->run[i], vehicle, q))
                        run[runs++] = &lines->run[i];
        fputs("{\"median\":", f);
        put_median(f, run, runs, vehicle, q, join);
        fputs(",\"runs\":[", f);
        for (int i = 0; i < runs; i++) {
                fputs(i > 0 ? ",\n" : "", f);
                put_run(f, run[i], vehicle, q, join);
        }
        fputs("]}", f);
}

static bool is_there(const struct compare_lines *lines, int vehicle,
                     enum overlay_quantity q)
{
        for (int i = 0; i < 2 * lines->pairs; i++)
                if (overlay_has(&lines->run[i], vehicle, q))
                        return true;
        return false;
}

static void put_vehicle(FILE *f, struct compare_lines *lines, int vehicle, int join)
{
        const char *between = "";

        turn_together(lines, vehicle, OVERLAY_ROLL);
        turn_together(lines, vehicle, OVERLAY_YAW);
        putc('{', f);
        for (int i = 0; i < OVERLAY_QUANTITIES; i++) {
                enum overlay_quantity q = (enum overlay_quantity)i;

                if (!is_there(lines, vehicle, q))
                        continue;
                fprintf(f, "%s\n\"%s\":[", between, names[i]);
                put_side(f, lines, 0, vehicle, q, join);
                putc(',', f);
                put_side(f, lines, 1, vehicle, q, join);
                putc(']', f);
                between = ",";
        }
        putc('}', f);
}

void compare_lines_put(FILE *f, struct compare_lines *lines)
{
        int join = bins_per_point(lines), vehicles = vehicles_of(lines);

        fputs("{\"name\":", f);
        markup_json(f, lines->name);
        if (lines->worst != NULL) {
                fputs(",\"worst\":", f);
                markup_json(f, lines->worst);
        }
        fprintf(f,
                ",\"end_s\":%.9g,\"point_s\":%.9g,\"pairs\":%d,\"of\":%d,\"vehicles\":[",
                lines->end_s, lines->end_s * join / OVERLAY_BINS, lines->pairs,
                lines->of);
        for (int v = 0; v < vehicles; v++) {
                fputs(v > 0 ? "," : "", f);
                put_vehicle(f, lines, v, join);
        }
        fputs("]}", f);
}
