#include "models/fc/estimate/navigation.h"

void navigation_hide(struct sensor_frame *frame, bool on_ground, bool located)
{
        if (!located)
                frame->fresh &= ~SENSOR_BIT(SENSOR_GPS);
        if (on_ground)
                return;
        frame->fresh &= SENSOR_BIT(SENSOR_IMU) | SENSOR_BIT(SENSOR_RELATIVE);
        frame->fresh_sonars &= ~1U; /* the one that looks down */
}

/* "The initial perceived position, velocity, and acceleration are set to zero" (7): at the first
 * take-off. It stays where it has landed. */
static void stand(struct dead_reckoning *d, const struct fc_estimator *e)
{
        struct vec3 here = d->gravity_mps2 > 0.0 ? d->pos_ned_m : e->pos_ned_m;

        dead_reckoning_begin(
                d, e->ahrs.q_body_to_ned, e->ahrs.gyro_bias_radps,
                vec3_scale(1.0 / e->alignment.imu_samples, e->alignment.accel_sum_mps2));
        d->pos_ned_m = here;
}

/* Selected in flight: continues from the estimate of the other sensors. */
static void take_over(struct dead_reckoning *d, const struct fc_estimator *e)
{
        stand(d, e);
        d->vel_ned_mps = e->vel_ned_mps;
        d->accel_ned_mps2 = e->motion.accel_ned_mps2;
        d->rate_body_radps = e->rate_body_radps;
}

void navigation_step(struct dead_reckoning *d, struct fc_estimator *e,
                     const struct imu_sample *imu, bool on_ground, bool located,
                     double dt_s)
{
        if (!e->aligned)
                return;
        if (on_ground)
                stand(d, e);
        else if (d->gravity_mps2 == 0.0)
                take_over(d, e);
        else
                dead_reckoning_step(d, imu->gyro_body_radps, imu->accel_body_mps2, dt_s);
        e->q_body_to_ned = d->q_body_to_ned;
        e->pos_ned_m = e->motion.now.pos_ned_m = d->pos_ned_m;
        e->vel_ned_mps = e->motion.now.vel_ned_mps = d->vel_ned_mps;
        e->motion.accel_ned_mps2 = d->accel_ned_mps2;
        if (!on_ground)
                e->rate_body_radps = d->rate_body_radps;
        e->origin_known |= !located;
        e->gps_age_s = 0.0;
}
