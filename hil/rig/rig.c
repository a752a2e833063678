/* The vehicles of a rig, without their flight controllers: what the loop and a replay share. */
#include "hil/rig/rig.h"

#include "hil/config/fc/motor_layout.h"

#include "models/sensors/kinds.h"
#include "models/vehicle/batch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void init_wiring(struct rig_vehicle *v, int64_t period_ns)
{
        const struct fc_config *fc = &v->config->fc;
        const struct motor_layout *layout = motor_layout_of(fc->codec);
        uint8_t usual[ROTORS_MAX] = { 0 };
        bool fits = layout != NULL &&
                    motor_layout_order(layout, &v->params, usual) != MOTOR_LAYOUT_NOT_X;
        const struct pads_config *pads = &v->config->pads;
        bool by_pads = pads->used && pads->drives;

        /* Which input hangs on which pad no firmware says. */
        wiring_init(&v->wiring, &v->params, period_ns,
                    by_pads ? pads->pad_of_rotor : fc->motor_order,
                    fits && !by_pads ? usual : NULL);
        if (by_pads)
                v->wiring.order_key = "pads.rotors";
}

bool rig_vehicle_init(struct rig_vehicle *v, const struct rig_config *config, int index,
                      char *why, size_t cap)
{
        v->config = &config->vehicle[index];
        v->pristine = v->config->params;
        v->gone_ns = v->arm_asked_ns = -1;
        v->pushed_ns = INT64_MIN / 2; /* never */
        pilot_init(&v->pilot, &v->config->pilot);
        v->touched = -2;
        if (!vehicle_params_prepare(&v->pristine, config->plant_step_ns, config->seed,
                                    (uint32_t)index)) {
                snprintf(why, cap, "vehicle %s: its inertia cannot belong to a body",
                         v->config->name);
                return false;
        }
        v->params = v->pristine;
        v->by_north = index;
        if (v->config->twin.used) {
                v->twin = malloc(sizeof *v->twin);
                if (v->twin == NULL) {
                        snprintf(why, cap, "out of memory");
                        return false;
                }
                twin_init(v->twin, v->config, &config->world);
        } else {
                init_wiring(v, config->period_ns);
        }
        metrics_init(&v->metrics, &v->params, &v->actions, config->period_ns);
        if (!actions_open(&v->actions, &config->scenario, index)) {
                snprintf(why, cap, "out of memory");
                return false;
        }
        vehicle_init(&v->vehicle, &v->params, &config->world, config->seed,
                     (uint32_t)index, v->config->start_ned_m, v->config->start_yaw_rad);
        return true;
}

static struct action_target action_target_of(struct rig_vehicle *v, int index,
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
        struct action_target at = action_target_of(v, index, config);

        action_begin(&at, &config->scenario, step, t_ns);
}

int rig_vehicle_end(struct rig_vehicle *v, int index, const struct rig_config *config,
                    int64_t t_ns)
{
        struct action_target at = action_target_of(v, index, config);

        return action_end_due(&at, t_ns);
}

void rig_vehicle_close(struct rig_vehicle *v)
{
        actions_close(&v->actions);
        if (v->twin != NULL)
                twin_close(v->twin);
        free(v->twin);
        v->twin = NULL;
}

/* A sample that has not been sent yet goes out as stimuli and faults left it when it was new. */
static void keep_unsent(const struct rig_vehicle *v, struct sensor_frame *frame)
{
        const struct sensor_frame unsent = { .fresh = v->unsent_fresh,
                                             .fresh_sonars = v->unsent_sonars };

        for (enum sensor i = 0; v->unsent_fresh != 0 && i < SENSOR_COUNT; i++)
                for (int unit = 0; unit < sensor_kinds[i].units_max; unit++)
                        if (sensor_is_fresh(&unsent, i, unit) &&
                            !sensor_is_fresh(frame, i, unit))
                                sensor_sample_copy(frame, &v->frame, i, unit);
}

/* The command as faults leave it. */
static struct motor_command begin_tick(struct rig_vehicle *v, int index,
                                       const struct rig_config *config,
                                       const struct motor_command *command)
{
        int64_t end_ns = v->vehicle.t_ns + config->period_ns;
        struct action_target at = action_target_of(v, index, config);
        struct motor_command driven = *command;

        if (v->twin != NULL)
                twin_place(v->twin, &v->vehicle, end_ns);
        actions_before(&at, end_ns, &driven);
        return driven;
}

static void end_tick(struct rig_vehicle *v, int index, const struct rig_config *config,
                     bool missed)
{
        struct action_target at = action_target_of(v, index, config);
        struct sensor_frame frame = v->vehicle.sensors.latest;

        actions_after(&at, v->vehicle.t_ns, &frame);
        frame.pose = vehicle_pose(&v->vehicle);
        v->new_fresh = frame.fresh;
        v->new_sonars = frame.fresh_sonars;
        keep_unsent(v, &frame);
        v->frame = frame;
        if (!missed) {
                v->frame.fresh |= v->unsent_fresh;
                v->frame.fresh_sonars |= v->unsent_sonars;
        }
}

static int steps_of_a_period(const struct rig_config *config)
{
        return (int)(config->period_ns / config->plant_step_ns);
}

void rig_vehicle_tick(struct rig_vehicle *v, int index, const struct rig_config *config,
                      const struct motor_command *command, bool missed)
{
        struct motor_command driven = begin_tick(v, index, config, command);

        vehicle_step(&v->vehicle, &v->params, &config->world, &v->others, &driven,
                     steps_of_a_period(config));
        end_tick(v, index, config, missed);
}

void rig_vehicles_tick(struct rig_vehicle *vehicle, int first, int count,
                       const struct rig_config *config, bool missed)
{
        struct motor_command driven[BATCH_LANES];
        struct vehicle_turn turn[BATCH_LANES] = { { .v = NULL } };

        for (int i = 0; i < count; i++) {
                struct rig_vehicle *v = &vehicle[first + i];

                driven[i] = begin_tick(v, first + i, config, &v->command);
                turn[i] = (struct vehicle_turn){ &v->vehicle, &v->params, &v->others,
                                                 &driven[i] };
        }
        vehicles_step(turn, count, &config->world, steps_of_a_period(config));
        for (int i = 0; i < count; i++)
                end_tick(&vehicle[first + i], first + i, config, missed);
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
