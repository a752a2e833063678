/* What all laws of flocks share: speed, level flight, and the distance that is kept whatever they say. */
#include "models/fc/flock/flock.h"

#include <math.h>
#include <stddef.h>

const char *const flock_law_names[] = {
        [FLOCK_OFF] = "off",
        [FLOCK_MICKLISCH] = "micklisch",
        [FLOCK_OLFATI_SABER] = "olfati_saber",
        [FLOCK_VASARHELYI] = "vasarhelyi",
        [FLOCK_FORMATION] = "formation",
        [FLOCK_FINKEN] = "finken",
        [FLOCK_LAWS] = NULL,
};

/* Takes from a velocity what leads too fast towards others. */
static struct vec3 keep_safe(const struct flock_params *p, const struct flock_view *v,
                             struct vec3 vel_mps)
{
        for (int i = 0; p->safe_m > 0.0 && i < v->others; i++) {
                struct vec3 way = vec3_sub(v->other[i].pos_ned_m, v->pos_ned_m);
                double d_m = vec3_norm(way), most_mps, towards_mps;

                if (!(d_m > 0.0))
                        continue;
                way = vec3_scale(1.0 / d_m, way);
                /* Half of it is the other's to keep. */
                most_mps = 0.5 * p->safe_per_s * (d_m - p->safe_m);
                towards_mps = vec3_dot(vel_mps, way);
                if (towards_mps > most_mps)
                        vel_mps = vec3_axpy(vel_mps, most_mps - towards_mps, way);
        }
        return vel_mps;
}

/* Olfati-Saber's law gives an acceleration: what is flown is its integral. */
static struct vec3 integrate(const struct flocking *f, const struct flock_params *p,
                             const struct flock_view *v, double dt_s)
{
        struct flock_view own = *v;
        struct vec3 from = f->flying ? f->vel_ned_mps : v->vel_ned_mps;

        own.vel_ned_mps = from;
        return vec3_axpy(
                from, dt_s,
                flock_limit(flock_olfati_saber(p, &own), p->olfati_saber.accel_max_mps2));
}

static struct vec3 law_velocity(const struct flocking *f, enum flock_law law,
                                const struct flock_params *p, const struct flock_view *v,
                                double dt_s)
{
        switch (law) {
        case FLOCK_MICKLISCH:
                return flock_micklisch(p, v);
        case FLOCK_OLFATI_SABER:
                return integrate(f, p, v, dt_s);
        case FLOCK_VASARHELYI:
                return flock_vasarhelyi(p, v);
        case FLOCK_FORMATION:
                return flock_formation(p, v);
        case FLOCK_FINKEN:
                return flock_finken(p, v);
        case FLOCK_OFF:
        case FLOCK_LAWS:
                break;
        }
        return (struct vec3){ 0.0, 0.0, 0.0 };
}

struct vec3 flock_step(struct flocking *f, enum flock_law law,
                       const struct flock_params *p, const struct flock_view *v,
                       double dt_s)
{
        struct vec3 vel_mps = law_velocity(f, law, p, v, dt_s);

        if (p->level)
                vel_mps.z = 0.0;
        f->vel_ned_mps = keep_safe(p, v, flock_limit(vel_mps, p->speed_max_mps));
        if (p->level)
                f->vel_ned_mps.z = 0.0;
        f->flying = true;
        return f->vel_ned_mps;
}
