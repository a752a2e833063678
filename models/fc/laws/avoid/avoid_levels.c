#include "models/fc/laws/avoid/avoid_levels.h"

/* Level one (algorithm 8): how far it may go ahead. Written so that a silent sonar stops it. */
static double ahead_m(const struct avoid_levels_params *p,
                      const struct sonar_ring_params *ring,
                      const struct sonar_ring *heard, double way_m, double angle_rad)
{
        if (!(sonar_ring_toward_m(heard, ring, angle_rad) >= p->front_m))
                return 0.0;
        return fmin(way_m, p->leash_m);
}

/* Level two (algorithm 9): how far to the right the middle is. */
static double to_middle_m(const struct avoid_levels_params *p,
                          const struct sonar_ring_params *ring,
                          const struct sonar_ring *heard, double angle_rad)
{
        double left_m = sonar_ring_toward_m(heard, ring, angle_rad - M_PI_2);
        double right_m = sonar_ring_toward_m(heard, ring, angle_rad + M_PI_2);

        /* Written so that a silent sonar pushes nowhere. */
        return left_m < p->sides_m && right_m < p->sides_m ? 0.5 * (right_m - left_m)
                                                           : 0.0;
}

/* Front, left and right refer to the vehicle and the direction of its path, in radians. As printed,
 * the commanded position is turned about the world's origin by 90 radians, and the push changes
 * sides with the sign of the commanded x and is twice the distance to the middle: docs/errata.md. */
struct vec3 avoid_levels_step(const struct avoid_levels_params *p,
                              const struct sonar_ring_params *ring,
                              const struct sonar_ring *heard, struct vec3 commanded_ned_m,
                              struct vec3 pos_ned_m, double yaw_rad)
{
        double north_m = commanded_ned_m.x - pos_ned_m.x;
        double east_m = commanded_ned_m.y - pos_ned_m.y;
        double way_m = sqrt(north_m * north_m + east_m * east_m);
        double bearing_rad = atan2(east_m, north_m);
        double c = cos(bearing_rad), s = sin(bearing_rad);
        double front, right;

        if (ring->count == 0 || way_m < p->arrived_m)
                return commanded_ned_m;
        front = ahead_m(p, ring, heard, way_m, bearing_rad - yaw_rad);
        right = to_middle_m(p, ring, heard, bearing_rad - yaw_rad);
        return (struct vec3){ pos_ned_m.x + c * front - s * right,
                              pos_ned_m.y + s * front + c * right, commanded_ned_m.z };
}
