#include "models/twin/pose_track.h"

#include <math.h>
#include <stddef.h>

static double seconds(int64_t from_ns, int64_t to_ns)
{
        return (double)(to_ns - from_ns) * 1e-9;
}

static struct quat quat_turn(struct quat q, struct vec3 angle_rad)
{
        double angle = vec3_norm(angle_rad), half = 0.5 * angle;
        double share = angle > 1e-9 ? sin(half) / angle : 0.5;

        return quat_normalise(quat_multiply(
                q, (struct quat){ cos(half), share * angle_rad.x, share * angle_rad.y,
                                  share * angle_rad.z }));
}

/* The rotation from a to b about the body's axes, the shorter way. */
static struct vec3 quat_between(struct quat a, struct quat b)
{
        struct quat d = quat_multiply(quat_conjugate(a), b);
        struct vec3 v = { d.x, d.y, d.z };
        double sine = vec3_norm(v);

        if (sine < 1e-12)
                return (struct vec3){ 0 };
        return vec3_scale(2.0 * atan2(d.w < 0.0 ? -sine : sine, fabs(d.w)) / sine, v);
}

static void grow(struct pose_track_covariance *c, double accel, double dt_s)
{
        double variance = accel * accel, square = dt_s * dt_s;

        c->here += 2.0 * dt_s * c->cross + square * c->speed +
                   0.25 * variance * square * square;
        c->cross += dt_s * c->speed + 0.5 * variance * square * dt_s;
        c->speed += variance * square;
}

static struct pose_estimate extrapolate(const struct pose_estimate *from,
                                        const struct pose_track_params *p, int64_t t_ns)
{
        struct pose_estimate e = *from;
        double along_s = seconds(from->place_ns, t_ns),
               about_s = seconds(from->turn_ns, t_ns);

        if (along_s > 0.0) {
                e.place_ns = t_ns;
                e.pos_ned_m = vec3_axpy(from->pos_ned_m, along_s, from->vel_ned_mps);
                grow(&e.along, p->accel_mps2, along_s);
        }
        if (about_s > 0.0) {
                e.turn_ns = t_ns;
                e.q_body_to_ned = quat_turn(from->q_body_to_ned,
                                            vec3_scale(about_s, from->rate_body_radps));
                grow(&e.about, p->turn_accel_radps2, about_s);
        }
        return e;
}

/* A place of standard deviation `noise` was measured: what share of the difference place and speed take. */
static void weigh_place(struct pose_track_covariance *c, double noise, double *place,
                        double *speed)
{
        double sum = c->here + noise * noise;

        *place = c->here / sum;
        *speed = c->cross / sum;
        c->speed -= *speed * c->cross;
        c->cross *= 1.0 - *place;
        c->here *= 1.0 - *place;
}

static void weigh_speed(struct pose_track_covariance *c, double noise, double *place,
                        double *speed)
{
        double sum = c->speed + noise * noise;

        *place = c->cross / sum;
        *speed = c->speed / sum;
        c->here -= *place * c->cross;
        c->cross *= 1.0 - *speed;
        c->speed *= 1.0 - *speed;
}

/* Before the first word nothing is known of a speed but that it is one of an aircraft. */
#define SPEED_UNKNOWN 10.0

static void hear_place(struct pose_estimate *e, const struct pose_track_params *p,
                       const struct pose_word *w)
{
        double place, speed;
        struct vec3 off;

        if (!e->placed) {
                e->placed = true;
                e->pos_ned_m = w->pos_ned_m;
                e->along = (struct pose_track_covariance){
                        .here = p->position_m * p->position_m,
                        .speed = SPEED_UNKNOWN * SPEED_UNKNOWN
                };
                return;
        }
        off = vec3_sub(w->pos_ned_m, e->pos_ned_m);
        weigh_place(&e->along, p->position_m, &place, &speed);
        e->pos_ned_m = vec3_axpy(e->pos_ned_m, place, off);
        e->vel_ned_mps = vec3_axpy(e->vel_ned_mps, speed, off);
}

static void hear_velocity(struct pose_estimate *e, const struct pose_track_params *p,
                          const struct pose_word *w)
{
        double place, speed;
        struct vec3 off = vec3_sub(w->vel_ned_mps, e->vel_ned_mps);

        weigh_speed(&e->along, p->velocity_mps, &place, &speed);
        e->pos_ned_m = vec3_axpy(e->pos_ned_m, place, off);
        e->vel_ned_mps = vec3_axpy(e->vel_ned_mps, speed, off);
}

