#include "models/fc/sticks.h"

#define MID_US   1500.0
#define HALF_US  500.0
#define DEAD_US  5.0
#define LEAD_RAD 1.0 /* how far the heading command may lead the vehicle */

void sticks_hear(struct sticks *s, const struct pilot_input *input)
{
        for (int i = 0; i < RC_CHANNELS_MAX; i++)
                if (input->rc_us[i] != 0)
                        s->rc_us[i] = input->rc_us[i];
        if ((unsigned)input->setpoint.mode < MODE_COUNT)
                s->mode = input->setpoint.mode;
}

double sticks_deflection(const struct sticks *s, int channel)
{
        double off_us = s->rc_us[channel] - MID_US;

        if (s->rc_us[channel] == 0 || fabs(off_us) <= DEAD_US)
                return 0.0;
        return fmin(fmax(off_us / HALF_US, -1.0), 1.0);
}

double sticks_throttle_percent(const struct sticks *s)
{
        if (s->rc_us[STICKS_THROTTLE] == 0)
                return 0.0;
        return 50.0 + 50.0 * sticks_deflection(s, STICKS_THROTTLE);
}

static bool is_on(const struct sticks *s, int channel)
{
        return channel >= 0 && s->rc_us[channel] > MID_US;
}

bool sticks_up(const struct sticks *s, const struct sticks_params *p)
{
        return sticks_throttle_percent(s) >= p->takeoff_percent;
}

bool sticks_setpoint(struct sticks *s, const struct sticks_params *p, double down_m,
                     struct setpoint *out)
{
        bool armed =
                p->arm_channel >= 0 ? is_on(s, p->arm_channel) : s->mode != MODE_DISARMED;
        bool hold = is_on(s, p->hold_channel);

        if (s->rc_us[STICKS_THROTTLE] == 0)
                return false;
        if (hold && !s->holding)
                s->hold_down_m = down_m;
        s->holding = hold;
        *out = (struct setpoint){ .mode = !armed            ? MODE_DISARMED
                                          : sticks_up(s, p) ? MODE_GOTO
                                                            : MODE_ARMED,
                                  .pos_ned_m = { 0.0, 0.0, s->hold_down_m } };
        return true;
}

static double turned(struct sticks *s, const struct sticks_params *p, double yaw_rad,
                     double dt_s)
{
        double stick = sticks_deflection(s, STICKS_YAW), ahead;

        if (p->yaw_full_rad > 0.0)
                return stick * p->yaw_full_rad;
        /* Leads no further than the vehicle can follow. */
        ahead = remainder(s->yaw_rad + stick * p->yaw_full_radps * dt_s - yaw_rad,
                          2.0 * M_PI);
        return yaw_rad + fmin(fmax(ahead, -LEAD_RAD), LEAD_RAD);
}

struct quat sticks_attitude(struct sticks *s, const struct sticks_params *p,
                            double yaw_rad, double dt_s, bool hold)
{
        double roll_rad = sticks_deflection(s, STICKS_ROLL) * p->angle_full_rad;
        /* Forward is nose down. */
        double pitch_rad = -sticks_deflection(s, STICKS_PITCH) * p->angle_full_rad;

        if (hold || !s->yaw_known) {
                s->yaw_rad = yaw_rad;
                s->yaw_known = true;
        } else {
                s->yaw_rad = turned(s, p, yaw_rad, dt_s);
        }
        return quat_from_euler(roll_rad, pitch_rad, s->yaw_rad);
}
