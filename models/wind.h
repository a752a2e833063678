/* Moving air: steady wind, gusts of the form 1 - cos, and Dryden turbulence (MIL-F-8785C / MIL-HDBK-1797
 * at low altitude). What varies in time varies for each vehicle from the run's seed. */
#ifndef MODELS_WIND_H
#define MODELS_WIND_H

#include <stdint.h>

#include "models/rng.h"
#include "models/vec.h"

#define GUSTS_MAX 8

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

/* Dryden's three filters, in the axes of the mean wind. */
struct wind {
        struct rng rng[3];
        double u, v[2], w[2];
        struct vec3 now_ned_mps; /* of the air at the vehicle */
};

void wind_init(struct wind *w, const struct wind_params *p, uint64_t seed,
               uint32_t vehicle);

/* The air at t_ns, dt_s after the last call, height_m above the ground, for a vehicle that moves
 * through the air with airspeed_mps: turbulence is a frozen field that it flies through. Exact
 * discretisation: its variance does not depend on dt_s. */
void wind_step(struct wind *w, const struct wind_params *p, int64_t t_ns, double dt_s,
               double height_m, double airspeed_mps);

/* Sigma and scale length of each component at a height, for tests and documentation. */
struct wind_scale {
        double sigma_mps[3], length_m[3]; /* along, across, down */
};
struct wind_scale wind_dryden_scale(double turbulence_mps, double height_m);

#endif
