/* A log of a flight in memory, by what it says: for each moment the motors' commands and where the vehicle was. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/log/flight_log.h"

enum track_kind {
        TRACK_POSITION,
        TRACK_VELOCITY,
        TRACK_ATTITUDE,
        TRACK_RATE,
        TRACK_ACCEL,
        TRACK_MOTORS,
        TRACK_VOLTAGE,
        TRACK_PRESSURE, /* Pa; as the next only of track_read_sensors() */
        TRACK_FIX, /* of GPS: degrees, degrees, m */
        TRACK_FIX_VELOCITY,
        TRACK_CURRENT, /* A; as the next only of track_read_sensors() */
        TRACK_THRUST, /* of a thrust stand: N, Nm, rad/s */
        TRACK_TORQUE,
        TRACK_SPEED,
        TRACK_KINDS
};

/* Samples of one kind, in the order of their times. */
struct track_samples {
        size_t count, room;
        int columns;
        int64_t *t_ns; /* owned, as the next */
        double *value; /* count of `columns` */
};

struct track {
        struct track_samples of[TRACK_KINDS];
        int64_t first_ns; /* of any sample; `from` of the place counts from it */
        int motors; /* most of any sample */
        bool own;
        uint64_t skipped, disordered; /* malformed; before the one before */
        char format[40], firmware[120];
};

/* From `place` on. False: `why` says what is wrong. */
bool track_read(struct track *t, const struct flight_log_place *place, char *why,
                size_t cap);
/* The same; of a run of this rig without its truth (flight_log_open_measured()). */
bool track_read_measured(struct track *t, const struct flight_log_place *place, char *why,
                         size_t cap);
/* The same as that, as flight_log_open_sensors() reads. */
bool track_read_sensors(struct track *t, const struct flight_log_place *place, char *why,
                        size_t cap);
void track_free(struct track *t);

/* Numbers at a time, between two samples that are at most half a second apart; not of motors. False: there are none. An
 * attitude is a quaternion of unit length. */
bool track_at(const struct track *t, enum track_kind kind, int64_t t_ns, double value[]);
/* Those that were in force, of ROTORS_MAX motors; before the first ones the first ones. The log has some. */
const double *track_motors(const struct track *t, int64_t t_ns);
/* They are not older than half a second. */
bool track_motors_known(const struct track *t, int64_t t_ns);
/* The middle one of the times between samples from then to then; 0: there are fewer than three. */
double track_interval_s(const struct track *t, enum track_kind kind, int64_t from_ns,
                        int64_t to_ns);
struct vec3 track_vector(const double value[3]);
