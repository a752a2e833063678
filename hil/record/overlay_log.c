/* run.ulg into bins, by the topics that the recorder writes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/record/overlay.h"
#include "hil/record/topics.h"
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
        struct topic_record in;
        struct past past[VEHICLES_MAX];
};

static void add_motors(struct reading *r, int vehicle, double t_s, const double *duty)
{
        double sum = 0.0;

        for (int i = 0; i < r->rotors; i++)
                sum += duty[i];
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

static void add_record(struct reading *r, const struct topic_source *s,
                       const struct ulog_record *record)
{
        struct past *past = &r->past[s->vehicle];
        const struct topic_record *in = &r->in;
        double t_s = (double)record->t_us * 1e-6;

        if (t_s > r->run->last_s && t_s <= r->run->end_s)
                r->run->last_s = t_s;
        topic_decode(s, record->data, &r->in);
        switch (s->topic) {
        case TOPIC_TICK:
                add_motors(r, s->vehicle, t_s, in->tick.command.duty);
                break;
        case TOPIC_ATTITUDE_TRUTH:
                add_attitude(r, s->vehicle, t_s, in->pose.state.q_body_to_ned);
                break;
        case TOPIC_POSITION_TRUTH:
                add_position(r, s->vehicle, t_s, in->pose.state.pos_ned_m);
                break;
        case TOPIC_RATE_TRUTH:
                add_rates(r, s->vehicle, t_s, in->pose.state.rate_body_radps);
                break;
        case TOPIC_SETPOINT:
                past->asked_ned_m = in->setpoint.setpoint.pos_ned_m;
                past->goes = in->setpoint.setpoint.mode == MODE_GOTO;
                break;
        default:
                break;
        }
}

static void note_rotors(struct reading *r, const struct ulog_record *record)
{
        uint64_t rotors = record->len == 8 ? le_get_u64(record->data) : 0;

        if (strcmp(record->key, "hilrig_rotors") == 0 && rotors >= 1 &&
            rotors <= ROTORS_MAX)
                r->rotors = (int)rotors;
}

bool overlay_read(struct overlay_run *run, const void *bytes, size_t len)
{
        struct topic_reader *reader = topic_reader_open(bytes, len, &run->readable);
        struct reading r = { .run = run, .rotors = ROTORS_MAX };
        const struct topic_source *source;
        struct ulog_record record;

        if (reader == NULL) {
                run->truncated = false;
                return false;
        }
        while (run->readable && topic_reader_next(reader, &record, &source))
                if (record.type == 'I')
                        note_rotors(&r, &record);
                else if (source != NULL && !source->unread)
                        add_record(&r, source, &record);
        run->truncated = run->readable && reader->ulog.truncated;
        free(reader);
        return true;
}
