#include "models/fc/position.h"

#define GRAVITY_MPS2 9.80665

/* Share of the largest acceleration that the integral may hold. */
#define INTEGRAL_SHARE 0.6

static struct vec3 shorten(struct vec3 v, double most)
{
        double norm = vec3_norm(v);

        return norm > most ? vec3_scale(most / norm, v) : v;
}

static struct vec3 horizontal(struct vec3 v)
{
        return (struct vec3){ v.x, v.y, 0.0 };
}

struct vec3 position_velocity_mps(const struct fc_params *p, const struct motion *is,
                                  struct vec3 target_ned_m)
{
        struct vec3 away_m = horizontal(vec3_sub(target_ned_m, is->now.pos_ned_m));

        return shorten(vec3_scale(p->position_p_per_s, away_m), p->speed_max_mps);
}

struct vec3 position_step(struct position *c, const struct fc_params *p,
                          const struct motion *is, struct vec3 wanted_mps,
                          double tilt_max_rad, double dt_s)
{
        double accel_max = GRAVITY_MPS2 * tan(tilt_max_rad);
        struct vec3 error_mps = horizontal(vec3_sub(wanted_mps, is->now.vel_ned_mps));
        struct vec3 accel = vec3_add(vec3_scale(p->velocity_p_per_s, error_mps),
                                     vec3_scale(p->linear_drag_per_s, wanted_mps));

        accel = vec3_add(accel, c->integral_mps2);
        /* Beyond the limit, integrate only if it leads back. */
        if (vec3_norm(accel) < accel_max || vec3_dot(accel, error_mps) < 0.0) {
                c->integral_mps2 = vec3_axpy(c->integral_mps2,
                                             p->velocity_i_per_s2 * dt_s, error_mps);
                c->integral_mps2 = shorten(c->integral_mps2, INTEGRAL_SHARE * accel_max);
        }
        return shorten(accel, accel_max);
}
