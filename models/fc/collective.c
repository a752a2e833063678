#include "models/fc/collective.h"

#include <math.h>
#include <string.h>

#define PREDICT_NS     20000000LL /* as often as the errors are predicted between ranges */
#define STALE_S        0.5 /* a place older than this says nothing of where it is */
#define FORGET_S       5.0 /* whose place is older gives room to another */
#define MANOEUVRE_MPS2 2.0 /* of who is not heard for a moment */
#define NEAREST_M      0.1 /* a direction is known from there */
#define REST_MPS       0.01 /* velocity of who stands */

void collective_init(struct collective *c)
{
        *c = (struct collective){ .said_ns = -1, .measured_ns = -1 };
}

static double seconds(int64_t ns)
{
        return (double)ns * 1e-9;
}

/* Of errors r and k, in any order. */
static double *covariance(struct collective *c, int r, int k)
{
        return r >= k ? &c->covariance[r * (r + 1) / 2 + k]
                      : &c->covariance[k * (k + 1) / 2 + r];
}

/* Its error is that of t seconds by the IMU alone, and has nothing to do with anyone else's. */
static void start_anew(struct collective *c, const struct collective_params *p, int m,
                       double t)
{
        double q = p->drift_mps2 * p->drift_mps2;
        int at = COLLECTIVE_STATES * m;

        for (int r = at; r < at + COLLECTIVE_STATES; r++) {
                c->error[r] = 0.0;
                for (int k = 0; k < COLLECTIVE_ERRORS; k++)
                        *covariance(c, r, k) = 0.0;
        }
        for (int r = at; r < at + 3; r++) {
                *covariance(c, r, r) = p->start_m * p->start_m + q * t * t * t / 3.0;
                *covariance(c, r, r + 3) = q * t * t / 2.0;
                *covariance(c, r + 3, r + 3) = REST_MPS * REST_MPS + q * t;
        }
}

/* P = F P F^T of one who goes on for dt_s: with all others, then its own positions, then these with its velocities. */
static void carry_on(struct collective *c, int m, double dt_s)
{
        int at = COLLECTIVE_STATES * m, n = COLLECTIVE_STATES * c->members;

        for (int r = at; r < at + 3; r++) {
                c->error[r] += dt_s * c->error[r + 3];
                for (int k = 0; k < n; k++)
                        if (k < at || k >= at + COLLECTIVE_STATES)
                                *covariance(c, r, k) += dt_s * *covariance(c, r + 3, k);
        }
        for (int r = at; r < at + 3; r++)
                for (int k = at; k <= r; k++)
                        *covariance(c, r, k) +=
                                dt_s *
                                (*covariance(c, r + 3, k) + *covariance(c, r, k + 3) +
                                 dt_s * *covariance(c, r + 3, k + 3));
        for (int r = at; r < at + 3; r++)
                for (int k = at; k < at + 3; k++)
                        *covariance(c, r, k + 3) += dt_s * *covariance(c, r + 3, k + 3);
}

static void predict(struct collective *c, const struct collective_params *p, int64_t t_ns)
{
        double dt_s = seconds(t_ns - c->t_ns), q = p->drift_mps2 * p->drift_mps2;

        if (dt_s <= 0.0)
                return;
        c->t_ns = t_ns;
        for (int m = 0; m < c->members; m++) {
                if (c->member[m].reckoned_s <= 0.0)
                        continue;
                carry_on(c, m, dt_s);
                for (int i = 0; i < 3; i++) {
                        int r = COLLECTIVE_STATES * m + i;

                        *covariance(c, r, r) += q * dt_s * dt_s * dt_s / 3.0;
                        *covariance(c, r, r + 3) += q * dt_s * dt_s / 2.0;
                        *covariance(c, r + 3, r + 3) += q * dt_s;
                }
        }
}

static struct vec3 error_of(const struct collective *c, int m, int first)
{
        const double *e = &c->error[COLLECTIVE_STATES * m + first];

        return (struct vec3){ e[0], e[1], e[2] };
}

/* Where its IMU has it at t_ns. */
static struct vec3 place_at(const struct collective_member *m, int64_t t_ns)
{
        return vec3_axpy(m->pos_ned_m, seconds(t_ns - m->t_ns), m->vel_ned_mps);
}

/* Variance of that for want of newer words. */
static double doubt_m2(const struct collective_member *m, int64_t t_ns)
{
        double t = seconds(t_ns - m->t_ns), off_m = 0.5 * MANOEUVRE_MPS2 * t * t;

        return off_m * off_m;
}

static int find_member(const struct collective *c, int address)
{
        for (int m = 0; m < c->members; m++)
                if (c->member[m].address == address)
                        return m;
        return -1;
}

