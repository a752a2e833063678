/* Which samples come, and when. What they say is sensor_fault_change.c's. */
#include "models/faults/sensor_fault.h"

#include <string.h>

#include "models/faults/sensor_fault_change.h"
#include "models/sensors/kinds.h"

/* In place of a sensor's number in rng_init(), with the fault's index as the axis. */
#define STREAM_SENSOR_FAULT 64

#define BIT(kind) (1U << (kind))

#define OF_SAMPLES (BIT(SENSOR_DROPOUT) | BIT(SENSOR_DELAY))
#define OF_STATES  (BIT(SENSOR_STUCK) | BIT(SENSOR_ZERO) | BIT(SENSOR_NAN))
#define OF_VALUES                                                                        \
        (OF_STATES | BIT(SENSOR_SPIKE) | BIT(SENSOR_DRIFT) | BIT(SENSOR_BIAS) |          \
         BIT(SENSOR_NOISE) | BIT(SENSOR_SCALE) | BIT(SENSOR_SATURATE))
#define OF_AXES (BIT(SENSOR_SWAP_AXES) | BIT(SENSOR_FLIP_AXES))

static const struct {
        enum sensor sensor;
        unsigned fitting; /* BIT() of kinds */
} targets[SENSOR_FAULT_TARGETS] = {
        [FAULT_ACCEL] = { SENSOR_IMU, OF_VALUES | OF_AXES },
        [FAULT_GYRO] = { SENSOR_IMU, OF_VALUES | OF_AXES },
        [FAULT_GPS] = { SENSOR_GPS, OF_SAMPLES | OF_STATES | BIT(SENSOR_SPIKE) |
                                            BIT(SENSOR_DRIFT) | BIT(SENSOR_NOISE) |
                                            BIT(GPS_LOSS) | BIT(GPS_JUMP) |
                                            BIT(GPS_SPOOF) | BIT(GPS_FEW_SATELLITES) |
                                            BIT(GPS_TIME_JUMP) },
        [FAULT_BARO] = { SENSOR_BARO, OF_SAMPLES | OF_VALUES },
        [FAULT_MAG] = { SENSOR_MAG, OF_SAMPLES | OF_VALUES | OF_AXES },
        [FAULT_SONAR] = { SENSOR_SONAR,
                          OF_SAMPLES | OF_VALUES | BIT(SONAR_BLIND) | BIT(SONAR_GHOST) },
        [FAULT_FLOW] = { SENSOR_FLOW, OF_SAMPLES | OF_VALUES | OF_AXES },
        [FAULT_VOLTAGE] = { SENSOR_POWER, OF_VALUES },
        [FAULT_CURRENT] = { SENSOR_POWER, OF_VALUES },
        [FAULT_IMU] = { SENSOR_IMU, OF_SAMPLES | OF_STATES | OF_AXES },
        [FAULT_POWER] = { SENSOR_POWER, OF_SAMPLES | OF_STATES },
};

_Static_assert(SENSOR_FAULT_KINDS <= 32, "targets[].fitting has a bit for each kind");
_Static_assert(STREAM_SENSOR_FAULT >= SENSOR_COUNT, "a fault has no sensor's stream");

bool sensor_fault_fits(enum sensor_fault_target target, enum sensor_fault_kind kind)
{
        return (unsigned)target < SENSOR_FAULT_TARGETS &&
               (unsigned)kind < SENSOR_FAULT_KINDS &&
               (targets[target].fitting & BIT(kind));
}

enum sensor sensor_fault_sensor(enum sensor_fault_target target)
{
        return (unsigned)target < SENSOR_FAULT_TARGETS ? targets[target].sensor
                                                       : SENSOR_IMU;
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

        if (__builtin_add_overflow(t_ns, p->delay_ns, &due_ns))
                due_ns = INT64_MAX;
        queue_push(&s->waiting, due_ns, unit, sensor_sample(f, which, unit),
                   sensor_kinds[which].sample_size);
}

/* What is due comes now; of two of one sensor the newer. */
static void let_go(struct sensor_fault_state *s, enum sensor which, int64_t t_ns,
                   struct sensor_frame *f)
{
        struct sensor_fault_queue *q = &s->waiting;

        while (q->count > 0 && q->slot[q->first].due_ns <= t_ns) {
                int unit = q->slot[q->first].unit;

                memcpy(sensor_sample(&s->held, which, unit), &q->slot[q->first].sample,
                       sensor_kinds[which].sample_size);
                sensor_sample_copy(f, &s->held, which, unit);
                sensor_set_fresh(f, which, unit, true);
                queue_drop_oldest(q);
        }
}

/* Whether the fresh sample is on its way now. */
static bool sample_comes(struct sensor_fault_state *s, const struct sensor_fault *p,
                         int unit, int64_t t_ns, struct sensor_frame *f)
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

        if (sensor_is_fresh(f, which, unit) && !sample_comes(s, p, unit, t_ns, f))
                sensor_set_fresh(f, which, unit, false);
        if (!sensor_is_fresh(f, which, unit)) {
                sensor_sample_copy(f, &s->held, which, unit);
                return;
        }
        if (p->kind != SENSOR_DROPOUT)
                sensor_fault_change(s, p, sensors, unit, seconds_since(s->begin_ns, t_ns),
                                    f);
        sensor_sample_copy(&s->held, f, which, unit);
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
