/* What a scenario's steps do to one vehicle. */
#include "hil/scenario/action.h"

#include <stdlib.h>

#include "models/sensors/errors/error_model.h"

static bool acts(const struct scenario_step *step, int vehicle)
{
        return scenario_step_is_for(step, vehicle) &&
               (step->action == ACTION_STIMULUS || step->action == ACTION_SENSOR_FAULT ||
                step->action == ACTION_VEHICLE_FAULT);
}

bool actions_open(struct actions *a, const struct scenario *s, int vehicle)
{
        int count = 0;

        for (int i = 0; i < s->steps; i++)
                count += acts(&s->step[i], vehicle);
        *a = (struct actions){ .count = count };
        if (count + s->reserve == 0)
                return true;
        a->list = calloc((size_t)(count + s->reserve), sizeof *a->list);
        if (a->list == NULL)
                return false;
        for (int i = 0, n = 0; i < s->steps; i++) {
                if (!acts(&s->step[i], vehicle))
                        continue;
                a->list[n].step = i;
                a->list[n++].of = &s->step[i];
                a->stimulates |= s->step[i].action == ACTION_STIMULUS;
        }
        return true;
}

void action_admit(struct actions *a, const struct scenario *s, int step, int vehicle)
{
        if (!acts(&s->step[step], vehicle))
                return;
        a->list[a->count++] = (struct action){ .step = step, .of = &s->step[step] };
        a->stimulates |= s->step[step].action == ACTION_STIMULUS;
}

void action_lift(struct actions *a, int step, int64_t t_ns)
{
        for (int i = 0; i < a->count; i++)
                if (a->list[i].step == step && a->list[i].on && a->list[i].end_ns > t_ns)
                        a->list[i].end_ns = t_ns;
}

void actions_close(struct actions *a)
{
        free(a->list);
        *a = (struct actions){ 0 };
}

static void turn_jig(struct vehicle *v, const struct scenario_step *step)
{
        if (step->jig == JIG_HOLD)
                vehicle_hold(v, step->q_body_to_ned);
        else if (step->jig == JIG_RELEASE)
                vehicle_release(v);
}

/* The params with every vehicle fault that is in force, made anew from those without any: so faults may
 * overlap and end in any order. Where no body has what they leave together, mass and inertia are those without
 * any. */
static void load_vehicle(const struct action_target *at)
{
        const struct vehicle_fault *fault[SCENARIO_STEPS_MAX];
        int count = 0;

        for (int i = 0; i < at->actions->count; i++) {
                const struct action *a = &at->actions->list[i];

                if (a->on && a->of->action == ACTION_VEHICLE_FAULT)
                        fault[count++] = &a->of->vehicle_fault;
        }
        if (!vehicle_faults_recompute(at->params, at->vehicle, at->pristine, fault,
                                      count))
                at->actions->impossible = true;
}

void action_begin(const struct action_target *at, const struct scenario *s, int step,
                  int64_t t_ns)
{
        const struct scenario_step *of = &s->step[step];

        if (scenario_step_is_for(of, (int)at->index))
                turn_jig(at->vehicle, of);
        for (int i = 0; i < at->actions->count; i++) {
                struct action *a = &at->actions->list[i];

                if (a->step != step)
                        continue;
                a->on = true;
                a->begin_ns = t_ns;
                a->end_ns = of->for_ns < INT64_MAX - t_ns ? t_ns + of->for_ns : INT64_MAX;
                at->actions->in_force++;
                if (of->action == ACTION_SENSOR_FAULT)
                        sensor_fault_init(&a->sensor, &of->sensor_fault, at->seed,
                                          at->index, (uint32_t)step, t_ns, at->last);
                if (of->action != ACTION_VEHICLE_FAULT)
                        continue;
                vehicle_fault_init(&a->vehicle, &of->vehicle_fault, at->vehicle);
                load_vehicle(at);
        }
}

int action_end_due(const struct action_target *at, int64_t t_ns)
{
        for (int i = 0; at->actions->in_force > 0 && i < at->actions->count; i++) {
                struct action *a = &at->actions->list[i];

                if (!a->on || t_ns < a->end_ns)
                        continue;
                a->on = false;
                at->actions->in_force--;
                if (a->of->action == ACTION_VEHICLE_FAULT)
                        load_vehicle(at);
                return a->step;
        }
        return -1;
}

