/* Records of the log as rows of the report's tables, in the units of its plots. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hil/record/log_topics.h"
#include "io/le.h"

#define UT_PER_GAUSS 100.0
#define UT_PER_T     1e6
#define PA_PER_HPA   100.0

static double f32(const uint8_t *p)
{
        return (double)le_get_f32(p);
}

static struct vec3 vec3_f32(const uint8_t *p)
{
        return (struct vec3){ f32(p), f32(p + 4), f32(p + 8) };
}

static struct quat quat_f32(const uint8_t *p)
{
        return (struct quat){ f32(p), f32(p + 4), f32(p + 8), f32(p + 12) };
}

/* A record on its way into the tables. */
struct row {
        struct report_filling *f;
        struct report_vehicle *v;
        const struct report_source *s;
        const uint8_t *data;
        int64_t t_us;
};

static const uint8_t *at(const struct row *r, int field)
{
        return r->data + r->s->offset[field];
}

/* When the quantity was measured, so that a delay does not look like an error. */
static int64_t sampled_us(const struct row *r)
{
        uint64_t t = le_get_u64(at(r, 0));

        return t > INT64_MAX ? -1 : (int64_t)t;
}

static void add(const struct row *r, int id, int64_t t_us, const double *value)
{
        report_table_add(&r->v->table[id], r->f->moments, t_us, value);
}

static void add_vec3(const struct row *r, int id, int64_t t_us, double scale,
                     struct vec3 v)
{
        const double value[3] = { scale * v.x, scale * v.y, scale * v.z };

        add(r, id, t_us, value);
}

static void note_delay(struct report_delays *d, int32_t ns, int64_t t_us)
{
        d->bin[report_bin(ns)]++;
        if (d->count++ == 0 || ns > d->max_ns) {
                d->max_ns = ns;
                d->max_at_us = t_us;
        }
}

static void add_tick(const struct row *r)
{
        struct report_log *log = r->f->log;
        int32_t lateness_ns = (int32_t)le_get_u32(at(r, 1));
        int32_t compute_ns = (int32_t)le_get_u32(at(r, 2));
        int32_t loop_ns = (int32_t)le_get_u32(at(r, 3));
        bool missed = *at(r, 4) != 0, sent = *at(r, 5) != 0;
        const double us[3] = { lateness_ns / 1e3, missed ? (double)NAN : compute_ns / 1e3,
                               loop_ns > 0 ? loop_ns / 1e3 : (double)NAN };
        double duty[8];

        for (int i = 0; i < 8; i++)
                duty[i] = le_get_f64(at(r, 0) + 8 * i);
        add(r, REPORT_TICK, r->t_us, us);
        add(r, REPORT_DUTY, r->t_us, duty);
        log->end_us = r->t_us > log->end_us ? r->t_us : log->end_us;
        if (loop_ns > 0)
                note_delay(&log->delay[REPORT_LOOP], loop_ns, r->t_us);
        log->not_sent += !sent;
        /* The host's own are the same for every vehicle of a tick. */
        if (r->s->vehicle != 0)
                return;
        log->ticks++;
        log->missed += missed;
        note_delay(&log->delay[REPORT_WAKE], lateness_ns, r->t_us);
        if (!missed)
                note_delay(&log->delay[REPORT_COMPUTE], compute_ns, r->t_us);
}

static void add_rotors(const struct row *r)
{
        double speed[8];

        for (int i = 0; i < 8; i++)
                speed[i] = f32(at(r, 0) + 4 * i);
        add(r, REPORT_ROTORS, r->t_us, speed);
}

static void add_around(const struct row *r)
{
        struct vec3 wind = vec3_f32(at(r, 3));
        const double value[6] = { f32(at(r, 0)), f32(at(r, 1)), f32(at(r, 2)),
                                  wind.x,        wind.y,        wind.z };

        add(r, REPORT_AROUND, r->t_us, value);
}

