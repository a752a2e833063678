/* Shaking of the frame by turning rotors: each rotor's unbalance and the ripple of its blades push
 * its hub with forces at multiples of its speed. The response of a rigid frame is added to the
 * IMU's measurement; the flight itself is not affected (a force of amplitude F at w moves a mass m
 * by F/(m w^2), microns). */
#pragma once

#include "models/plant/body.h"
#include "models/signals.h"

#define VIBRATION_HARMONICS_MAX 4

/* One multiple of the rotor's speed: F = force W^2 (cos, sin, cos of the multiple of its angle) at the
 * hub, along forward, right, down, plus the phase. An unbalance of m e (kg m) is order 1, force
 * {m e, m e, 0}. */
struct vibration_harmonic {
        double order; /* > 0; the number of blades for blade passing */
        struct vec3 force_n_per_radps2;
        double phase_rad;
};

struct vibration_params {
        int harmonics; /* 0: smooth */
        struct vibration_harmonic harmonic[VIBRATION_HARMONICS_MAX];
};

/* At one instant: motion of the centre of mass and rotation of the body. */
struct vibration {
        struct vec3 accel_body_mps2;
        struct vec3 rate_body_radps; /* as the gyroscope sees it */
        struct vec3 rate_dot_body_radps2;
};

/* The response of the frame to the rotors' forces, per cosine and per sine of each multiple of
 * their angles: all constants of a run multiplied out. Three vectors of three and a 0 each: by the
 * square of the speed accel and rate_dot, by the speed rate. */
#define VIBRATION_OUTPUTS 12

struct vibration_gain {
        struct vibration_response {
                double cosine[VIBRATION_OUTPUTS], sine[VIBRATION_OUTPUTS];
        } of[ROTORS_MAX][VIBRATION_HARMONICS_MAX];
        /* Order 1, for rotors that have an unbalance of their own. */
        bool unbalanced;
        struct vibration_response unbalance[ROTORS_MAX];
        int times
                [VIBRATION_HARMONICS_MAX]; /* the order, where it is whole and small; else 0 */
};

/* Zeroed before the first rotor. */
void vibration_gain_add(struct vibration_gain *g, const struct vibration_params *p,
                        const struct body_params *body, int rotor, struct vec3 hub_body_m,
                        double spin);

/* One rotor's own unbalance, in addition to the common one: m e, 0 for none. It lies along the
 * first blade. */
void vibration_gain_unbalance(struct vibration_gain *g, const struct body_params *body,
                              int rotor, struct vec3 hub_body_m, double spin,
                              double unbalance_kgm);

/* The effect of all rotors at one instant. angle_turns is where the first blade of each points, in
 * turns from forward, positive in its own sense of rotation; any real number. Both arrays have
 * ROTORS_MAX entries, which must be numbers beyond the last rotor, too. */
void vibration_find(struct vibration *v, const struct vibration_params *p,
                    const struct vibration_gain *gain, int rotors,
                    const double *speed_radps, const double *angle_turns);
