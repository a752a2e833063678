/* Olfati-Saber, IEEE TAC 51 (2006), algorithm 2, with a virtual leader at rest that only informed agents know (Su, Wang
 * and Lin, IEEE TAC 54, 2009): u_i = sum phi_a(|q_j - q_i|_s) n_ij + sum a_ij (p_j - p_i)
 * + h_i (-c1 (q_i - q_g) - c2 p_i). */
#include <math.h>

#include "models/fc/flock/flock.h"

/* |z|_s of a distance. */
static double sigma_norm(const struct flock_olfati_saber_params *p, double z)
{
        return (sqrt(1.0 + p->epsilon * z * z) - 1.0) / p->epsilon;
}

/* rho_h: 1, then down to 0 by a cosine. */
static double bump(const struct flock_olfati_saber_params *p, double z)
{
        if (z < p->h)
                return 1.0;
        return z < 1.0 ? 0.5 * (1.0 + cos(M_PI * (z - p->h) / (1.0 - p->h))) : 0.0;
}

/* Negative pushes apart, positive draws together. */
static double action(const struct flock_olfati_saber_params *p, double sigma,
                     double sigma_range, double sigma_distance)
{
        double z = sigma - sigma_distance;
        double c = fabs(p->a - p->b) / sqrt(4.0 * p->a * p->b);
        double s1 = (z + c) / sqrt(1.0 + (z + c) * (z + c));

        return bump(p, sigma / sigma_range) * 0.5 * ((p->a + p->b) * s1 + (p->a - p->b));
}

struct vec3 flock_olfati_saber(const struct flock_params *params,
                               const struct flock_view *v)
{
        const struct flock_olfati_saber_params *p = &params->olfati_saber;
        double sigma_range = sigma_norm(p, p->range_ratio * p->distance_m);
        double sigma_distance = sigma_norm(p, p->distance_m);
        struct vec3 u = { 0.0, 0.0, 0.0 };

        for (int i = 0; i < v->others; i++) {
                struct vec3 way = vec3_sub(v->other[i].pos_ned_m, v->pos_ned_m);
                double d2 = vec3_dot(way, way), sigma = sigma_norm(p, sqrt(d2));

                /* n_ij */
                u = vec3_axpy(u,
                              action(p, sigma, sigma_range, sigma_distance) /
                                      sqrt(1.0 + p->epsilon * d2),
                              way);
                u = vec3_axpy(u, bump(p, sigma / sigma_range),
                              vec3_sub(v->other[i].vel_ned_mps, v->vel_ned_mps));
        }
        if (!p->informed)
                return u;
        u = vec3_axpy(u, -p->c1_per_s2, vec3_sub(v->pos_ned_m, v->target_ned_m));
        return vec3_axpy(u, -p->c2_per_s, v->vel_ned_mps);
}
