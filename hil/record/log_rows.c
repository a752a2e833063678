/* Records of the log as rows of the report's tables, in the units of its plots. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hil/record/log.h"

#define UT_PER_T   1e6
#define PA_PER_HPA 100.0

/* The tables that a topic feeds: 1 + their number; 0: no more. */
static const int tables[TOPIC_COUNT][4] = {
        [TOPIC_TICK] = { 1 + REPORT_TICK, 1 + REPORT_DUTY },
        [TOPIC_ROTORS] = { 1 + REPORT_ROTORS },
        [TOPIC_SURROUNDINGS] = { 1 + REPORT_AROUND },
        [TOPIC_ATTITUDE_TRUTH] = { 1 + REPORT_ATTITUDE_TRUTH, 1 + REPORT_MAG_TRUTH },
        [TOPIC_POSITION_TRUTH] = { 1 + REPORT_POSITION_TRUTH, 1 + REPORT_VELOCITY_TRUTH,
                                   1 + REPORT_ACCEL_TRUTH },
        [TOPIC_RATE_TRUTH] = { 1 + REPORT_RATE_TRUTH },
        [TOPIC_SENSOR_COMBINED] = { 1 + REPORT_GYRO, 1 + REPORT_ACCEL },
        [TOPIC_GPS] = { 1 + REPORT_GPS },
        [TOPIC_SATELLITES] = { 1 + REPORT_SATELLITES },
        [TOPIC_AIR_DATA] = { 1 + REPORT_BARO },
        [TOPIC_MAG] = { 1 + REPORT_MAG },
        [TOPIC_DISTANCE] = { 1 + REPORT_SONAR },
        [TOPIC_BATTERY] = { 1 + REPORT_BATTERY },
        [TOPIC_TWIN] = { 1 + REPORT_TWIN_WRONG },
        [TOPIC_ATTITUDE] = { 1 + REPORT_ATTITUDE },
        [TOPIC_POSITION] = { 1 + REPORT_POSITION },
        [TOPIC_SETPOINT] = { 1 + REPORT_SETPOINT },
};

int report_topic_table(const struct topic_source *s, int n)
{
        int id = n < 4 ? tables[s->topic][n] - 1 : -1;

        return id == REPORT_SONAR ? id + s->sonar : id;
}

/* A record on its way into the tables. */
struct row {
        struct report_filling *f;
        struct report_vehicle *v;
        const struct topic_source *s;
        int64_t t_us;
        int64_t sample_us; /* so that a delay does not look like an error */
};

static void add_row(const struct row *r, int id, int64_t t_us, const double *value)
{
        struct report_table *t = &r->v->table[id];

        /* Of a vehicle among many it may not be wanted. */
        if (t->columns != 0)
                report_table_add(t, r->v->few ? NULL : r->f->moments, t_us, value);
}

static void add_vec3(const struct row *r, int id, int64_t t_us, double scale,
                     struct vec3 v)
{
        const double value[3] = { scale * v.x, scale * v.y, scale * v.z };

        add_row(r, id, t_us, value);
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
        const struct tick_record *t = &r->f->in.tick;
        struct report_log *log = r->f->log;
        int32_t loop_ns = t->loop_ns;
        const double value[4] = { t->lateness_ns / 1e3,
                                  t->missed ? (double)NAN : t->compute_ns / 1e3,
                                  loop_ns > 0 ? loop_ns / 1e3 : (double)NAN, t->contact };

        add_row(r, REPORT_TICK, r->t_us, value);
        add_row(r, REPORT_DUTY, r->t_us, t->command.duty);
        log->end_us = r->t_us > log->end_us ? r->t_us : log->end_us;
        if (loop_ns > 0)
                note_delay(&log->delay[REPORT_LOOP], loop_ns, r->t_us);
        log->not_sent += !t->frame_sent;
        /* The host's own are the same for every vehicle of a tick. */
        if (r->s->vehicle != 0)
                return;
        log->ticks++;
        log->missed += t->missed;
        note_delay(&log->delay[REPORT_WAKE], t->lateness_ns, r->t_us);
        if (!t->missed)
                note_delay(&log->delay[REPORT_COMPUTE], t->compute_ns, r->t_us);
}

static void add_surroundings(const struct row *r)
{
        const struct tick_record *t = &r->f->in.tick;
        const double value[6] = {
                t->height_m,       t->battery_v,      t->current_a,
                t->wind_ned_mps.x, t->wind_ned_mps.y, t->wind_ned_mps.z
        };

        add_row(r, REPORT_AROUND, r->t_us, value);
}

