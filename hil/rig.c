#include "hil/rig.h"

#include "models/collision.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t fastest_sonar_ns(const struct sonar_params *p)
{
        int64_t fastest_ns = 0;

        for (int i = 0; i < p->count; i++)
                if (fastest_ns == 0 || p->unit[i].schedule.period_ns < fastest_ns)
                        fastest_ns = p->unit[i].schedule.period_ns;
        return fastest_ns;
}

static struct codec_baro_words baro_words(const struct baro_params *p)
{
        const struct bmp180_params *w = &p->bmp180;

        if (!p->is_bmp180)
                return (struct codec_baro_words){ 0 };
        return (struct codec_baro_words){ .ac1 = w->ac1,
                                          .ac2 = w->ac2,
                                          .ac3 = w->ac3,
                                          .ac4 = w->ac4,
                                          .ac5 = w->ac5,
                                          .ac6 = w->ac6,
                                          .b1 = w->b1,
                                          .b2 = w->b2,
                                          .mb = w->mb,
                                          .mc = w->mc,
                                          .md = w->md,
                                          .oversampling = (uint8_t)w->oversampling };
}

/* Seconds from 1970 to GPS time's beginning in 1980, and what GPS is ahead of UTC since 2017. */
#define GPS_EPOCH_S 315964800.0
#define GPS_AHEAD_S 18.0

static struct codec_origin codec_origin(const struct world *w)
{
        struct earth_position p = { w->origin.lat_rad + 1e-6, w->origin.lon_rad + 1e-6,
                                    w->origin.height_m };
        struct vec3 step_m = earth_to_ned(&w->origin, p);

        return (struct codec_origin){
                .lat_rad = w->origin.lat_rad,
                .lon_rad = w->origin.lon_rad,
                .height_m = w->origin.height_m,
                .north_m_per_rad = step_m.x * 1e6,
                .east_m_per_rad = step_m.y * 1e6,
                .utc_ns = (int64_t)((w->gps_time_s + GPS_EPOCH_S - GPS_AHEAD_S) * 1e9),
        };
}

static void codec_setup_fill(struct codec_setup *setup, const struct rig_config *config,
                             const struct vehicle_config *v)
{
        const struct sensors_params *s = &v->params.sensors;

        *setup = (struct codec_setup){
                .lockstep = config->pace == PACE_LOCKSTEP,
                .dialect = v->fc.dialect,
                .period_ns = config->period_ns,
                .origin = codec_origin(&config->world),
                .start_ned_m = v->start_ned_m,
                .sensor_period_ns = { [SENSOR_IMU] = s->imu.schedule.period_ns,
                                      [SENSOR_GPS] = s->gps.schedule.period_ns,
                                      [SENSOR_BARO] = s->baro.schedule.period_ns,
                                      [SENSOR_MAG] = s->mag.schedule.period_ns,
                                      [SENSOR_SONAR] = fastest_sonar_ns(&s->sonar),
                                      [SENSOR_FLOW] = s->flow.schedule.period_ns,
                                      [SENSOR_POWER] = s->power.schedule.period_ns,
                                      [SENSOR_INS] = s->ins.schedule.period_ns },
                .sensor_lsb = { [SENSOR_IMU] = s->imu.accel.lsb,
                                [SENSOR_BARO] = s->baro.pressure.lsb,
                                [SENSOR_MAG] = s->mag.field.lsb,
                                [SENSOR_SONAR] = s->sonar.unit[0].range.lsb },
                .gyro_lsb_radps = s->imu.gyro.lsb,
                .sonars = s->sonar.count,
                .baro_words = baro_words(&s->baro),
                .rotors = v->params.rotors,
        };
        memcpy(setup->motor_order, v->fc.motor_order, sizeof setup->motor_order);
}

bool rig_vehicle_init(struct rig_vehicle *v, const struct rig_config *config, int index,
                      char *why, size_t cap)
{
        v->config = &config->vehicle[index];
        v->pristine = v->config->params;
        v->gone_ns = -1;
        pilot_init(&v->pilot, &v->config->pilot);
        v->touched = -2;
        if (!vehicle_params_prepare(&v->pristine, config->plant_step_ns, config->seed,
                                    (uint32_t)index)) {
                snprintf(why, cap, "vehicle %s: its inertia cannot belong to a body",
                         v->config->name);
                return false;
        }
        v->params = v->pristine;
        metrics_init(&v->metrics, &v->params, &v->actions, config->period_ns);
        if (!actions_open(&v->actions, &config->scenario, index)) {
                snprintf(why, cap, "out of memory");
                return false;
        }
        vehicle_init(&v->vehicle, &v->params, &config->world, config->seed,
                     (uint32_t)index, v->config->start_ned_m, v->config->start_yaw_rad);
        return true;
}

