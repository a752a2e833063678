#include "models/sensors/imu.h"

void imu_init(struct imu *imu, uint64_t seed, uint32_t vehicle)
{
        for (uint32_t i = 0; i < 6; i++)
                rng_init(&imu->rng[i], seed, vehicle, SENSOR_IMU, i);
}

/* Simulated-IMU document, step 2, in body axes. */
static struct vec3 specific_force(const struct body_state *truth, struct vec3 arm_m)
{
        struct vec3 felt_ned = truth->accel_ned_mps2;
        struct vec3 w = truth->rate_body_radps;
        struct vec3 centripetal = vec3_cross(w, vec3_cross(w, arm_m));
        struct vec3 tangential = vec3_cross(truth->rate_dot_body_radps2, arm_m);

        felt_ned.z -= truth->gravity_mps2;
        return vec3_add(quat_rotate_inverse(truth->q_body_to_ned, felt_ned),
                        vec3_add(centripetal, tangential));
}

static struct vec3 measure(const struct error_params *p, struct rng *rng,
                           struct quat mounting, struct vec3 body)
{
        struct vec3 v = quat_rotate(mounting, body);
        double value[3] = { v.x, v.y, v.z };

        error_apply(p, rng, 3, value);
        return (struct vec3){ value[0], value[1], value[2] };
}

void imu_step(struct imu *imu, const struct imu_params *p, const struct body_state *truth,
              struct imu_sample *out)
{
        out->accel_body_mps2 = measure(&p->accel, &imu->rng[0], p->q_body_to_sensor,
                                       specific_force(truth, p->lever_arm_body_m));
        out->gyro_body_radps = measure(&p->gyro, &imu->rng[3], p->q_body_to_sensor,
                                       truth->rate_body_radps);
}
