#include "models/vehicle/pilot.h"

#include <math.h>
#include <string.h>

#define GRAVITY_MPS2   9.80665
#define STICK_MID_US   1500.0
#define STICK_LOW_US   1000
#define STICK_REACH_US 500.0
#define LANDED_MOVES   25 /* on the ground, before it disarms */

void pilot_init(struct pilot *pilot, const struct pilot_params *p)
{
        *pilot = (struct pilot){ .mode = MODE_DISARMED };
        for (int i = 0; i < RC_CHANNELS_MAX; i++)
                pilot->rc_us[i] = STICK_LOW_US;
        if (p->arm_channel >= 0)
                pilot->rc_us[p->arm_channel] = (uint16_t)p->disarmed_us;
}

static double clamp(double x, double most)
{
        return fmin(fmax(x, -most), most);
}

/* -1 to 1 about the middle. */
static uint16_t stick(double deflection)
{
        return (uint16_t)lround(STICK_MID_US + STICK_REACH_US * clamp(deflection, 1.0));
}

static uint16_t throttle(double ratio)
{
        return (uint16_t)lround(STICK_LOW_US +
                                2.0 * STICK_REACH_US * fmin(fmax(ratio, 0.0), 1.0));
}

static void let_go(struct pilot *pilot)
{
        pilot->rc_us[PILOT_ROLL] = pilot->rc_us[PILOT_PITCH] = stick(0.0);
        pilot->rc_us[PILOT_YAW] = stick(0.0);
        pilot->velocity_integral_mps2 = (struct vec3){ 0 };
        pilot->climb_integral_mps2 = 0.0;
}

static struct vec3 shorten(struct vec3 v, double most)
{
        double norm = hypot(v.x, v.y);

        v.z = 0.0;
        return norm > most ? vec3_scale(most / norm, v) : v;
}

/* Wanted horizontal acceleration, north and east. */
static struct vec3 follow_place(struct pilot *pilot, const struct pilot_params *p,
                                const struct body_state *truth, struct vec3 to_ned_m,
                                double dt_s)
{
        double most_mps2 = GRAVITY_MPS2 * tan(p->tilt_max_rad);
        struct vec3 wanted = shorten(
                vec3_scale(p->position_p_per_s, vec3_sub(to_ned_m, truth->pos_ned_m)),
                p->speed_max_mps);
        struct vec3 error = shorten(vec3_sub(wanted, truth->vel_ned_mps), 1e9);
        struct vec3 *sum = &pilot->velocity_integral_mps2;

        *sum = shorten(vec3_axpy(*sum, p->velocity_i_per_s2 * dt_s, error),
                       0.5 * most_mps2);
        return shorten(vec3_axpy(*sum, p->velocity_p_per_s, error), most_mps2);
}

/* Pushed to the right (+), it rolls right; pushed forward (+), the nose goes down. */
static void tilt(struct pilot *pilot, const struct pilot_params *p,
                 struct vec3 accel_ned_mps2, double yaw_rad)
{
        double ahead = cos(yaw_rad) * accel_ned_mps2.x + sin(yaw_rad) * accel_ned_mps2.y;
        double right = cos(yaw_rad) * accel_ned_mps2.y - sin(yaw_rad) * accel_ned_mps2.x;

        pilot->rc_us[PILOT_ROLL] = stick(atan(right / GRAVITY_MPS2) / p->angle_full_rad);
        pilot->rc_us[PILOT_PITCH] = stick(atan(ahead / GRAVITY_MPS2) / p->angle_full_rad);
}

/* Thrust grows with the square of the throttle, and only its upright part lifts. */
static void lift(struct pilot *pilot, const struct pilot_params *p,
                 const struct body_state *truth, double climb_mps, double dt_s)
{
        struct vec3 up = quat_rotate(truth->q_body_to_ned, (struct vec3){ 0, 0, 1 });
        double error = climb_mps + truth->vel_ned_mps.z;
        double accel, share;

        pilot->climb_integral_mps2 =
                clamp(pilot->climb_integral_mps2 + p->climb_i_per_s2 * dt_s * error, 5.0);
        accel = p->climb_p_per_s * error + pilot->climb_integral_mps2;
        share = (1.0 + clamp(accel, 0.8 * GRAVITY_MPS2) / GRAVITY_MPS2) / fmax(up.z, 0.5);
        pilot->rc_us[PILOT_THROTTLE] = throttle(p->hover_ratio * sqrt(share));
}

