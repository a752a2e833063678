/* Reads a run folder for its latency. The log's bytes may be any. */
#include "hil/latency_run.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hil/json.h"
#include "hil/record.h"
#include "io/le.h"
#include "io/ulog.h"

#define TICKS_MAX   20000000 /* 5.5 hours at 1 kHz */
#define SLACK       0.05 /* of a period, in what a tick's times say */
#define BITS_A_BYTE 10 /* on a serial line: 8 and a start and a stop bit */

/* One tick as the log has it. */
struct tick {
        struct latency_frame frame;
        double wake_s, duty, gyro_radps; /* NAN: not in the log */
};

struct log {
        struct latency_run *run;
        const uint8_t *bytes;
        size_t len;
        int64_t fired_ns; /* when the stimulus began; -1: not known */
        struct tick *tick;
        int gyros;
        double weight[ROTORS_MAX]; /* of each rotor's duty */
};

static bool refuse(struct latency_run *run, const char *what)
{
        snprintf(run->why, sizeof run->why, "%s: %s", run->folder, what);
        return false;
}

static bool map_log(struct log *log)
{
        char path[1024];
        struct stat st;
        int fd;

        snprintf(path, sizeof path, "%s/run.ulg", log->run->folder);
        fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0) {
                void *map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);

                if (map != MAP_FAILED) {
                        log->bytes = map;
                        log->len = (size_t)st.st_size;
                }
        }
        if (fd >= 0)
                close(fd);
        return log->bytes != NULL || refuse(log->run, "run.ulg cannot be read");
}

static bool is_stimulus(const struct scenario_step *step, int vehicle)
{
        return step->action == ACTION_STIMULUS && step->stimulus.input == STIMULUS_GYRO &&
               (step->stimulus.shape == STIMULUS_PRBS ||
                step->stimulus.shape == STIMULUS_CHIRP) &&
               (step->vehicle < 0 || step->vehicle == vehicle);
}

/* What the axis's torque is made of: arms, or the rotors' spin, as a share of the largest. */
static void weigh_rotors(struct log *log)
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

