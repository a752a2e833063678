#include "models/plant/vibration.h"

#include <math.h>

#include "models/isa.h"

/* Two rotors at once take half the instructions, and each IMU sample needs this. */
typedef vibration_pair pair;

/* Higher orders are computed directly: powers of the first would lose digits. */
#define TIMES_MAX 8

struct direction {
        pair cosine, sine;
};

static inline pair both(double x)
{
        return (pair){ x, x };
}

/* Twice the angle. */
static inline struct direction twice(struct direction d)
{
        return (struct direction){ d.cosine * d.cosine - d.sine * d.sine,
                                   both(2.0) * d.cosine * d.sine };
}

static inline double in_reach(double turns)
{
        /* Also false for NaN. */
        return fabs(turns) < 0x1p49 ? turns : 0.0;
}

/* Cosine and sine of a number of turns: a quarter of the fractional turn, by Taylor series up to an
 * eighth of a turn, doubled twice (error below 1e-8). Written out because libm's functions cost
 * several times as much. */
static inline struct direction direction_of(pair turns)
{
        /* Adding this rounds to whole numbers. */
        const pair rounder = both(0x1.8p52);
        pair within = { in_reach(turns[0]), in_reach(turns[1]) };
        pair x = both(1.57079632679489661923) * (within - ((within + rounder) - rounder));
        pair y = x * x;
        pair cosine = both(-1.0 / 3628800.0) * y + both(1.0 / 40320.0);
        pair sine = both(1.0 / 362880.0) * y - both(1.0 / 5040.0);

        cosine = (cosine * y - both(1.0 / 720.0)) * y + both(1.0 / 24.0);
        cosine = (cosine * y - both(0.5)) * y + both(1.0);
        sine = ((sine * y + both(1.0 / 120.0)) * y - both(1.0 / 6.0)) * y + both(1.0);
        return twice(twice((struct direction){ cosine, sine * x }));
}

static struct vec3 turned_by(const struct body_params *body, struct vec3 arm_m,
                             struct vec3 force_n)
{
        return body_matrix_times(body->inverse_kgm2, vec3_cross(arm_m, force_n));
}

/* force is the part of the cosine, or of the sine; its integral over time is the other of the two,
 * divided by the order and the speed. */
static void put(pair now[VIBRATION_OUTPUTS], pair other[VIBRATION_OUTPUTS],
                double other_per_order, const struct body_params *body, int lane,
                struct vec3 arm_m, struct vec3 force_n)
{
        struct vec3 accel = vec3_scale(body->per_mass, force_n);
        struct vec3 turn = turned_by(body, arm_m, force_n);

        now[0][lane] = accel.x;
        now[1][lane] = accel.y;
        now[2][lane] = accel.z;
        now[3][lane] = turn.x;
        now[4][lane] = turn.y;
        now[5][lane] = turn.z;
        other[6][lane] = other_per_order * turn.x;
        other[7][lane] = other_per_order * turn.y;
        other[8][lane] = other_per_order * turn.z;
}

/* The gains of the force f W^2 (cos, sin, cos) at the phase with this cosine c and sine s. */
static void put_force(pair cosine[VIBRATION_OUTPUTS], pair sine[VIBRATION_OUTPUTS],
                      const struct body_params *body, int lane, struct vec3 hub_body_m,
                      double spin, struct vec3 f, double c, double s, double per_order)
{
        /* cos(a + b) and sin(a + b), a the multiple of the angle, b the phase. */
        struct vec3 by_cosine = { f.x * c, spin * f.y * s, f.z * c };
        struct vec3 by_sine = { -f.x * s, spin * f.y * c, -f.z * s };

        put(cosine, sine, per_order, body, lane, hub_body_m, by_cosine);
        put(sine, cosine, -per_order, body, lane, hub_body_m, by_sine);
}

void vibration_gain_add(struct vibration_gain *g, const struct vibration_params *p,
                        const struct body_params *body, int rotor, struct vec3 hub_body_m,
                        double spin)
{
        struct vibration_pair_gain *of = &g->of[rotor / 2];

        for (int i = 0; i < p->harmonics; i++) {
                const struct vibration_harmonic *h = &p->harmonic[i];

                put_force(of->cosine[i], of->sine[i], body, rotor % 2, hub_body_m, spin,
                          h->force_n_per_radps2, cos(h->phase_rad), sin(h->phase_rad),
                          1.0 / h->order);
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
        struct vibration_unbalance *of = &g->unbalance[rotor / 2];

        if (!(unbalance_kgm > 0.0))
                return;
        g->unbalanced = true;
        put_force(of->cosine, of->sine, body, rotor % 2, hub_body_m, spin,
                  (struct vec3){ unbalance_kgm, unbalance_kgm, 0.0 }, 1.0, 0.0, 1.0);
}

/* n times an angle. */
static inline struct direction times(struct direction once, int n)
{
        struct direction at = once;

        while (--n > 0)
                at = (struct direction){ once.cosine * at.cosine - once.sine * at.sine,
                                         once.cosine * at.sine + once.sine * at.cosine };
        return at;
}

static inline void add(pair sum[VIBRATION_OUTPUTS], const pair *cosine, const pair *sine,
                       struct direction at, pair speed)
{
        struct direction by_speed = { speed * at.cosine, speed * at.sine };
        struct direction by_square = { speed * by_speed.cosine, speed * by_speed.sine };

        for (int i = 0; i < 6; i++)
                sum[i] += by_square.cosine * cosine[i] + by_square.sine * sine[i];
        for (int i = 6; i < VIBRATION_OUTPUTS; i++)
                sum[i] += by_speed.cosine * cosine[i] + by_speed.sine * sine[i];
}

ALWAYS_INLINE void vibration_find_body(struct vibration *v,
                                       const struct vibration_params *p,
                                       const struct vibration_gain *gain, int rotors,
                                       const double *speed_radps,
                                       const double *angle_turns)
{
        pair sum[VIBRATION_OUTPUTS] = { { 0.0 } };
        double out[VIBRATION_OUTPUTS];

        for (int i = 0; 2 * i < rotors; i++) {
                const pair speed = { speed_radps[2 * i], speed_radps[2 * i + 1] };
                const pair turns = { angle_turns[2 * i], angle_turns[2 * i + 1] };
                const struct direction once = direction_of(turns);

                for (int k = 0; k < p->harmonics; k++)
                        add(sum, gain->of[i].cosine[k], gain->of[i].sine[k],
                            gain->times[k] > 0
                                    ? times(once, gain->times[k])
                                    : direction_of(both(p->harmonic[k].order) * turns),
                            speed);
                if (gain->unbalanced)
                        add(sum, gain->unbalance[i].cosine, gain->unbalance[i].sine, once,
                            speed);
        }
        for (int i = 0; i < VIBRATION_OUTPUTS; i++)
                out[i] = sum[i][0] + sum[i][1];
        v->accel_body_mps2 = (struct vec3){ out[0], out[1], out[2] };
        v->rate_dot_body_radps2 = (struct vec3){ out[3], out[4], out[5] };
        v->rate_body_radps = (struct vec3){ out[6], out[7], out[8] };
}

ISA_VERSIONS(vibration_find,
             (struct vibration * v, const struct vibration_params *p,
              const struct vibration_gain *gain, int rotors, const double *speed_radps,
              const double *angle_turns),
             (v, p, gain, rotors, speed_radps, angle_turns))
