/* Rays through the world: what a range sensor points at, how far away it is and how it
 * lies. */
#include "models/world.h"

static struct world_hit ground_hit(const struct world *w, struct vec3 pos_ned_m,
                                   struct vec3 dir_ned)
{
        struct ground ground = world_ground(w, pos_ned_m);
        struct world_hit hit = { INFINITY, ground.normal_ned };
        double approach = -vec3_dot(dir_ned, ground.normal_ned);

        if (ground.clearance_m <= 0.0)
                hit.range_m = 0.0;
        else if (approach > 0.0)
                hit.range_m = ground.clearance_m / approach;
        return hit;
}

struct world_hit world_hit(const struct world *w, struct vec3 pos_ned_m,
                           struct vec3 dir_ned)
{
        return ground_hit(w, pos_ned_m, dir_ned);
}

double world_range_m(const struct world *w, struct vec3 pos_ned_m, struct vec3 dir_ned)
{
        return world_hit(w, pos_ned_m, dir_ned).range_m;
}
