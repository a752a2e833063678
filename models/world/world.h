/* What surrounds the vehicles: where NED is on the earth, gravity, the ground and the obstacles on
 * it, the air and its motion, the magnetic field. Constant for a run; the vehicles query it. */
#pragma once

#include <stddef.h>

#include "models/world/atmosphere.h"
#include "models/world/earth.h"
#include "models/world/region.h"
#include "models/world/scene.h"
#include "models/signals.h"
#include "models/world/wind.h"

struct world {
        struct earth_origin origin; /* where NED (0, 0, 0) is */
        double gps_time_s; /* GPS time (seconds since 1980-01-06) at tick 0 */
        double gravity_mps2; /* at the origin, along +z */
        double gravity_per_m; /* its growth downwards; 0: uniform */
        struct atmosphere atmosphere;
        struct wind_params wind;
        int regions;
        struct region region[REGIONS_MAX];
        struct vec3 magnetic_field_ned_t;
        double ground_down_m; /* z of the ground plane in NED */
        struct surface ground; /* of that plane */
        const struct scene *scene; /* NULL: nothing but the ground */
};

static inline double world_gravity_mps2(const struct world *w, double down_m)
{
        return w->gravity_mps2 + w->gravity_per_m * down_m;
}

/* Height above mean sea level of a NED position. */
static inline double world_altitude_m(const struct world *w, struct vec3 pos_ned_m)
{
        return w->origin.height_m - pos_ned_m.z;
}

/* What a ray meets first: its distance, INFINITY if there is nothing, and its orientation. */
struct world_hit {
        double range_m; /* >= 0; 0 inside a solid or the ground */
        struct vec3 normal_ned; /* unit, against the ray */
        const struct surface *surface; /* NULL: nothing */
};

/* The nearest of ground and scene from pos along the unit vector dir, up to max_m. */
struct world_hit world_hit(const struct world *w, struct vec3 pos_ned_m,
                           struct vec3 dir_ned, double max_m);

/* Where a sphere touches ground or scene. */
struct world_touch {
        double clearance_m; /* of the sphere's surface: negative when inside */
        struct vec3 normal_ned; /* unit, out of the obstacle */
        const struct surface *surface;
        int obstacle; /* index in the world file's list; -1: the ground */
};

#define WORLD_TOUCHES_MAX 4

/* Minimum radius for touches with the scene, so that a point on a mesh, which has no inside, stays
 * on its side, and one that slides over two boxes does not catch at the seam. */
#define WORLD_SKIN_M 1e-3

/* The surfaces that a sphere (radius 0: a point) overlaps, or passed with its centre on the
 * straight path from from_ned_m, deepest first, at most WORLD_TOUCHES_MAX; returns how many.
 * Surfaces behind the plane of a deeper one are left out. */
int world_touches(const struct world *w, struct vec3 from_ned_m, struct vec3 centre_ned_m,
                  double radius_m, struct world_touch out[WORLD_TOUCHES_MAX]);

/* Radius of a ball about pos that meets neither ground nor scene; at most limit_m. 0 or less if pos
 * is inside something. */
double world_free_m(const struct world *w, struct vec3 pos_ned_m, double limit_m);

/* Distance to the surface straight below a point: the ground, or something standing on it. INFINITY
 * below the ground plane. */
double world_height_m(const struct world *w, struct vec3 pos_ned_m);
