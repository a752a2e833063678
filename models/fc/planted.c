#include "models/fc/planted.h"

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
        /* It does not say how old it is: that is the defect. */
        frame->gps.t_ns = frame->t_ns;
        frame->fresh |= SENSOR_BIT(SENSOR_GPS);
}

void planted_sensors(struct planted *d, const struct planted_params *p,
                     struct sensor_frame *frame)
{
        frame->imu.gyro_body_radps =
                vec3_add(frame->imu.gyro_body_radps, p->gyro_bias_radps);
        frame->imu.accel_body_mps2 =
                vec3_add(frame->imu.accel_body_mps2, p->accel_bias_mps2);
        if (p->gps_stale_s > 0.0)
                hold_fixes_back(d, p, frame);
}

static const struct motor_command *before(const struct planted *d, int steps)
{
        int last = d->outputs - 1;

        steps = steps < last ? steps : last;
        return &d->output[(d->newest + PLANTED_OUTPUTS_MAX - steps) %
                          PLANTED_OUTPUTS_MAX];
}

void planted_output(struct planted *d, const struct planted_params *p, double dt_s,
                    struct motor_command *command)
{
        const struct motor_command *later, *earlier;
        double late, share;
        int steps;

        if (!(p->delay_s > 0.0) || !(dt_s > 0.0))
                return;
        d->newest = (d->newest + 1) % PLANTED_OUTPUTS_MAX;
        d->output[d->newest] = *command;
        d->outputs += d->outputs < PLANTED_OUTPUTS_MAX;
        late = fmin(p->delay_s / dt_s, PLANTED_OUTPUTS_MAX - 2);
        steps = (int)late;
        share = late - steps;
        later = before(d, steps);
        earlier = before(d, steps + 1);
        for (int i = 0; i < ROTORS_MAX; i++)
                command->duty[i] =
                        later->duty[i] + share * (earlier->duty[i] - later->duty[i]);
}
