/* The FINken's repulsion by its ring of sonars alone (FINken report 5.2): each that measures less than a distance pushes
 * back by what is missing. It hears no radio, and takes walls and vehicles for the same. */
#include "models/fc/flock/flock.h"

struct vec3 flock_finken(const struct flock_params *params, const struct flock_view *v)
{
        const struct flock_finken_params *p = &params->finken;
        struct vec3 sum = { 0.0, 0.0, 0.0 };

        for (int i = 0; i < v->sonars; i++)
                if (v->sonar_m[i] < p->near_m)
                        sum = vec3_axpy(sum, -p->push_per_s * (p->near_m - v->sonar_m[i]),
                                        v->sonar_ned[i]);
        return sum;
}
