/* Every sensor in one table: what it is called, where its sample and its schedule are, what it does,
 * and what its sample says. Whatever treats all sensors alike goes through this table: stepping, faults,
 * the signal's hash, the run log, `hilrig check`. A new sensor is a row in kinds.c. */
#pragma once

#include "models/sensors/exposure.h"
#include "models/sensors/schedule.h"
#include "models/signals.h"

struct sensors;
struct sensors_params;

enum sensor_field_type { FIELD_F64, FIELD_I64, FIELD_I32, FIELD_BOOL };

/* What a sample says, beside its time. A vector is one field of three. */
struct sensor_field {
        const char *name; /* NULL: no more fields */
        size_t offset; /* in the sample */
        const char *unit; /* SI; "1": dimensionless */
        int count;
        enum sensor_field_type type;
};

#define SENSOR_FIELDS_MAX 12

struct sensor_kind {
        const char *name; /* as in a vehicle file */
        int units_max; /* 1, but for the sonars */
        size_t sample_offset,
                sample_size; /* in struct sensor_frame; one after the other */
        size_t schedule_offset, schedule_stride; /* in struct sensors_params */
        size_t recorded_size; /* at a sample's end: what is only recorded, neither sent nor hashed */
        bool needs_acceleration; /* measures it: body_state's accel and rate_dot must hold */

        void (*init)(struct sensors *s, const struct sensors_params *p, uint64_t seed,
                     uint32_t vehicle);
        /* One sample of unit `unit`; its time is the caller's. */
        void (*step)(struct sensors *s, const struct sensors_params *p, int unit,
                     const struct exposure *e, union sensor_sample *out);

        /* In the order in which the signal's hash takes them, which must not change. */
        struct sensor_field field[SENSOR_FIELDS_MAX];
};

/* By enum sensor. */
extern const struct sensor_kind sensor_kinds[SENSOR_COUNT];

/* How many are fitted. */
int sensor_units(const struct sensors_params *p, enum sensor which);

/* period_ns is 0 where it is not fitted. */
static inline const struct schedule_params *sensor_schedule(
        const struct sensors_params *p, enum sensor which, int unit)
{
        const struct sensor_kind *k = &sensor_kinds[which];

        return (const struct schedule_params *)((const char *)p + k->schedule_offset +
                                                (size_t)unit * k->schedule_stride);
}

/* The sample itself, of sensor_kinds[which].sample_size bytes. */
static inline void *sensor_sample(struct sensor_frame *f, enum sensor which, int unit)
{
        const struct sensor_kind *k = &sensor_kinds[which];

        return (char *)f + k->sample_offset + (size_t)unit * k->sample_size;
}

static inline const void *sensor_sample_const(const struct sensor_frame *f,
                                              enum sensor which, int unit)
{
        const struct sensor_kind *k = &sensor_kinds[which];

        return (const char *)f + k->sample_offset + (size_t)unit * k->sample_size;
}

static inline int64_t sensor_sample_ns(const struct sensor_frame *f, enum sensor which,
                                       int unit)
{
        return *(const int64_t *)sensor_sample_const(f, which, unit);
}

void sensor_sample_copy(struct sensor_frame *to, const struct sensor_frame *from,
                        enum sensor which, int unit);

/* Whether the sample is new in the frame. */
static inline bool sensor_is_fresh(const struct sensor_frame *f, enum sensor which,
                                   int unit)
{
        return (which == SENSOR_SONAR ? f->fresh_sonars >> unit : f->fresh >> which) & 1;
}

/* The sonars' bit in `fresh` follows from theirs. */
void sensor_set_fresh(struct sensor_frame *f, enum sensor which, int unit, bool fresh);
