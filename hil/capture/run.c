/* The loop of `hilrig capture`: one thread reads and decodes, one writes the recording, one prints. */
#include "hil/capture/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/capture/live.h"
#include "hil/capture/recorder.h"
#include "hil/time/clock.h"
#include "hil/time/stop_signals.h"
#include "io/capture/fx2lafw.h"
#include "hil/text/terminal.h"

#define READ_NS   (50 * NS_PER_MS)
#define UPDATE_NS (20 * NS_PER_MS)
#define STILL_NS  (200 * NS_PER_MS) /* a device that gives no block stands still */

struct work {
        const struct capture_job *job;
        struct capture *source;
        struct capture_words words;
        struct capture_guess guess; /* where the user names a protocol */
        struct capture_table table;
        struct capture_recorder *recorder;
        struct capture_live *live;
        int stop_fd;
        int64_t begun_ns, updated_ns, block_ns; /* host time */
};

const char *capture_run_own_words(const char *why)
{
        static const char name[] = "capture";
        size_t n = sizeof name - 1;

        if (strncmp(why, name, n) == 0 && strncmp(why + n, ": ", 2) == 0)
                return why + n + 2;
        return strncmp(why, name, n) == 0 && strncmp(why + n, " \"", 2) == 0 ? why + n + 1
                                                                             : why;
}

static int fail(const char *what)
{
        terminal_complain("capture", "%s", capture_run_own_words(what));
        return 2;
}

/* Why it is gone: some name themselves in that, some do not. */
static const char *last_words(const struct capture *c)
{
        size_t n = strlen(c->name);

        if (strncmp(c->note, c->name, n) == 0 && strncmp(c->note + n, ": ", 2) == 0)
                return c->note + n + 2;
        return c->note[0] != '\0' ? c->note : "gone";
}

/* The channel names of a recording stand in the table and in a copy of it. Returns the channels that it has. */
static uint8_t read_names(const struct capture_job *job, struct sr_info *info)
{
        struct link_error ignored;
        struct sr_reader *r = NULL;
        uint8_t recorded;

        if (job->source.kind == CAPTURE_SR)
                r = sr_open(job->source.path, &ignored);
        if (r == NULL)
                return UINT8_MAX;
        memcpy(info->pad_name, sr_info(r)->pad_name, sizeof info->pad_name);
        recorded = sr_recorded(sr_info(r));
        sr_close(r);
        return recorded;
}

static void name_rows(struct capture_table *t, const struct sr_info *info)
{
        for (int i = 0; i < t->rows; i++) {
                struct capture_row *row = &t->row[i];

                snprintf(row->name, sizeof row->name, "%s", info->pad_name[row->pad]);
        }
}

/* What the user names must show in so many samples; a capture board reads frames itself. */
static bool check_protocol(const struct capture_job *job, const struct capture *source)
{
        enum motor_protocol p = job->pad.protocol;

        if (p == MOTOR_UNKNOWN || job->source.kind == CAPTURE_BOARD ||
            capture_guess_readable(p, source->tick_hz))
                return true;
        return terminal_complain(
                "capture", "--protocol %s: needs %g MHz or more, %s has %.6g MHz",
                motor_protocol_name(p), motor_protocol_clean_hz(p) * 1e-6, source->name,
                source->tick_hz * 1e-6);
}

/* Said before any device is looked for. */
static bool check_rate(const struct capture_job *job)
{
        double nearest_hz, hz = job->source.rate_hz;
        uint8_t ignored[3];

        if (job->source.kind != CAPTURE_FX2 || hz == 0.0 ||
            fx2lafw_start_encode(ignored, hz, &nearest_hz))
                return true;
        fprintf(stderr,
                "hilrig capture: --rate: must be " FX2LAFW_RATES
                ", is %.10g Hz; the nearest is %.10g\n",
                hz, nearest_hz);
        return false;
}

static bool asks(const struct capture_job *job)
{
        return job->pad.protocol != MOTOR_UNKNOWN;
}

