/* Accelerometer and gyroscope (simulated-IMU document):
 *
 *   a1 = R_VI (a + w x (w x T) + dw/dt x T - g)    specific force at the sensor
 *   w1 = R_VI w
 *
 * with T the sensor's place on the body and R_VI its mounting; then come the errors. */
#ifndef MODELS_SENSORS_IMU_H
#define MODELS_SENSORS_IMU_H

#include "models/sensors/error_model.h"
#include "models/sensors/schedule.h"
#include "models/signals.h"

struct imu_params {
        struct schedule_params schedule;
        struct vec3 lever_arm_body_m; /* from the centre of mass to the sensor */
        struct quat q_body_to_sensor; /* mounting */
        struct error_params accel; /* m/s^2 */
        struct error_params gyro; /* rad/s */
};

struct imu {
        struct rng rng[6]; /* accel x y z, gyro x y z */
};

void imu_init(struct imu *imu, uint64_t seed, uint32_t vehicle);

/* One sample. Its vectors are in the sensor's axes, which are the body's where the
 * mounting is the identity. out->t_ns is the caller's. */
void imu_step(struct imu *imu, const struct imu_params *p, const struct body_state *truth,
              struct imu_sample *out);

#endif