static int wire_faults(const struct scenario *s, int vehicle)
{
        int count = 0;

        for (int i = 0; i < s->steps; i++)
                count += s->step[i].action == ACTION_WIRE_FAULT &&
                         (s->step[i].vehicle < 0 || s->step[i].vehicle == vehicle);
        return count;
}

static bool vehicle_open(struct rig_vehicle *v, const struct rig_config *config,
                         int index, char *why, size_t cap)
{
        struct codec_setup setup;
        struct link_error error;

        if (!rig_vehicle_init(v, config, index, why, cap))
                return false;
        codec_setup_fill(&setup, config, v->config);
        if (!fc_port_open(&v->port, &v->config->fc, &setup, index, &error)) {
                snprintf(why, cap, "%s", error.text);
                return false;
        }
        if (!fc_port_wire_open(&v->port, wire_faults(&config->scenario, index))) {
                snprintf(why, cap, "out of memory");
                return false;
        }
        return true;
}

/* Up to the end, which may lie within the last period: a requirement whose window ends there is
 * judged only when the flight has reached it. */
static int64_t flight_ticks(const struct rig_config *config)
{
        int64_t flight_ns = config->stop_after_ns < config->scenario.duration_ns
                                    ? config->stop_after_ns
                                    : config->scenario.duration_ns;

        return (flight_ns + config->period_ns - 1) / config->period_ns;
}

bool rig_open(struct rig *rig, const struct rig_config *config, char *why, size_t cap)
{
        *rig = (struct rig){ .config = config, .stop_fd = -1 };
        rig->realtime.latency_fd = -1;
        rig->ticks = flight_ticks(config);
        rig->timeline.scenario = &config->scenario;
        rig->vehicle = calloc((size_t)config->vehicles, sizeof *rig->vehicle);
        if (rig->vehicle == NULL ||
            !conditions_open(&rig->conditions, &config->scenario, config->vehicles)) {
                snprintf(why, cap, "out of memory");
                rig_close(rig);
                return false;
        }
        if (!judge_open(&rig->judge, config->scenario.requirement,
                        config->scenario.requirements, config->vehicles,
                        config->period_ns, config->scenario.duration_ns, why, cap)) {
                rig_close(rig);
                return false;
        }
        for (int i = 0; i < config->vehicles; i++) {
                if (!vehicle_open(&rig->vehicle[i], config, i, why, cap)) {
                        rig_close(rig);
                        return false;
                }
        }
        return true;
}

void rig_close(struct rig *rig)
{
        for (int i = 0; rig->vehicle != NULL && i < rig->config->vehicles; i++)
                fc_port_close(&rig->vehicle[i].port);
        for (int i = 0; rig->vehicle != NULL && i < rig->config->vehicles; i++)
                rig_vehicle_close(&rig->vehicle[i]);
        judge_close(&rig->judge);
        conditions_close(&rig->conditions);
        free(rig->vehicle);
        rig->vehicle = NULL;
}

/* Between two vehicles: light frames of plastic and foam. */
#define MEET_RESTITUTION 0.3
#define MEET_FRICTION    0.3

static void learn_of_others(struct rig_vehicle *vehicle, int count, int i)
{
        struct neighbours *others = &vehicle[i].others;

        others->count = 0;
        vehicle[i].met_mps = 0.0;
        for (int k = 0; k < count; k++) {
                if (k == i)
                        continue;
                others->at[others->count].pos_ned_m = vehicle[k].vehicle.body.pos_ned_m;
                others->at[others->count].radius_m = vehicle_radius_m(&vehicle[k].params);
                others->count++;
        }
}

static void feel(struct rig_vehicle *v, const struct body_state *before, int met,
                 double met_mps)
{
        struct vehicle *now = &v->vehicle;

        if (met_mps > v->met_mps) {
                v->met_mps = met_mps;
                v->met = met;
        }
        now->jolt_ned_mps = vec3_add(
                now->jolt_ned_mps, vec3_sub(now->body.vel_ned_mps, before->vel_ned_mps));
        now->jolt_body_radps =
                vec3_add(now->jolt_body_radps,
                         vec3_sub(now->body.rate_body_radps, before->rate_body_radps));
}

/* What a jig holds does not move, whatever pushes it. */
static const struct body_params immovable = { .mass_kg = (double)INFINITY };

static struct collision_body collision_body(struct rig_vehicle *v)
{
        return (struct collision_body){ v->vehicle.held ? &immovable : &v->params.body,
                                        &v->vehicle.body, vehicle_radius_m(&v->params) };
}

