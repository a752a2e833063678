/* Which samples come, and when. What they say is sensor_fault_change.c's. */
#include "models/faults/sensor_fault.h"

#include <string.h>

#include "models/faults/sensor_fault_change.h"

/* In place of a sensor's number in rng_init(), with the fault's index as the axis. */
#define STREAM_SENSOR_FAULT 64

#define BIT(kind) (1U << (kind))

#define OF_SAMPLES (BIT(SENSOR_DROPOUT) | BIT(SENSOR_DELAY))
#define OF_STATES  (BIT(SENSOR_STUCK) | BIT(SENSOR_ZERO) | BIT(SENSOR_NAN))
#define OF_VALUES                                                                        \
        (OF_STATES | BIT(SENSOR_SPIKE) | BIT(SENSOR_DRIFT) | BIT(SENSOR_BIAS) |          \
         BIT(SENSOR_NOISE) | BIT(SENSOR_SCALE) | BIT(SENSOR_SATURATE))
#define OF_AXES (BIT(SENSOR_SWAP_AXES) | BIT(SENSOR_FLIP_AXES))

static const unsigned fitting[SENSOR_FAULT_TARGETS] = {
        [FAULT_ACCEL] = OF_VALUES | OF_AXES,
        [FAULT_GYRO] = OF_VALUES | OF_AXES,
        [FAULT_GPS] = OF_SAMPLES | OF_STATES | BIT(SENSOR_SPIKE) | BIT(SENSOR_DRIFT) |
                      BIT(SENSOR_NOISE) | BIT(GPS_LOSS) | BIT(GPS_JUMP) | BIT(GPS_SPOOF) |
                      BIT(GPS_FEW_SATELLITES) | BIT(GPS_TIME_JUMP),
        [FAULT_BARO] = OF_SAMPLES | OF_VALUES,
        [FAULT_MAG] = OF_SAMPLES | OF_VALUES | OF_AXES,
        [FAULT_SONAR] = OF_SAMPLES | OF_VALUES | BIT(SONAR_BLIND) | BIT(SONAR_GHOST),
        [FAULT_FLOW] = OF_SAMPLES | OF_VALUES | OF_AXES,
        [FAULT_VOLTAGE] = OF_VALUES,
        [FAULT_CURRENT] = OF_VALUES,
        [FAULT_IMU] = OF_SAMPLES | OF_STATES | OF_AXES,
        [FAULT_POWER] = OF_SAMPLES | OF_STATES,
};

bool sensor_fault_fits(enum sensor_fault_target target, enum sensor_fault_kind kind)
{
        return (unsigned)target < SENSOR_FAULT_TARGETS &&
               (unsigned)kind < SENSOR_FAULT_KINDS && (fitting[target] & BIT(kind));
}

enum sensor sensor_fault_sensor(enum sensor_fault_target target)
{
        switch (target) {
        case FAULT_GPS:
                return SENSOR_GPS;
        case FAULT_BARO:
                return SENSOR_BARO;
        case FAULT_MAG:
                return SENSOR_MAG;
        case FAULT_SONAR:
                return SENSOR_SONAR;
        case FAULT_FLOW:
                return SENSOR_FLOW;
        case FAULT_VOLTAGE:
        case FAULT_CURRENT:
        case FAULT_POWER:
                return SENSOR_POWER;
        default:
                return SENSOR_IMU;
        }
}

/* Where the sensor's sample is in a frame. */
static void *sample_in(struct sensor_frame *f, enum sensor which, int unit, size_t *size)
{
        switch (which) {
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
                return &f->sonar[unit];
        case SENSOR_FLOW:
                *size = sizeof f->flow;
                return &f->flow;
        case SENSOR_POWER:
                *size = sizeof f->power;
                return &f->power;
        default:
                *size = sizeof f->imu;
                return &f->imu;
        }
}

static bool is_fresh(const struct sensor_frame *f, enum sensor which, int unit)
{
        if (which == SENSOR_SONAR)
                return f->fresh_sonars >> unit & 1;
        return f->fresh & SENSOR_BIT(which);
}

static void set_fresh(struct sensor_frame *f, enum sensor which, int unit, bool fresh)
{
        uint32_t bit = SENSOR_BIT(which);

        if (which == SENSOR_SONAR) {
                f->fresh_sonars &= ~(1U << unit);
                f->fresh_sonars |= (uint32_t)fresh << unit;
                fresh = f->fresh_sonars != 0;
        }
        f->fresh = fresh ? f->fresh | bit : f->fresh & ~bit;
}

static void copy_sample(struct sensor_frame *to, struct sensor_frame *from,
                        enum sensor which, int unit)
{
        size_t size;
        void *into = sample_in(to, which, unit, &size);

