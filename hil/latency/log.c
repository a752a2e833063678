#include "hil/latency/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/record/record.h"
#include "hil/text/files.h"
#include "io/le.h"
#include "io/log/ulog.h"

#define TICKS_MAX 20000000 /* 5.5 hours at 1 kHz */
#define SLACK     0.05 /* of a period, in what a tick's times say */
#define AGE_MAX   1024 /* frames back that an answer can be to */

static bool refuse(struct latency_run *run, const char *what)
{
        snprintf(run->why, sizeof run->why, "%s: %s", run->folder, what);
        return false;
}

static bool map_log(struct latency_log *log)
{
        char path[1024];

        snprintf(path, sizeof path, "%s/run.ulg", log->run->folder);
        log->bytes = mapped_file_open(path, &log->len);
        return log->bytes != NULL || refuse(log->run, "run.ulg cannot be read");
}

/* What the axis's torque is made of: arms, or the rotors' spin, as a share of the largest. */
static void weigh_rotors(struct latency_log *log)
{
        const struct vehicle_params *p =
                &log->run->config->vehicle[log->run->vehicle].params;
        double most = 0.0;

        for (int i = 0; i < p->rotors; i++) {
                const struct rotor_params *r = &p->rotor[i];
                const double of[3] = { -r->pos_body_m.y, r->pos_body_m.x, -r->spin };

                log->weight[i] = of[log->run->axis];
                most = fmax(most, fabs(log->weight[i]));
        }
        for (int i = 0; i < p->rotors && most > 0.0; i++)
                log->weight[i] /= most;
}

static const char *topic_name(const struct ulog_reader *u, int topic)
{
        return u->format[u->topic[topic].format].name;
}

static bool field(const struct ulog_reader *u, const struct ulog_record *r,
                  const char *name, const char *type, const uint8_t **at)
{
        size_t offset;

        if (!ulog_field(u, r->topic, name, type, &offset))
                return false;
        *at = r->data + offset;
        return true;
}

/* The log's times are rounded down to a microsecond, the ticks are whole periods. */
static int64_t tick_of(const struct latency_log *log, uint64_t t_us)
{
        int64_t period_ns = log->run->config->period_ns;

        if (t_us > (uint64_t)INT64_MAX / 2000)
                return INT64_MAX / period_ns;
        return ((int64_t)t_us * 1000 + period_ns - 1) / period_ns;
}

static void take_event(struct latency_log *log, const struct ulog_reader *u,
                       const struct ulog_record *r)
{
        const uint8_t *kind, *step;

        if (log->fired_ns < 0 && field(u, r, "kind", "uint8_t", &kind) &&
            field(u, r, "step", "int32_t", &step) && *kind == EVENT_STEP &&
            (int32_t)le_get_u32(step) == log->run->step)
                log->fired_ns = tick_of(log, r->t_us) * log->run->config->period_ns;
}

static struct latency_tick *tick_at(struct latency_log *log, uint64_t t_us)
{
        int64_t n = tick_of(log, t_us) - log->fired_ns / log->run->config->period_ns;

        return n >= 0 && n < log->run->ticks ? &log->tick[n] : NULL;
}

static int32_t get_i32(const uint8_t *p)
{
        return (int32_t)le_get_u32(p);
}

static double get_f32(const uint8_t *p)
{
        float f;

        memcpy(&f, p, sizeof f);
        return (double)f;
}

