/* The obstacles of the world: boxes, spheres, cylinders and triangles, in a tree of bounding boxes,
 * so that the cost of a query depends on what is near, not on how much there is. Never changes
 * during a run. The caller owns the memory. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "models/vec.h"

/* The material of an obstacle. */
struct surface {
        double friction; /* Coulomb coefficient, >= 0 */
        double restitution; /* 0 to 1 */
        double sound_reflection; /* of the sound's amplitude, 0 (felt) to 1 (tiles) */
        double texture; /* how much optical flow sees on it, 0 (nothing) to 1 */
};

enum solid_shape { SOLID_BOX, SOLID_SPHERE, SOLID_CYLINDER, SOLID_TRIANGLE };

/* Boxes, spheres and cylinders are solid: a point can be inside. A triangle has two sides and no
 * inside; a mesh of them is a shell. */
struct solid {
        enum solid_shape shape;
        int surface; /* of the scene's list */
        int name; /* of the obstacle that it belongs to, for messages: index in the world file */
        struct vec3 pos_ned_m; /* centre; of a triangle: first corner */
        struct vec3 edge_m[2]; /* triangle: from the first corner to the others */
        struct mat3 axes_to_ned; /* columns: own axes; cylinder: z is its axis */
        struct vec3
                size_m; /* box: half sizes; sphere: radius, -, -; cylinder: radius, -, half length */
};

struct scene_node {
        struct vec3 low_m, high_m;
        int32_t first,
                count; /* leaf: solids; inner node (count 0): children first and first + 1 */
};

struct scene {
        const struct solid *solid; /* reordered by scene_build() */
        int solids;
        const struct scene_node *node;
        int nodes;
        const struct surface *surface;
        int surfaces;
        double reach_m; /* no solid is farther from the origin */
};

/* Nodes that scene_build() may need for this many solids. */
#define SCENE_NODES(solids) (2 * (solids) > 1 ? 2 * (solids) : 1)

/* From the root to the deepest leaf, at most. */
#define SCENE_DEPTH_MAX 64

/* Builds the tree over `solids` solids, which it reorders, into node[SCENE_NODES(solids)]. The same
 * solids in the same order always give the same tree. False: a solid is not finite, has a negative
 * size, or a surface that is not in the list. */
bool scene_build(struct scene *s, struct solid *solid, int solids,
                 struct scene_node *node, const struct surface *surface, int surfaces);

struct scene_hit {
        double range_m; /* INFINITY: nothing */
        struct vec3 normal_ned; /* unit, against the ray */
        int solid; /* -1: nothing */
};

/* The nearest solid along the unit vector dir from pos, up to max_m; range 0 inside a solid.
 * Triangles by Moeller and Trumbore (1997). */
struct scene_hit scene_ray(const struct scene *s, struct vec3 pos_ned_m,
                           struct vec3 dir_ned, double max_m);

struct scene_touch {
        double clearance_m; /* from the point to the surface; negative inside a solid */
        struct vec3 normal_ned; /* unit, away from the solid */
        int solid;
};

/* Surfaces no farther than within_m from a point that moved there straight from `from`, nearest
 * first, at most max (up to SCENE_TOUCHES_MAX); returns how many. Surfaces behind the plane of a
 * nearer one are left out: a flat wall of many triangles is one surface, a corner is two. If the
 * point went through a surface on its way, the side that it came from counts, and the distance back
 * to that side is a negative clearance: triangles have no inside to tell it by. */
#define SCENE_TOUCHES_MAX 8
int scene_touches(const struct scene *s, struct vec3 from_ned_m, struct vec3 pos_ned_m,
                  double within_m, struct scene_touch *out, int max);

/* Distance to the nearest surface, at most limit_m: a ball of that radius about pos is empty. 0 or less
 * inside a solid. */
double scene_free_m(const struct scene *s, struct vec3 pos_ned_m, double limit_m);