static void add_attitude_truth(const struct row *r)
{
        const struct report_world *w = r->f->world;

        r->v->q = r->f->in.pose.state.q_body_to_ned;
        r->v->q_known = true;
        add_vec3(r, REPORT_ATTITUDE_TRUTH, r->t_us, DEG_PER_RAD, quat_to_euler(r->v->q));
        if (w->known)
                add_vec3(r, REPORT_MAG_TRUTH, r->t_us, UT_PER_T,
                         quat_rotate_inverse(r->v->q, w->world.magnetic_field_ned_t));
}

static struct vec3 north_east_up(struct vec3 ned)
{
        return (struct vec3){ ned.x, ned.y, -ned.z };
}

/* As estimated: it counts from where the flight controller started. */
static void add_position(const struct row *r)
{
        const struct body_state *b = &r->f->in.pose.state;
        struct vec3 pos = vec3_add(r->v->start_ned_m, b->pos_ned_m);
        struct vec3 vel = b->vel_ned_mps;
        const double value[6] = { pos.x, pos.y, -pos.z, vel.x, vel.y, -vel.z };

        add_row(r, REPORT_POSITION, r->sample_us, value);
}

static void add_position_truth(const struct row *r)
{
        const struct report_world *w = r->f->world;
        const struct body_state *b = &r->f->in.pose.state;
        struct vec3 pos = b->pos_ned_m, force = b->accel_ned_mps2;

        if (!r->v->start_known)
                r->v->start_ned_m = pos;
        r->v->start_known = true;
        add_vec3(r, REPORT_POSITION_TRUTH, r->t_us, 1.0, north_east_up(pos));
        add_vec3(r, REPORT_VELOCITY_TRUTH, r->t_us, 1.0, north_east_up(b->vel_ned_mps));
        if (!w->known || !r->v->q_known)
                return;
        force.z -= world_gravity_mps2(&w->world, pos.z);
        add_vec3(r, REPORT_ACCEL_TRUTH, r->t_us, 1.0,
                 quat_rotate_inverse(r->v->q, force));
}

static void add_gps(const struct row *r)
{
        const struct report_world *w = r->f->world;
        const struct gps_sample *g = &r->f->in.tick.frame.gps;
        struct earth_position p = { g->lat_rad, g->lon_rad, g->height_m };
        struct vec3 vel = g->vel_ned_mps, ned = { NAN, NAN, NAN };
        double value[9];

        if (w->known && g->fix != GPS_NO_FIX)
                ned = w->flat_gps[r->s->vehicle] ? earth_to_ned_flat(&w->world.origin, p)
                                                 : earth_to_ned(&w->world.origin, p);
        memcpy(value,
               (double[]){ ned.x, ned.y, -ned.z, vel.x, vel.y, -vel.z, g->satellites,
                           g->h_acc_m, g->v_acc_m },
               sizeof value);
        add_row(r, REPORT_GPS, r->sample_us, value);
}

static void add_satellites(const struct row *r)
{
        uint32_t bits = r->f->in.tick.frame.gps.used_prn;

        add_row(r, REPORT_SATELLITES, r->sample_us,
                (const double[]){ bits & 0xffff, bits >> 16 });
}

static void add_baro(const struct row *r)
{
        const struct report_world *w = r->f->world;
        double pa = r->f->in.tick.frame.baro.pressure_pa, up_m = NAN;

        if (w->known)
                up_m = atmosphere_altitude_m(&w->world.atmosphere, pa) -
                       w->world.origin.height_m;
        add_row(r, REPORT_BARO, r->sample_us, (const double[]){ up_m, pa / PA_PER_HPA });
}

static void add_sonar(const struct row *r)
{
        const struct sonar_sample *s = &r->f->in.tick.frame.sonar[0];
        double range_m = s->range_m;

        /* Without an echo it says its own limit, which is no distance. */
        if (!s->echo)
                range_m = NAN;
        add_row(r, REPORT_SONAR + r->s->sonar, r->t_us, &range_m);
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
        const struct event_record *event = &r->f->in.event;
        struct report_event e = { .kind = (int)event->kind,
                                  .index = event->kind >= EVENT_STEP ? event->step
                                                                     : event->obstacle,
                                  .impact_mps = event->impact_mps };

        memcpy(e.what, event->what, sizeof event->what);
        r->f->log->steps_named |= e.kind == REPORT_STEP;
        if (e.kind <= REPORT_TWIN)
                add_event(r, e);
        else
                r->f->log->refused++;
}

_Static_assert((int)REPORT_TWIN == (int)EVENT_TWIN,
               "events are numbered in a report as in the log");
