/* A log of a flight as blocks of equal length: what the IMU felt in each, and what the motors were told, ten times in
 * each. Of a run of this rig its truth is not read. */
#ifndef HIL_SYSID_SAMPLES_H
#define HIL_SYSID_SAMPLES_H

#include "hil/retrace/track.h"
#include "models/vehicle/vehicle.h"

#define SYSID_FINE    10 /* steps of a block */
#define SYSID_BLOCK_S 0.01 /* at least */

struct sysid_samples {
        size_t blocks;
        double block_s;
        int rotors;
        bool *flies; /* and the log says all of it; owned, as the next */
        struct vec3 *rate_body_radps, *accel_body_mps2; /* means */
        struct vec3 *vel_body_mps; /* NaN: not known */
        double *target_radps; /* blocks x SYSID_FINE x rotors: what the command asks for */
};

/* What rotor i is driven by: output[i] of the log. False: `why`. */
bool sysid_samples_make(struct sysid_samples *s, const struct track *t,
                        const struct vehicle_params *start, const int *output, char *why,
                        size_t cap);
void sysid_samples_free(struct sysid_samples *s);

#endif
