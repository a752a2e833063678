/* A vehicle's parameters out of a flight: those with which its equations of motion agree best with what its IMU felt.
 * What the motors were told goes through the motors of the plant; the change of the rates from block to block and the
 * specific force are compared (equation error), not where it flew. */
#ifndef HIL_SYSID_SYSID_H
#define HIL_SYSID_SYSID_H

#include <stdio.h>

#include "hil/sysid/least.h"
#include "hil/sysid/samples.h"
#include "hil/text/json.h"

enum sysid_parameter {
        SYSID_TAU, /* s */
        SYSID_DELAY, /* s, from command to turning, with the gyroscope's own */
        SYSID_DELAY_FORCE, /* s, from command to force, with the accelerometer's own */
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
        SYSID_PARAMETERS
};
enum sysid_channel { SYSID_FORCE, SYSID_TURN = 3, SYSID_CHANNELS = 6 };

extern const struct sysid_name {
        const char *name, *unit;
        /* Told: the interval's half is at most this, in parts of what was found or in the unit. */
        double part, amount;
        double method; /* part of what was found by which the method itself may be off: in the interval */
} sysid_names[SYSID_PARAMETERS];

struct sysid_model {
        const struct sysid_samples *samples;
        const struct vehicle_params *start;
        double air_density_kgpm3;
        size_t rows; /* of the blocks, from the first one on */
};

/* least_residuals of a struct sysid_model: m/s^2, rad/s^2. */
void sysid_residuals(const void *model, const double *parameters, double *out);

struct sysid_result {
        double start[SYSID_PARAMETERS], found[SYSID_PARAMETERS], half[SYSID_PARAMETERS];
        bool told[SYSID_PARAMETERS];
        double flown_s, held_s; /* of flight: fitted, held back */
        /* Rms over what was held back of a prediction over SYSID_AHEAD_S from where the log was: velocity, m/s; rate,
         * rad/s. NaN: not known. */
        double error_start[SYSID_CHANNELS], error_new[SYSID_CHANNELS];
        bool better; /* NEW is not worse in any of them by 1 %, and better in one */
};
#define SYSID_AHEAD_S 0.2

/* Fits the first four fifths. False: `why`. */
bool sysid_identify(const struct sysid_samples *samples,
                    const struct vehicle_params *start, double air_density_kgpm3,
                    struct sysid_result *r, char *why, size_t cap);

/* What was told of motors and rotors becomes the vehicle's. */
void sysid_apply(struct vehicle_params *p, const struct sysid_result *r);

/* How it is told. */
void sysid_print(FILE *out, const struct sysid_result *r);
struct json *sysid_json(const struct sysid_result *r);
/* A vehicle file that includes `start` and changes what the data told. `has_parts`: its inertia is that of parts, and
 * stays. */
struct json *sysid_vehicle_file(const struct sysid_result *r, const char *start,
                                const struct vehicle_params *p, bool has_parts);

#endif