static void meet(struct rig_vehicle *vehicle, int first, int second)
{
        struct rig_vehicle *a = &vehicle[first], *b = &vehicle[second];
        struct collision_body one = collision_body(a), other = collision_body(b);
        const struct body_state before[2] = { a->vehicle.body, b->vehicle.body };
        double met_mps;

        if (a->vehicle.held && b->vehicle.held)
                return;
        met_mps = collision_step(&one, &other, MEET_RESTITUTION, MEET_FRICTION);
        feel(a, &before[0], second, met_mps);
        feel(b, &before[1], first, met_mps);
}

void rig_vehicles_meet(struct rig_vehicle *vehicle, int count)
{
        if (count < 2)
                return;
        for (int i = 0; i < count; i++)
                learn_of_others(vehicle, count, i);
        for (int i = 0; i < count; i++)
                for (int k = 0; k < i; k++)
                        meet(vehicle, k, i);
}

static struct action_target target(struct rig_vehicle *v, int index,
                                   const struct rig_config *config)
{
        return (struct action_target){ .actions = &v->actions,
                                       .pristine = &v->pristine,
                                       .params = &v->params,
                                       .vehicle = &v->vehicle,
                                       .last = &v->frame,
                                       .seed = config->seed,
                                       .index = (uint32_t)index };
}

void rig_vehicle_begin(struct rig_vehicle *v, int index, const struct rig_config *config,
                       int step, int64_t t_ns)
{
        struct action_target at = target(v, index, config);

        action_begin(&at, &config->scenario, step, t_ns);
}

int rig_vehicle_end(struct rig_vehicle *v, int index, const struct rig_config *config,
                    int64_t t_ns)
{
        struct action_target at = target(v, index, config);

        return action_end_due(&at, t_ns);
}

void rig_vehicle_close(struct rig_vehicle *v)
{
        actions_close(&v->actions);
}

/* A sample that has not been sent yet goes out as stimuli and faults left it when it was new. */
static void keep_unsent(const struct rig_vehicle *v, struct sensor_frame *frame)
{
        const struct sensor_frame *last = &v->frame;
        uint32_t keep = v->unsent_fresh & ~frame->fresh;

        if (keep & SENSOR_BIT(SENSOR_IMU))
                frame->imu = last->imu;
        if (keep & SENSOR_BIT(SENSOR_GPS))
                frame->gps = last->gps;
        if (keep & SENSOR_BIT(SENSOR_BARO))
                frame->baro = last->baro;
        if (keep & SENSOR_BIT(SENSOR_MAG))
                frame->mag = last->mag;
        if (keep & SENSOR_BIT(SENSOR_FLOW))
                frame->flow = last->flow;
        if (keep & SENSOR_BIT(SENSOR_POWER))
                frame->power = last->power;
        if (keep & SENSOR_BIT(SENSOR_INS))
                frame->ins = last->ins;
        for (int i = 0; i < SONARS_MAX; i++)
                if ((v->unsent_sonars & ~frame->fresh_sonars) >> i & 1)
                        frame->sonar[i] = last->sonar[i];
}

void rig_vehicle_tick(struct rig_vehicle *v, int index, const struct rig_config *config,
                      const struct motor_command *command, bool missed)
{
        int steps = (int)(config->period_ns / config->plant_step_ns);
        int64_t end_ns = v->vehicle.t_ns + config->period_ns;
        struct action_target at = target(v, index, config);
        struct motor_command driven = *command;
        struct sensor_frame frame;

        actions_before(&at, end_ns, &driven);
        frame = *vehicle_step(&v->vehicle, &v->params, &config->world, &v->others,
                              &driven, steps);
        actions_after(&at, end_ns, &frame);
        frame.pose = (struct pose_sample){ v->vehicle.body.pos_ned_m,
                                           v->vehicle.body.vel_ned_mps,
                                           v->vehicle.body.q_body_to_ned };
        keep_unsent(v, &frame);
        v->frame = frame;
        if (!missed) {
                v->frame.fresh |= v->unsent_fresh;
                v->frame.fresh_sonars |= v->unsent_sonars;
        }
}

void rig_vehicle_sent(struct rig_vehicle *v, bool sent)
{
        v->sent = sent;
        v->unsent_fresh = sent ? 0 : v->frame.fresh;
        v->unsent_sonars = sent ? 0 : v->frame.fresh_sonars;
}

int rig_most_rotors(const struct rig_config *config)
{
        int most = 0;

        for (int i = 0; i < config->vehicles; i++)
                if (config->vehicle[i].params.rotors > most)
                        most = config->vehicle[i].params.rotors;
        return most;
}
