/* One period of every vehicle, in the order in which the signal travels: pilot input; motor
 * command -> vehicle -> sensors -> codec -> link; verdict; record. */
#include "hil/loop.h"

#include <stdint.h>

#define DEG_PER_RAD    57.29577951308232
#define LIVE_PERIOD_NS (100 * NS_PER_MS)

static void take_pilot_input(struct rig *rig, struct rig_vehicle *v)
{
        const struct scenario *s = &rig->config->scenario;
        struct setpoint_record record = { .t_ns = loop_sim_ns(rig),
                                          .vehicle = v->port.vehicle };

        if (!scenario_input(s, v->port.vehicle, loop_sim_ns(rig), &v->next_step,
                            &v->input))
                return;
        v->input_pending = true;
        record.setpoint = v->input.setpoint;
        if (rig->recorder != NULL)
                recorder_setpoint(rig->recorder, &record);
}

static bool send_frame(struct rig *rig, struct rig_vehicle *v, int64_t now_ns)
{
        int every = v->port.codec->ops->frame_every(v->port.codec);
        const struct pilot_input *input = v->input_pending ? &v->input : NULL;
        bool sent = (every <= 1 || rig->tick % every == 0) &&
                    fc_port_send(&v->port, now_ns, &v->frame, input);

        if (sent)
                v->input_pending = false;
        rig_vehicle_sent(v, sent);
        return sent;
}

static double altitude_m(const struct rig *rig, const struct rig_vehicle *v)
{
        return rig->config->world.ground_down_m - v->vehicle.body.pos_ned_m.z;
}

static void observe(struct rig *rig, const struct rig_vehicle *v)
{
        const struct vehicle *truth = &v->vehicle;
        struct observation o = {
                .truth = &truth->body,
                .altitude_m = altitude_m(rig, v),
                .armed = v->port.report.armed,
                .contact = truth->contact.touching,
                .impact_mps = truth->contact.impact_mps,
        };

        judge_observe(&rig->judge, v->port.vehicle, loop_sim_ns(rig), &o);
}

static void record_tick(struct rig *rig, struct rig_vehicle *v,
                        const struct lateness *late, const struct motor_command *command,
                        bool sent, int64_t compute_ns)
{
        struct tick_record r;

        if (rig->recorder == NULL)
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
        r.compute_ns = (int32_t)(compute_ns < INT32_MAX ? compute_ns : INT32_MAX);
        r.loop_ns = (int32_t)(v->port.loop_ns < INT32_MAX ? v->port.loop_ns : INT32_MAX);
        r.command = *command;
        for (int i = 0; i < ROTORS_MAX; i++)
                r.rotor_speed_radps[i] = v->vehicle.motor[i].speed_radps;
        r.truth = v->vehicle.body;
        r.frame = v->frame;
        recorder_tick(rig->recorder, &r);
        v->port.loop_ns = 0;
}

/* One vehicle, one period, in the order of the signal. */
static void tick_vehicle(struct rig *rig, struct rig_vehicle *v,
                         const struct lateness *late)
{
        struct motor_command command = v->port.command;
        bool sent = false;
        int64_t now_ns;

        v->port.sim_ns = loop_sim_ns(rig);
        take_pilot_input(rig, v);
        rig_vehicle_tick(v, rig->config, &command, late->missed);
        if (!late->missed) {
                now_ns = clock_now_ns();
                sent = send_frame(rig, v, now_ns);
                histogram_add(&rig->compute, clock_now_ns() - late->wake_ns);
        }
        observe(rig, v);
        record_tick(rig, v, late, &command, sent, clock_now_ns() - late->wake_ns);
}

static void show(struct rig *rig)
{
        const struct rig_vehicle *v = &rig->vehicle[0];
        struct vec3 euler;

        if (rig->live == NULL ||
            loop_sim_ns(rig) % LIVE_PERIOD_NS >= rig->config->period_ns)
                return;
        euler = quat_to_euler(v->vehicle.body.q_body_to_ned);
        live_set(rig->live, &(struct live_figures){
                                    .sim_ns = loop_sim_ns(rig),
                                    .host_ns = clock_now_ns() - rig->start_ns,
                                    .roll_deg = DEG_PER_RAD * euler.x,
                                    .pitch_deg = DEG_PER_RAD * euler.y,
                                    .yaw_deg = DEG_PER_RAD * euler.z,
                                    .altitude_m = altitude_m(rig, v),
                                    .loop_ns = histogram_quantile_ns(&v->port.loop, 0.5),
                                    .missed = rig->missed,
                                    .armed = v->port.report.armed,
                            });
}

void loop_tick_all(struct rig *rig, const struct lateness *late)
{
        rig->tick++;
        rig_vehicles_meet(rig->vehicle, rig->config->vehicles);
        for (int i = 0; i < rig->config->vehicles; i++)
                tick_vehicle(rig, &rig->vehicle[i], late);
        show(rig);
}
