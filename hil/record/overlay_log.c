/* run.ulg into bins, by the sources that the report reads too. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/record/overlay.h"
#include "hil/record/log_topics.h"
#include "io/le.h"

/* What a record needs to know of earlier ones. */
struct past {
        struct vec3 start_ned_m, asked_ned_m; /* the latter counts from the former */
        bool start_known, goes; /* a position is asked for */
        bool turned; /* there is an attitude in deg */
        double deg[3];
};

struct reading {
        struct overlay_run *run;
        int rotors;
        struct past past[VEHICLES_MAX];
};

static struct vec3 vec3_f32(const uint8_t *p)
{
        return (struct vec3){ (double)le_get_f32(p), (double)le_get_f32(p + 4),
                              (double)le_get_f32(p + 8) };
}

static struct quat quat_f32(const uint8_t *p)
{
        return (struct quat){ (double)le_get_f32(p), (double)le_get_f32(p + 4),
                              (double)le_get_f32(p + 8), (double)le_get_f32(p + 12) };
}

static void add_motors(struct reading *r, int vehicle, double t_s, const uint8_t *duty)
{
        double sum = 0.0;

        for (int i = 0; i < r->rotors; i++)
                sum += le_get_f64(duty + 8 * i);
        overlay_add(r->run, vehicle, OVERLAY_MOTORS, t_s, sum / r->rotors);
}

static void add_attitude(struct reading *r, int vehicle, double t_s, struct quat q)
{
        struct past *past = &r->past[vehicle];
        struct vec3 rad = quat_to_euler(q);
        const double deg[3] = { DEG_PER_RAD * rad.x, DEG_PER_RAD * rad.y,
                                DEG_PER_RAD * rad.z };

        for (int i = 0; i < 3; i++) {
                double turns =
                        past->turned ? round((past->deg[i] - deg[i]) / 360.0) : 0.0;

                if (!isfinite(deg[i]))
                        return;
                past->deg[i] = deg[i] + 360.0 * turns;
                overlay_add(r->run, vehicle, (enum overlay_quantity)(OVERLAY_ROLL + i),
                            t_s, past->deg[i]);
        }
        past->turned = true;
}

static void add_position(struct reading *r, int vehicle, double t_s, struct vec3 pos)
{
        struct past *past = &r->past[vehicle];

        if (!past->start_known)
                past->start_ned_m = pos;
        past->start_known = true;
        overlay_add(r->run, vehicle, OVERLAY_UP, t_s, -pos.z);
        if (past->goes)
                overlay_add(r->run, vehicle, OVERLAY_OFF_COURSE, t_s,
                            hypot(pos.x - past->start_ned_m.x - past->asked_ned_m.x,
                                  pos.y - past->start_ned_m.y - past->asked_ned_m.y));
}

static void add_rates(struct reading *r, int vehicle, double t_s, struct vec3 radps)
{
        overlay_add(r->run, vehicle, OVERLAY_ROLL_RATE, t_s, DEG_PER_RAD * radps.x);
        overlay_add(r->run, vehicle, OVERLAY_PITCH_RATE, t_s, DEG_PER_RAD * radps.y);
        overlay_add(r->run, vehicle, OVERLAY_YAW_RATE, t_s, DEG_PER_RAD * radps.z);
}

static void take_setpoint(struct past *past, const uint8_t *pos, uint8_t mode)
{
        past->asked_ned_m = (struct vec3){ le_get_f64(pos), le_get_f64(pos + 8),
                                           le_get_f64(pos + 16) };
        past->goes = mode == MODE_GOTO;
}

static void take_data(struct reading *r, const struct report_source *s,
                      const struct ulog_record *record)
{
        const uint8_t *data = record->data;
        double t_s = (double)record->t_us * 1e-6;

        if (t_s > r->run->last_s && t_s <= r->run->end_s)
                r->run->last_s = t_s;
        switch (s->topic) {
        case REPORT_TOPIC_TICK:
                add_motors(r, s->vehicle, t_s, data + s->offset[0]);
                break;
        case REPORT_TOPIC_ATTITUDE_TRUTH:
                add_attitude(r, s->vehicle, t_s, quat_f32(data + s->offset[0]));
                break;
        case REPORT_TOPIC_POSITION_TRUTH:
                add_position(r, s->vehicle, t_s, vec3_f32(data + s->offset[0]));
                break;
        case REPORT_TOPIC_RATE_TRUTH:
                add_rates(r, s->vehicle, t_s, vec3_f32(data + s->offset[0]));
                break;
        case REPORT_TOPIC_SETPOINT:
                take_setpoint(&r->past[s->vehicle], data + s->offset[0],
                              data[s->offset[2]]);
                break;
        default:
                break;
        }
}

static void take_rotors(struct reading *r, const struct ulog_record *record)
{
        uint64_t rotors = record->len == 8 ? le_get_u64(record->data) : 0;

        if (strcmp(record->key, "hilrig_rotors") == 0 && rotors >= 1 &&
            rotors <= ROTORS_MAX)
                r->rotors = (int)rotors;
}

bool overlay_read(struct overlay_run *run, const void *bytes, size_t len)
{
        struct report_source *source = calloc(ULOG_TOPICS_MAX, sizeof *source);
        struct ulog_reader *u = calloc(1, sizeof *u);
        struct reading r = { .run = run, .rotors = ROTORS_MAX };
        struct ulog_record record;
        bool ok = source != NULL && u != NULL;
        int known = 0;

        run->readable = ok && ulog_open(u, bytes, len);
        while (run->readable && ulog_next(u, &record)) {
                for (; known < u->topics; known++)
                        source[known] = report_source_find(u, known);
                if (record.type == 'I')
                        take_rotors(&r, &record);
                else if (record.type == 'D' && source[record.topic].topic >= 0)
                        take_data(&r, &source[record.topic], &record);
        }
        run->truncated = run->readable && u->truncated;
        free(u);
        free(source);
        return ok;
}
