/* What can be wrong with a sensor, beyond its own errors: faults that a scenario puts between the
 * sensor and the flight controller, exactly at a tick. They change what is sent, never the truth and
 * never what another sensor says. A value that a fault has changed is rounded and clamped again as
 * the sensor's own output is; only stuck, zero and nan are said as they are. docs/faults.md has a
 * table of what each does. */
#pragma once

#include "models/rng.h"
#include "models/sensors/sensors.h"

/* What is faulty. Amounts are in the units of signals.h; of the GPS they are metres north, east,
 * down. */
enum sensor_fault_target {
        FAULT_ACCEL,
        FAULT_GYRO,
        FAULT_GPS,
        FAULT_BARO,
        FAULT_MAG,
        FAULT_SONAR,
        FAULT_FLOW, /* the angles, a sample */
        FAULT_VOLTAGE,
        FAULT_CURRENT,
        /* Two quantities come in one sample: what loses or turns samples is a fault of both. */
        FAULT_IMU,
        FAULT_POWER,
        SENSOR_FAULT_TARGETS
};

enum sensor_fault_kind {
        SENSOR_STUCK, /* says again what it said last before the fault, with new times */
        SENSOR_ZERO,
        SENSOR_DROPOUT, /* a sample does not come, with `probability` */
        SENSOR_DELAY, /* samples come delay_ns late, with the times at which they were measured */
        SENSOR_SPIKE, /* amount is added to a sample, with `probability` */
        SENSOR_DRIFT, /* amount a second is added, from 0 on */
        SENSOR_BIAS, /* amount is added */
        SENSOR_NOISE, /* normal noise of standard deviation amount is added */
        SENSOR_SCALE, /* multiplied by amount */
        SENSOR_SATURATE, /* no further than amount from 0 */
        SENSOR_NAN, /* not a number */
        SENSOR_SWAP_AXES, /* the two chosen axes take each other's place */
        SENSOR_FLIP_AXES, /* the chosen axes have the wrong sign */
        GPS_LOSS, /* no fix, no satellites, the last position */
        GPS_JUMP, /* amount metres along the chosen axes at once */
        GPS_SPOOF, /* creeps away by amount m/s along the chosen axes, its velocity consistent with it */
        GPS_FEW_SATELLITES, /* `count` are left: fix, accuracies and errors follow */
        GPS_TIME_JUMP, /* the times of its samples are off by delay_ns, which may be negative */
        SONAR_BLIND, /* hears no echo: says its reported maximum */
        SONAR_GHOST, /* hears an echo at amount metres, unless a nearer one is there */
        SENSOR_FAULT_KINDS
};

#define FAULT_AXIS_X   1U /* or north */
#define FAULT_AXIS_Y   2U /* or east */
#define FAULT_AXIS_Z   4U /* or down */
#define FAULT_ALL_AXES 7U

struct sensor_fault {
        enum sensor_fault_target target;
        enum sensor_fault_kind kind;
        unsigned axes; /* FAULT_AXIS_...; of what has axes; a flow sensor has x and y */
        int sonar; /* of FAULT_SONAR; -1: all */
        double amount;
        double probability; /* of each sample, 0 to 1 */
        int64_t delay_ns;
        int count;
};

/* Whether the kind means something for the target: a barometer has no axes to swap. One effect has one
 * name: a GPS is not biased, it jumps. */
bool sensor_fault_fits(enum sensor_fault_target target, enum sensor_fault_kind kind);

/* The sensor whose samples the target is part of. */
enum sensor sensor_fault_sensor(enum sensor_fault_target target);

/* Samples that wait for their delay, oldest first; of all sonars together. One more loses the
 * oldest: the configuration keeps delays so short that it does not come to that. */
#define SENSOR_FAULT_WAITING_MAX 256

struct sensor_fault_queue {
        int first, count;
        struct {
                int64_t due_ns;
                int unit; /* which sonar; 0 of others */
                union sensor_sample sample;
        } slot[SENSOR_FAULT_WAITING_MAX];
};

/* What a fault that is in force remembers. Plain data. */
struct sensor_fault_state {
        struct rng rng;
        int64_t begin_ns;
        struct sensor_frame held; /* what it said last, of its own sensor */
        double wander
                [6]; /* of GPS_FEW_SATELLITES: position and velocity, in units of sigma */
        bool wanders; /* they have begun */
        struct sensor_fault_queue waiting;
};

/* The fault begins at t_ns. last: what was sent last, or what the fault before it in the chain made of
 * it; NULL: nothing was sent. The fault's noise is a stream of its own by (seed, vehicle, index), so
 * that no sensor's noise depends on it; index must differ between the faults of a vehicle. */
void sensor_fault_init(struct sensor_fault_state *s, const struct sensor_fault *p,
                       uint64_t seed, uint32_t vehicle, uint32_t index, int64_t t_ns,
                       const struct sensor_frame *last);

/* Once a tick, with or without fresh samples, on a copy of what the sensors delivered; t_ns is the
 * tick's time, not before begin_ns. Only fresh samples are changed. Where the sensor has none, or none
 * is left, the frame holds what was said last. Several faults are applied one after the other, each to
 * what the one before it made. A fault ends when it is applied no more: what waits for its delay is
 * lost then, as it is on a bus that is reset. Any parameters are safe; those that do not fit do nothing.
 */
void sensor_fault_apply(struct sensor_fault_state *s, const struct sensor_fault *p,
                        const struct sensors_params *sensors, int64_t t_ns,
                        struct sensor_frame *frame);
