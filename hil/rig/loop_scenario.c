/* What the scenario does at a tick: what ends, then what begins; and what it asks of the pilots. */
#include "hil/rig/loop.h"
#include "hil/config/scenario/scenario.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void note_step(struct rig *rig, int vehicle, enum event_kind kind, int step)
{
        struct event_record event = { .t_ns = loop_sim_ns(rig),
                                      .vehicle = vehicle,
                                      .kind = kind,
                                      .obstacle = -2,
                                      .step = step };

        scenario_describe(&rig->config->scenario.step[step], event.what,
                          sizeof event.what);
        if (rig->recorder != NULL)
                recorder_event(rig->recorder, &event);
}

/* As the flight controller counts. */
static struct setpoint setpoint_for(const struct rig *rig, const struct rig_vehicle *v,
                                    const struct scenario_step *step)
{
        struct setpoint asked = step->setpoint;

        if (step->from != FROM_ORIGIN)
                return asked;
        asked.pos_ned_m.z += rig->config->world.ground_down_m;
        asked.pos_ned_m = vec3_sub(asked.pos_ned_m, v->config->start_ned_m);
        return asked;
}

static void record_setpoint(struct rig *rig, struct rig_vehicle *v)
{
        struct setpoint_record record = { .t_ns = loop_sim_ns(rig),
                                          .vehicle = v->port.vehicle,
                                          .setpoint = v->asked.setpoint };

        if (rig->recorder != NULL)
                recorder_setpoint(rig->recorder, &record);
        v->setpoint_unrecorded = false;
}

static bool same_setpoint(const struct setpoint *a, const struct setpoint *b)
{
        return a->mode == b->mode && a->pos_ned_m.x == b->pos_ned_m.x &&
               a->pos_ned_m.y == b->pos_ned_m.y && a->pos_ned_m.z == b->pos_ned_m.z &&
               a->yaw_rad == b->yaw_rad;
}

/* Of a set-point that moves, every so often is recorded. */
#define RECORDED_EACH_NS (NS_PER_S / 2)

void loop_ask_setpoint(struct rig *rig, struct rig_vehicle *v, struct setpoint to)
{
        bool due = loop_sim_ns(rig) % RECORDED_EACH_NS == 0 ||
                   to.mode != v->asked.setpoint.mode;

        to.pos_ned_m = vec3_sub(to.pos_ned_m, v->config->start_ned_m);
        if (!same_setpoint(&to, &v->asked.setpoint)) {
                v->asked.setpoint = to;
                v->input = v->asked;
                v->input_pending = v->setpoint_unrecorded = true;
        }
        if (v->setpoint_unrecorded && due)
                record_setpoint(rig, v);
}

static void ask_vehicle(struct rig *rig, struct rig_vehicle *v,
                        const struct scenario_step *step)
{
        if (step->sends_rc)
                memcpy(v->asked.rc_us, step->rc_us, sizeof v->asked.rc_us);
        if (step->flies)
                v->asked.setpoint = setpoint_for(rig, v, step);
        v->input_pending |= step->flies || step->sends_rc;
        v->input = v->asked;
        if (step->flies)
                record_setpoint(rig, v);
}

void loop_follow_device(struct rig *rig, struct rig_vehicle *v, struct device *d)
{
        struct device_wish wish;
        char text[200];

        while (d->ops->ask != NULL && d->ops->ask(d, &wish)) {
                if (wish.what[0] != '\0') {
                        snprintf(text, sizeof text, "%s: %s: %s", v->config->name,
                                 d->ops->name, wish.what);
                        loop_say(rig, '6', text);
                }
                if (!wish.flies)
                        continue;
                v->asked.setpoint = wish.setpoint;
                v->asked.setpoint.pos_ned_m =
                        vec3_sub(wish.setpoint.pos_ned_m, v->config->start_ned_m);
                v->input = v->asked;
                v->input_pending = true;
                record_setpoint(rig, v);
        }
}

