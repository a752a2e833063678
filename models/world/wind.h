/* Moving air: steady wind, gusts of the form 1 - cos, and Dryden turbulence at low altitude
 * (MIL-F-8785C 3.7.1.2, 3.7.3.4). Wind and gusts are the same for every vehicle; turbulence is each
 * vehicle's own, from the run's seed. */
#pragma once

#include <stdint.h>

#include "models/rng.h"
#include "models/vec.h"

#define GUSTS_MAX      8
#define WIND_FLOOR_MPS 0.5

/* amplitude/2 (1 - cos(2 pi (t - at)/length)) while it lasts. */
struct gust {
        int64_t at_ns, length_ns; /* > 0 */
        struct vec3 amplitude_ned_mps;
};

struct wind_params {
        struct vec3 steady_ned_mps; /* the velocity of the air */
        int gusts;
        struct gust gust[GUSTS_MAX];
        double turbulence_mps; /* W20, wind speed at 6 m, which sets the intensity; 0: still */
};

/* Dryden's three filters, in the axes of the mean wind: u along it (north where there is none), v
 * across, to the right, w down. Their states are dimensionless, with a constant variance, so that
 * speed and height may change from step to step. */
struct wind {
        struct rng rng[5]; /* u, both of v, both of w */
        double u, v[2], w[2];
        struct vec3 now_ned_mps; /* of the air at the vehicle */
};

/* The air is the steady wind until the first step; the filters start in their stationary
 * distribution. */
void wind_init(struct wind *w, const struct wind_params *p, uint64_t seed,
               uint32_t vehicle);

/* What is unsteady of wind_step(). */
void wind_stir(struct wind *w, const struct wind_params *p, int64_t t_ns, double dt_s,
               double height_m, double airspeed_mps);

/* The air at t_ns, dt_s (>= 0) after the last call, height_m above the ground, for a vehicle that
 * moves through the air with airspeed_mps: turbulence is a frozen field that drifts with the mean
 * wind, and the vehicle flies through it. A vehicle that hovers over a point in a wind of 5 m/s
 * meets it at 5 m/s; one that drifts with the air meets it at WIND_FLOOR_MPS, because no eddy lasts
 * for ever. Exact discretisation: the statistics do not depend on dt_s. */
static inline void wind_step(struct wind *w, const struct wind_params *p, int64_t t_ns,
                             double dt_s, double height_m, double airspeed_mps)
{
        w->now_ned_mps = p->steady_ned_mps;
        if (p->gusts > 0 || p->turbulence_mps > 0.0)
                wind_stir(w, p, t_ns, dt_s, height_m, airspeed_mps);
}

/* Standard deviation and scale length of each component. The standard gives them from 10 ft to 1000 ft;
 * below and above, the values at those heights hold. */
struct wind_scale {
        double sigma_mps[3], length_m[3]; /* along, across, down */
};
struct wind_scale wind_dryden_scale(double turbulence_mps, double height_m);