static bool open_all(struct work *w)
{
        const struct capture_job *job = w->job;
        struct motor_pad_params pad = job->pad;
        struct sr_info info = { 0 };
        struct link_error why;
        uint8_t all, recorded, mask;

        if (!check_rate(job))
                return false;
        w->source = capture_open(&job->source, &why);
        if (w->source == NULL)
                return fail(why.text) == 0;
        if (w->source->note[0] != '\0')
                terminal_complain("capture", "%s: %s", w->source->name, w->source->note);
        all = (uint8_t)((1U << w->source->pads) - 1);
        recorded = read_names(job, &info);
        mask = job->mask != 0 ? job->mask : all & recorded;
        if (mask & ~all)
                return terminal_complain("capture", "--pads: %s has pads 0 to %d",
                                         w->source->name, w->source->pads - 1);
        if (!check_protocol(job, w->source))
                return false;
        pad.tick_hz = w->source->tick_hz;
        capture_words_init(&w->words, &pad, mask);
        capture_guess_init(&w->guess, &pad);
        capture_table_init(&w->table, w->source, mask, pad.protocol);
        w->table.board = job->source.kind == CAPTURE_BOARD;
        info.rate_hz = w->source->tick_hz;
        info.pads = w->source->pads;
        name_rows(&w->table, &info);
        if (job->record == NULL)
                return true;
        w->recorder = capture_recorder_start(job->record, &info, &why);
        return w->recorder != NULL || fail(why.text) == 0;
}

static void update_table(struct work *w)
{
        capture_table_update(&w->table, w->source, &w->words,
                             asks(w->job) ? &w->guess : NULL);
}

static void update(struct work *w)
{
        int64_t now = clock_now_ns();

        if (now - w->updated_ns < UPDATE_NS)
                return;
        w->updated_ns = now;
        if (w->source->live && now - w->block_ns > STILL_NS)
                w->table.still_s = (double)(now - w->block_ns) * 1e-9;
        update_table(w);
        (void)capture_live_set(w->live, &w->table);
}

static void take_words(struct work *w, const struct capture_block *block)
{
        struct motor_word word;

        capture_words_block(&w->words, block);
        while (capture_words_next(&w->words, &word)) {
                capture_table_take(&w->table, &word);
                if (!w->job->words)
                        continue;
                if (w->job->json)
                        capture_word_print_json(stdout, &word, w->source->tick_hz);
                else
                        capture_word_print(stdout, &word, w->source->tick_hz);
        }
        if (asks(w->job))
                capture_guess_block(&w->guess, &w->words, block);
}

/* Samples from behind the time that was asked for are left out: a recording is as long as it should be. */
static void cut(const struct work *w, struct capture_block *block)
{
        int64_t first = w->table.begun ? w->table.first_tick : block->first_tick, end;

        if (w->job->seconds <= 0.0 || block->samples == NULL)
                return;
        end = first + llround(fmin(w->job->seconds * w->source->tick_hz, 4e18));
        if (block->until_tick <= end)
                return;
        if (block->first_tick > end)
                block->first_tick = end;
        block->count = (size_t)(end - block->first_tick);
        block->until_tick = end;
}

/* False: the recording failed. */
static bool take_block(struct work *w, struct capture_block *block)
{
        int64_t now = clock_now_ns();

        if (w->source->live && w->table.begun && now - w->block_ns > STILL_NS)
                w->table.stood_s += (double)(now - w->block_ns) * 1e-9;
        w->block_ns = now;
        cut(w, block);
        capture_table_block(&w->table, block);
        if (w->recorder != NULL &&
            !capture_recorder_put(w->recorder, block, !w->source->live))
                return false;
        take_words(w, block);
        return true;
}

#define PATIENCE_S 3.0

/* A device that shows nothing has no time of its own. */
static bool is_over(const struct work *w)
{
        double host_s = (double)(clock_now_ns() - w->begun_ns) * 1e-9;

        return w->job->seconds > 0.0 &&
               (w->table.time_s >= w->job->seconds ||
                (w->source->live && host_s >= w->job->seconds + PATIENCE_S));
}

