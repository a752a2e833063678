#include "models/plant/vibration.h"

#include <math.h>

#include "models/quad.h"

/* Four rotors at once find their directions, and four outputs at once take what they add: each IMU
 * sample needs this. */

/* Higher orders are computed directly: powers of the first would lose digits. */
#define TIMES_MAX 8

/* Of rotors side by side. */
struct directions {
        quad cosine, sine;
};

/* Cosine and sine of a number of turns: a quarter of the fractional turn, by Taylor series up to an
 * eighth of a turn, doubled twice (error below 1e-8). Written out because libm's functions cost
 * several times as much. */
ALWAYS_INLINE void find_directions(bool wide, struct directions *at, double order,
                                   const double angle_turns[QUAD])
{
        /* Adding this rounds to whole numbers. */
        const double rounder = 0x1.8p52;
        const quad none = { 0.0 }, most = 0x1p49 + none, least = -0x1p49 + none;
        quad turns, within, x, y, c, s;

        quad_scale(wide, &turns, order, (const quad *)angle_turns);
        /* Also 0 for NaN. */
        quad_if_less(wide, &within, &turns, &most, &turns, &none);
        quad_if_less(wide, &within, &least, &within, &within, &none);
        x = 1.57079632679489661923 * (within - ((within + rounder) - rounder));
        y = x * x;
        c = -1.0 / 3628800.0 * y + 1.0 / 40320.0;
        s = 1.0 / 362880.0 * y - 1.0 / 5040.0;
        c = (c * y - 1.0 / 720.0) * y + 1.0 / 24.0;
        c = (c * y - 0.5) * y + 1.0;
        s = ((s * y + 1.0 / 120.0) * y - 1.0 / 6.0) * y + 1.0;
        s *= x;
        for (int doubled = 0; doubled < 2; doubled++) {
                quad twice = c * c - s * s;

                s = 2.0 * c * s;
                c = twice;
        }
        at->cosine = c;
        at->sine = s;
}

/* n times an angle. */
ALWAYS_INLINE void find_times(struct directions *at, const struct directions *once, int n)
{
        struct directions sum = *once;

        while (--n > 0)
                sum = (struct directions){
                        once->cosine * sum.cosine - once->sine * sum.sine,
                        once->cosine * sum.sine + once->sine * sum.cosine,
                };
        *at = sum;
}

static struct vec3 turned_by(const struct body_params *body, struct vec3 arm_m,
                             struct vec3 force_n)
{
        return body_matrix_times(body->inverse_kgm2, vec3_cross(arm_m, force_n));
}

static void put_vec3(double *out, struct vec3 v)
{
        out[0] = v.x;
        out[1] = v.y;
        out[2] = v.z;
}

/* force is the part of the cosine, or of the sine; its integral over time is the other of the two,
 * divided by the order and the speed. */
static void put(double now[VIBRATION_OUTPUTS], double other[VIBRATION_OUTPUTS],
                double other_per_order, const struct body_params *body, struct vec3 arm_m,
                struct vec3 force_n)
{
        struct vec3 turn = turned_by(body, arm_m, force_n);

        put_vec3(now, vec3_scale(body->per_mass, force_n));
        put_vec3(now + QUAD, turn);
        put_vec3(other + 2 * QUAD, vec3_scale(other_per_order, turn));
}

/* The gains of the force f W^2 (cos, sin, cos) at the phase with this cosine c and sine s. */
static void put_force(struct vibration_response *r, const struct body_params *body,
                      struct vec3 hub_body_m, double spin, struct vec3 f, double c,
                      double s, double per_order)
{
        /* cos(a + b) and sin(a + b), a the multiple of the angle, b the phase. */
        struct vec3 by_cosine = { f.x * c, spin * f.y * s, f.z * c };
        struct vec3 by_sine = { -f.x * s, spin * f.y * c, -f.z * s };

        put(r->cosine, r->sine, per_order, body, hub_body_m, by_cosine);
        put(r->sine, r->cosine, -per_order, body, hub_body_m, by_sine);
}

void vibration_gain_add(struct vibration_gain *g, const struct vibration_params *p,
                        const struct body_params *body, int rotor, struct vec3 hub_body_m,
                        double spin)
{
        for (int i = 0; i < p->harmonics; i++) {
                const struct vibration_harmonic *h = &p->harmonic[i];

                put_force(&g->of[rotor][i], body, hub_body_m, spin, h->force_n_per_radps2,
                          cos(h->phase_rad), sin(h->phase_rad), 1.0 / h->order);
                g->times[i] = h->order >= 1.0 && h->order <= TIMES_MAX &&
                                              h->order == floor(h->order)
                                      ? (int)h->order
                                      : 0;
        }
}