static void add_attitude_truth(const struct row *r)
{
        const struct report_world *w = r->f->world;

        r->v->q = quat_f32(at(r, 0));
        r->v->q_known = true;
        add_vec3(r, REPORT_ATTITUDE_TRUTH, r->t_us, DEG_PER_RAD, quat_to_euler(r->v->q));
        if (w->known)
                add_vec3(r, REPORT_MAG_TRUTH, r->t_us, UT_PER_T,
                         quat_rotate_inverse(r->v->q, w->world.magnetic_field_ned_t));
}

/* North, east, up and their rates. */
static void add_position(const struct row *r, int id, int64_t t_us, struct vec3 pos,
                         struct vec3 vel)
{
        const double value[6] = { pos.x, pos.y, -pos.z, vel.x, vel.y, -vel.z };

        add(r, id, t_us, value);
}

static void add_position_truth(const struct row *r)
{
        const struct report_world *w = r->f->world;
        struct vec3 pos = vec3_f32(at(r, 0)), force = vec3_f32(at(r, 2));

        if (!r->v->start_known)
                r->v->start_ned_m = pos;
        r->v->start_known = true;
        add_position(r, REPORT_POSITION_TRUTH, r->t_us, pos, vec3_f32(at(r, 1)));
        if (!w->known || !r->v->q_known)
                return;
        force.z -= world_gravity_mps2(&w->world, pos.z);
        add_vec3(r, REPORT_ACCEL_TRUTH, r->t_us, 1.0,
                 quat_rotate_inverse(r->v->q, force));
}

static void add_gps(const struct row *r)
{
        const struct report_world *w = r->f->world;
        struct earth_position p = { le_get_f64(at(r, 1)) / DEG_PER_RAD,
                                    le_get_f64(at(r, 2)) / DEG_PER_RAD,
                                    le_get_f64(at(r, 3)) };
        struct vec3 vel = vec3_f32(at(r, 4)), ned = { NAN, NAN, NAN };
        double value[7];

        if (w->known && *at(r, 6) != GPS_NO_FIX)
                ned = w->flat_gps[r->s->vehicle] ? earth_to_ned_flat(&w->world.origin, p)
                                                 : earth_to_ned(&w->world.origin, p);
        memcpy(value, (double[]){ ned.x, ned.y, -ned.z, vel.x, vel.y, -vel.z, *at(r, 5) },
               sizeof value);
        add(r, REPORT_GPS, sampled_us(r), value);
}

static void add_baro(const struct row *r)
{
        const struct report_world *w = r->f->world;
        double pa = f32(at(r, 1)), up_m = NAN;

        if (w->known)
                up_m = atmosphere_altitude_m(&w->world.atmosphere, pa) -
                       w->world.origin.height_m;
        add(r, REPORT_BARO, sampled_us(r), (const double[]){ up_m, pa / PA_PER_HPA });
}

static void add_sonar(const struct row *r)
{
        double range_m = f32(at(r, 0));

        /* Without an echo it says its own limit, which is no distance. */
        if ((int8_t)*at(r, 1) == 0)
                range_m = NAN;
        add(r, REPORT_SONAR + r->s->sonar, r->t_us, &range_m);
}

static void add_event(const struct row *r, struct report_event event)
{
        struct report_log *log = r->f->log;

        event.t_us = r->t_us;
        event.vehicle = r->s->vehicle;
        if (log->events == REPORT_EVENTS_MAX)
                log->events_more++;
        else
                log->event[log->events++] = event;
}

static void add_logged_event(const struct row *r)
{
        struct report_event e = { .kind = *at(r, 2),
                                  .index = (int32_t)le_get_u32(at(r, 1)),
                                  .impact_mps = le_get_f64(at(r, 0)) };
        size_t len = r->s->text_len;

        if (e.kind >= REPORT_STEP)
                e.index = (int32_t)le_get_u32(at(r, 4));
        memcpy(e.what, at(r, 3), len < sizeof e.what - 1 ? len : sizeof e.what - 1);
        if (e.kind <= REPORT_ACTION_OVER)
                add_event(r, e);
        else
                r->f->log->refused++;
}

