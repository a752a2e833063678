/* A motor with its rotor on a thrust stand: the vehicle's parameters that tables of it tell, and what to do next for those
 * that they do not. */
#pragma once

#include <stdio.h>

#include "hil/retrace/track.h"
#include "hil/text/json.h"
#include "models/vehicle/vehicle.h"

#define STAND_TABLES 16

enum stand_parameter {
        STAND_THRUST, /* N/(rad/s)^2 */
        STAND_TORQUE, /* Nm/(rad/s)^2 */
        STAND_SPEED, /* rad/s of the full command at the battery's reference voltage */
        STAND_EXPO, /* f of thrust = f u^2 + (1 - f) u */
        STAND_DEAD_BAND, /* of the command */
        STAND_TAU, /* s */
        STAND_TAU_DOWN, /* s */
        STAND_RESISTANCE, /* ohm */
        STAND_EFFICIENCY,
        STAND_PARAMETERS
};

/* Steps of the plan; the first ones need no props. */
enum stand_step {
        STAND_REST,
        STAND_POSITIONS,
        STAND_DELAYS,
        STAND_ZERO,
        STAND_CREEP,
        STAND_STAIRS,
        STAND_STEPS,
        STAND_CHIRP,
        STAND_PLAN
};

extern const struct stand_name {
        const char *name, *unit;
        double scale; /* from SI to the unit */
        double part,
                amount; /* told: half of the interval is within, of what was found or as it is */
        double considered; /* half, in parts of it, of what the scales of instruments may be off by: 0.25 % (1 sigma) each */
        enum stand_step step; /* of the plan that tells it */
        const char *needs; /* columns */
} stand_names[STAND_PARAMETERS];

struct stand_result {
        double start[STAND_PARAMETERS];
        double found[STAND_PARAMETERS], half[STAND_PARAMETERS]; /* NAN: not looked for */
        bool told[STAND_PARAMETERS];
        double length_s, interval_s; /* of all tables; between samples */
};

/* Of the first rotor of START. False: `why`. */
bool stand_find(const struct track *tables, int count, const struct vehicle_params *start,
                struct stand_result *r, char *why, size_t cap);

/* The whole plan. */
void stand_print_plan(FILE *out);
/* What was found, and the next step or that nothing is left. */
void stand_print(FILE *out, const struct stand_result *r);
struct json *stand_json(const struct stand_result *r);
/* A vehicle file that includes `start` and changes what the tables told. */
struct json *stand_vehicle_file(const struct stand_result *r, const char *start);
/* A step of the plan that tells something which is not told; STAND_PLAN: all is. */
enum stand_step stand_next(const struct stand_result *r);