/* How far apart a is from b by what is known, from b to a; u: unit. */
struct apart {
        double far_m, u[3];
        double bend_m,
                bend_m2; /* that it seems longer by in the mean, and the variance of that */
};

/* Second order (Jazwinski, Stochastic Processes and Filtering Theory, 1970, 9.3): errors across the way lengthen it, by the square of
 * them over twice the distance. Without that, a flat group believes ranges that its heights do not bear out. */
static void bend(struct collective *c, int a, int b, struct apart *w)
{
        double across[3][3], moved[3][3] = { { 0.0 } };
        int at = COLLECTIVE_STATES * a, bt = COLLECTIVE_STATES * b;

        for (int i = 0; i < 3; i++)
                for (int k = 0; k < 3; k++)
                        across[i][k] = (i == k) - w->u[i] * w->u[k];
        for (int i = 0; i < 3; i++)
                for (int k = 0; k < 3; k++) {
                        double p = *covariance(c, at + i, at + k) +
                                   *covariance(c, bt + i, bt + k) -
                                   *covariance(c, at + i, bt + k) -
                                   *covariance(c, bt + i, at + k);

                        for (int l = 0; l < 3; l++)
                                moved[l][k] += across[l][i] * p;
                }
        w->bend_m = w->bend_m2 = 0.0;
        for (int i = 0; i < 3; i++) {
                w->bend_m += 0.5 * moved[i][i] / w->far_m;
                for (int k = 0; k < 3; k++)
                        w->bend_m2 +=
                                0.5 * moved[i][k] * moved[k][i] / (w->far_m * w->far_m);
        }
}

/* False: at one place, or it is not known where they were then. */
static bool find_apart(struct collective *c, int a, int b, int64_t t_ns, struct apart *w)
{
        const struct collective_member *one = &c->member[a], *other = &c->member[b];
        struct vec3 way = vec3_sub(vec3_sub(place_at(one, t_ns), error_of(c, a, 0)),
                                   vec3_sub(place_at(other, t_ns), error_of(c, b, 0)));

        w->far_m = vec3_norm(way);
        if (!(w->far_m > NEAREST_M) || fabs(seconds(t_ns - one->t_ns)) > STALE_S ||
            fabs(seconds(t_ns - other->t_ns)) > STALE_S)
                return false;
        w->u[0] = way.x / w->far_m;
        w->u[1] = way.y / w->far_m;
        w->u[2] = way.z / w->far_m;
        bend(c, a, b, w);
        return true;
}

/* A distance from member a to b: h = |(a - error a) - (b - error b)|, whose derivative is -u for the error of a, u for b's. */
static void use_range(struct collective *c, const struct collective_params *p, int a,
                      int b, const struct peer_range *r)
{
        int at = COLLECTIVE_STATES * a, bt = COLLECTIVE_STATES * b;
        int n = COLLECTIVE_STATES * c->members;
        double gained[COLLECTIVE_ERRORS], s, off_m;
        struct apart w;

        if (!find_apart(c, a, b, r->t_ns, &w))
                return;
        for (int k = 0; k < n; k++) {
                gained[k] = 0.0;
                for (int i = 0; i < 3; i++)
                        gained[k] += w.u[i] * (*covariance(c, k, bt + i) -
                                               *covariance(c, k, at + i));
        }
        s = p->range_m * p->range_m + w.bend_m2 + doubt_m2(&c->member[a], r->t_ns) +
            doubt_m2(&c->member[b], r->t_ns);
        for (int i = 0; i < 3; i++)
                s += w.u[i] * (gained[bt + i] - gained[at + i]);
        off_m = r->range_m - w.far_m - w.bend_m;
        if (off_m * off_m > p->gate * p->gate * s)
                return;
        for (int k = 0; k < n; k++) {
                c->error[k] += gained[k] / s * off_m;
                for (int l = 0; l <= k; l++)
                        *covariance(c, k, l) -= gained[k] * gained[l] / s;
        }
}

static void note_own_place(struct collective *c, const struct collective_params *p,
                           const struct peers *k, const struct fc_estimator *e,
                           bool on_ground, int64_t t_ns, double dt_s)
{
        struct collective_member *own = &c->member[0];

        if (c->members == 0) {
                c->members = 1;
                c->t_ns = t_ns;
        }
        own->address = k->radio ? k->address : -1;
        own->t_ns = t_ns;
        own->pos_ned_m = e->pos_ned_m;
        own->vel_ned_mps = e->vel_ned_mps;
        own->reckoned_s = on_ground ? 0.0 : own->reckoned_s + dt_s;
        if (on_ground)
                start_anew(c, p, 0, 0.0);
}