static void turn(struct pilot *pilot, const struct pilot_params *p, double yaw_rad,
                 double to_rad)
{
        double error = remainder(to_rad - yaw_rad, 2.0 * M_PI);
        double rate = clamp(p->heading_p_per_s * error, p->turn_max_radps);

        pilot->rc_us[PILOT_YAW] = stick(rate / p->yaw_full_radps);
}

static bool holds_itself(const struct pilot_params *p, const struct pilot_input *asked)
{
        return p->hold_channel >= 0 && asked->rc_us[p->hold_channel] >= STICK_MID_US;
}

static void fly(struct pilot *pilot, const struct pilot_params *p,
                const struct body_state *truth, const struct pilot_input *asked,
                struct vec3 to_ned_m, bool landing)
{
        double dt_s = 1e-9 * (double)p->period_ns;
        double yaw_rad = quat_to_euler(truth->q_body_to_ned).z;
        double climb_mps = clamp(p->height_p_per_s * (truth->pos_ned_m.z - to_ned_m.z),
                                 p->climb_max_mps);

        turn(pilot, p, yaw_rad, asked->setpoint.yaw_rad);
        if (holds_itself(p, asked)) {
                pilot->rc_us[PILOT_ROLL] = pilot->rc_us[PILOT_PITCH] = stick(0.0);
                pilot->rc_us[PILOT_THROTTLE] = stick(0.0);
                return;
        }
        if (landing)
                climb_mps = fmax(-p->land_mps, climb_mps);
        tilt(pilot, p, follow_place(pilot, p, truth, to_ned_m, dt_s), yaw_rad);
        lift(pilot, p, truth, climb_mps, dt_s);
}

/* Down until the gear touches, then throttle off; disarmed when it stays there. */
static void land(struct pilot *pilot, const struct pilot_params *p,
                 const struct body_state *truth, bool on_ground,
                 const struct pilot_input *asked)
{
        struct vec3 to = pilot->hold_ned_m;

        if (on_ground || pilot->still > 0) {
                let_go(pilot);
                pilot->rc_us[PILOT_THROTTLE] = STICK_LOW_US;
                pilot->still++;
                if (pilot->still > LANDED_MOVES && p->arm_channel >= 0)
                        pilot->rc_us[p->arm_channel] = (uint16_t)p->disarmed_us;
                return;
        }
        to.z += 1e3;
        fly(pilot, p, truth, asked, to, true);
}

static void move(struct pilot *pilot, const struct pilot_params *p,
                 const struct body_state *truth, bool on_ground,
                 const struct pilot_input *asked, struct vec3 start_ned_m)
{
        const struct setpoint *s = &asked->setpoint;

        if (s->mode == MODE_LAND && pilot->mode != MODE_LAND) {
                pilot->hold_ned_m = truth->pos_ned_m;
                pilot->still = 0;
        }
        pilot->mode = s->mode;
        if (p->arm_channel >= 0 && s->mode != MODE_LAND)
                pilot->rc_us[p->arm_channel] =
                        (uint16_t)(s->mode == MODE_DISARMED ? p->disarmed_us
                                                            : p->armed_us);
        if (s->mode == MODE_GOTO) {
                fly(pilot, p, truth, asked, vec3_add(start_ned_m, s->pos_ned_m), false);
        } else if (s->mode == MODE_LAND) {
                land(pilot, p, truth, on_ground, asked);
        } else {
                let_go(pilot);
                pilot->rc_us[PILOT_THROTTLE] = STICK_LOW_US;
        }
}

bool pilot_step(struct pilot *pilot, const struct pilot_params *p,
                const struct body_state *truth, bool on_ground,
                const struct pilot_input *asked, struct vec3 start_ned_m, int64_t t_ns)
{
        uint16_t before[RC_CHANNELS_MAX];

        if (t_ns < pilot->next_ns)
                return false;
        pilot->next_ns = t_ns + p->period_ns;
        memcpy(before, pilot->rc_us, sizeof before);
        move(pilot, p, truth, on_ground, asked, start_ned_m);
        for (int i = 0; i < RC_CHANNELS_MAX; i++)
                if (asked->rc_us[i] != 0)
                        pilot->rc_us[i] = asked->rc_us[i];
        return memcmp(before, pilot->rc_us, sizeof before) != 0;
}
