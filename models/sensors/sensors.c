#include "models/sensors/sensors.h"

#include <string.h>

void sensors_init(struct sensors *s, const struct sensors_params *p, uint64_t seed,
                  uint32_t vehicle)
{
        imu_init(&s->imu, seed, vehicle);
        gps_init(&s->gps, seed, vehicle);
        baro_init(&s->baro, seed, vehicle);
        mag_init(&s->mag, seed, vehicle);
        sonar_init(&s->sonar, seed, vehicle);
        schedule_init(&s->schedule[SENSOR_IMU], &p->imu.schedule);
        schedule_init(&s->schedule[SENSOR_GPS], &p->gps.schedule);
        schedule_init(&s->schedule[SENSOR_BARO], &p->baro.schedule);
        schedule_init(&s->schedule[SENSOR_MAG], &p->mag.schedule);
        schedule_init(&s->schedule[SENSOR_SONAR], &p->sonar.schedule);
}

bool sensors_need_acceleration(const struct sensors *s, const struct sensors_params *p,
                               int64_t t_ns)
{
        return p->imu.schedule.period_ns > 0 && t_ns >= s->schedule[SENSOR_IMU].next_ns;
}

/* What every sensor has in common: measure when due, deliver when the delay is over. */
static void deliver(struct sensors *s, enum sensor which, const struct schedule_params *p,
                    int64_t t_ns, bool measured, const void *now, void *latest,
                    size_t size)
{
        if (measured && p->delay_ns == 0) {
                memcpy(latest, now, size);
                s->latest.fresh |= SENSOR_BIT(which);
                return;
        }
        if (measured)
                delay_push(&s->delay[which], t_ns + p->delay_ns, now, size);
        if (delay_pop(&s->delay[which], t_ns, latest, size))
                s->latest.fresh |= SENSOR_BIT(which);
}

static void sense_imu(struct sensors *s, const struct sensors_params *p,
                      const struct body_state *truth, int64_t t_ns)
{
        const struct imu_params *imu = &p->imu;
        bool due = schedule_due(&s->schedule[SENSOR_IMU], &imu->schedule, t_ns);
        struct imu_sample now;

        if (due) {
                imu_step(&s->imu, imu, truth, &now);
                now.t_ns = t_ns;
        }
        deliver(s, SENSOR_IMU, &imu->schedule, t_ns, due, &now, &s->latest.imu,
                sizeof now);
}

static void sense_gps(struct sensors *s, const struct sensors_params *p,
                      const struct world *world, const struct body_state *truth,
                      int64_t t_ns)
{
        const struct gps_params *gps = &p->gps;
        bool due = schedule_due(&s->schedule[SENSOR_GPS], &gps->schedule, t_ns);
        struct gps_sample now;

        if (due) {
                gps_step(&s->gps, gps, world, truth, &now);
                now.t_ns = t_ns;
        }
        deliver(s, SENSOR_GPS, &gps->schedule, t_ns, due, &now, &s->latest.gps,
                sizeof now);
}

static void sense_baro(struct sensors *s, const struct sensors_params *p,
                       const struct world *world, const struct body_state *truth,
                       int64_t t_ns)
{
        const struct baro_params *baro = &p->baro;
        bool due = schedule_due(&s->schedule[SENSOR_BARO], &baro->schedule, t_ns);
        struct baro_sample now;

        if (due) {
                baro_step(&s->baro, baro, world, truth, &now);
                now.t_ns = t_ns;
        }
        deliver(s, SENSOR_BARO, &baro->schedule, t_ns, due, &now, &s->latest.baro,
                sizeof now);
}

static void sense_mag(struct sensors *s, const struct sensors_params *p,
                      const struct world *world, const struct body_state *truth,
                      int64_t t_ns)
{
        const struct mag_params *mag = &p->mag;
        bool due = schedule_due(&s->schedule[SENSOR_MAG], &mag->schedule, t_ns);
        struct mag_sample now;

        if (due) {
                mag_step(&s->mag, mag, world, truth, &now);
                now.t_ns = t_ns;
        }
        deliver(s, SENSOR_MAG, &mag->schedule, t_ns, due, &now, &s->latest.mag,
                sizeof now);
}

static void sense_sonar(struct sensors *s, const struct sensors_params *p,
                        const struct world *world, const struct body_state *truth,
                        int64_t t_ns)
{
        const struct sonar_params *sonar = &p->sonar;
        bool due = schedule_due(&s->schedule[SENSOR_SONAR], &sonar->schedule, t_ns);
        struct sonar_sample now;

        if (due) {
                sonar_step(&s->sonar, sonar, world, truth, &now);
                now.t_ns = t_ns;
        }
        deliver(s, SENSOR_SONAR, &sonar->schedule, t_ns, due, &now, &s->latest.sonar,
                sizeof now);
}

void sensors_step(struct sensors *s, const struct sensors_params *p,
                  const struct world *world, const struct body_state *truth, int64_t t_ns)
{
        s->latest.t_ns = t_ns;
        s->latest.fresh = 0;
        sense_imu(s, p, truth, t_ns);
        sense_gps(s, p, world, truth, t_ns);
        sense_baro(s, p, world, truth, t_ns);
        sense_mag(s, p, world, truth, t_ns);
        sense_sonar(s, p, world, truth, t_ns);
}