static void add_to(struct vec3 *v, int axis, double x)
{
        if (axis == 0)
                v->x += x;
        else if (axis == 1)
                v->y += x;
        else
                v->z += x;
}

static void push(struct vehicle *v, struct motor_command *command,
                 const struct stimulus *s, double x)
{
        switch (s->input) {
        case STIMULUS_WIND:
                add_to(&v->push.wind_ned_mps, s->index, x);
                break;
        case STIMULUS_FORCE:
                add_to(&v->push.force_ned_n, s->index, x);
                break;
        case STIMULUS_TORQUE:
                add_to(&v->push.torque_body_nm, s->index, x);
                break;
        case STIMULUS_DUTY:
                command->duty[s->index] =
                        fmin(fmax(command->duty[s->index] + x, 0.0), 1.0);
                break;
        default:
                break;
        }
}

void actions_before(const struct action_target *at, int64_t t_ns,
                    struct motor_command *command)
{
        at->vehicle->push = (struct push){ 0 };
        for (int i = 0; at->actions->in_force > 0 && i < at->actions->count; i++) {
                struct action *a = &at->actions->list[i];

                if (a->on && a->of->action == ACTION_STIMULUS)
                        push(at->vehicle, command, &a->of->stimulus,
                             stimulus_value(&a->of->stimulus, t_ns - a->begin_ns));
                else if (a->on && a->of->action == ACTION_VEHICLE_FAULT)
                        vehicle_fault_command(&a->of->vehicle_fault, &a->vehicle,
                                              command);
        }
}

/* One of the body's axes, as long as x, as the sensor's axes have it. */
static struct vec3 along(const struct imu_params *p, int axis, double x)
{
        struct vec3 v = { 0 };

        add_to(&v, axis, x);
        return quat_rotate(p->q_body_to_sensor, v);
}

static void say_otherwise(struct vec3 *v, const struct error_params *p, struct vec3 more)
{
        *v = (struct vec3){ error_output(p, v->x + more.x),
                            error_output(p, v->y + more.y),
                            error_output(p, v->z + more.z) };
}

static void disturb(struct sensor_frame *frame, const struct imu_params *p,
                    const struct stimulus *s, double x)
{
        if (!(frame->fresh & SENSOR_BIT(SENSOR_IMU)))
                return;
        if (s->input == STIMULUS_GYRO)
                say_otherwise(&frame->imu.gyro_body_radps, &p->gyro,
                              along(p, s->index, x));
        else if (s->input == STIMULUS_ACCEL)
                say_otherwise(&frame->imu.accel_body_mps2, &p->accel,
                              along(p, s->index, x));
}

void actions_after(const struct action_target *at, int64_t t_ns,
                   struct sensor_frame *frame)
{
        const struct sensors_params *sensors = &at->params->sensors;

        for (int i = 0; at->actions->in_force > 0 && i < at->actions->count; i++) {
                struct action *a = &at->actions->list[i];

                if (a->on && a->of->action == ACTION_STIMULUS)
                        disturb(frame, &sensors->imu, &a->of->stimulus,
                                stimulus_value(&a->of->stimulus, t_ns - a->begin_ns));
                else if (a->on && a->of->action == ACTION_SENSOR_FAULT)
                        sensor_fault_apply(&a->sensor, &a->of->sensor_fault, sensors,
                                           t_ns, frame);
        }
}

double actions_pilot(const struct actions *a, enum stimulus_input input, int index,
                     int64_t t_ns)
{
        double sum = 0.0;

        for (int i = 0; a->in_force > 0 && i < a->count; i++) {
                const struct action *one = &a->list[i];

                if (one->on && one->of->action == ACTION_STIMULUS &&
                    one->of->stimulus.input == input && one->of->stimulus.index == index)
                        sum += stimulus_value(&one->of->stimulus, t_ns - one->begin_ns);
        }
        return sum;
}

void actions_radio(const struct actions *a, bool *lost, double *noise_dbm)
{
        *lost = false;
        *noise_dbm = -(double)INFINITY;
        for (int i = 0; a->in_force > 0 && i < a->count; i++) {
                const struct scenario_step *of = a->list[i].of;

                if (!a->list[i].on || of->action != ACTION_VEHICLE_FAULT)
                        continue;
                *lost |= of->vehicle_fault.kind == RADIO_LOST;
                if (of->vehicle_fault.kind == RADIO_JAMMED)
                        *noise_dbm = fmax(*noise_dbm, of->vehicle_fault.noise_dbm);
        }
}
