#include "models/sensors/sensors.h"

#include <string.h>

/* A sensor, or one of the sonars: slots 0 to SENSOR_COUNT - 1 are the sensors, the first sonar
 * among them; the other sonars follow. */
#define SLOTS (SENSOR_COUNT + SONARS_MAX - 1)

#define NEVER_NS INT64_MAX

/* Every sample begins with its time. */
union sample {
        int64_t t_ns;
        struct imu_sample imu;
        struct gps_sample gps;
        struct baro_sample baro;
        struct mag_sample mag;
        struct sonar_sample sonar;
        struct flow_sample flow;
        struct power_sample power;
        struct ins_sample ins;
};

static enum sensor slot_kind(int slot)
{
        return slot < SENSOR_COUNT ? (enum sensor)slot : SENSOR_SONAR;
}

static int slot_unit(int slot)
{
        return slot < SENSOR_COUNT ? 0 : slot - SENSOR_COUNT + 1;
}

static const struct schedule_params *slot_schedule(const struct sensors_params *p,
                                                   int slot)
{
        switch (slot_kind(slot)) {
        case SENSOR_IMU:
                return &p->imu.schedule;
        case SENSOR_GPS:
                return &p->gps.schedule;
        case SENSOR_BARO:
                return &p->baro.schedule;
        case SENSOR_MAG:
                return &p->mag.schedule;
        case SENSOR_SONAR:
                return &p->sonar.unit[slot_unit(slot)].schedule;
        case SENSOR_FLOW:
                return &p->flow.schedule;
        case SENSOR_POWER:
                return &p->power.schedule;
        default:
                return &p->ins.schedule;
        }
}

static void *slot_latest(struct sensor_frame *f, int slot, size_t *size)
{
        switch (slot_kind(slot)) {
        case SENSOR_IMU:
                *size = sizeof f->imu;
                return &f->imu;
        case SENSOR_GPS:
                *size = sizeof f->gps;
                return &f->gps;
        case SENSOR_BARO:
                *size = sizeof f->baro;
                return &f->baro;
        case SENSOR_MAG:
                *size = sizeof f->mag;
                return &f->mag;
        case SENSOR_SONAR:
                *size = sizeof f->sonar[0];
                return &f->sonar[slot_unit(slot)];
        case SENSOR_FLOW:
                *size = sizeof f->flow;
                return &f->flow;
        case SENSOR_POWER:
                *size = sizeof f->power;
                return &f->power;
        default:
                *size = sizeof f->ins;
                return &f->ins;
        }
}

static void measure(struct sensors *s, const struct sensors_params *p, int slot,
                    const struct exposure *e, union sample *now)
{
        switch (slot_kind(slot)) {
        case SENSOR_IMU:
                imu_step(&s->imu, &p->imu, e, &now->imu);
                break;
        case SENSOR_GPS:
                gps_step(&s->gps, &p->gps, e, &now->gps);
                break;
        case SENSOR_BARO:
                baro_step(&s->baro, &p->baro, e, &now->baro);
                break;
        case SENSOR_MAG:
                mag_step(&s->mag, &p->mag, e, &now->mag);
                break;
        case SENSOR_SONAR:
                sonar_step(&s->sonar, &p->sonar, slot_unit(slot), e, &now->sonar);
                break;
        case SENSOR_FLOW:
                flow_step(&s->flow, &p->flow, e, &now->flow);
                break;
        case SENSOR_POWER:
                power_step(&s->power, &p->power, e, &now->power);
                break;
        default:
                ins_step(&s->ins, &p->ins, e, &now->ins);
                break;
        }
        now->t_ns = e->t_ns;
}

static void announce(struct sensors *s, int slot)
{
        s->latest.fresh |= SENSOR_BIT(slot_kind(slot));
        if (slot_kind(slot) == SENSOR_SONAR)
                s->latest.fresh_sonars |= 1U << slot_unit(slot);
}