        memcpy(into, sample_in(from, which, unit, &size), size);
}

void sensor_fault_init(struct sensor_fault_state *s, const struct sensor_fault *p,
                       uint64_t seed, uint32_t vehicle, uint32_t index, int64_t t_ns,
                       const struct sensor_frame *last)
{
        (void)p;
        memset(s, 0, sizeof *s);
        rng_init(&s->rng, seed, vehicle, STREAM_SENSOR_FAULT, index);
        s->begin_ns = t_ns;
        if (last != NULL)
                s->held = *last;
}

static void queue_drop_oldest(struct sensor_fault_queue *q)
{
        q->first = (q->first + 1) % SENSOR_FAULT_WAITING_MAX;
        q->count--;
}

static void queue_push(struct sensor_fault_queue *q, int64_t due_ns, int unit,
                       const void *sample, size_t size)
{
        int last;

        if (q->count == SENSOR_FAULT_WAITING_MAX)
                queue_drop_oldest(q);
        last = (q->first + q->count) % SENSOR_FAULT_WAITING_MAX;
        q->slot[last].due_ns = due_ns;
        q->slot[last].unit = unit;
        memcpy(&q->slot[last].sample, sample, size);
        q->count++;
}

static void hold_back(struct sensor_fault_state *s, const struct sensor_fault *p,
                      int unit, int64_t t_ns, struct sensor_frame *f)
{
        enum sensor which = sensor_fault_sensor(p->target);
        int64_t due_ns;
        size_t size;
        void *now = sample_in(f, which, unit, &size);

        if (__builtin_add_overflow(t_ns, p->delay_ns, &due_ns))
                due_ns = INT64_MAX;
        queue_push(&s->waiting, due_ns, unit, now, size);
}

/* What is due comes now; of two of one sensor the newer. */
static void let_go(struct sensor_fault_state *s, enum sensor which, int64_t t_ns,
                   struct sensor_frame *f)
{
        struct sensor_fault_queue *q = &s->waiting;

        while (q->count > 0 && q->slot[q->first].due_ns <= t_ns) {
                int unit = q->slot[q->first].unit;
                size_t size;
                void *held = sample_in(&s->held, which, unit, &size);

                memcpy(held, &q->slot[q->first].sample, size);
                copy_sample(f, &s->held, which, unit);
                set_fresh(f, which, unit, true);
                queue_drop_oldest(q);
        }
}

/* Whether the fresh sample is on its way now. */
static bool comes(struct sensor_fault_state *s, const struct sensor_fault *p, int unit,
                  int64_t t_ns, struct sensor_frame *f)
{
        if (p->kind == SENSOR_DELAY)
                hold_back(s, p, unit, t_ns, f);
        if (p->kind == SENSOR_DROPOUT)
                return !(rng_uniform(&s->rng) < p->probability);
        return p->kind != SENSOR_DELAY;
}

static double seconds_since(int64_t begin_ns, int64_t t_ns)
{
        int64_t since_ns;

        if (__builtin_sub_overflow(t_ns, begin_ns, &since_ns) || since_ns < 0)
                return 0.0;
        return 1e-9 * (double)since_ns;
}

static void apply_to(struct sensor_fault_state *s, const struct sensor_fault *p,
                     const struct sensors_params *sensors, int unit, int64_t t_ns,
                     struct sensor_frame *f)
{
        enum sensor which = sensor_fault_sensor(p->target);

        if (is_fresh(f, which, unit) && !comes(s, p, unit, t_ns, f))
                set_fresh(f, which, unit, false);
        if (!is_fresh(f, which, unit)) {
                copy_sample(f, &s->held, which, unit);
                return;
        }
        if (p->kind != SENSOR_DROPOUT)
                sensor_fault_change(s, p, sensors, unit, seconds_since(s->begin_ns, t_ns),
                                    f);
        copy_sample(&s->held, f, which, unit);
}

void sensor_fault_apply(struct sensor_fault_state *s, const struct sensor_fault *p,
                        const struct sensors_params *sensors, int64_t t_ns,
                        struct sensor_frame *frame)
{
        if (!sensor_fault_fits(p->target, p->kind))
                return;
        if (p->target != FAULT_SONAR)
                apply_to(s, p, sensors, 0, t_ns, frame);
        for (int i = 0; p->target == FAULT_SONAR && i < SONARS_MAX; i++)
                if (p->sonar < 0 || p->sonar == i)
                        apply_to(s, p, sensors, i, t_ns, frame);
        let_go(s, sensor_fault_sensor(p->target), t_ns, frame);
}
