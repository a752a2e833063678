/* A vehicle's parameters out of flights: those with which the rig's plant agrees best with what the vehicle's IMU felt.
 * First the change of the rates from block to block and the specific force are compared with the equations of motion, which
 * is nearly linear (equation error); from there on what the plant does with the log's commands (output error). */
#pragma once

#include <stdio.h>

#include "hil/sysid/least.h"
#include "hil/sysid/samples.h"
#include "hil/text/json.h"

enum sysid_parameter {
        SYSID_TAU, /* s */
        SYSID_TAU_DOWN, /* s, where the rotor slows down */
        SYSID_DELAY, /* s, from command to turning, with the gyroscope's own */
        SYSID_DELAY_FORCE, /* s, from command to force, with the accelerometer's own */
        SYSID_EXPO, /* of struct motor_params: 1 - thrust_linear */
        SYSID_THRUST, /* N/(rad/s)^2 */
        SYSID_TORQUE, /* Nm/(rad/s)^2 */
        SYSID_XX, /* kg m^2, the next two as well */
        SYSID_YY,
        SYSID_ZZ,
        SYSID_CENTRE_X, /* m, of mass, from where the vehicle file has it */
        SYSID_CENTRE_Y,
        SYSID_DRAG_XY, /* N/(m/s) */
        SYSID_DRAG_Z,
        SYSID_DAMPING_X, /* Nm/(rad/s), the next two as well */
        SYSID_DAMPING_Y,
        SYSID_DAMPING_Z,
        SYSID_BIAS_X, /* m/s^2, of the accelerometer; the next two as well */
        SYSID_BIAS_Y,
        SYSID_BIAS_Z,
        SYSID_BY_EQUATION, /* number of those that the equations of motion know; the plant knows all */
        SYSID_TWIST =
                SYSID_BY_EQUATION, /* Nm about down, as of rotors that are not upright */
        SYSID_XY, /* kg m^2, of the inertia matrix, the next two as well */
        SYSID_XZ,
        SYSID_YZ,
        SYSID_AREA_XY, /* m^2, of quadratic drag */
        SYSID_AREA_Z,
        SYSID_PLACE_X, /* m, of the IMU from the centre of mass; the next two as well */
        SYSID_PLACE_Y,
        SYSID_PLACE_Z,
        SYSID_MOUNT_X, /* rad, by which the IMU is turned; the next two as well */
        SYSID_MOUNT_Y,
        SYSID_MOUNT_Z,
        SYSID_SPEED, /* of the rotors, over what command and voltage ask for */
        SYSID_SCALE, /* of the accelerometer */
        SYSID_SCALE_X, /* of the gyroscope; the next two as well */
        SYSID_SCALE_Y,
        SYSID_SCALE_Z,
        SYSID_SAG, /* ohm: the battery's resistance */
        SYSID_PARAMETERS
};
enum sysid_channel { SYSID_FORCE, SYSID_TURN = 3, SYSID_CHANNELS = 6 };

extern const struct sysid_name {
        const char *name, *unit;
        /* Told: the interval's half is at most this, in parts of what was found or in the unit. */
        double part, amount;
        bool aside; /* of the log or the sensors: stands in no vehicle file, and both vehicles have it */
} sysid_names[SYSID_PARAMETERS];

struct sysid_model {
        const struct sysid_samples *samples;
        const struct vehicle_params *start;
        const struct world *world; /* in which nothing is near */
        double air_density_kgpm3;
        size_t rows; /* of the blocks, from the first one on */
};

/* least_residuals of a struct sysid_model: m/s^2, rad/s^2. */
void sysid_equation(const void *model, const double *parameters, double *out);
/* The same by the plant: m/s^2, rad/s. */
void sysid_fly(const void *model, const double *parameters, double *out);
/* What parameters say of a motor. */
static inline void sysid_motor(struct motor_params *m, const double *parameters)
{
        m->tau_s = parameters[SYSID_TAU];
        m->tau_down_s = parameters[SYSID_TAU_DOWN];
        m->thrust_linear = 1.0 - parameters[SYSID_EXPO];
}
/* START with these parameters. */
void sysid_params(const struct sysid_model *m, const double *parameters,
                  struct vehicle_params *v);

#define SYSID_WORSE                                                                      \
        1.02 /* times START's error: no estimate is better than a START that has the truth */

struct sysid_result {
        double start[SYSID_PARAMETERS], found[SYSID_PARAMETERS], half[SYSID_PARAMETERS];
        bool told[SYSID_PARAMETERS];
        double kept
                [SYSID_PARAMETERS]; /* for a vehicle file: what fits best beside START's values of what is not told */
        double flown_s, held_s; /* of flight: fitted, held back */
        double window_s;
        bool sparse; /* commands too seldom for what is fast */
        /* Rms over the windows held back of what the plant is off: velocity at their end, m/s; rate, rad/s. NaN: not
         * known. */
        double error_start[SYSID_CHANNELS], error_new[SYSID_CHANNELS];
        bool better; /* NEW is not worse in any of them by 2 %, and better in one */
};

/* Where to look for SYSID_PARAMETERS: from the equations of motion, which need no good start. False: `why`. */
bool sysid_guess(const struct sysid_model *model, double *guess, char *why, size_t cap);

/* A guess made better by the plant, to some per mille. */
bool sysid_refine(const struct sysid_model *model, double *guess, char *why, size_t cap);

/* Fits the first four fifths, or of several logs all but the last. False: `why`. */
bool sysid_identify(const struct sysid_model *model, const double *guess,
                    struct sysid_result *r, char *why, size_t cap);

struct sysid_search {
        const struct track *tracks; /* of `logs` logs, at most SYSID_LOGS */
        int logs;
        const int *output; /* as sysid_samples_make() has it */
        const struct vehicle_params *start;
        const struct world *world;
        double air_density_kgpm3;
};

/* All of that, from the logs to the result. False: `why`, and which log is wrong. */
bool sysid_search(const struct sysid_search *of, struct sysid_result *r, int *wrong,
                  char *why, size_t cap);

/* How it is told. */
void sysid_print(FILE *out, const struct sysid_result *r);
struct json *sysid_json(const struct sysid_result *r);
/* A vehicle file that includes `start` and changes what the data told. `has_parts`: its inertia is that of parts, and
 * stays. */
struct json *sysid_vehicle_file(const struct sysid_result *r, const char *start,
                                const struct vehicle_params *p, bool has_parts);
