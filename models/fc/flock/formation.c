/* A fixed formation (Gruber 1.4, B.2.12): each vehicle has its place about the target, and keeps the differences to those
 * near, which holds the lattice while the target moves and some lag behind. */
#include "models/fc/flock/flock.h"

struct vec3 flock_formation(const struct flock_params *params, const struct flock_view *v)
{
        const struct flock_formation_params *p = &params->formation;
        struct vec3 sum = { 0.0, 0.0, 0.0 }, own;
        int counted = 0;

        if (v->address < 0 || v->address >= p->places)
                return sum;
        own = p->place_ned_m[v->address];
        for (int i = 0; i < v->others; i++) {
                const struct flock_other *o = &v->other[i];

                if (o->address < 0 || o->address >= p->places)
                        continue;
                /* Where it would be by this other's place. */
                sum = vec3_add(sum, vec3_sub(vec3_add(o->pos_ned_m, own),
                                             p->place_ned_m[o->address]));
                counted++;
        }
        if (counted > 0)
                sum = vec3_scale(p->lattice_per_s,
                                 vec3_sub(vec3_scale(1.0 / counted, sum), v->pos_ned_m));
        /* Slower than it can fly, so that a lag can be made up. */
        own = vec3_sub(vec3_add(v->target_ned_m, own), v->pos_ned_m);
        return vec3_add(sum, flock_limit(vec3_scale(p->target_per_s, own), p->speed_mps));
}
