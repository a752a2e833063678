/* A mission in place of a pilot. */
#include "hil/rig/loop.h"

#include <stdio.h>
#include <string.h>

/* NULL: it holds none. */
static const struct mission_progress *progress_of(const struct rig_vehicle *v)
{
        const struct codec *c = v->port.codec;

        return v->config->fc.mission != NULL && c != NULL ? c->ops->mission(c) : NULL;
}

static struct mission_seen see_vehicle(const struct rig *rig, const struct rig_vehicle *v)
{
        const struct mission_progress *progress = progress_of(v);

        return (struct mission_seen){
                .t_ns = loop_sim_ns(rig),
                .pos_ned_m = v->vehicle.body.pos_ned_m,
                .yaw_rad = quat_to_euler(v->vehicle.body.q_body_to_ned).z,
                .armed = v->port.report.armed,
                .grounded = v->vehicle.contact.touching,
                .given = progress == NULL || progress->transfer == MISSION_HELD,
                .flies_item = progress ? progress->current : -1,
                .reached_item = progress ? progress->reached : -1,
        };
}

static void say_stop(struct rig *rig, int stop)
{
        const struct route_stop *s = &rig->mission.route->stop[stop];
        const struct mission_row *row = &rig->mission.row[stop];
        char text[200];

        snprintf(text, sizeof text, "mission: item %d, %s, %s at %.3f s", s->item + 1,
                 mission_command_name(s->command),
                 row->outcome == MISSION_UNMET ? row->why : "done",
                 (double)loop_sim_ns(rig) * 1e-9);
        loop_say(rig, row->outcome == MISSION_UNMET ? '4' : '6', text);
}

/* Once it holds the mission, which it says by being ready to arm, it is told to fly it, and nothing else. */
static struct setpoint ask_firmware(const struct rig_vehicle *v)
{
        bool flies = v->asked.setpoint.mode == MODE_MISSION || v->port.report.can_arm;

        return (struct setpoint){ .mode = flies ? MODE_MISSION : MODE_DISARMED,
                                  .pos_ned_m = v->config->start_ned_m,
                                  .yaw_rad = v->config->start_yaw_rad };
}

static void say_not_begun(struct rig *rig, const struct rig_vehicle *v)
{
        const struct codec *c = v->port.codec;
        const char *complaint = c != NULL ? c->ops->complaint(c) : "";
        char text[sizeof rig->end_reason];

        snprintf(text, sizeof text, "mission: %s has not armed in time%s%s",
                 v->config->name, complaint[0] != '\0' ? ": " : "", complaint);
        loop_say(rig, '4', text);
}

/* Of items that take no time; a tick has to end. */
#define ENDED_A_TICK 16

void loop_fly_mission(struct rig *rig)
{
        struct mission_flight *f = &rig->mission;
        struct rig_vehicle *v;
        struct mission_seen seen;
        int ended = 0;

        if (rig->config->mission == NULL)
                return;
        v = &rig->vehicle[rig->config->mission->settings.vehicle];
        seen = see_vehicle(rig, v);
        for (int i = 0; i < ENDED_A_TICK && ended >= 0; i++) {
                ended = mission_flight_step(f, &seen);
                if (ended >= 0)
                        say_stop(rig, ended);
        }
        loop_ask_setpoint(rig, v,
                          v->config->fc.mission != NULL ? ask_firmware(v)
                                                        : mission_flight_ask(f, &seen));
        if (!rig->ended && mission_flight_over(f, seen.t_ns)) {
                if (!f->begun)
                        say_not_begun(rig, v);
                rig->ended = true;
                rig->ticks = rig->tick + 1;
        }
}
