#include "hil/latency/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "hil/record/topics.h"
#include "hil/text/files.h"

#define SLACK       0.05 /* of a period, in what a tick's times say */
#define ON_ITS_SIDE 0.5 /* cosine of its tilt */
#define AGE_MAX     1024 /* frames back that an answer can be to */

/* The log's times are rounded down to a microsecond, the ticks are whole periods. */
static int64_t tick_of(const struct latency_log *log, uint64_t t_us)
{
        int64_t period_ns = log->run->config->period_ns;

        if (t_us > (uint64_t)INT64_MAX / 2000)
                return INT64_MAX / period_ns;
        return ((int64_t)t_us * 1000 + period_ns - 1) / period_ns;
}

static void note_event(struct latency_log *log, const struct event_record *e,
                       const struct ulog_record *r)
{
        if (log->fired_ns < 0 && e->kind == EVENT_STEP && e->step == log->run->step)
                log->fired_ns = tick_of(log, r->t_us) * log->run->config->period_ns;
}

static struct latency_tick *tick_at(struct latency_log *log, uint64_t t_us)
{
        int64_t n = tick_of(log, t_us) - log->fired_ns / log->run->config->period_ns;

        return n >= 0 && n < log->run->ticks ? &log->tick[n] : NULL;
}

/* The frame that was answered is the newest that lets the answer have come before this tick. */
static void find_answered(struct latency_log *log, struct latency_tick *t, double loop_s)
{
        double slack_s = SLACK * log->run->period_s;
        int newest = (int)(t - log->tick) - 1;

        for (int n = newest; n >= 0 && n > newest - AGE_MAX; n--) {
                double answer_s = log->tick[n].frame.sent_s + loop_s;

                if (!(answer_s <= t->wake_s + slack_s))
                        continue;
                t->frame.answer_s = answer_s;
                t->frame.answers = n;
                return;
        }
}

static void note_tick(struct latency_log *log, const struct tick_record *tick,
                      struct latency_tick *t)
{
        double host_s;

        t->fell |= tick->contact;
        t->duty = answer_torque(&log->axes, log->run->axis, tick->command.duty);
        if (!log->run->realtime) {
                t->wake_s = t->frame.due_s;
                t->frame.sent_s = tick->frame_sent ? t->frame.due_s : NAN;
                /* The command of a period is the answer to the frame at its beginning. */
                if (t > log->tick && !isnan(t[-1].frame.sent_s)) {
                        t->frame.answer_s = t[-1].frame.due_s;
                        t->frame.answers = (int)(t - log->tick) - 1;
                }
                return;
        }
        t->wake_s = t->frame.due_s + 1e-9 * tick->lateness_ns;
        host_s = t->wake_s + 1e-9 * tick->compute_ns;
        t->frame.sent_s = tick->frame_sent && !tick->missed ? host_s : NAN;
        if (tick->loop_ns > 0)
                find_answered(log, t, 1e-9 * tick->loop_ns);
}

/* When the pads that drive the vehicle showed the newest command, in real time. One that is silent shows none. */
static void note_pads(struct latency_log *log, const struct topic_pads *pads,
                      struct latency_tick *t)
{
        const struct pads_config *of = &log->run->config->vehicle[log->run->vehicle].pads;

        if (!of->used || !of->drives || !log->run->realtime)
                return;
        log->pads++;
        for (int i = 0; i < of->rotors; i++)
                if (pads->age_s[i] >= 0.0 &&
                    pads->age_s[i] < 1e-9 * (double)of->silence_ns)
                        t->pad_age_s = fmin(pads->age_s[i], t->pad_age_s);
}

static bool note_record(struct latency_log *log, int topic, const struct ulog_record *r,
                        const struct topic_record *in)
{
        const struct vec3 down = { 0.0, 0.0, 1.0 };
        struct latency_tick *t = tick_at(log, r->t_us);

        if (topic == TOPIC_TIMESYNC)
                return latency_add(&log->run->link,
                                   1e-6 * (double)in->sync.round_trip_us);
        if (topic == TOPIC_TICK && t != NULL)
                note_tick(log, &in->tick, t);
        if (topic == TOPIC_PADS && t != NULL)
                note_pads(log, &in->pads, t);
        if (topic == TOPIC_ATTITUDE_TRUTH && t != NULL)
                t->fell |=
                        quat_rotate(in->pose.state.q_body_to_ned, down).z < ON_ITS_SIDE;
        if (topic == TOPIC_RATE && t != NULL) {
                const struct vec3 *rate = &in->tick.frame.imu.gyro_body_radps;

                t->gyro_radps = (&rate->x)[log->run->axis];
                log->gyros++;
        }
        return true;
}

