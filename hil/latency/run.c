/* Reads a run folder for its latency. */
#include "hil/latency/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/judge/verdict.h"
#include "hil/text/json.h"

#define BITS_A_BYTE 10 /* on a serial line: 8 and a start and a stop bit */

bool latency_refuse_run(struct latency_run *run, const char *what)
{
        snprintf(run->why, sizeof run->why, "%s: %s", run->folder, what);
        return false;
}

static bool is_stimulus(const struct scenario_step *step, int vehicle)
{
        return (answer_is_to(step, STIMULUS_PRBS) ||
                answer_is_to(step, STIMULUS_CHIRP)) &&
               scenario_step_is_for(step, vehicle);
}

/* A sequence repeats itself; a chirp is looked at in overlapping parts. */
static double repeat_of(const struct stimulus *s)
{
        if (s->shape == STIMULUS_PRBS)
                return answer_repeat_s(s->bits, s->chip_ns);
        return (double)s->for_ns * 1e-9 / 16.0;
}

/* As the steps above the stimulus left it. */
static bool is_held(const struct scenario *s, int stimulus, int vehicle)
{
        bool held = false;

        for (int i = 0; i <= stimulus; i++)
                if (scenario_step_is_for(&s->step[i], vehicle) &&
                    s->step[i].jig != JIG_AS_BEFORE)
                        held = s->step[i].jig == JIG_HOLD;
        return held;
}

static bool read_config(struct latency_run *run)
{
        const struct scenario *s = &run->config->scenario;
        struct config_error error;
        char path[1024];

        snprintf(path, sizeof path, "%s/config.json", run->folder);
        if (!config_read(run->config, path, NULL, NULL, &error)) {
                snprintf(run->why, sizeof run->why, "%s", error.text);
                return false;
        }
        if (run->vehicle >= run->config->vehicles)
                return latency_refuse_run(run, "has no vehicle of that index");
        run->period_s = (double)run->config->period_ns * 1e-9;
        run->realtime = run->config->pace == PACE_REALTIME;
        for (run->step = 0; run->step < s->steps; run->step++) {
                if (!is_stimulus(&s->step[run->step], run->vehicle))
                        continue;
                run->stimulus = s->step[run->step].stimulus;
                run->axis = run->stimulus.index;
                run->repeat_s = repeat_of(&run->stimulus);
                run->held = is_held(s, run->step, run->vehicle);
                return true;
        }
        return latency_refuse_run(
                run, "its scenario has no pseudo-random sequence or chirp on the "
                     "gyroscope of that vehicle");
}

/* A gyroscope slower than the rig has news at some ticks only, and so has the stimulus on it. */
static double gyros_expected(const struct latency_run *run)
{
        const struct sensors_params *s =
                &run->config->vehicle[run->vehicle].params.sensors;
        double imu_s = (double)s->imu.schedule.period_ns * 1e-9;

        return run->ticks * fmin(1.0, run->period_s / imu_s);
}

/* Of the ticks; a log that is thinner is thinned. */
#define RECORDED 0.98

/* A command counts from when a pad showed it, or its answer came, or else from its tick; not before the one before. */
static double since_s(const struct latency_tick *t, const struct wave *y, bool by_pads)
{
        double s = isnan(t->frame.answer_s) ? t->wake_s : t->frame.answer_s;

        if (by_pads && !isnan(t->pad_age_s))
                s = t->wake_s - t->pad_age_s;
        return y->count > 0 ? fmax(s, y->time_s[y->count - 1]) : s;
}

