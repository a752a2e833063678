#include "models/fc/laws/avoid/avoid_states.h"

enum avoid_state avoid_states_at(const struct avoid_states_params *p, double range_m)
{
        if (range_m < p->near_m)
                return AVOID_DANGEROUS;
        return range_m >= p->near_m + p->far_m ? AVOID_SAFE : AVOID_CLOSE;
}

/* The reduced distance to the commanded position (algorithm 4). A position law that limits its
 * speed would not notice that a long distance has become shorter, so the leash is applied first. */
static struct vec3 slowly(const struct avoid_states_params *p, struct vec3 way_m)
{
        double length_m = vec3_norm(way_m);
        double kept = length_m > p->leash_m ? p->leash_m / length_m : 1.0;

        return vec3_scale(p->slow_ratio * kept, way_m);
}

/* Away from the obstacle, into the middle of the range that counts as close, and farther by as much
 * as the command leads towards it. As printed (algorithm 4) the command itself is reversed. That is
 * right only if the obstacle lies in that direction, and the reversal shrinks the nearer the
 * obstacle is: docs/errata.md. */
static struct vec3 away(const struct avoid_states_params *p, struct vec3 way_m,
                        double range_m, double bearing_rad)
{
        struct vec3 there = { cos(bearing_rad), sin(bearing_rad), 0.0 };
        double towards_m = fmax(vec3_dot(way_m, there), 0.0);

        return vec3_scale(-(p->near_m + 0.5 * p->far_m - range_m + towards_m), there);
}

struct vec3 avoid_states_step(const struct avoid_states_params *p,
                              const struct sonar_ring_params *ring,
                              const struct sonar_ring *heard, struct vec3 commanded_ned_m,
                              struct vec3 pos_ned_m, double yaw_rad)
{
        /* Algorithm 5. */
        struct vec3 way_m = { commanded_ned_m.x - pos_ned_m.x,
                              commanded_ned_m.y - pos_ned_m.y, 0.0 };
        bool silent;
        int nearest = sonar_ring_nearest(heard, ring, &silent);
        double range_m = nearest >= 0 ? heard->range_m[nearest] : INFINITY;
        enum avoid_state state = avoid_states_at(p, range_m);

        if (state == AVOID_SAFE && silent)
                state = AVOID_CLOSE;
        if (state == AVOID_SAFE)
                return commanded_ned_m;
        if (state == AVOID_CLOSE)
                way_m = slowly(p, way_m);
        else
                way_m = away(p, way_m, range_m,
                             yaw_rad + sonar_ring_angle_rad(ring, nearest));
        return (struct vec3){ pos_ned_m.x + way_m.x, pos_ned_m.y + way_m.y,
                              commanded_ned_m.z };
}