static double project(const struct latency_log *log, const uint8_t *duty)
{
        double sum = 0.0, d;

        for (int i = 0; i < ROTORS_MAX; i++) {
                memcpy(&d, duty + 8 * i, sizeof d);
                sum += log->weight[i] * d;
        }
        return sum;
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

static void take_tick(struct latency_log *log, const struct ulog_reader *u,
                      const struct ulog_record *r)
{
        const uint8_t *duty, *late, *compute, *loop, *sent, *missed;
        struct latency_tick *t = tick_at(log, r->t_us);
        double host_s;

        if (t == NULL || !field(u, r, "duty", "double[8]", &duty) ||
            !field(u, r, "lateness_ns", "int32_t", &late) ||
            !field(u, r, "compute_ns", "int32_t", &compute) ||
            !field(u, r, "loop_ns", "int32_t", &loop) ||
            !field(u, r, "frame_sent", "uint8_t", &sent) ||
            !field(u, r, "missed", "uint8_t", &missed))
                return;
        t->duty = project(log, duty);
        if (!log->run->realtime) {
                t->wake_s = t->frame.due_s;
                t->frame.sent_s = *sent ? t->frame.due_s : NAN;
                /* The command of a period is the answer to the frame at its beginning. */
                if (t > log->tick && !isnan(t[-1].frame.sent_s)) {
                        t->frame.answer_s = t[-1].frame.due_s;
                        t->frame.answers = (int)(t - log->tick) - 1;
                }
                return;
        }
        t->wake_s = t->frame.due_s + 1e-9 * get_i32(late);
        host_s = t->wake_s + 1e-9 * get_i32(compute);
        t->frame.sent_s = *sent && !*missed ? host_s : NAN;
        if (get_i32(loop) > 0)
                find_answered(log, t, 1e-9 * get_i32(loop));
}

static void take_rate(struct latency_log *log, const struct ulog_reader *u,
                      const struct ulog_record *r)
{
        struct latency_tick *t = tick_at(log, r->t_us);
        const uint8_t *xyz;

        if (t == NULL || !field(u, r, "xyz", "float[3]", &xyz))
                return;
        t->gyro_radps = get_f32(xyz + 4 * log->run->axis);
        log->gyros++;
}

static bool take(struct latency_log *log, const struct ulog_reader *u,
                 const struct ulog_record *r)
{
        const char *name = topic_name(u, r->topic);
        const uint8_t *trip;

        if (strcmp(name, "hilrig_tick") == 0)
                take_tick(log, u, r);
        else if (strcmp(name, "vehicle_angular_velocity") == 0)
                take_rate(log, u, r);
        else if (strcmp(name, "timesync_status") == 0 &&
                 field(u, r, "round_trip_time", "uint32_t", &trip))
                return latency_add(&log->run->link, 1e-6 * le_get_u32(trip));
        return true;
}

/* `events`: only looks when the stimulus began. */
static bool read_log(struct latency_log *log, bool events)
{
        struct ulog_reader *u = calloc(1, sizeof *u);
        struct ulog_record r;
        bool ok = u != NULL && ulog_open(u, log->bytes, log->len);

        if (!ok) {
                free(u);
                return refuse(log->run, "run.ulg is not a ULog file");
        }
        while (ok && ulog_next(u, &r)) {
                if (r.type != 'D' || u->topic[r.topic].instance != log->run->vehicle)
                        continue;
                if (!events)
                        ok = take(log, u, &r);
                else if (strcmp(topic_name(u, r.topic), "hilrig_event") == 0)
                        take_event(log, u, &r);
        }
        free(u);
        return ok || refuse(log->run, "out of memory");
}

static bool make_ticks(struct latency_log *log)
{
        struct latency_run *run = log->run;
        int64_t ticks = run->stimulus.for_ns / run->config->period_ns;
        int64_t left = (run->config->scenario.duration_ns - log->fired_ns) /
                       run->config->period_ns;

        ticks = left < ticks ? left : ticks;
        if (ticks < 2)
                return refuse(run, "its stimulus has no time");
        run->ticks = (int)(ticks < TICKS_MAX ? ticks : TICKS_MAX);
        log->tick = calloc((size_t)run->ticks, sizeof *log->tick);
        if (log->tick == NULL)
                return refuse(run, "out of memory");
        for (int i = 0; i < run->ticks; i++)
                log->tick[i] = (struct latency_tick){
                        .frame = { i * run->period_s, NAN, NAN, -1 },
                        .wake_s = i * run->period_s,
                        .duty = NAN,
                        .gyro_radps = NAN,
                };
        return true;
}

bool latency_log_open(struct latency_log *log, struct latency_run *run)
{
        *log = (struct latency_log){ .run = run, .fired_ns = -1 };
        weigh_rotors(log);
        return map_log(log);
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
        return log->fired_ns >= 0 || refuse(log->run, "its stimulus never began");
}

bool latency_log_read(struct latency_log *log)
{
        struct latency_run *run = log->run;

        if (!make_ticks(log) || !read_log(log, false))
                return false;
        /* A log may have been cut short, a run ended early. */
        while (run->ticks > 0 && isnan(log->tick[run->ticks - 1].duty))
                run->ticks--;
        return run->ticks > 1 || refuse(run, "its log ends where its stimulus began");
}

void latency_log_close(struct latency_log *log)
{
        mapped_file_close(log->bytes, log->len);
        free(log->tick);
        log->bytes = NULL;
        log->tick = NULL;
}
