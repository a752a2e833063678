/* Logs of flights, one behind the other, as blocks of equal length: what the IMU felt in each, and what the motors were told, in each of its
 * steps. Of a run of this rig its truth is not read. */
#pragma once

#include "hil/retrace/track.h"
#include "models/vehicle/vehicle.h"

#define SYSID_FINE    32 /* steps of a block, at most */
#define SYSID_BLOCK_S 0.01 /* at least */
#define SYSID_WINDOW  45 /* blocks that the plant flies at a time, at most */
#define SYSID_LOGS    16

extern const struct vec3 sysid_unknown; /* not numbers */

struct sysid_samples {
        size_t blocks;
        size_t held_from; /* where the last of several logs begins, which is held back; 0: there is one */
        int wrong; /* the log that a failure is about */
        double block_s;
        size_t fine; /* steps of a block */
        size_t window; /* blocks that the plant flies at a time: half a second */
        int rates, accels; /* samples of a block */
        int rotors;
        bool *flies; /* and the log says all of it; owned, as the next */
        bool *driven; /* no rotor is let go, which then runs on or is turned by the air: its thrust is known */
        struct vec3 *rate_body_radps, *accel_body_mps2; /* means */
        bool sparse; /* commands come more seldom than turning can be told from */
        bool moves; /* the log has a velocity */
        struct quat *q_body_to_ned; /* the log's, in the middle of a block */
        struct vec3 *vel_ned_mps; /* the same; NaN: not known */
        struct vec3 *vel_body_mps; /* and as the IMU says that it was (path.c) */
        int *stretch; /* of each block: whose errors belong together, by velocities or by two windows (path.c) */
        double *duty; /* blocks x fine x rotors: the commands */
        double *speed_ratio; /* blocks x fine: what the voltage makes of the speeds */
        double *sag_ratio; /* of that, what the battery's resistance takes and the log's voltage does not say */
};

/* What the command of a step asks of a rotor that `m` drives, with `sag` times that resistance. */
static inline double sysid_target_radps(const struct sysid_samples *s,
                                        const struct motor_params *m, double sag,
                                        size_t step, int rotor)
{
        return motor_target_radps(m, s->duty[step * (size_t)s->rotors + (size_t)rotor],
                                  s->speed_ratio[step] +
                                          (1.0 - sag) * s->sag_ratio[step]);
}

/* Of `logs` tracks, at most SYSID_LOGS. What rotor i is driven by: output[i] of each. False: `why`. */
bool sysid_samples_make(struct sysid_samples *s, const struct track *t, int logs,
                        const struct vehicle_params *start, double air_density_kgpm3,
                        const int *output, char *why, size_t cap);
/* Velocities of blocks that fly, by the IMU where the log has it often enough. */
void sysid_path_rebuild(struct sysid_samples *s);
void sysid_samples_free(struct sysid_samples *s);
