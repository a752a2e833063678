#include "models/fc/estimate/motion.h"

#define PAST_STEP_NS 10000000
#define GAP_MAX_S    0.1 /* longer, and the acceleration in between is unknown; */
#define LOST_S       1.0 /* longer, and the velocity says nothing either */

static double seconds(int64_t ns)
{
        return (double)ns * 1e-9;
}

static void remember(struct motion *m)
{
        unsigned last = (m->next + MOTION_HISTORY - 1) % MOTION_HISTORY;

        if (m->count > 0 && m->now.t_ns - m->past[last].t_ns < PAST_STEP_NS)
                return;
        m->past[m->next] = m->now;
        m->next = (m->next + 1) % MOTION_HISTORY;
        if (m->count < MOTION_HISTORY)
                m->count++;
}

void motion_predict(struct motion *m, struct vec3 accel_ned_mps2, int64_t t_ns)
{
        double dt_s = fmin(seconds(t_ns - m->now.t_ns), LOST_S);
        struct vec3 accel = vec3_sub(accel_ned_mps2, m->accel_bias_ned_mps2);
        struct vec3 mean = vec3_scale(0.5, vec3_add(m->accel_ned_mps2, accel));
        double felt_s = fmin(dt_s, GAP_MAX_S);
        struct vec3 gained_mps = vec3_scale(felt_s, mean);

        remember(m);
        m->now.pos_ned_m = vec3_axpy(m->now.pos_ned_m, dt_s, m->now.vel_ned_mps);
        m->now.pos_ned_m = vec3_axpy(m->now.pos_ned_m, 0.5 * felt_s, gained_mps);
        m->now.vel_ned_mps = vec3_add(m->now.vel_ned_mps, gained_mps);
        m->now.t_ns = t_ns;
        m->accel_ned_mps2 = accel;
}

static void between(struct motion_point *out, const struct motion_point *a,
                    const struct motion_point *b, int64_t t_ns)
{
        double share = b->t_ns > a->t_ns
                               ? (double)(t_ns - a->t_ns) / (double)(b->t_ns - a->t_ns)
                               : 1.0;

        out->t_ns = t_ns;
        out->pos_ned_m =
                vec3_axpy(a->pos_ned_m, share, vec3_sub(b->pos_ned_m, a->pos_ned_m));
        out->vel_ned_mps = vec3_axpy(a->vel_ned_mps, share,
                                     vec3_sub(b->vel_ned_mps, a->vel_ned_mps));
}

bool motion_at(const struct motion *m, int64_t t_ns, struct motion_point *out)
{
        const struct motion_point *later = &m->now;

        if (t_ns >= m->now.t_ns) {
                *out = m->now;
                return true;
        }
        for (unsigned i = 1; i <= m->count; i++) {
                unsigned at = (m->next + MOTION_HISTORY - i) % MOTION_HISTORY;

                if (m->past[at].t_ns <= t_ns) {
                        between(out, &m->past[at], later, t_ns);
                        return true;
                }
                later = &m->past[at];
        }
        return false;
}

static void shift(struct motion_point *point, int64_t t_ns, struct vec3 pos_m,
                  struct vec3 vel_mps)
{
        int64_t since_ns = point->t_ns > t_ns ? point->t_ns - t_ns : 0;

        point->pos_ned_m = vec3_add(point->pos_ned_m, pos_m);
        point->pos_ned_m = vec3_axpy(point->pos_ned_m, seconds(since_ns), vel_mps);
        point->vel_ned_mps = vec3_add(point->vel_ned_mps, vel_mps);
}

void motion_correct(struct motion *m, int64_t t_ns, struct vec3 pos_m,
                    struct vec3 vel_mps)
{
        for (unsigned i = 0; i < m->count; i++)
                shift(&m->past[i], t_ns, pos_m, vel_mps);
        shift(&m->now, t_ns, pos_m, vel_mps);
}

void motion_restart(struct motion *m, const struct motion_point *at)
{
        int64_t since_ns = m->now.t_ns > at->t_ns ? m->now.t_ns - at->t_ns : 0;
        struct vec3 pos_m = vec3_axpy(at->pos_ned_m, seconds(since_ns), at->vel_ned_mps);

        m->now.pos_ned_m.x = pos_m.x;
        m->now.pos_ned_m.y = pos_m.y;
        m->now.vel_ned_mps.x = at->vel_ned_mps.x;
        m->now.vel_ned_mps.y = at->vel_ned_mps.y;
        m->count = 0;
}