static bool refuse_log(struct latency_log *log, const char *why)
{
        char text[120];

        snprintf(text, sizeof text, "run.ulg %s", why);
        return latency_refuse_run(log->run, text);
}

/* `events`: only looks when the stimulus began. */
static bool read_log(struct latency_log *log, bool events)
{
        bool readable, ok = true;
        struct topic_reader *reader = topic_reader_open(log->bytes, log->len, &readable);
        const struct topic_source *source;
        struct topic_record in;
        struct ulog_record r;

        while (ok && readable && topic_reader_next(reader, &r, &source)) {
                if (source == NULL || source->unread ||
                    source->vehicle != log->run->vehicle)
                        continue;
                topic_decode(source, r.data, &in);
                if (!events)
                        ok = note_record(log, source->topic, &r, &in);
                else if (source->topic == TOPIC_EVENT)
                        note_event(log, &in.event, &r);
        }
        free(reader);
        if (!readable)
                return refuse_log(log, topic_reader_refusal(log->bytes, log->len));
        return ok || latency_refuse_run(log->run, "out of memory");
}

static bool make_ticks(struct latency_log *log)
{
        struct latency_run *run = log->run;
        int64_t ticks = run->stimulus.for_ns / run->config->period_ns;
        int64_t left = (run->config->scenario.duration_ns - log->fired_ns) /
                       run->config->period_ns;

        ticks = left < ticks ? left : ticks;
        if (ticks < 2)
                return latency_refuse_run(run, "its stimulus has no time");
        if (ticks > LATENCY_TICKS_MAX)
                return latency_refuse_run(run, "its stimulus lasts more than 20000000 "
                                               "periods");
        run->ticks = (int)ticks;
        log->tick = calloc((size_t)run->ticks, sizeof *log->tick);
        if (log->tick == NULL)
                return latency_refuse_run(run, "out of memory");
        for (int i = 0; i < run->ticks; i++)
                log->tick[i] = (struct latency_tick){
                        .frame = { i * run->period_s, NAN, NAN, -1 },
                        .wake_s = i * run->period_s,
                        .duty = NAN,
                        .gyro_radps = NAN,
                        .pad_age_s = NAN,
                };
        return true;
}

bool latency_log_open(struct latency_log *log, struct latency_run *run)
{
        char path[1024];
        const char *why;

        *log = (struct latency_log){ .run = run, .fired_ns = -1 };
        answer_weigh_rotors(&log->axes, &run->config->vehicle[run->vehicle].params);
        snprintf(path, sizeof path, "%s/run.ulg", run->folder);
        log->bytes = mapped_file_open(path, &log->len, &why);
        return log->bytes != NULL || refuse_log(log, why);
}

bool latency_log_find_begin(struct latency_log *log)
{
        const struct rig_config *config = log->run->config;
        const struct scenario_step *step = &config->scenario.step[log->run->step];
        int64_t period_ns = config->period_ns;

        if (!read_log(log, true))
                return false;
        if (log->fired_ns < 0 && step->trigger == TRIGGER_TIME)
                log->fired_ns = (step->t_ns + period_ns - 1) / period_ns * period_ns;
        return true;
}

bool latency_log_read(struct latency_log *log)
{
        struct latency_run *run = log->run;

        if (!make_ticks(log) || !read_log(log, false))
                return false;
        /* A log may have been cut short, a run ended early. */
        while (run->ticks > 0 && isnan(log->tick[run->ticks - 1].duty))
                run->ticks--;
        return run->ticks > 1 ||
               latency_refuse_run(run, "its log ends where its stimulus began");
}

void latency_log_close(struct latency_log *log)
{
        mapped_file_close(log->bytes, log->len);
        free(log->tick);
        log->bytes = NULL;
        log->tick = NULL;
}
