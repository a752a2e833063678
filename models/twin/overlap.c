#include "models/twin/overlap.h"

#include <math.h>

/* As near to the first as it can be, so that it can be averaged. */
static double unwrapped(double angle_rad, double near_rad)
{
        return near_rad + remainder(angle_rad - near_rad, 2.0 * 3.14159265358979323846);
}

void overlap_add(struct overlap *o, int64_t t_ns, struct vec3 a_ned_m, double yaw_a_rad,
                 struct vec3 b_ned_m, double yaw_b_rad)
{
        double yaw = yaw_b_rad - yaw_a_rad, t;
        struct vec3 a, b;

        if (o->count++ == 0) {
                o->first_ns = t_ns;
                o->first_a = a_ned_m;
                o->first_b = b_ned_m;
                o->yaw_first = remainder(yaw, 2.0 * 3.14159265358979323846);
        }
        o->last_ns = t_ns;
        t = (double)(t_ns - o->first_ns) * 1e-9;
        a = vec3_sub(a_ned_m, o->first_a);
        b = vec3_sub(b_ned_m, o->first_b);
        yaw = unwrapped(yaw, o->yaw_first);
        o->t += t;
        o->tt += t * t;
        o->a = vec3_add(o->a, a);
        o->b = vec3_add(o->b, b);
        o->ta = vec3_axpy(o->ta, t, a);
        o->tb = vec3_axpy(o->tb, t, b);
        o->dot += a.x * b.x + a.y * b.y;
        o->cross += a.x * b.y - a.y * b.x;
        o->aa += a.x * a.x + a.y * a.y;
        o->bb += b.x * b.x + b.y * b.y;
        o->aa_up += a.z * a.z;
        o->bb_up += b.z * b.z;
        o->ab_up += a.z * b.z;
        o->yaw += yaw;
        o->yaw_t += t * yaw;
}

static struct vec3 turn(struct vec3 v, double yaw_rad)
{
        double c = cos(yaw_rad), s = sin(yaw_rad);

        return (struct vec3){ c * v.x - s * v.y, s * v.x + c * v.y, v.z };
}

/* A track that stays in one place tells nothing of its heading. */
#define SPREAD_LEAST_M 1.0

bool overlap_solve(const struct overlap *o, struct overlap_fit *fit)
{
        double n = (double)o->count, spread_t, dot, cross, left;
        struct vec3 mean_a, mean_b, turned, residual_t;

        *fit = (struct overlap_fit){ .length_s =
                                             (double)(o->last_ns - o->first_ns) * 1e-9 };
        if (o->count < 3 || fit->length_s < OVERLAP_LEAST_S)
                return false;
        spread_t = o->tt - o->t * o->t / n;
        mean_a = vec3_scale(1.0 / n, o->a);
        mean_b = vec3_scale(1.0 / n, o->b);
        dot = o->dot - n * (mean_a.x * mean_b.x + mean_a.y * mean_b.y);
        cross = o->cross - n * (mean_a.x * mean_b.y - mean_a.y * mean_b.x);
        fit->turned = sqrt(hypot(dot, cross) / n) > SPREAD_LEAST_M;
        fit->yaw_rad = fit->turned ? atan2(cross, dot)
                                   : remainder(o->yaw / n, 2.0 * 3.14159265358979323846);
        turned = turn(mean_a, fit->yaw_rad);
        fit->offset_m = vec3_sub(vec3_add(o->first_b, vec3_sub(mean_b, turned)),
                                 turn(o->first_a, fit->yaw_rad));
        left = o->aa - n * (mean_a.x * mean_a.x + mean_a.y * mean_a.y) + o->bb -
               n * (mean_b.x * mean_b.x + mean_b.y * mean_b.y) -
               2.0 * (cos(fit->yaw_rad) * dot + sin(fit->yaw_rad) * cross);
        left += o->aa_up + o->bb_up - 2.0 * o->ab_up -
                n * (mean_b.z - mean_a.z) * (mean_b.z - mean_a.z);
        fit->rms_m = sqrt(fmax(left, 0.0) / n);
        residual_t = vec3_sub(vec3_axpy(o->tb, -o->t, mean_b),
                              turn(vec3_axpy(o->ta, -o->t, mean_a), fit->yaw_rad));
        fit->drift_mps = vec3_scale(1.0 / spread_t, residual_t);
        fit->yaw_drift_radps = (o->yaw_t - o->t * o->yaw / n) / spread_t;
        return true;
}
