/* All sensors of one vehicle: each measures when its schedule says so, and its sample is
 * delivered when its delay is over. A new sensor has a member in
 * each of the two structs here, and a row in kinds.c. */
#pragma once

#include "models/sensors/baro.h"
#include "models/sensors/exposure.h"
#include "models/sensors/flow.h"
#include "models/sensors/gps.h"
#include "models/sensors/imu.h"
#include "models/sensors/ins.h"
#include "models/sensors/mag.h"
#include "models/sensors/power.h"
#include "models/sensors/relative.h"
#include "models/sensors/sonar.h"
#include "models/signals.h"

struct sensors_params {
        struct imu_params imu;
        struct gps_params gps;
        struct baro_params baro;
        struct mag_params mag;
        struct sonar_params sonar;
        struct flow_params flow;
        struct power_params power;
        struct ins_params ins;
        struct relative_params relative;
};

#define SENSOR_SLOTS (SENSOR_COUNT + SONARS_MAX - 1)

struct sensors {
        struct imu imu;
        struct gps gps;
        struct baro baro;
        struct mag mag;
        struct sonar sonar;
        struct flow flow;
        struct power power;
        struct ins ins;
        struct relative relative;
        /* One for each sensor, then one for each sonar after the first. */
        struct schedule schedule[SENSOR_SLOTS];
        struct delay_line delay[SENSOR_SLOTS];
        int64_t next_ns; /* of any sensor's next measurement or delivery */
        struct sensor_frame latest; /* the last sample delivered by each sensor */
};

/* Fixes the plant's step. */
void sensors_params_prepare(struct sensors_params *p, int64_t step_ns);

void sensors_init(struct sensors *s, const struct sensors_params *p, uint64_t seed,
                  uint32_t vehicle);

/* Whether anything but the IMU has something to do at t_ns: only then must the exposure hold what
 * the IMU does not read (airspeed, ground effect, disk loading). */
static inline bool sensors_others_due(const struct sensors *s, int64_t t_ns)
{
        return t_ns >= s->next_ns;
}

bool sensors_others_need_acceleration(const struct sensors *s,
                                      const struct sensors_params *p, int64_t t_ns);

/* Whether a sensor measures the acceleration at t_ns: only then must truth hold it. */
static inline bool sensors_need_acceleration(const struct sensors *s,
                                             const struct sensors_params *p, int64_t t_ns)
{
        if (p->imu.schedule.period_ns > 0 &&
            (imu_follows(&p->imu) || t_ns >= s->schedule[SENSOR_IMU].next_ns))
                return true;
        return sensors_others_due(s, t_ns) &&
               sensors_others_need_acceleration(s, p, t_ns);
}

/* What is due at e->t_ns measures and is delivered into s->latest, whose `fresh` gains what
 * is new; the caller clears it. Called after every step of the plant. */
void sensors_step(struct sensors *s, const struct sensors_params *p,
                  const struct exposure *e);

/* One measurement outside of the schedule into s->latest. unit: which sonar; 0 of other sensors. */
void sensors_measure(struct sensors *s, const struct sensors_params *p, enum sensor which,
                     int unit, const struct exposure *e);