/* What every sensor has in common: measure when due, deliver when the delay is over. */
static void sense(struct sensors *s, const struct sensors_params *p, int slot,
                  const struct exposure *e)
{
        const struct schedule_params *schedule = slot_schedule(p, slot);
        bool due = schedule_due(&s->schedule[slot], schedule, e->t_ns);
        size_t size;
        void *latest = slot_latest(&s->latest, slot, &size);
        union sample now;

        if (due) {
                measure(s, p, slot, e, &now);
                if (schedule->delay_ns == 0) {
                        memcpy(latest, &now, size);
                        announce(s, slot);
                        return;
                }
                delay_push(&s->delay[slot], e->t_ns + schedule->delay_ns, &now, size);
        }
        if (delay_pop(&s->delay[slot], e->t_ns, latest, size))
                announce(s, slot);
}

/* When the slot wants to be asked again. */
static int64_t slot_next_ns(const struct sensors *s, const struct sensors_params *p,
                            int slot)
{
        const struct delay_line *d = &s->delay[slot];
        int64_t next_ns = s->schedule[slot].next_ns;

        if (slot_schedule(p, slot)->period_ns <= 0)
                return NEVER_NS;
        if (d->count > 0 && d->slot[d->first].due_ns < next_ns)
                next_ns = d->slot[d->first].due_ns;
        return next_ns;
}

/* All but the IMU: it is asked at every step, the others seldom. */
static void sense_others(struct sensors *s, const struct sensors_params *p,
                         const struct exposure *e)
{
        int64_t next_ns = NEVER_NS;

        for (int slot = SENSOR_IMU + 1;
             slot < SENSOR_COUNT + p->sonar.count - 1 || slot < SENSOR_COUNT; slot++) {
                int64_t slot_ns = slot_next_ns(s, p, slot);

                if (slot_ns <= e->t_ns) {
                        sense(s, p, slot, e);
                        slot_ns = slot_next_ns(s, p, slot);
                }
                if (slot_ns < next_ns)
                        next_ns = slot_ns;
        }
        s->next_ns = next_ns;
}

void sensors_params_prepare(struct sensors_params *p, int64_t step_ns)
{
        imu_params_prepare(&p->imu, (double)step_ns * 1e-9);
        gps_params_prepare(&p->gps);
        sonar_params_prepare(&p->sonar);
}

void sensors_init(struct sensors *s, const struct sensors_params *p, uint64_t seed,
                  uint32_t vehicle)
{
        imu_init(&s->imu, &p->imu, seed, vehicle);
        gps_init(&s->gps, &p->gps, seed, vehicle);
        baro_init(&s->baro, &p->baro, seed, vehicle);
        mag_init(&s->mag, &p->mag, seed, vehicle);
        sonar_init(&s->sonar, &p->sonar, seed, vehicle);
        flow_init(&s->flow, &p->flow, seed, vehicle);
        power_init(&s->power, &p->power, seed, vehicle);
        ins_init(&s->ins, &p->ins, seed, vehicle);
        for (int slot = 0; slot < SLOTS; slot++)
                schedule_init(&s->schedule[slot], slot_schedule(p, slot));
        s->next_ns = 0;
}

bool sensors_need_acceleration(const struct sensors *s, const struct sensors_params *p,
                               int64_t t_ns)
{
        return p->imu.schedule.period_ns > 0 &&
               (imu_follows(&p->imu) || t_ns >= s->schedule[SENSOR_IMU].next_ns);
}

bool sensors_others_due(const struct sensors *s, int64_t t_ns)
{
        return t_ns >= s->next_ns;
}

void sensors_step(struct sensors *s, const struct sensors_params *p,
                  const struct exposure *e)
{
        s->latest.t_ns = e->t_ns;
        if (p->imu.schedule.period_ns > 0) {
                if (imu_follows(&p->imu))
                        imu_follow(&s->imu, &p->imu, e);
                sense(s, p, SENSOR_IMU, e);
        }
        if (sensors_others_due(s, e->t_ns))
                sense_others(s, p, e);
}

static int slot_of(enum sensor which, int unit)
{
        return unit == 0 ? (int)which : SENSOR_COUNT + unit - 1;
}

const struct schedule_params *sensors_schedule(const struct sensors_params *p,
                                               enum sensor which, int unit)
{
        return slot_schedule(p, slot_of(which, unit));
}

void sensors_measure(struct sensors *s, const struct sensors_params *p, enum sensor which,
                     int unit, const struct exposure *e)
{
        int slot = slot_of(which, unit);
        union sample now;
        size_t size;
        void *latest = slot_latest(&s->latest, slot, &size);

        measure(s, p, slot, e, &now);
        memcpy(latest, &now, size);
}