/* The setpoint counts from where the flight controller started. */
static void add_setpoint(const struct row *r)
{
        const uint8_t *p = at(r, 0);
        struct vec3 sp = { le_get_f64(p), le_get_f64(p + 8), le_get_f64(p + 16) };
        struct vec3 pos = vec3_add(r->v->start_ned_m, sp);
        double yaw_deg = DEG_PER_RAD * le_get_f64(at(r, 1));
        double value[4] = { pos.x, pos.y, -pos.z, yaw_deg };
        struct report_event e = { .kind = REPORT_SETPOINT_CHANGED, .index = *at(r, 2) };
        static const char *const mode[] = { "disarm", "arm", "go to", "land" };

        if (e.index > 3)
                return;
        snprintf(e.what, sizeof e.what, "%s", mode[e.index]);
        if (e.index == 2)
                snprintf(e.what, sizeof e.what,
                         "go to %.6g m north, %.6g m east, %.6g m up, yaw %.6g deg", sp.x,
                         sp.y, -sp.z, yaw_deg);
        else
                value[0] = value[1] = value[2] = value[3] = NAN;
        add(r, REPORT_SETPOINT, r->t_us, value);
        add_event(r, e);
}

static void add_estimate(const struct row *r)
{
        if (r->s->topic == REPORT_TOPIC_ATTITUDE)
                add_vec3(r, REPORT_ATTITUDE, sampled_us(r), DEG_PER_RAD,
                         quat_to_euler(quat_f32(at(r, 1))));
        else
                add_position(r, REPORT_POSITION, sampled_us(r),
                             vec3_add(r->v->start_ned_m, vec3_f32(at(r, 1))),
                             vec3_f32(at(r, 2)));
}

static void add_pair(const struct row *r, int id)
{
        add(r, id, r->t_us, (const double[]){ f32(at(r, 0)), f32(at(r, 1)) });
}

void report_topic_add(struct report_filling *f, const struct report_source *s,
                      const struct ulog_record *record)
{
        struct row r = { f, &f->log->vehicle[s->vehicle], s, record->data,
                         record->t_us > INT64_MAX ? -1 : (int64_t)record->t_us };

        switch ((enum report_topic)s->topic) {
        case REPORT_TOPIC_TICK:
                add_tick(&r);
                break;
        case REPORT_TOPIC_ROTORS:
                add_rotors(&r);
                break;
        case REPORT_TOPIC_AROUND:
                add_around(&r);
                break;
        case REPORT_TOPIC_EVENT:
                add_logged_event(&r);
                break;
        case REPORT_TOPIC_ATTITUDE_TRUTH:
                add_attitude_truth(&r);
                break;
        case REPORT_TOPIC_POSITION_TRUTH:
                add_position_truth(&r);
                break;
        case REPORT_TOPIC_RATE_TRUTH:
                add_vec3(&r, REPORT_RATE_TRUTH, r.t_us, DEG_PER_RAD, vec3_f32(at(&r, 0)));
                break;
        case REPORT_TOPIC_IMU:
                add_vec3(&r, REPORT_GYRO, r.t_us, DEG_PER_RAD, vec3_f32(at(&r, 0)));
                add_vec3(&r, REPORT_ACCEL, r.t_us, 1.0, vec3_f32(at(&r, 1)));
                break;
        case REPORT_TOPIC_GPS:
                add_gps(&r);
                break;
        case REPORT_TOPIC_BARO:
                add_baro(&r);
                break;
        case REPORT_TOPIC_MAG:
                add_vec3(&r, REPORT_MAG, sampled_us(&r), UT_PER_GAUSS,
                         vec3_f32(at(&r, 1)));
                break;
        case REPORT_TOPIC_SONAR:
                add_sonar(&r);
                break;
        case REPORT_TOPIC_BATTERY:
                add_pair(&r, REPORT_BATTERY);
                break;
        case REPORT_TOPIC_ATTITUDE:
        case REPORT_TOPIC_POSITION:
                add_estimate(&r);
                break;
        case REPORT_TOPIC_SETPOINT:
                add_setpoint(&r);
                break;
        case REPORT_TOPIC_COUNT:
                break;
        }
}
