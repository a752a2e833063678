#include "models/fc/way.h"

void way_init(struct way *w)
{
        *w = (struct way){ 0 };
        sonar_ring_init(&w->ring);
        peers_init(&w->peers);
}

void way_hear(struct way *w, const struct fc_params *p, const struct sensor_frame *frame,
              double dt_s)
{
        if (p->law.avoidance != AVOIDANCE_OFF || p->law.flock != FLOCK_OFF)
                sonar_ring_hear(&w->ring, &p->sonar_ring, frame, dt_s);
}

static double yaw_of(const struct fc_estimator *e)
{
        return quat_to_euler(e->q_body_to_ned).z;
}

static struct vec3 avoid(const struct way *w, const struct fc_params *p,
                         const struct fc_estimator *e, struct vec3 target_ned_m)
{
        if (p->law.avoidance == AVOIDANCE_STATES)
                return avoid_states_step(&p->avoid_states, &p->sonar_ring, &w->ring,
                                         target_ned_m, e->pos_ned_m, yaw_of(e));
        return avoid_levels_step(&p->avoid_levels, &p->sonar_ring, &w->ring, target_ned_m,
                                 e->pos_ned_m, yaw_of(e));
}

/* Velocities instead of a position. The heading rate becomes a heading, which starts where the
 * vehicle points. */
static void by_thesis(struct way *w, const struct fc_params *p,
                      const struct fc_estimator *e, double dt_s, struct demand *d)
{
        double yaw_rad = yaw_of(e);
        struct thesis_velocity u =
                position_thesis_step(&w->thesis, &p->position_thesis, d->target.pos_ned_m,
                                     d->target.yaw_rad, e->pos_ned_m, yaw_rad);

        if (!w->yaw_known)
                w->yaw_rad = yaw_rad;
        w->yaw_known = true;
        w->yaw_rad += u.yaw_radps * dt_s;
        d->target.yaw_rad = w->yaw_rad;
        d->velocity_given = true;
        d->vel_ned_mps = position_thesis_to_ned(u.xyz_mps, yaw_rad);
        if (d->climb_given)
                return;
        d->climb_given = true;
        d->climb_mps = fmin(fmax(-u.xyz_mps.z, -p->descend_max_mps), p->climb_max_mps);
}

void way_look_round(struct way *w, const struct fc_params *p,
                    const struct fc_estimator *e, struct vec3 target_ned_m, int64_t t_ns,
                    struct flock_view *v)
{
        double yaw_rad = yaw_of(e);

        v->pos_ned_m = e->pos_ned_m;
        v->vel_ned_mps = e->vel_ned_mps;
        v->target_ned_m = target_ned_m;
        v->sonars = p->sonar_ring.count;
        for (int i = 0; i < v->sonars; i++) {
                double angle_rad = yaw_rad + sonar_ring_angle_rad(&p->sonar_ring, i);
                double range_m = sonar_ring_range_m(&w->ring, &p->sonar_ring, i);

                v->sonar_ned[i] = (struct vec3){ cos(angle_rad), sin(angle_rad), 0.0 };
                v->sonar_m[i] = isnan(range_m) ? (double)INFINITY : range_m;
        }
        peers_view(&w->peers, &p->flock, t_ns, v);
}

/* Velocities instead of a position. A hub's pause holds it where it is. */
static void by_flock(struct way *w, const struct fc_params *p,
                     const struct fc_estimator *e, int64_t t_ns, double dt_s,
                     struct demand *d)
{
        struct flock_view v;
        struct vec3 vel_mps = { 0.0, 0.0, 0.0 };

        way_look_round(w, p, e, d->target.pos_ned_m, t_ns, &v);
        if (w->peers.paused)
                w->flock = (struct flocking){ 0 };
        else
                vel_mps = flock_step(&w->flock, p->law.flock, &p->flock, &v, dt_s);
        d->velocity_given = true;
        d->vel_ned_mps = (struct vec3){ vel_mps.x, vel_mps.y, 0.0 };
        if (p->flock.level || d->climb_given)
                return;
        d->climb_given = true;
        d->climb_mps = fmin(fmax(-vel_mps.z, -p->descend_max_mps), p->climb_max_mps);
}

void way_step(struct way *w, const struct fc_params *p, const struct fc_estimator *e,
              int64_t t_ns, double dt_s, struct demand *d)
{
        if (d->kind != DEMAND_FLY || d->level) {
                w->thesis = (struct position_thesis){ 0 };
                w->flock = (struct flocking){ 0 };
                w->yaw_known = false;
                return;
        }
        if (d->among && p->law.flock != FLOCK_OFF) {
                by_flock(w, p, e, t_ns, dt_s, d);
                return;
        }
        w->flock = (struct flocking){ 0 };
        if (p->law.avoidance != AVOIDANCE_OFF)
                d->target.pos_ned_m = avoid(w, p, e, d->target.pos_ned_m);
        if (p->law.position == POSITION_THESIS)
                by_thesis(w, p, e, dt_s, d);
}