static void upset_host(struct rig *rig, const struct host_fault *f)
{
        if (rig->config->pace != PACE_REALTIME)
                return;
        if (f->kind == HOST_STALL)
                rig->stall_ns += f->by_ns;
        else
                rig->clock_fault_ns += f->by_ns;
}

/* Until when an action lasts that begins at t_ns. */
static int64_t over_ns(const struct scenario_step *of, int64_t t_ns)
{
        return of->for_ns < INT64_MAX - t_ns ? t_ns + of->for_ns : INT64_MAX;
}

static bool begin_wire_fault(struct rig *rig, struct rig_vehicle *v, int step,
                             int64_t t_ns)
{
        const struct scenario_step *of = &rig->config->scenario.step[step];
        const struct wire_fault *fault = &of->wire_fault;

        return fault->port >= 0
                       ? device_port_fault_begin(&v->device[fault->port], fault, step,
                                                 rig->config->seed, over_ns(of, t_ns))
                       : fc_port_fault_begin(&v->port, fault, step, rig->config->seed,
                                             over_ns(of, t_ns));
}

static void fire_step_for(struct rig *rig, struct rig_vehicle *v, int step)
{
        const struct scenario_step *of = &rig->config->scenario.step[step];
        int64_t t_ns = loop_sim_ns(rig);

        if (v->twin != NULL && of->action != ACTION_SENSOR_FAULT)
                return;
        if (v->twin == NULL)
                ask_vehicle(rig, v, of);
        if (of->action != ACTION_NONE)
                wiring_disturb(&v->wiring);
        v->upset |= of->action != ACTION_NONE && of->action != ACTION_STIMULUS;
        if (of->action != ACTION_NONE && of->action != ACTION_HOST_FAULT)
                note_step(rig, v->port.vehicle, EVENT_ACTION_BEGINS, step);
        rig_vehicle_begin(v, v->port.vehicle, rig->config, step, t_ns);
        if (of->action == ACTION_WIRE_FAULT && !begin_wire_fault(rig, v, step, t_ns))
                rig->refused++;
        if (of->action == ACTION_FC_OPTION &&
            !fc_options_begin(&v->port.options, &of->fc_option, step, over_ns(of, t_ns)))
                rig->refused++;
}

static void fire_step(struct rig *rig, int step)
{
        const struct scenario_step *of = &rig->config->scenario.step[step];

        note_step(rig, scenario_step_first(of), EVENT_STEP, step);
        for (int i = 0; i < rig->config->vehicles; i++)
                if (scenario_step_is_for(of, i))
                        fire_step_for(rig, &rig->vehicle[i], step);
        if (of->action == ACTION_HOST_FAULT)
                upset_host(rig, &of->host_fault);
        if (of->ends) {
                rig->ended = true;
                rig->ticks = rig->tick + 1;
        }
}

void loop_follow_scenario(struct rig *rig)
{
        int64_t t_ns = loop_sim_ns(rig);
        int step;

        for (int i = 0; i < rig->config->vehicles; i++) {
                struct rig_vehicle *v = &rig->vehicle[i];

                while ((step = rig_vehicle_end(v, i, rig->config, t_ns)) >= 0)
                        note_step(rig, i, EVENT_ACTION_OVER, step);
                while ((step = fc_faults_end_due(rig_vehicle_wire(v, -1), t_ns)) >= 0)
                        note_step(rig, i, EVENT_ACTION_OVER, step);
                for (int p = 0; p < v->config->ports; p++)
                        while ((step = device_port_fault_end_due(&v->device[p], t_ns)) >=
                               0)
                                note_step(rig, i, EVENT_ACTION_OVER, step);
                while ((step = fc_options_end_due(&v->port.options, t_ns)) >= 0)
                        note_step(rig, i, EVENT_ACTION_OVER, step);
        }
        while ((step = timeline_due(&rig->timeline, t_ns,
                                    judge_values_newest(&rig->conditions))) >= 0)
                fire_step(rig, step);
}

static bool does_as_asked(enum flight_mode asked, enum flight_mode said)
{
        return said == asked || (asked == MODE_ARMED && said == MODE_GOTO);
}

