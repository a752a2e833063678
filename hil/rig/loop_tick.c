/* One period of every vehicle, in the order in which the signal travels: scenario; motor
 * command -> vehicle -> sensors -> codec -> link; verdict; record. */
#include "hil/rig/loop.h"

#include "models/vehicle/batch.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static bool send_frame(struct rig_vehicle *v, int64_t tick, int64_t now_ns)
{
        int every = v->port.codec->ops->frame_every(v->port.codec);
        const struct pilot_input *input = v->input_pending ? &v->input : NULL;
        bool sent = (every <= 1 || tick % every == 0) &&
                    fc_port_send(&v->port, now_ns, &v->frame, input);

        if (sent)
                v->input_pending = false;
        /* What is shipped has its samples from its devices. */
        sent |= v->port.shipped;
        rig_vehicle_sent(v, sent);
        return sent;
}

static int wire_faults_in_force(const struct rig_vehicle *v)
{
        int n = fc_faults_in_force(&v->port.links.faults);

        for (int i = 0; i < v->config->ports; i++)
                n += fc_faults_in_force(&v->device[i].faults);
        return n;
}

static void observe_vehicle(struct rig *rig, const struct rig_vehicle *v,
                            const struct lateness *late,
                            const struct motor_command *command, bool sent)
{
        rig->observed[v->port.vehicle] = (struct observation){
                .t_ns = loop_sim_ns(rig),
                .truth = &v->vehicle,
                .frame = &v->frame,
                .command = command,
                .report = &v->port.report,
                .input = &v->input,
                .start_ned_m = v->config->start_ned_m,
                .ground_down_m = rig->config->world.ground_down_m,
                .loop_ns = v->port.talk.loop_ns,
                .lateness_ns = late->lateness_ns,
                .missed = late->missed,
                .frame_sent = sent,
                .faults = v->actions.in_force + wire_faults_in_force(v),
                .fleet = rig->fleet.count > 0 ? &rig->fleet : NULL,
                .member = v->port.vehicle,
        };
}

/* Slower is touching, not hitting. */
#define IMPACT_MIN_MPS 0.05

static void note_impact(struct rig *rig, const struct rig_vehicle *v,
                        enum event_kind kind, int hit, double impact_mps,
                        const char *what)
{
        struct event_record event = { .t_ns = loop_sim_ns(rig),
                                      .vehicle = v->port.vehicle,
                                      .kind = kind,
                                      .obstacle = hit,
                                      .step = -1,
                                      .impact_mps = impact_mps };

        snprintf(event.what, sizeof event.what, "%s", what);
        if (rig->recorder != NULL)
                recorder_event(rig->recorder, &event);
}

/* An event at the moment when an obstacle or another vehicle is met; landing is none. */
static void note_impacts(struct rig *rig, struct rig_vehicle *v)
{
        int obstacle = v->vehicle.obstacle;

        if (obstacle >= 0 && obstacle != v->touched &&
            v->vehicle.impact_mps > IMPACT_MIN_MPS)
                note_impact(rig, v, EVENT_COLLISION, obstacle, v->vehicle.impact_mps,
                            config_obstacle_name(rig->config, obstacle));
        if (v->met_mps > IMPACT_MIN_MPS)
                note_impact(rig, v, EVENT_MEETING, v->met, v->met_mps,
                            rig->config->vehicle[v->met].name);
        v->touched = obstacle;
}

static void record_tick(struct rig *rig, struct rig_vehicle *v,
                        const struct lateness *late, const struct motor_command *command,
                        bool sent)
{
        struct tick_record r;

        if (rig->recorder == NULL && rig->page.frame == NULL)
                return;
        r.tick = rig->tick;
        r.t_ns = loop_sim_ns(rig);
        r.vehicle = v->port.vehicle;
        r.missed = late->missed;
        r.frame_sent = sent;
        r.contact = v->vehicle.contact.touching;
        r.armed = v->port.report.armed;
        r.lateness_ns =
                (int32_t)(late->lateness_ns < INT32_MAX ? late->lateness_ns : INT32_MAX);
        r.compute_ns = (int32_t)(v->compute_ns < INT32_MAX ? v->compute_ns : INT32_MAX);
        r.loop_ns = (int32_t)(v->port.talk.loop_ns < INT32_MAX ? v->port.talk.loop_ns
                                                               : INT32_MAX);
        r.command = *command;
        for (int i = 0; i < ROTORS_MAX; i++)
                r.rotor_speed_radps[i] = v->vehicle.motor[i].speed_radps;
        memcpy(r.inflow_mps, v->vehicle.inflow_mps, sizeof r.inflow_mps);
        r.wind_ned_mps = v->vehicle.around.wind_ned_mps;
        r.battery_v = v->vehicle.battery.voltage_v;
        r.current_a = v->vehicle.battery.current_a;
        r.height_m = v->vehicle.around.surface_down_m - v->vehicle.body.pos_ned_m.z;
        r.impact_mps = v->vehicle.impact_mps;
        r.obstacle = v->vehicle.obstacle;
        r.truth = v->vehicle.body;
        r.frame = v->frame;
        if (rig->recorder != NULL)
                recorder_tick(rig->recorder, &r);
        loop_show_page(rig, v, &r);
        v->port.talk.loop_ns = 0;
}

