#include "models/sensors/sensors.h"

#include <string.h>

#include "models/isa.h"
#include "models/sensors/kinds.h"

#define NEVER_NS INT64_MAX

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
        return sensor_schedule(p, slot_kind(slot), slot_unit(slot));
}

static void measure_sample(struct sensors *s, const struct sensors_params *p, int slot,
                           const struct exposure *e, union sensor_sample *now)
{
        sensor_kinds[slot_kind(slot)].step(s, p, slot_unit(slot), e, now);
        now->t_ns = e->t_ns;
}

/* What every sensor has in common: measure when due, deliver when the delay is over. Inlined by force: at every
 * step for the IMU, whose places in the tables are constants then. */
ALWAYS_INLINE void sense_slot(struct sensors *s, const struct sensors_params *p, int slot,
                              const struct exposure *e)
{
        const struct schedule_params *schedule = slot_schedule(p, slot);
        enum sensor which = slot_kind(slot);
        size_t size = sensor_kinds[which].sample_size;
        void *latest = sensor_sample(&s->latest, which, slot_unit(slot));
        bool delivered = false;
        union sensor_sample now;

        if (schedule_due(&s->schedule[slot], schedule, e->t_ns)) {
                delivered = schedule->delay_ns == 0;
                measure_sample(s, p, slot, e, delivered ? latest : &now);
                if (!delivered)
                        delay_push(&s->delay[slot], e->t_ns + schedule->delay_ns, &now,
                                   size);
        }
        if (!delivered && s->delay[slot].count > 0)
                delivered = delay_pop(&s->delay[slot], e->t_ns, latest, size);
        if (delivered)
                sensor_set_fresh(&s->latest, which, slot_unit(slot), true);
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
                        sense_slot(s, p, slot, e);
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
        for (int i = 0; i < SENSOR_COUNT; i++)
                sensor_kinds[i].init(s, p, seed, vehicle);
        for (int slot = 0; slot < SENSOR_SLOTS; slot++)
                schedule_init(&s->schedule[slot], slot_schedule(p, slot));
        s->next_ns = 0;
}

bool sensors_others_need_acceleration(const struct sensors *s,
                                      const struct sensors_params *p, int64_t t_ns)
{
        for (enum sensor i = SENSOR_IMU + 1; i < SENSOR_COUNT; i++)
                if (sensor_kinds[i].needs_acceleration && sensor_units(p, i) > 0 &&
                    t_ns >= s->schedule[i].next_ns)
                        return true;
        return false;
}

void sensors_step(struct sensors *s, const struct sensors_params *p,
                  const struct exposure *e)
{
        s->latest.t_ns = e->t_ns;
        if (p->imu.schedule.period_ns > 0) {
                if (imu_follows(&p->imu))
                        imu_follow(&s->imu, &p->imu, e);
                sense_slot(s, p, SENSOR_IMU, e);
        }
        if (sensors_others_due(s, e->t_ns))
                sense_others(s, p, e);
}

void sensors_measure(struct sensors *s, const struct sensors_params *p, enum sensor which,
                     int unit, const struct exposure *e)
{
        int slot = unit == 0 ? (int)which : SENSOR_COUNT + unit - 1;
        union sensor_sample now;

        measure_sample(s, p, slot, e, &now);
        memcpy(sensor_sample(&s->latest, which, unit), &now,
               sensor_kinds[which].sample_size);
}
