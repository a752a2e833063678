/* All sensors of one vehicle: each measures when its schedule says so, and its sample is
 * delivered when its delay is over. A new sensor joins here. */
#ifndef MODELS_SENSORS_SENSORS_H
#define MODELS_SENSORS_SENSORS_H

#include "models/sensors/baro.h"
#include "models/sensors/gps.h"
#include "models/sensors/imu.h"
#include "models/sensors/mag.h"
#include "models/sensors/sonar.h"
#include "models/signals.h"
#include "models/world.h"

struct sensors_params {
        struct imu_params imu;
        struct gps_params gps;
        struct baro_params baro;
        struct mag_params mag;
        struct sonar_params sonar;
};

struct sensors {
        struct imu imu;
        struct gps gps;
        struct baro baro;
        struct mag mag;
        struct sonar sonar;
        struct schedule schedule[SENSOR_COUNT];
        struct delay_line delay[SENSOR_COUNT];
        struct sensor_frame latest; /* the last sample delivered by each sensor */
};

void sensors_init(struct sensors *s, const struct sensors_params *p, uint64_t seed,
                  uint32_t vehicle);

/* Whether a sensor measures the acceleration at t_ns: only then must truth hold it. */
bool sensors_need_acceleration(const struct sensors *s, const struct sensors_params *p,
                               int64_t t_ns);

/* What is due at t_ns measures and is delivered into s->latest, whose `fresh` says what
 * is new. */
void sensors_step(struct sensors *s, const struct sensors_params *p,
                  const struct world *world, const struct body_state *truth,
                  int64_t t_ns);

#endif
