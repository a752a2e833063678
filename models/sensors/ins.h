/* The simulated inertial navigation system of Gruber 5.2.7.3 (USARSim's INS sensor): a pose that starts
 * right and drifts away with every metre and every radian of the way. Not a strapdown computation:
 * it shares nothing with the IMU. */
#pragma once

#include "models/rng.h"
#include "models/sensors/exposure.h"
#include "models/sensors/schedule.h"

struct ins_params {
        struct schedule_params schedule; /* Gruber, listing 5.4: every 0.01 s */
        double sigma; /* of the noise, a share of the step's way and turn */
        bool drifting; /* the noise has a mean */
        double precision; /* p: the mean is a/p of the way and a/p^2 of the turn, > 0 */
        struct vec3
                lever_arm_body_m; /* to the place that it tells of, from the centre of mass */
};

struct ins {
        struct rng rng[7]; /* turn x y z, way x y z, a */
        double a; /* drawn once, within -0.5 and 0.5 */
        bool started;
        struct quat q_true, q_estimate; /* body to NED */
        struct vec3 pos_true_ned_m, pos_estimate_ned_m;
};

void ins_init(struct ins *ins, const struct ins_params *p, uint64_t seed,
              uint32_t vehicle);

/* One sample; the first is the truth. Where the document divides differences of Euler angles
 * into body rates, which it says is wrong, this takes the body's turn between the samples
 * (docs/errata.md). out->t_ns is the caller's. */
void ins_step(struct ins *ins, const struct ins_params *p, const struct exposure *e,
              struct ins_sample *out);