_Static_assert(EVENT_TEXT_MAX < sizeof((struct report_event *)0)->what,
               "a report has room for what an event says");
_Static_assert(ROTORS_MAX <= REPORT_COLUMNS_MAX, "a rotor is a column");

/* The setpoint counts from where the flight controller started. */
static void add_setpoint(const struct row *r)
{
        const struct setpoint *asked = &r->f->in.setpoint.setpoint;
        struct vec3 sp = asked->pos_ned_m;
        struct vec3 pos = vec3_add(r->v->start_ned_m, sp);
        double yaw_deg = DEG_PER_RAD * asked->yaw_rad;
        double value[4] = { pos.x, pos.y, -pos.z, yaw_deg };
        struct report_event e = { .kind = REPORT_SETPOINT_CHANGED,
                                  .index = (int)asked->mode };
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
        add_row(r, REPORT_SETPOINT, r->t_us, value);
        /* A step has said so, once for all vehicles. */
        if (!r->f->log->steps_named)
                add_event(r, e);
}

static void add_imu(const struct row *r)
{
        const struct imu_sample *imu = &r->f->in.tick.frame.imu;

        add_vec3(r, REPORT_GYRO, r->t_us, DEG_PER_RAD, imu->gyro_body_radps);
        add_vec3(r, REPORT_ACCEL, r->t_us, 1.0, imu->accel_body_mps2);
}

static void add_battery(const struct row *r)
{
        const struct power_sample *p = &r->f->in.tick.frame.power;

        add_row(r, REPORT_BATTERY, r->t_us,
                (const double[]){ p->voltage_v, p->current_a });
}

static void add_twin(const struct row *r)
{
        const struct twin_record *t = &r->f->in.twin;

        add_row(r, REPORT_TWIN_WRONG, r->t_us,
                (const double[]){ t->wrong_m, DEG_PER_RAD * t->wrong_rad,
                                  (double)t->delay_ns * 1e-6 });
}

static void add_record(const struct row *r)
{
        const struct body_state *b = &r->f->in.pose.state;

        switch ((enum record_topic)r->s->topic) {
        case TOPIC_TICK:
                add_tick(r);
                break;
        case TOPIC_ROTORS:
                add_row(r, REPORT_ROTORS, r->t_us, r->f->in.tick.rotor_speed_radps);
                break;
        case TOPIC_SURROUNDINGS:
                add_surroundings(r);
                break;
        case TOPIC_EVENT:
                add_logged_event(r);
                break;
        case TOPIC_ATTITUDE_TRUTH:
                add_attitude_truth(r);
                break;
        case TOPIC_POSITION_TRUTH:
                add_position_truth(r);
                break;
        case TOPIC_RATE_TRUTH:
                add_vec3(r, REPORT_RATE_TRUTH, r->t_us, DEG_PER_RAD, b->rate_body_radps);
                break;
        case TOPIC_SENSOR_COMBINED:
                add_imu(r);
                break;
        case TOPIC_GPS:
                add_gps(r);
                break;
        case TOPIC_SATELLITES:
                add_satellites(r);
                break;
        case TOPIC_AIR_DATA:
                add_baro(r);
                break;
        case TOPIC_MAG:
                add_vec3(r, REPORT_MAG, r->sample_us, UT_PER_T,
                         r->f->in.tick.frame.mag.field_body_t);
                break;
        case TOPIC_DISTANCE:
                add_sonar(r);
                break;
        case TOPIC_BATTERY:
                add_battery(r);
                break;
        case TOPIC_TWIN:
                add_twin(r);
                break;
        case TOPIC_ATTITUDE:
                add_vec3(r, REPORT_ATTITUDE, r->sample_us, DEG_PER_RAD,
                         quat_to_euler(b->q_body_to_ned));
                break;
        case TOPIC_POSITION:
                add_position(r);
                break;
        case TOPIC_SETPOINT:
                add_setpoint(r);
                break;
        default:
                break;
        }
}

void report_topic_add(struct report_filling *f, const struct topic_source *s,
                      const struct ulog_record *record)
{
        struct row r = { f, &f->log->vehicle[s->vehicle], s,
                         record->t_us > INT64_MAX ? -1 : (int64_t)record->t_us, 0 };

        if (tables[s->topic][0] == 0 && s->topic != TOPIC_EVENT)
                return;
        if (record_topic_table[s->topic].sampled)
                r.sample_us = topic_sample_us(s, record->data);
        topic_decode(s, record->data, &f->in);
        add_record(&r);
}
