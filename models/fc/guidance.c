#include "models/fc/guidance.h"

#include "models/fc/laws/finken_height.h"

#define THRUST_MAX_SHARE 0.93 /* of the rotors' thrust: the rest is for attitude */

static struct quat by_cascade(struct fc *fc, const struct fc_params *p,
                              const struct demand *d, double dt_s, bool hold)
{
        const struct motion *is = &fc->estimator.motion;
        struct vec3 accel = { 0.0, 0.0, 0.0 };

        if (!d->level)
                accel = position_step(
                        &fc->position, p, is,
                        d->velocity_given
                                ? d->vel_ned_mps
                                : position_velocity_mps(p, is, d->target.pos_ned_m),
                        d->tilt_max_rad, hold ? 0.0 : dt_s);
        return attitude_for(accel, d->target.yaw_rad);
}

static struct quat by_target(struct fc *fc, const struct fc_params *p,
                             const struct demand *d, double dt_s, bool hold)
{
        const struct fc_estimator *e = &fc->estimator;
        struct vec3 away_m = vec3_sub(d->target.pos_ned_m, e->motion.now.pos_ned_m);
        struct finken_guide guide = finken_target_step(
                &fc->finken_target, p, away_m, quat_to_euler(e->q_body_to_ned).z,
                d->tilt_max_rad, d->level, dt_s, hold);

        fc->throttle_percent = guide.throttle_percent;
        return quat_from_euler(guide.roll_rad, guide.pitch_rad, d->target.yaw_rad);
}

static struct quat by_sticks(struct fc *fc, const struct fc_params *p, double dt_s,
                             bool hold)
{
        fc->throttle_percent = sticks_throttle_percent(&fc->sticks);
        return sticks_attitude(&fc->sticks, &p->sticks,
                               quat_to_euler(fc->estimator.q_body_to_ned).z, dt_s, hold);
}

/* False until the first throttle stick has been heard. */
static bool has_sticks(const struct fc *fc, const struct fc_params *p)
{
        return p->law.position == POSITION_STICKS &&
               fc->sticks.rc_us[STICKS_THROTTLE] != 0;
}

struct quat guidance_attitude(struct fc *fc, const struct fc_params *p,
                              const struct demand *d, double dt_s, bool *hold)
{
        *hold = d->on_ground;
        fc->throttle_percent = 50.0;
        if (has_sticks(fc, p)) {
                *hold |= !sticks_up(&fc->sticks, &p->sticks);
                return by_sticks(fc, p, dt_s, *hold);
        }
        if (p->law.position == POSITION_FINKEN)
                return by_target(fc, p, d, dt_s, *hold);
        return by_cascade(fc, p, d, dt_s, *hold);
}

/* (3.5), to a height or along a climb. */
static double by_finken_n(struct fc *fc, const struct fc_params *p,
                          const struct demand *d, double dt_s)
{
        const struct motion_point *now = &fc->estimator.motion.now;
        double down_m = now->pos_ned_m.z;
        double missing_m = d->climb_given
                                   ? finken_height_along_m(&fc->finken_height, down_m,
                                                           d->climb_mps, dt_s)
                                   : finken_height_missing_m(&fc->finken_height, down_m,
                                                             d->target.pos_ned_m.z);

        return finken_thrust_n(p, finken_stream_mps(&p->finken, fc->throttle_percent,
                                                    missing_m, -now->vel_ned_mps.z));
}

double guidance_thrust_n(struct fc *fc, const struct fc_params *p, const struct demand *d,
                         double dt_s)
{
        const struct motion *is = &fc->estimator.motion;
        double most_n = THRUST_MAX_SHARE * p->rotors * fc->mixer.max_n, climb_mps;

        if (has_sticks(fc, p) && !fc->sticks.holding)
                return fmin(finken_thrust_n(p, finken_stream_mps(&p->finken,
                                                                 fc->throttle_percent,
                                                                 0.0, 0.0)),
                            most_n);
        if (p->law.height == HEIGHT_FINKEN)
                return fmin(by_finken_n(fc, p, d, dt_s), most_n);
        climb_mps = d->climb_given ? d->climb_mps
                                   : altitude_climb_mps(p, is, d->target.pos_ned_m.z);
        return altitude_step(&fc->altitude, p, is, fc->estimator.q_body_to_ned, climb_mps,
                             most_n, dt_s);
}
