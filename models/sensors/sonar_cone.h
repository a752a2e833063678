/* What one sonar's cone meets: points on ground, obstacles and other vehicles from which sound could
 * come back, and how loud it would be. */
#pragma once

#include "models/sensors/sonar.h"

/* One unit where it is at this instant. */
struct sonar_view {
        const struct sonar_unit_params *unit;
        struct mat3 body_to_ned;
        struct vec3 pos_ned_m;
        struct vec3 axis_ned;
};

/* A place that sound comes back from. */
struct sonar_point {
        double range_m; /* from the unit; INFINITY: nothing */
        struct vec3 dir_ned; /* unit, from the unit */
        struct vec3 normal_ned; /* unit, of the surface */
        double reflection; /* of the amplitude */
        double radius_m; /* of a ball; 0: flat */
};

/* Each ray, and what it led to; the neighbours. */
#define SONAR_POINTS_MAX (2 * SONAR_RAYS_MAX + NEIGHBOURS_MAX)

struct sonar_points {
        int count;
        struct sonar_point at[SONAR_POINTS_MAX];
};

/* On a body with its centre of mass there. */
struct sonar_view sonar_view(const struct sonar_unit_params *u, struct vec3 pos_ned_m,
                             struct mat3 body_to_ned);

/* Whether a unit vector from the unit lies in its cone. */
bool sonar_cone_holds(const struct sonar_view *v, struct vec3 dir_ned);

/* The nearest point that is heard; range_m is INFINITY when there is none. all, where not NULL, gets
 * every point within the beam, heard or not. */
struct sonar_point sonar_cone_echo(const struct sonar_view *v, const struct exposure *e,
                                   struct sonar_points *all);

/* Of the points that it met, the nearest from from_m on that is heard; INFINITY: none. */
double sonar_cone_beyond_m(const struct sonar_view *v, const struct sonar_points *points,
                           double from_m);

/* From one unit to a surface and on to another, or back to the same; or straight from one to another. */
struct sonar_path {
        const struct sonar_view *from, *to;
        struct vec3 out_ned,
                back_ned; /* unit, from each of them to the point, or the other */
        double length_m; /* of all of it */
};

/* Whether `to` hears what comes by that way: the surface (NULL: straight) throws it there, and it is loud enough. */
bool sonar_path_heard(const struct sonar_path *path, const struct sonar_point *by);