/* Armed on the ground is no way of its own: it has touched down, or is about to take off. */
static bool goes_own_way(enum flight_mode asked, enum flight_mode said)
{
        return !does_as_asked(asked, said) && said != MODE_ARMED && said != MODE_GOTO &&
               !((asked == MODE_LAND || asked == MODE_MISSION) && said == MODE_DISARMED);
}

static void note_own_way(struct rig *rig, const struct rig_vehicle *v)
{
        static const char *const word[] = { "disarmed",   "armed",  "goto",
                                            "land",       "return", "another mode",
                                            "its mission" };
        struct event_record event = { .t_ns = loop_sim_ns(rig),
                                      .vehicle = v->port.vehicle,
                                      .kind = EVENT_OWN_WAY,
                                      .obstacle = -2,
                                      .step = -1 };

        snprintf(event.what, sizeof event.what, "%s instead of %s",
                 word[v->port.report.mode], word[v->claim.asked]);
        if (rig->recorder != NULL)
                recorder_event(rig->recorder, &event);
}

void loop_notice_own_way(struct rig *rig, struct rig_vehicle *v)
{
        enum flight_mode asked = v->asked.setpoint.mode, said = v->port.report.mode;
        struct claim *claim = &v->claim;

        if (asked != claim->asked)
                *claim = (struct claim){ .asked = asked };
        if (asked == MODE_DISARMED || claim->left || v->port.state != FC_PORT_READY)
                return;
        claim->reached |= does_as_asked(asked, said);
        if (!claim->reached || !goes_own_way(asked, said))
                return;
        claim->left = true;
        note_own_way(rig, v);
}

static bool same_input(const struct pilot_input *a, const struct pilot_input *b)
{
        return a->setpoint.mode == b->setpoint.mode &&
               a->setpoint.pos_ned_m.x == b->setpoint.pos_ned_m.x &&
               a->setpoint.pos_ned_m.y == b->setpoint.pos_ned_m.y &&
               a->setpoint.pos_ned_m.z == b->setpoint.pos_ned_m.z &&
               a->setpoint.yaw_rad == b->setpoint.yaw_rad &&
               memcmp(a->rc_us, b->rc_us, sizeof a->rc_us) == 0;
}

/* The scenario asks a pilot, where there is one; else its channels go out as they are. */
static void move_sticks(struct rig_vehicle *v, struct pilot_input *now, int64_t t_ns)
{
        const struct vehicle *is = &v->vehicle;

        if (v->config->pilot.period_ns == 0)
                return;
        pilot_step(&v->pilot, &v->config->pilot, &is->body, is->contact.touching, now,
                   v->config->start_ned_m, t_ns);
        memcpy(now->rc_us, v->pilot.rc_us, sizeof now->rc_us);
}

void loop_ask_pilot(const struct rig *rig, struct rig_vehicle *v)
{
        const struct actions *a = &v->actions;
        int64_t t_ns = loop_sim_ns(rig);
        struct pilot_input now = v->asked;
        struct setpoint *to = &now.setpoint;

        if (!a->stimulates && v->config->pilot.period_ns == 0)
                return;
        to->pos_ned_m.x += actions_pilot(a, STIMULUS_NORTH, 0, t_ns);
        to->pos_ned_m.y += actions_pilot(a, STIMULUS_EAST, 0, t_ns);
        to->pos_ned_m.z -= actions_pilot(a, STIMULUS_UP, 0, t_ns);
        to->yaw_rad += actions_pilot(a, STIMULUS_YAW, 0, t_ns);
        move_sticks(v, &now, t_ns);
        for (int i = 0; i < RC_CHANNELS_MAX; i++) {
                double us = now.rc_us[i] + actions_pilot(a, STIMULUS_RC, i, t_ns);

                if (now.rc_us[i] != 0)
                        now.rc_us[i] = (uint16_t)(fmin(fmax(us, 1000.0), 2000.0) + 0.5);
        }
        if (same_input(&now, &v->input))
                return;
        v->input = now;
        v->input_pending = true;
}