static bool make_waves(struct latency_log *log)
{
        struct latency_run *run = log->run;
        bool ok = true, by_pads = log->pads >= RECORDED * run->ticks;

        run->u_recorded = log->gyros >= RECORDED * gyros_expected(run);
        for (int i = 0; ok && i < run->ticks; i++) {
                const struct latency_tick *t = &log->tick[i];
                double r = stimulus_value(&run->stimulus, i * run->config->period_ns);
                bool news = !isnan(t->frame.sent_s) &&
                            !(run->u_recorded && isnan(t->gyro_radps));

                if (news)
                        ok = wave_add(&run->r, t->frame.sent_s, r) &&
                             wave_add(&run->u, t->frame.sent_s,
                                      run->u_recorded ? t->gyro_radps : r);
                if (ok && !isnan(t->duty))
                        ok = wave_add(&run->y, since_s(t, &run->y, by_pads), t->duty);
                if (ok && run->realtime)
                        ok = latency_add(&run->wake, t->wake_s - t->frame.due_s) &&
                             latency_add(&run->host, t->frame.sent_s - t->frame.due_s);
                run->frame[i] = t->frame;
                if (isnan(run->fell_s) && t->fell)
                        run->fell_s = i * run->period_s;
        }
        run->due = latency_mark_due(run->frame, run->ticks, &run->missed);
        return ok || latency_refuse_run(run, "out of memory");
}

/* A serial line's speed gives its share exactly; other links have none that is known. */
static void find_line_time(struct latency_run *run, const struct json *summary)
{
        const struct link_spec *link = &run->config->vehicle[run->vehicle].fc.link[0];
        uint64_t frames, to, from;

        if (link->kind != LINK_UART || link->baud == 0)
                return;
        if (json_u64(summary, "link.frames_sent", &frames) && frames > 0 &&
            json_u64(summary, "link.bytes_sent", &to) &&
            json_u64(summary, "link.bytes_received", &from)) {
                double byte_s = (double)BITS_A_BYTE / link->baud;

                run->bytes_to_fc_s = byte_s * (double)to / (double)frames;
                run->bytes_from_fc_s = byte_s * (double)from / (double)frames;
        }
}

/* NULL: it has none that can be read. */
static struct json *load_summary(const struct latency_run *run)
{
        char path[1024];
        size_t len;
        struct config_error error;
        struct json_error why;
        struct json *root;
        char *text;

        snprintf(path, sizeof path, "%s/summary.json", run->folder);
        text = config_load_text(path, &len, &error);
        root = text != NULL ? json_parse(text, len, path, &why) : NULL;
        free(text);
        return root;
}

static void read_summary(struct latency_run *run)
{
        struct json *root = load_summary(run);
        const char *reason = json_string(root, "end_reason");

        find_line_time(run, root);
        run->asked_nothing = reason != NULL && strcmp(reason, NOTHING_REQUIRED) == 0;
        json_free(root);
}

static bool refuse_no_stimulus(struct latency_run *run)
{
        struct json *root = load_summary(run);
        const char *reason = json_string(root, "end_reason");
        char text[400];

        snprintf(text, sizeof text, "its stimulus never began%s%s",
                 reason != NULL ? ": " : "", reason != NULL ? reason : "");
        json_free(root);
        return latency_refuse_run(run, text);
}

static bool read_run(struct latency_run *run, struct latency_log *log)
{
        if (!read_config(run) || !latency_log_open(log, run) ||
            !latency_log_find_begin(log))
                return false;
        if (log->fired_ns < 0)
                return refuse_no_stimulus(run);
        if (!latency_log_read(log))
                return false;
        run->frame = calloc((size_t)run->ticks, sizeof *run->frame);
        if (run->frame == NULL)
                return latency_refuse_run(run, "out of memory");
        if (!make_waves(log))
                return false;
        read_summary(run);
        return true;
}

bool latency_run_open(struct latency_run *run, const char *folder, int vehicle)
{
        struct latency_log log = { 0 };
        bool ok;

        *run = (struct latency_run){ .folder = folder,
                                     .vehicle = vehicle,
                                     .fell_s = NAN };
        run->config = calloc(1, sizeof *run->config);
        if (run->config == NULL)
                return latency_refuse_run(run, "out of memory");
        ok = read_run(run, &log);
        latency_log_close(&log);
        return ok;
}

void latency_run_close(struct latency_run *run)
{
        if (run->config != NULL)
                config_free(run->config);
        free(run->config);
        free(run->frame);
        wave_free(&run->r);
        wave_free(&run->u);
        wave_free(&run->y);
        latency_free(&run->link);
        latency_free(&run->wake);
        latency_free(&run->host);
        *run = (struct latency_run){ 0 };
}