/* Nobody reads what is printed: as if it had been stopped. */
static bool is_unread(const struct work *w)
{
        return capture_live_failed(w->live) ||
               (w->job->words && w->live == NULL && ferror(stdout) != 0);
}

static int read_to_the_end(struct work *w)
{
        struct capture_block block;
        int result;

        w->begun_ns = w->block_ns = clock_now_ns();
        while (!stop_signals_came(w->stop_fd) && !is_over(w) && !is_unread(w)) {
                result = capture_read(w->source, READ_NS, &block);
                if (result == CAPTURE_END)
                        return 0;
                if (result == CAPTURE_GONE) {
                        terminal_complain("capture", "%s: %s after %.3f s",
                                          w->source->name, last_words(w->source),
                                          w->table.time_s);
                        return 2;
                }
                if (result == 1 && !take_block(w, &block))
                        return 2;
                update(w);
        }
        return 0;
}

struct recorded {
        bool ok;
        struct capture_recorded done;
        struct link_error why;
};

/* What is said when the table stands. */
static int tell_recording(const struct work *w, const struct recorded *r)
{
        struct capture_recorded done = r->done;

        if (!r->ok) {
                terminal_complain("capture", "%s; what was written: %s.part", r->why.text,
                                  w->job->record);
                return 2;
        }
        terminal_complain("capture", "%s: %llu samples, %.3f s", w->job->record,
                          (unsigned long long)done.samples,
                          (double)done.samples / w->source->tick_hz);
        if (done.lost == 0 && done.gaps == 0)
                return 0;
        terminal_complain("capture",
                          "%s: %llu gaps, filled with %.6f s of the levels before them; "
                          "%llu samples lost to a slow disk",
                          w->job->record, (unsigned long long)done.gaps,
                          (double)done.filled_ticks / w->source->tick_hz,
                          (unsigned long long)done.lost);
        return 3;
}

static int print_end(struct work *w)
{
        /* As long as it takes: nothing is drawn over it. */
        struct capture_view view = capture_view_of(stdout);
        bool spoke = false, ok = true;

        view.rows = 0;
        update_table(w);
        if (w->job->json)
                ok = capture_table_print_json(stdout, &w->table);
        else
                capture_table_print(stdout, &w->table, &view);
        if (fflush(stdout) != 0 || !ok)
                return fail("could not be printed");
        for (int i = 0; i < w->table.rows; i++)
                spoke |= w->table.row[i].counts.recognitions > 0;
        return spoke ? 0 : 1;
}

static int worse(int a, int b)
{
        static const int rank[] = { [0] = 0, [1] = 1, [2] = 3, [3] = 2 };

        return rank[a] >= rank[b] ? a : b;
}

int capture_run(struct capture_job *job)
{
        struct work *w = calloc(1, sizeof *w);
        struct recorded recorded = { 0 };
        int status = 2;

        if (w == NULL)
                return fail("out of memory");
        w->job = job;
        w->stop_fd = stop_signals_open();
        if (open_all(w)) {
                if (w->source->live)
                        w->live = capture_live_start(stdout,
                                                     job->json ? CAPTURE_LIVE_JSON
                                                               : CAPTURE_LIVE_TABLE);
                status = read_to_the_end(w);
                /* First: a terminal that stands still would hold it up. */
                if (w->recorder != NULL)
                        recorded.ok = capture_recorder_finish(w->recorder, &recorded.done,
                                                              &recorded.why);
                capture_live_stop(w->live);
                status = worse(status, print_end(w));
                status = worse(status, w->source->unfinished ? 3 : 0);
                if (w->recorder != NULL)
                        status = worse(status, tell_recording(w, &recorded));
        }
        if (w->source != NULL)
                capture_close(w->source);
        close(w->stop_fd);
        free(w);
        return status;
}
