/* What is around the vehicles: where NED is on the earth, the ground, the air, the
 * magnetic field. Constant for a run; the vehicles ask it questions. */
#ifndef MODELS_WORLD_H
#define MODELS_WORLD_H

#include "models/atmosphere.h"
#include "models/earth.h"
#include "models/signals.h"

struct world {
        struct earth_origin origin; /* where NED (0, 0, 0) is */
        double gravity_mps2;
        struct atmosphere atmosphere;
        struct vec3 wind_ned_mps; /* the velocity of the air */
        struct vec3 magnetic_field_ned_t;
        double ground_down_m; /* z of the ground plane in NED */
        double ground_friction; /* Coulomb coefficient, >= 0 */
        double ground_restitution; /* 0 to 1 */
};

/* The ground below a point: how far down its surface is (negative inside), and its
 * normal. */
struct ground {
        double clearance_m;
        struct vec3 normal_ned; /* unit, out of the ground */
};

static inline struct ground world_ground(const struct world *w, struct vec3 pos_ned_m)
{
        return (struct ground){ w->ground_down_m - pos_ned_m.z, { 0.0, 0.0, -1.0 } };
}

/* What a ray meets first: how far away it is, INFINITY when there is nothing, and how it
 * lies. */
struct world_hit {
        double range_m; /* >= 0; 0 inside a surface */
        struct vec3 normal_ned; /* unit, out of the surface */
};

/* The nearest over every surface of the world, from pos along the unit vector dir. */
struct world_hit world_hit(const struct world *w, struct vec3 pos_ned_m,
                           struct vec3 dir_ned);

/* Its distance alone. */
double world_range_m(const struct world *w, struct vec3 pos_ned_m, struct vec3 dir_ned);

/* Air at a height, and the height above mean sea level of a NED position. */
static inline double world_altitude_m(const struct world *w, struct vec3 pos_ned_m)
{
        return w->origin.height_m - pos_ned_m.z;
}

#endif
