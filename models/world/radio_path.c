/* What a packet loses on its way, and how long it is on the air. */
#include "models/world/radio.h"

#include <math.h>

#define NS_PER_S  1e9
#define LIGHT_MPS 299792458.0
#define NEAREST_M 0.1 /* no path loss is less than there */

int64_t radio_airtime_ns(const struct radio_params *p, int len)
{
        return llrint((len + p->overhead_bytes) * 8.0 / p->rate_bps * NS_PER_S);
}

static double loss_at_1m_db(const struct radio_params *p)
{
        return 20.0 * log10(4.0 * M_PI * p->frequency_hz / LIGHT_MPS);
}

double radio_power_dbm(const struct radio_params *p, double d_m, int walls)
{
        return p->power_dbm - loss_at_1m_db(p) -
               10.0 * p->path_loss_exponent * log10(fmax(d_m, NEAREST_M)) -
               walls * p->wall_db;
}

double radio_range_m(const struct radio_params *p)
{
        return pow(10.0, (p->power_dbm - loss_at_1m_db(p) - p->sensitivity_dbm) /
                                 (10.0 * p->path_loss_exponent));
}

int radio_walls(const struct world *w, struct vec3 a_ned_m, struct vec3 b_ned_m)
{
        struct vec3 way = vec3_sub(b_ned_m, a_ned_m);
        double d_m = vec3_norm(way);
        struct scene_hit near, far;

        if (w->scene == NULL || !(d_m > 0.0))
                return 0;
        way = vec3_scale(1.0 / d_m, way);
        near = scene_ray(w->scene, a_ned_m, way, d_m);
        if (near.solid < 0)
                return 0;
        far = scene_ray(w->scene, b_ned_m, vec3_scale(-1.0, way), d_m);
        return far.solid >= 0 && w->scene->solid[near.solid].name !=
                                         w->scene->solid[far.solid].name
                       ? 2
                       : 1;
}
