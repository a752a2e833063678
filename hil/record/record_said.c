/* What was said and what happened, in the log: estimates, set-points, time, ranges, events. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hil/record/record_message.h"

void record_topics_estimate(struct record_topics *t, const struct estimate_record *e)
{
        struct record_vehicle *v = &t->vehicle[e->vehicle];
        struct ulog_message m;

        if (e->t_ns < v->estimate_next_ns)
                return;
        v->estimate_next_ns = e->t_ns + t->truth_period_ns;
        record_begin_sample(&m, e->t_ns, e->t_ns);
        ulog_put_quat_f32(&m, e->estimate.q_body_to_ned);
        record_write_topic(t, e->vehicle, TOPIC_ATTITUDE, &m);

        record_begin_sample(&m, e->t_ns, e->t_ns);
        ulog_put_vec3_f32(&m, e->estimate.pos_ned_m);
        ulog_put_vec3_f32(&m, e->estimate.vel_ned_mps);
        ulog_put_f32(&m, quat_to_euler(e->estimate.q_body_to_ned).z);
        for (int i = 0; i < 4; i++)
                ulog_put_u8(&m, 1);
        record_write_topic(t, e->vehicle, TOPIC_POSITION, &m);
}

void record_topics_setpoint(struct record_topics *t, const struct setpoint_record *s)
{
        bool flown = s->setpoint.mode == MODE_GOTO;
        struct vec3 none = { NAN, NAN, NAN };
        struct ulog_message m;

        record_begin(&m, s->t_ns);
        ulog_put_f64(&m, s->setpoint.pos_ned_m.x);
        ulog_put_f64(&m, s->setpoint.pos_ned_m.y);
        ulog_put_f64(&m, s->setpoint.pos_ned_m.z);
        ulog_put_f64(&m, s->setpoint.yaw_rad);
        ulog_put_u8(&m, (unsigned)s->setpoint.mode);
        record_write_topic(t, s->vehicle, TOPIC_SETPOINT, &m);

        /* PX4's sign for "not controlled" is NaN. */
        record_begin(&m, s->t_ns);
        ulog_put_vec3_f32(&m, flown ? s->setpoint.pos_ned_m : none);
        ulog_put_f32(&m, flown ? s->setpoint.yaw_rad : (double)NAN);
        ulog_put_f32(&m, (double)NAN);
        ulog_put_vec3_f32(&m, none);
        ulog_put_vec3_f32(&m, none);
        ulog_put_vec3_f32(&m, none);
        record_write_topic(t, s->vehicle, TOPIC_SETPOINT_POSITION, &m);
}

void record_topics_sync(struct record_topics *t, const struct sync_record *s)
{
        struct ulog_message m;

        record_begin(&m, s->t_ns);
        ulog_put_u64(&m, (uint64_t)(s->offset_ns / 1000));
        ulog_put_u32(&m, (uint32_t)(s->round_trip_ns / 1000));
        record_write_topic(t, s->vehicle, TOPIC_TIMESYNC, &m);
}

void record_topics_pads(struct record_topics *t, const struct pads_record *p)
{
        struct record_vehicle *v = &t->vehicle[p->vehicle];
        struct ulog_message m;

        if (p->t_ns < v->pads_next_ns)
                return;
        v->pads_next_ns = p->t_ns + t->truth_period_ns;
        record_begin(&m, p->t_ns);
        for (int i = 0; i < ROTORS_MAX; i++)
                ulog_put_f32(&m, p->measured[i]);
        for (int i = 0; i < ROTORS_MAX; i++)
                ulog_put_f32(&m, p->reported[i]);
        for (int i = 0; i < ROTORS_MAX; i++)
                ulog_put_f32(&m, p->age_ns[i] < 0 ? (double)NAN
                                                  : (double)p->age_ns[i] * 1e-9);
        for (int i = 0; i < ROTORS_MAX; i++)
                ulog_put_u32(&m, (uint32_t)p->words[i]);
        for (int i = 0; i < ROTORS_MAX; i++)
                ulog_put_u8(&m, p->silent[i]);
        record_write_topic(t, p->vehicle, TOPIC_PADS, &m);
}

void record_topics_ranges(struct record_topics *t, const struct ranges_record *ranges)
{
        struct ulog_message m;

        record_begin(&m, ranges->t_ns);
        for (int i = 0; i < SONARS_MAX; i++)
                ulog_put_f64(&m, ranges->range_m[i]);
        record_write_topic(t, ranges->vehicle, TOPIC_RANGES, &m);
}

static void say_event(struct record_topics *t, const struct event_record *e)
{
        int len = (int)strnlen(e->what, sizeof e->what);
        char text[240], who[24] = "";

        if (t->vehicles > 1)
                snprintf(who, sizeof who, "vehicle %d: ", e->vehicle);
        /* Its step has just been told. */
        if (e->kind == EVENT_ACTION_BEGINS)
                return;
        if (e->kind == EVENT_COLLISION || e->kind == EVENT_MEETING)
                snprintf(text, sizeof text, "%scollision with %.*s at %.1f m/s", who, len,
                         e->what, e->impact_mps);
        else
                snprintf(text, sizeof text, "%sstep %d: %.*s%s", who, e->step, len,
                         e->what, e->kind == EVENT_ACTION_OVER ? " is over" : "");
        ulog_text(&t->ulog, record_us(e->t_ns),
                  e->kind == EVENT_COLLISION || e->kind == EVENT_MEETING ? '4' : '6',
                  text);
}

void record_topics_event(struct record_topics *t, const struct event_record *e)
{
        struct ulog_message m;

        record_begin(&m, e->t_ns);
        ulog_put_f64(&m, e->impact_mps);
        ulog_put_i32(&m, e->obstacle);
        ulog_put_i32(&m, e->step);
        ulog_put_u8(&m, (unsigned)e->kind);
        ulog_put_chars(&m, e->what, sizeof e->what);
        record_write_topic(t, e->vehicle, TOPIC_EVENT, &m);
        say_event(t, e);
}