/* A sequence repeats itself; a chirp is looked at in sixteen overlapping parts. */
static double repeat_of(const struct stimulus *s)
{
        if (s->shape == STIMULUS_PRBS)
                return (double)((1 << s->bits) - 1) * (double)s->chip_ns * 1e-9;
        return (double)s->for_ns * 1e-9 / 8.0;
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
                return refuse(run, "has no vehicle of that index");
        run->period_s = (double)run->config->period_ns * 1e-9;
        run->realtime = run->config->pace == PACE_REALTIME;
        for (run->step = 0; run->step < s->steps; run->step++) {
                if (!is_stimulus(&s->step[run->step], run->vehicle))
                        continue;
                run->stimulus = s->step[run->step].stimulus;
                run->axis = run->stimulus.index;
                run->repeat_s = repeat_of(&run->stimulus);
                return true;
        }
        return refuse(run, "its scenario has no pseudo-random sequence or chirp on the "
                           "gyroscope of that vehicle");
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
static int64_t tick_of(const struct log *log, uint64_t t_us)
{
        int64_t period_ns = log->run->config->period_ns;

        if (t_us > (uint64_t)INT64_MAX / 2000)
                return INT64_MAX / period_ns;
        return ((int64_t)t_us * 1000 + period_ns - 1) / period_ns;
}

static void take_event(struct log *log, const struct ulog_reader *u,
                       const struct ulog_record *r)
{
        const uint8_t *kind, *step;

        if (log->fired_ns < 0 && field(u, r, "kind", "uint8_t", &kind) &&
            field(u, r, "obstacle", "int32_t", &step) && *kind == EVENT_STEP &&
            (int32_t)le_get_u32(step) == log->run->step)
                log->fired_ns = tick_of(log, r->t_us) * log->run->config->period_ns;
}

static struct tick *tick_at(struct log *log, uint64_t t_us)
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

static double project(const struct log *log, const uint8_t *duty)
{
        double sum = 0.0, d;

        for (int i = 0; i < ROTORS_MAX; i++) {
                memcpy(&d, duty + 8 * i, sizeof d);
                sum += log->weight[i] * d;
        }
        return sum;
}

/* The frame that was answered is the newest that lets the answer have come before this tick. */
static void find_answered(struct log *log, struct tick *t, double loop_s)
{
        double slack_s = SLACK * log->run->period_s;

        for (int n = (int)(t - log->tick) - 1; n >= 0; n--) {
                double answer_s = log->tick[n].frame.sent_s + loop_s;

                if (!(answer_s <= t->wake_s + slack_s))
                        continue;
                t->frame.answer_s = answer_s;
                t->frame.answers = n;
                return;
        }
}

static void take_tick(struct log *log, const struct ulog_reader *u,
                      const struct ulog_record *r)
{
        const uint8_t *duty, *late, *compute, *loop, *sent, *missed;
        struct tick *t = tick_at(log, r->t_us);
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

static void take_rate(struct log *log, const struct ulog_reader *u,
                      const struct ulog_record *r)
{
        struct tick *t = tick_at(log, r->t_us);
        const uint8_t *xyz;

        if (t == NULL || !field(u, r, "xyz", "float[3]", &xyz))
                return;
        t->gyro_radps = get_f32(xyz + 4 * log->run->axis);
        log->gyros++;
}

static bool take(struct log *log, const struct ulog_reader *u,
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
static bool read_log(struct log *log, bool events)
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

static bool make_ticks(struct log *log)
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
                log->tick[i] = (struct tick){
                        .frame = { i * run->period_s, NAN, NAN, -1 },
                        .wake_s = i * run->period_s,
                        .duty = NAN,
                        .gyro_radps = NAN,
                };
        return true;
}

/* A gyroscope slower than the rig has news at some ticks only, and so has the stimulus on it. */
static double gyros_expected(const struct latency_run *run)
{
        const struct sensors_params *s =
                &run->config->vehicle[run->vehicle].params.sensors;
        double imu_s = (double)s->imu.schedule.period_ns * 1e-9;

        return run->ticks * fmin(1.0, run->period_s / imu_s);
}

static bool make_waves(struct log *log)
{
        struct latency_run *run = log->run;
        bool ok = true;

        run->u_recorded = log->gyros >= 0.98 * gyros_expected(run);
        for (int i = 0; ok && i < run->ticks; i++) {
                const struct tick *t = &log->tick[i];
                double r = stimulus_value(&run->stimulus, i * run->config->period_ns);
                double since_s = isnan(t->frame.answer_s) ? t->wake_s : t->frame.answer_s;
                bool news = !isnan(t->frame.sent_s) &&
                            !(run->u_recorded && isnan(t->gyro_radps));

                run->missed += isnan(t->frame.sent_s);
                if (news)
                        ok = wave_add(&run->r, t->frame.sent_s, r) &&
                             wave_add(&run->u, t->frame.sent_s,
                                      run->u_recorded ? t->gyro_radps : r);
                if (ok && !isnan(t->duty))
                        ok = wave_add(&run->y, since_s, t->duty);
                if (ok && run->realtime)
                        ok = latency_add(&run->wake, t->wake_s - t->frame.due_s) &&
                             latency_add(&run->host, t->frame.sent_s - t->frame.due_s);
                run->frame[i] = t->frame;
        }
        return ok || refuse(run, "out of memory");
}

/* A serial line's speed gives its share exactly; other links have none that is known. */
static void find_line_time(struct latency_run *run)
{
        const struct link_spec *link = &run->config->vehicle[run->vehicle].fc.link[0];
        char path[1024];
        size_t len;
        struct config_error error;
        struct json_error why;
        char *text;
        struct json *root;
        uint64_t frames, to, from;

        if (link->kind != LINK_UART || link->baud == 0)
                return;
        snprintf(path, sizeof path, "%s/summary.json", run->folder);
        text = config_load_text(path, &len, &error);
        root = text != NULL ? json_parse(text, len, path, &why) : NULL;
        if (json_u64(root, "link.frames_sent", &frames) && frames > 0 &&
            json_u64(root, "link.bytes_sent", &to) &&
            json_u64(root, "link.bytes_received", &from)) {
                double byte_s = (double)BITS_A_BYTE / link->baud;

                run->bytes_to_fc_s = byte_s * (double)to / (double)frames;
                run->bytes_from_fc_s = byte_s * (double)from / (double)frames;
        }
        json_free(root);
        free(text);
}

static bool read_run(struct latency_run *run, struct log *log)
{
        const struct scenario_step *step;

        if (!read_config(run) || !map_log(log))
                return false;
        weigh_rotors(log);
        if (!read_log(log, true))
                return false;
        step = &run->config->scenario.step[run->step];
        if (log->fired_ns < 0 && step->trigger == TRIGGER_TIME)
                log->fired_ns = (step->t_ns + run->config->period_ns - 1) /
                                run->config->period_ns * run->config->period_ns;
        if (log->fired_ns < 0)
                return refuse(run, "its stimulus never began");
        if (!make_ticks(log))
                return false;
        run->frame = calloc((size_t)run->ticks, sizeof *run->frame);
        if (run->frame == NULL)
                return refuse(run, "out of memory");
        if (!read_log(log, false) || !make_waves(log))
                return false;
        find_line_time(run);
        return true;
}

bool latency_run_open(struct latency_run *run, const char *folder, int vehicle)
{
        struct log log = { .run = run, .fired_ns = -1 };
        bool ok;

        *run = (struct latency_run){ .folder = folder, .vehicle = vehicle };
        run->config = calloc(1, sizeof *run->config);
        if (run->config == NULL)
                return refuse(run, "out of memory");
        ok = read_run(run, &log);
        if (log.bytes != NULL)
                munmap((void *)(uintptr_t)log.bytes, log.len);
        free(log.tick);
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
