/* The executive behind a MEXO connection (Gruber 5.3, A.8 to A.12): a queue of commands that are carried out one after
 * another, as set-points and as words for the record. It flies nothing itself. */
#pragma once

#include "io/codec/mexo.h"
#include "models/signals.h"

#define MEXO_QUEUE_MAX 1024
#define MEXO_NOTE_MAX  96

/* What POSE says, and what decides whether a command has been carried out. */
enum mexo_sensor { MEXO_SEN_GT, MEXO_SEN_GPS, MEXO_SEN_INS };

/* How long a degree is: as the rig's world has it there, or 111200 m and 71670 m. */
enum mexo_degrees { MEXO_DEGREES_OF_WORLD, MEXO_DEGREES_PRINTED };

struct mexo_settings {
        int sensor; /* enum mexo_sensor */
        int earth; /* enum mexo_degrees */
        bool has_reference; /* else it is the world's origin */
        struct mexo_earth at;
        int64_t sample_ns; /* of POSE and of the controllers */
        double reached_m, reached_rad; /* tolerance windows */
};

struct mexo_pose {
        struct vec3 pos_ned_m; /* from the world's origin */
        struct vec3 euler_rad; /* roll, pitch, yaw */
};

struct mexo_drone {
        bool powered, engines, busy, turning;
        bool removed; /* by SHUTDOWN, which has not been said yet */
        int64_t powered_ns, started_ns,
                began_ns; /* POWER, STARTENGINE, the command that is busy */
        int first, count;
        struct mexo_command queue[MEXO_QUEUE_MAX]; /* a ring; its first is busy */
        struct setpoint asked; /* pos_ned_m from the world's origin */
        bool asked_anew;
        char note[MEXO_NOTE_MAX]; /* what was done since it was last emptied */
        int still; /* heights in a row that did not change */
        double height_m;
};

/* Takes a command that was parsed. False: why says which error. place: where the vehicle is. */
bool mexo_drone_take(struct mexo_drone *d, const struct mexo_settings *s,
                     const struct mexo_command *c, const struct mexo_pose *at,
                     int64_t t_ns, struct mexo_refusal *why);
/* One sample: at is NULL while the sensor knows nothing, and then only what needs no place goes on. */
void mexo_drone_step(struct mexo_drone *d, const struct mexo_settings *s,
                     const struct mexo_pose *at, int64_t t_ns);
/* Its mission executor has gone without SHUTDOWN: what it has not done is forgotten, and it lands where it is. */
void mexo_drone_abandon(struct mexo_drone *d);
