/* What was said and what happened, in the log: estimates, set-points, time, ranges, events. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hil/record/record_topics.h"

void record_topics_estimate(struct record_topics *t, const struct estimate_record *e)
{
        struct record_vehicle *v = &t->vehicle[e->vehicle];
        const struct topic_pose pose = { { .q_body_to_ned = e->estimate.q_body_to_ned,
                                           .pos_ned_m = e->estimate.pos_ned_m,
                                           .vel_ned_mps = e->estimate.vel_ned_mps },
                                         quat_to_euler(e->estimate.q_body_to_ned).z };

        if (e->t_ns < v->estimate_next_ns)
                return;
        v->estimate_next_ns = e->t_ns + t->truth_period_ns;
        record_write_struct(t, e->vehicle, TOPIC_ATTITUDE, e->t_ns, &pose);
        record_write_struct(t, e->vehicle, TOPIC_POSITION, e->t_ns, &pose);
}

void record_topics_setpoint(struct record_topics *t, const struct setpoint_record *s)
{
        struct topic_course course = { s->setpoint.pos_ned_m, s->setpoint.yaw_rad };

        if (s->setpoint.mode != MODE_GOTO)
                course = (struct topic_course){ { NAN, NAN, NAN }, NAN };
        record_write_struct(t, s->vehicle, TOPIC_SETPOINT, s->t_ns, s);
        record_write_struct(t, s->vehicle, TOPIC_SETPOINT_POSITION, s->t_ns, &course);
}

void record_topics_sync(struct record_topics *t, const struct sync_record *s)
{
        const struct topic_sync sync = { s->offset_ns / 1000, s->round_trip_ns / 1000 };

        record_write_struct(t, s->vehicle, TOPIC_TIMESYNC, s->t_ns, &sync);
}

void record_topics_pads(struct record_topics *t, const struct pads_record *p)
{
        struct record_vehicle *v = &t->vehicle[p->vehicle];
        struct topic_pads pads = { .pads = *p };

        if (p->t_ns < v->pads_next_ns)
                return;
        v->pads_next_ns = p->t_ns + t->truth_period_ns;
        for (int i = 0; i < ROTORS_MAX; i++)
                pads.age_s[i] =
                        p->age_ns[i] < 0 ? (double)NAN : (double)p->age_ns[i] * 1e-9;
        record_write_struct(t, p->vehicle, TOPIC_PADS, p->t_ns, &pads);
}

void record_topics_ranges(struct record_topics *t, const struct ranges_record *ranges)
{
        record_write_struct(t, ranges->vehicle, TOPIC_RANGES, ranges->t_ns, ranges);
}

void record_topics_twin(struct record_topics *t, const struct twin_record *twin)
{
        record_write_struct(t, twin->vehicle, TOPIC_TWIN, twin->t_ns, twin);
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
        if (e->kind == EVENT_OWN_WAY || e->kind == EVENT_BOARD_LOST)
                snprintf(text, sizeof text, "%sflight controller: %.*s", who, len,
                         e->what);
        else if (e->kind == EVENT_TWIN)
                snprintf(text, sizeof text, "%stwin: %.*s", who, len, e->what);
        else if (e->kind == EVENT_COLLISION || e->kind == EVENT_MEETING)
                snprintf(text, sizeof text, "%scollision with %.*s at %.1f m/s", who, len,
                         e->what, e->impact_mps);
        else
                snprintf(text, sizeof text, "%sstep %d: %.*s%s", who, e->step, len,
                         e->what, e->kind == EVENT_ACTION_OVER ? " is over" : "");
        ulog_text(&t->ulog, record_us(e->t_ns), e->step < 0 ? '4' : '6', text);
}

void record_topics_event(struct record_topics *t, const struct event_record *e)
{
        record_write_struct(t, e->vehicle, TOPIC_EVENT, e->t_ns, e);
        say_event(t, e);
}
