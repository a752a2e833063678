#include "models/fc/altitude.h"

#define GRAVITY_MPS2 9.80665

#define COS_TILT_MIN     0.5 /* further over, more thrust would not help */
#define THRUST_MIN_SHARE 0.15 /* of the weight: attitude needs some */
#define INTEGRAL_MAX     4.0 /* m/s^2 */

double altitude_climb_mps(const struct fc_params *p, const struct motion *is,
                          double target_down_m)
{
        double climb_mps = p->altitude_p_per_s * (is->now.pos_ned_m.z - target_down_m);

        return fmin(fmax(climb_mps, -p->descend_max_mps), p->climb_max_mps);
}

static double cos_tilt(struct quat q)
{
        return fmax(quat_rotate(q, (struct vec3){ 0.0, 0.0, 1.0 }).z, COS_TILT_MIN);
}

double altitude_step(struct altitude *c, const struct fc_params *p,
                     const struct motion *is, struct quat q_body_to_ned, double climb_mps,
                     double thrust_max_n, double dt_s)
{
        double error_mps = climb_mps + is->now.vel_ned_mps.z;
        double up_mps2 = GRAVITY_MPS2 + p->climb_p_per_s * error_mps + c->integral_mps2 +
                         p->linear_drag_per_s * climb_mps;
        double wanted_n = p->mass_kg * up_mps2 / cos_tilt(q_body_to_ned);
        double least_n = THRUST_MIN_SHARE * p->mass_kg * GRAVITY_MPS2;
        double thrust_n = fmin(fmax(wanted_n, least_n), thrust_max_n);

        /* At a limit, integrate only if it leads back. */
        if ((wanted_n < thrust_max_n || error_mps < 0.0) &&
            (wanted_n > least_n || error_mps > 0.0)) {
                c->integral_mps2 += p->climb_i_per_s2 * error_mps * dt_s;
                c->integral_mps2 =
                        fmin(fmax(c->integral_mps2, -INTEGRAL_MAX), INTEGRAL_MAX);
        }
        return thrust_n;
}
