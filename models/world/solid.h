/* Queries to a single solid of a scene: its box, a ray, a distance. */
#pragma once

#include "models/world/scene.h"

/* The box along north, east and down that encloses it, a nanometre larger than needed. */
void solid_bounds(const struct solid *s, struct vec3 *low_m, struct vec3 *high_m);

/* Distance along the unit vector dir, INFINITY if not nearer than max_m; 0 inside. The normal,
 * written if there is a hit, points against the ray. */
double solid_ray(const struct solid *s, struct vec3 pos_ned_m, struct vec3 dir_ned,
                 double max_m, struct vec3 *normal_ned);

/* Distance of a point, negative inside, and the unit normal of the surface nearest to it, outwards;
 * of a triangle towards the point. normal_ned may be NULL. */
double solid_clearance(const struct solid *s, struct vec3 pos_ned_m,
                       struct vec3 *normal_ned);