void vibration_gain_unbalance(struct vibration_gain *g, const struct body_params *body,
                              int rotor, struct vec3 hub_body_m, double spin,
                              double unbalance_kgm)
{
        if (!(unbalance_kgm > 0.0))
                return;
        g->unbalanced = true;
        put_force(&g->unbalance[rotor], body, hub_body_m, spin,
                  (struct vec3){ unbalance_kgm, unbalance_kgm, 0.0 }, 1.0, 0.0, 1.0);
}

/* Of one order: the speed, and its square, times cosine and sine. */
struct factors {
        quad speed[2], square[2];
};

ALWAYS_INLINE void find_factors(struct factors *f, const struct directions *at,
                                const double speed_radps[QUAD])
{
        quad speed = *(const quad *)speed_radps;

        f->speed[0] = speed * at->cosine;
        f->speed[1] = speed * at->sine;
        f->square[0] = speed * f->speed[0];
        f->square[1] = speed * f->speed[1];
}

ALWAYS_INLINE void add_part(bool wide, quad *sum, double by_cosine, double by_sine,
                            const quad *cosine, const quad *sine)
{
        quad c, s;

        quad_scale(wide, &c, by_cosine, cosine);
        quad_scale(wide, &s, by_sine, sine);
        *sum += c + s;
}

ALWAYS_INLINE void add(bool wide, quad sum[3], const struct vibration_response *r,
                       const struct factors *f, int l)
{
        const quad *c = (const quad *)r->cosine, *s = (const quad *)r->sine;

        add_part(wide, &sum[0], f->square[0][l], f->square[1][l], &c[0], &s[0]);
        add_part(wide, &sum[1], f->square[0][l], f->square[1][l], &c[1], &s[1]);
        add_part(wide, &sum[2], f->speed[0][l], f->speed[1][l], &c[2], &s[2]);
}

ALWAYS_INLINE void vibration_find_body(bool wide, struct vibration *v,
                                       const struct vibration_params *p,
                                       const struct vibration_gain *gain, int rotors,
                                       const double *speed_radps,
                                       const double *angle_turns)
{
        /* Of every other rotor each, so that none waits for all. */
        quad even[3] = { { 0.0 } }, odd[3] = { { 0.0 } };

        for (int first = 0; first < rotors; first += QUAD) {
                const double *turns = angle_turns + first, *speed = speed_radps + first;
                struct factors f[VIBRATION_HARMONICS_MAX], f1;
                struct directions once, at;

                find_directions(wide, &once, 1.0, turns);
                for (int k = 0; k < p->harmonics; k++) {
                        if (gain->times[k] > 0)
                                find_times(&at, &once, gain->times[k]);
                        else
                                find_directions(wide, &at, p->harmonic[k].order, turns);
                        find_factors(&f[k], &at, speed);
                }
                if (gain->unbalanced)
                        find_factors(&f1, &once, speed);
                for (int l = 0; l < QUAD && first + l < rotors; l += 2) {
                        int i = first + l;

                        for (int k = 0; k < p->harmonics; k++) {
                                add(wide, even, &gain->of[i][k], &f[k], l);
                                add(wide, odd, &gain->of[i + 1][k], &f[k], l + 1);
                        }
                        if (gain->unbalanced) {
                                add(wide, even, &gain->unbalance[i], &f1, l);
                                add(wide, odd, &gain->unbalance[i + 1], &f1, l + 1);
                        }
                }
        }
        for (int i = 0; i < 3; i++)
                even[i] += odd[i];
        v->accel_body_mps2 = quad_vec3(&even[0]);
        v->rate_dot_body_radps2 = quad_vec3(&even[1]);
        v->rate_body_radps = quad_vec3(&even[2]);
}

ISA_VERSIONS_OF(vibration_find,
                (struct vibration * v, const struct vibration_params *p,
                 const struct vibration_gain *gain, int rotors, const double *speed_radps,
                 const double *angle_turns),
                (v, p, gain, rotors, speed_radps, angle_turns),
                (wide, v, p, gain, rotors, speed_radps, angle_turns))