/* The oldest that is not yet told gives way. */
static void keep_to_tell(struct collective *c, const struct peer_range *r)
{
        if (c->ranges == PEER_RANGES_MAX) {
                c->ranges--;
                memmove(&c->range[0], &c->range[1],
                        (size_t)c->ranges * sizeof c->range[0]);
        }
        c->range[c->ranges++] = *r;
}

static void use_own_range(struct collective *c, const struct collective_params *p,
                          const struct relative_sample *s)
{
        struct peer_range r = { s->peer, s->t_ns, s->range_m };
        int other = find_member(c, s->peer);

        if (!s->has_range || s->t_ns <= c->measured_ns)
                return;
        c->measured_ns = s->t_ns;
        keep_to_tell(c, &r);
        if (other <= 0)
                return;
        predict(c, p, c->member[0].t_ns);
        use_range(c, p, 0, other, &r);
}

void collective_step(struct collective *c, const struct collective_params *p,
                     const struct peers *k, const struct sensor_frame *frame,
                     bool on_ground, double dt_s, struct fc_estimator *e)
{
        double since_s;

        if (!e->aligned || !e->origin_known)
                return;
        note_own_place(c, p, k, e, on_ground, frame->t_ns, dt_s);
        if (frame->t_ns - c->t_ns >= PREDICT_NS)
                predict(c, p, frame->t_ns);
        if (frame->fresh & SENSOR_BIT(SENSOR_RELATIVE))
                use_own_range(c, p, &frame->relative);
        since_s = seconds(frame->t_ns - c->t_ns);
        e->vel_ned_mps = vec3_sub(e->vel_ned_mps, error_of(c, 0, 3));
        e->pos_ned_m = vec3_sub(e->pos_ned_m, error_of(c, 0, 0));
        e->pos_ned_m = vec3_axpy(e->pos_ned_m, -since_s, error_of(c, 0, 3));
        e->motion.now.pos_ned_m = e->pos_ned_m;
        e->motion.now.vel_ned_mps = e->vel_ned_mps;
}

/* A new one takes the next place, or that of who has been silent for long; -1: there is none. */
static int place_for(struct collective *c, int64_t t_ns)
{
        if (c->members < COLLECTIVE_MAX)
                return c->members++;
        for (int m = 1; m < c->members; m++)
                if (seconds(t_ns - c->member[m].t_ns) > FORGET_S)
                        return m;
        return -1;
}

/* Whether the member is now where it says. */
static int take_place(struct collective *c, const struct collective_params *p,
                      const struct fc_estimator *e, int from,
                      const struct peer_ranges *ranges)
{
        int m = find_member(c, from);
        bool known = m >= 0;
        struct collective_member said = { .address = from,
                                          .t_ns = ranges->reckoned.t_ns,
                                          .vel_ned_mps = ranges->reckoned.vel_ned_mps,
                                          .reckoned_s = ranges->reckoned_s };

        if (m == 0 || (known && said.t_ns < c->member[m].t_ns))
                return -1;
        if (!known)
                m = place_for(c, c->t_ns);
        if (m < 0)
                return -1;
        known = known && said.reckoned_s > 0.0 &&
                said.reckoned_s >= c->member[m].reckoned_s;
        said.pos_ned_m = earth_to_ned(&e->origin, ranges->reckoned.at);
        c->member[m] = said;
        if (!known)
                start_anew(c, p, m, said.reckoned_s);
        return m;
}

void collective_hear(struct collective *c, const struct collective_params *p,
                     const struct fc_estimator *e, int from,
                     const struct peer_ranges *ranges)
{
        int m;

        if (c->members == 0 || !e->origin_known)
                return;
        predict(c, p, c->member[0].t_ns);
        m = take_place(c, p, e, from, ranges);
        for (int i = 0; m > 0 && i < ranges->count; i++) {
                int other = find_member(c, ranges->range[i].address);

                if (other >= 0 && other != m)
                        use_range(c, p, m, other, &ranges->range[i]);
        }
}

bool collective_say(struct collective *c, const struct fc_estimator *e,
                    const struct peers *k, double period_s, int64_t t_ns,
                    struct peer_word *out)
{
        const struct collective_member *own = &c->member[0];

        if (!k->radio || c->members == 0 || !e->origin_known ||
            !peers_in_turn(k, period_s, 0.5, c->said_ns, t_ns))
                return false;
        c->said_ns = t_ns;
        *out = (struct peer_word){
                .says = PEER_SAYS_RANGES,
                .ranges = { .reckoned = { own->t_ns,
                                          earth_from_ned(&e->origin, own->pos_ned_m),
                                          own->vel_ned_mps },
                            .reckoned_s = own->reckoned_s,
                            .count = c->ranges }
        };
        memcpy(out->ranges.range, c->range, (size_t)c->ranges * sizeof c->range[0]);
        c->ranges = 0;
        return true;
}