static void say_port_lost(struct rig *rig, const struct rig_vehicle *v, int port)
{
        char text[300];

        snprintf(text, sizeof text, "%s: port %s, %s, lost at %.3f s, tried again",
                 v->config->name, v->config->port[port].device,
                 v->config->port[port].link_text, (double)loop_sim_ns(rig) * 1e-9);
        loop_say(rig, '4', text);
}

/* Parts on the board's own ports see what the codec sees, in missed periods too. */
static void feed_devices(struct rig *rig, struct rig_vehicle *v)
{
        const struct vehicle_config *config = v->config;
        double rotor_radps[ROTORS_MAX] = { 0 };
        struct sensor_frame frame;
        struct device_feed feed = { .t_ns = v->frame.t_ns,
                                    .frame = &frame,
                                    .input = &v->input,
                                    .report = &v->port.report,
                                    .command = &v->command,
                                    .rotor_radps = rotor_radps,
                                    .heard = v->heard,
                                    .heards = v->heards };
        int64_t now_ns;

        if (config->ports == 0)
                return;
        now_ns = clock_now_ns();
        frame = v->frame;
        frame.fresh = v->new_fresh;
        frame.fresh_sonars = v->new_sonars;
        for (int i = 0; i < config->params.rotors; i++)
                rotor_radps[i] = v->vehicle.motor[i].speed_radps;
        unit_attitude_step(&v->attitude, &frame);
        feed.attitude = v->attitude.set ? &v->attitude.q_body_to_ned : NULL;
        for (int i = 0; i < config->ports; i++) {
                uint64_t losses = v->device[i].losses;

                device_port_tick(&v->device[i], &feed, now_ns,
                                 rig->config->log.wire ? rig->recorder : NULL,
                                 now_ns - v->port.links.start_ns);
                if (v->device[i].losses != losses)
                        say_port_lost(rig, v, i);
                loop_send_by_radio(rig, v, v->device[i].device);
        }
}

/* What drives the vehicle at the tick that begins: what its flight controller reports, or what its motor pads
 * show. */
static struct motor_command choose_motor_command(struct rig_vehicle *v)
{
        bool reported = v->port.motors_heard != v->motors_compared;

        v->motors_compared = v->port.motors_heard;
        for (int i = 0; i < v->config->ports; i++) {
                struct device_port *port = &v->device[i];
                struct motor_command heard;

                if (port->device->ops->motors == NULL)
                        continue;
                if (port->device->ops->motors(port->device, &heard) && reported)
                        for (int r = 0; r < v->config->params.rotors; r++)
                                motor_comparison_take(&port->motors,
                                                      v->config->params.rotors, r,
                                                      heard.duty[r], &v->port.command);
                if (port->config->drives)
                        return heard;
        }
        if (v->pads == NULL)
                return v->port.command;
        if (reported)
                pads_compare(v->pads, &v->port.command);
        return v->pads->config->drives ? v->pads->command : v->port.command;
}

static void prepare_step(struct rig *rig, struct rig_vehicle *v)
{
        v->port.sim_ns = loop_sim_ns(rig);
        if (v->twin != NULL) {
                twin_motor_command(v->twin, &v->vehicle, loop_sim_ns(rig),
                                   (double)rig->config->period_ns * 1e-9, &v->command);
                return;
        }
        v->command = choose_motor_command(v);
        loop_follow_joystick(rig, v);
        loop_ask_pilot(rig, v);
        memcpy(v->vehicle.real_range_m, v->port.real_range_m,
               sizeof v->vehicle.real_range_m);
}

/* So many vehicles that no thread has nothing to do. */
static int vehicles_at_once(const struct rig *rig)
{
        int threads = crew_threads(rig->crew), vehicles = rig->config->vehicles;
        int each = (vehicles + threads - 1) / threads;

        return each < BATCH_LANES ? each : BATCH_LANES;
}

/* Command to samples: of some vehicles, which know of the others what held when the period began. */
static void step_vehicles(void *with, int piece)
{
        struct rig *rig = with;
        int most = vehicles_at_once(rig), first = piece * most;
        int count = rig->config->vehicles - first;

        if (count > 1 && most > 1)
                rig_vehicles_tick(rig->vehicle, first, count < most ? count : most,
                                  rig->config, rig->step_missed);
        else
                rig_vehicle_tick(&rig->vehicle[first], first, rig->config,
                                 &rig->vehicle[first].command, rig->step_missed);
}