static void hear_attitude(struct pose_estimate *e, const struct pose_track_params *p,
                          const struct pose_word *w)
{
        double place, speed;
        struct vec3 off;

        if (!e->turned) {
                e->turned = true;
                e->q_body_to_ned = w->q_body_to_ned;
                e->about = (struct pose_track_covariance){
                        .here = p->attitude_rad * p->attitude_rad,
                        .speed = SPEED_UNKNOWN * SPEED_UNKNOWN
                };
                return;
        }
        off = quat_between(e->q_body_to_ned, w->q_body_to_ned);
        weigh_place(&e->about, p->attitude_rad, &place, &speed);
        e->q_body_to_ned = quat_turn(e->q_body_to_ned, vec3_scale(place, off));
        e->rate_body_radps = vec3_axpy(e->rate_body_radps, speed, off);
}

static void hear_rate(struct pose_estimate *e, const struct pose_track_params *p,
                      const struct pose_word *w)
{
        double place, speed;
        struct vec3 off = vec3_sub(w->rate_body_radps, e->rate_body_radps);

        weigh_speed(&e->about, p->rate_radps, &place, &speed);
        e->q_body_to_ned = quat_turn(e->q_body_to_ned, vec3_scale(place, off));
        e->rate_body_radps = vec3_axpy(e->rate_body_radps, speed, off);
}

/* What was shown at t_ns; NULL: it is not remembered, or nothing was. */
static const struct pose_estimate *shown_at(const struct pose_track *k, int64_t t_ns)
{
        int oldest = k->shown > POSE_TRACK_SHOWN ? k->shown - POSE_TRACK_SHOWN : 0;

        for (int i = k->shown - 1; i >= oldest; i--)
                if (k->show[i % POSE_TRACK_SHOWN].since_ns <= t_ns)
                        return &k->show[i % POSE_TRACK_SHOWN].from;
        return NULL;
}

static void surprise_of(struct pose_surprise *s, const struct pose_track *k,
                        const struct pose_track_params *p, const struct pose_word *w)
{
        const struct pose_estimate *from = shown_at(k, w->t_ns);
        struct pose_estimate then;

        *s = (struct pose_surprise){ NAN, NAN, NAN, NAN };
        if (from == NULL)
                return;
        then = extrapolate(from, p, w->t_ns);
        if ((w->said & POSE_PLACE) != 0 && then.placed) {
                s->pos_m = vec3_norm(vec3_sub(w->pos_ned_m, then.pos_ned_m));
                s->pos_sigma_m = sqrt(then.along.here + p->position_m * p->position_m);
        }
        if ((w->said & POSE_ATTITUDE) != 0 && then.turned) {
                s->attitude_rad =
                        vec3_norm(quat_between(then.q_body_to_ned, w->q_body_to_ned));
                s->attitude_sigma_rad =
                        sqrt(then.about.here + p->attitude_rad * p->attitude_rad);
        }
}

static void remember_shown(struct pose_track *k, int64_t since_ns)
{
        int at = k->shown % POSE_TRACK_SHOWN;

        k->show[at].since_ns = since_ns;
        k->show[at].from = k->now;
        /* So that it never overflows, and the ring stays where it is. */
        if (++k->shown == 2 * POSE_TRACK_SHOWN)
                k->shown = POSE_TRACK_SHOWN;
}

/* Of them the filter takes what is newer than what it has. */
static uint32_t what_is_new(const struct pose_estimate *e, const struct pose_word *w)
{
        uint32_t late = 0;

        if (e->placed && w->t_ns < e->place_ns)
                late |= POSE_PLACE | POSE_VELOCITY;
        if (e->turned && w->t_ns < e->turn_ns)
                late |= POSE_ATTITUDE | POSE_RATE;
        return w->said & ~late;
}

bool pose_track_hear(struct pose_track *k, const struct pose_track_params *p,
                     const struct pose_word *word, struct pose_surprise *surprise)
{
        struct pose_estimate *e = &k->now, then;
        uint32_t said = what_is_new(e, word);

        surprise_of(surprise, k, p, word);
        if (said == 0)
                return word->said == 0;
        then = extrapolate(e, p, word->t_ns);
        if ((said & (POSE_PLACE | POSE_VELOCITY)) != 0) {
                e->pos_ned_m = then.pos_ned_m;
                e->along = then.along;
                e->place_ns = word->t_ns;
        }
        if ((said & (POSE_ATTITUDE | POSE_RATE)) != 0) {
                e->q_body_to_ned = then.q_body_to_ned;
                e->about = then.about;
                e->turn_ns = word->t_ns;
        }
        if ((said & POSE_PLACE) != 0)
                hear_place(e, p, word);
        if ((said & POSE_VELOCITY) != 0 && e->placed)
                hear_velocity(e, p, word);
        if ((said & POSE_ATTITUDE) != 0)
                hear_attitude(e, p, word);
        if ((said & POSE_RATE) != 0 && e->turned)
                hear_rate(e, p, word);
        remember_shown(k, word->heard_ns);
        return true;
}

struct pose_estimate pose_track_at(const struct pose_track *k,
                                   const struct pose_track_params *p, int64_t t_ns)
{
        return extrapolate(&k->now, p, t_ns);
}
