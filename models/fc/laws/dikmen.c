#include "models/fc/laws/dikmen.h"

struct vec3 dikmen_surface(const struct dikmen_params *p, const struct attitude_ask *ask)
{
        struct vec3 error = attitude_error(ask->is, ask->wanted);

        return vec3_sub(vec3_times(p->surface_per_s, error), ask->rate_body_radps);
}

/* -1 to 1; sgn if there is no boundary layer. */
static double sat(double s, double width)
{
        if (width > 0.0)
                return fmin(fmax(s / width, -1.0), 1.0);
        return s > 0.0 ? 1.0 : s < 0.0 ? -1.0 : 0.0;
}

struct vec3 dikmen_torque(const struct fc_params *p, const struct attitude_ask *ask)
{
        const struct dikmen_params *gain = &p->dikmen;
        struct vec3 rate = ask->rate_body_radps, s = dikmen_surface(gain, ask);
        struct vec3 sign = { sat(s.x, gain->width_radps.x), sat(s.y, gain->width_radps.y),
                             sat(s.z, gain->width_radps.z) };
        struct vec3 accel = vec3_add(vec3_times(gain->reach_radps2, sign),
                                     vec3_times(gain->reach_per_s, s));
        struct vec3 torque;

        accel = vec3_sub(accel, vec3_times(gain->surface_per_s, rate));
        torque = vec3_times(gain->inertia_kgm2, accel);
        torque = vec3_add(torque, vec3_cross(rate, vec3_times(gain->inertia_kgm2, rate)));
        torque = vec3_add(torque, vec3_times(p->rate_damping_nm_per_radps, rate));
        return attitude_limit(p, torque);
}