/* Samples to the board. */
static void send_samples(struct rig *rig, struct rig_vehicle *v,
                         const struct lateness *late)
{
        bool sent = false;

        if (v->whole)
                feed_devices(rig, v);
        for (int i = 0; v->whole && i < v->config->ports; i++)
                loop_follow_device(rig, v, v->device[i].device);
        if (v->twin != NULL) {
                sent = loop_tell_twin(rig, v);
                rig_vehicle_sent(v, true);
        } else if (v->whole && !late->missed) {
                int64_t now_ns = clock_now_ns();

                fc_port_hear_peers(&v->port, now_ns, v->heard, v->heards);
                sent = send_frame(v, rig->tick, now_ns);
        }
        v->compute_ns = clock_now_ns() - late->wake_ns;
        if (v->twin == NULL && v->whole && !late->missed)
                histogram_add(&rig->compute, v->compute_ns);
        v->frame_sent = sent;
}

/* What became of the period: while the boards compute. */
static void note_period(struct rig *rig, struct rig_vehicle *v,
                        const struct lateness *late)
{
        const struct motor_command *command = &v->command;
        bool sent = v->frame_sent;

        observe_vehicle(rig, v, late, command, sent);
        loop_note_flight(rig, v);
        note_impacts(rig, v);
        loop_notice_own_way(rig, v);
        loop_notice_wreck(rig, v);
        if (v->twin == NULL)
                wiring_observe(&v->wiring, &v->vehicle.body, command,
                               v->vehicle.contact.touching, loop_sim_ns(rig));
        record_tick(rig, v, late, command, sent);
        loop_record_pads(rig, v);
}

/* To the board of a station the time, and what its radio has heard. */
static void send_time(struct rig *rig, struct rig_vehicle *v, int64_t tick, bool missed)
{
        int64_t now_ns;

        v->frame.t_ns = tick * rig->config->period_ns;
        v->port.sim_ns = loop_sim_ns(rig);
        feed_devices(rig, v);
        if (v->port.codec == NULL || missed)
                return;
        now_ns = clock_now_ns();
        fc_port_hear_peers(&v->port, now_ns, v->heard, v->heards);
        send_frame(v, tick, now_ns);
}

void loop_coast_tick(struct rig *rig, struct rig_vehicle *v, int64_t tick)
{
        if (v->port.vehicle >= rig->config->vehicles) {
                v->heards = 0;
                send_time(rig, v, rig->tick + tick, false);
                return;
        }
        /* A board gets no frame of a plant that is lost. */
        if (!vehicle_is_finite(&v->vehicle))
                return;
        v->heards = 0;
        /* Pads are not looked at any more. */
        if (v->pads == NULL || !v->pads->config->drives)
                v->command = v->port.command;
        rig_vehicle_tick(v, v->port.vehicle, rig->config, &v->command, false);
        feed_devices(rig, v);
        send_frame(v, tick, clock_now_ns());
}

static void measure_fleet(struct rig *rig)
{
        for (int i = 0; i < rig->fleet.count; i++) {
                const struct body_state *body = &rig->vehicle[i].vehicle.body;

                rig->fleet.member[i].pos_ned_m = body->pos_ned_m;
                rig->fleet.member[i].vel_ned_mps = body->vel_ned_mps;
                rig->fleet.member[i].flies = !rig->vehicle[i].vehicle.contact.touching;
        }
        if (rig->fleet.count > 0)
                fleet_measure(&rig->fleet);
}

void loop_begin_tick(struct rig *rig, const struct lateness *late)
{
        rig->tick++;
        loop_obey_page(rig, rig->tick);
        loop_follow_scenario(rig);
        loop_hear_twins(rig);
        loop_fly_mission(rig);
        for (int i = 0; i < rig->config->vehicles; i++)
                fc_port_tick(&rig->vehicle[i].port, rig->tick, late->wake_ns);
}

void loop_fly_tick(struct rig *rig, const struct lateness *late)
{
        rig_vehicles_meet(rig->vehicle, rig->config);
        /* All step before any sends: a vehicle's number is no latency. */
        for (int i = 0; i < rig->config->vehicles; i++)
                prepare_step(rig, &rig->vehicle[i]);
        rig->step_missed = late->missed;
        if (rig->config->vehicles > 0)
                crew_work(rig->crew, step_vehicles, rig,
                          (rig->config->vehicles - 1) / vehicles_at_once(rig) + 1);
        for (int i = 0; i < rig->config->vehicles; i++)
                rig->vehicle[i].whole = loop_check_plant(rig, &rig->vehicle[i]);
        loop_carry_by_radio(rig);
        measure_fleet(rig);
        loop_measure_overlaps(rig);
        loop_begin_page(rig);
        for (int i = 0; i < rig->config->vehicles; i++)
                send_samples(rig, &rig->vehicle[i], late);
        for (int i = rig->config->vehicles; i < config_boards(rig->config); i++)
                send_time(rig, &rig->vehicle[i], rig->tick, late->missed);
        for (int i = 0; i < rig->config->vehicles; i++)
                note_period(rig, &rig->vehicle[i], late);
        for (int i = 0; i < rig->config->vehicles; i++)
                metrics_observe(&rig->vehicle[i].metrics, &rig->observed[i]);
        judge_observe(&rig->judge, rig->observed);
        judge_values_observe(&rig->conditions, rig->observed);
        loop_show_live(rig);
        loop_end_page(rig);
}
