#include "models/fc/planted.h"

#include <stddef.h>

#define TWO_PI 6.283185307179586

const char *const planted_test_names[] = {
        [PLANTED_NONE] = "none",
        [PLANTED_STUCK_TASK] = "stuck_task",
        [PLANTED_LATE_LOOP] = "late_loop",
        [PLANTED_SWAPPED_MOTOR] = "swapped_motor",
        [PLANTED_WRONG_SIGN] = "wrong_sign",
        [PLANTED_SLOW_FILTER] = "slow_filter",
        [PLANTED_TESTS] = NULL,
};

static void hold_fixes_back(struct planted *d, const struct planted_params *p,
                            struct sensor_frame *frame)
{
        int64_t stale_ns = (int64_t)(p->gps_stale_s * 1e9);
        bool came = false;

        if (frame->fresh & SENSOR_BIT(SENSOR_GPS) && d->fixes < PLANTED_FIXES_MAX)
                d->fix[(d->first + d->fixes++) % PLANTED_FIXES_MAX] = frame->gps;
        frame->fresh &= ~SENSOR_BIT(SENSOR_GPS);
        while (d->fixes > 0 && d->fix[d->first].t_ns + stale_ns <= frame->t_ns) {
                d->stale = d->fix[d->first];
                d->first = (d->first + 1) % PLANTED_FIXES_MAX;
                d->fixes--;
                came = true;
        }
        if (!came)
                return;
        frame->gps = d->stale;
        /* An old fix with a fresh time: that is the defect. */
        frame->gps.t_ns = frame->t_ns;
        frame->fresh |= SENSOR_BIT(SENSOR_GPS);
}

/* First order, backward Euler; starts at the gyroscope's value. */
static void slow_down(struct planted *d, const struct planted_params *p,
                      struct imu_sample *imu)
{
        double dt_s = (double)(imu->t_ns - d->imu_t_ns) * 1e-9;
        double share = dt_s / (dt_s + 1.0 / (TWO_PI * PLANTED_CUTOFF_HZ));

        d->imu_t_ns = imu->t_ns;
        if (p->test != PLANTED_SLOW_FILTER) {
                d->slow_radps = imu->gyro_body_radps;
                return;
        }
        if (dt_s > 0.0)
                d->slow_radps = vec3_axpy(d->slow_radps, share,
                                          vec3_sub(imu->gyro_body_radps, d->slow_radps));
        imu->gyro_body_radps = d->slow_radps;
}

void planted_sensors(struct planted *d, const struct planted_params *p,
                     struct sensor_frame *frame)
{
        frame->imu.gyro_body_radps =
                vec3_add(frame->imu.gyro_body_radps, p->gyro_bias_radps);
        frame->imu.accel_body_mps2 =
                vec3_add(frame->imu.accel_body_mps2, p->accel_bias_mps2);
        if (p->test == PLANTED_WRONG_SIGN)
                frame->imu.gyro_body_radps.x = -frame->imu.gyro_body_radps.x;
        slow_down(d, p, &frame->imu);
        if (p->gps_stale_s > 0.0)
                hold_fixes_back(d, p, frame);
}

struct vec3 planted_torque(struct planted *d, const struct planted_params *p,
                           struct vec3 torque_nm)
{
        if (p->test != PLANTED_STUCK_TASK)
                d->torque_nm = torque_nm;
        return d->torque_nm;
}

static const struct motor_command *before(const struct planted *d, int steps)
{
        int last = d->outputs - 1;

        steps = steps < last ? steps : last;
        return &d->output[(d->newest + PLANTED_OUTPUTS_MAX - steps) %
                          PLANTED_OUTPUTS_MAX];
}

static double late_steps(const struct planted_params *p, double dt_s)
{
        double late = p->test == PLANTED_LATE_LOOP ? PLANTED_LATE_FRAMES : 0.0;

        if (p->delay_s > 0.0)
                late += p->delay_s / dt_s;
        return fmin(late, PLANTED_OUTPUTS_MAX - 2);
}

static void hold_back(struct planted *d, double late, struct motor_command *command)
{
        int steps = (int)late;
        double share = late - steps;
        const struct motor_command *later, *earlier;

        d->newest = (d->newest + 1) % PLANTED_OUTPUTS_MAX;
        d->output[d->newest] = *command;
        d->outputs += d->outputs < PLANTED_OUTPUTS_MAX;
        later = before(d, steps);
        earlier = before(d, steps + 1);
        for (int i = 0; i < ROTORS_MAX; i++)
                command->duty[i] =
                        later->duty[i] + share * (earlier->duty[i] - later->duty[i]);
}

void planted_output(struct planted *d, const struct planted_params *p, double dt_s,
                    struct motor_command *command)
{
        double late = dt_s > 0.0 ? late_steps(p, dt_s) : 0.0;

        if (late > 0.0)
                hold_back(d, late, command);
        else if (dt_s > 0.0)
                d->outputs = 0;
        if (p->test == PLANTED_SWAPPED_MOTOR) {
                double first = command->duty[0];

                command->duty[0] = command->duty[1];
                command->duty[1] = first;
        }
}
