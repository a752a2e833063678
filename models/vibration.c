#include "models/vibration.h"

#include <math.h>
#include <string.h>

/* Two doubles at once: half the instructions, and each IMU sample needs this for each rotor. */
typedef vibration_pair pair;

/* Higher orders by themselves: powers of the first would lose digits. */
#define TIMES_MAX 8

static inline pair both(double x)
{
        return (pair){ x, x };
}

/* Cosine and sine of a number of turns: to the nearest quarter, then Taylor's series up to an eighth
 * of a turn (error below 3e-8), then the quarter turns back. Written out because libm's cost
 * several times as much. */
static inline pair direction_of(double turns)
{
        /* Of cos(x) and of sin(x)/x, in powers of x^2. */
        const pair one = { 1.0, 1.0 }, third = { -0.5, -1.0 / 6.0 };
        const pair fifth = { 1.0 / 24.0, 1.0 / 120.0 };
        const pair seventh = { -1.0 / 720.0, -1.0 / 5040.0 };
        const pair ninth = { 1.0 / 40320.0, 1.0 / 362880.0 };
        static const pair quarter_turned[4] = {
                { 1.0, 0.0 }, { 0.0, 1.0 }, { -1.0, 0.0 }, { 0.0, -1.0 }
        };
        /* Adding this rounds to whole numbers, which then stand in the lowest bits. */
        const double rounder = 0x1.8p52;
        /* False of NaN too. */
        double within = fabs(turns) < 0x1p49 ? turns : 0.0;
        double raised = 4.0 * within + rounder;
        double x = 6.28318530717958647693 * (within - 0.25 * (raised - rounder));
        pair y = both(x * x), y2 = y * y, series;
        uint64_t quarter;

        memcpy(&quarter, &raised, sizeof(quarter));
        series = (one + y * third) + y2 * ((fifth + y * seventh) + y2 * ninth);
        series[1] *= x;
        return series * both(quarter_turned[quarter & 3][0]) +
               (pair){ -series[1], series[0] } * both(quarter_turned[quarter & 3][1]);
}

static struct vec3 turned_by(const struct body_params *body, struct vec3 arm_m,
                             struct vec3 force_n)
{
        return body_matrix_times(body->inverse_kgm2, vec3_cross(arm_m, force_n));
}

/* force is what the cosine, or the sine, brings; its integral over time is other_sign over the order
 * times the other of the two. */
static void put(pair now[5], pair other[5], double other_per_order,
                const struct body_params *body, struct vec3 arm_m, struct vec3 force_n)
{
        struct vec3 a = vec3_scale(body->per_mass, force_n);
        struct vec3 turn = turned_by(body, arm_m, force_n);
        struct vec3 rate = vec3_scale(other_per_order, turn);

        now[0] += (pair){ a.x, a.y };
        now[1] += (pair){ a.z, turn.x };
        now[2] += (pair){ turn.y, turn.z };
        other[3] += (pair){ rate.x, rate.y };
        other[4] += (pair){ rate.z, 0.0 };
}

struct vibration_gain vibration_gain(const struct vibration_params *p,
                                     const struct body_params *body,
                                     struct vec3 hub_body_m, double spin)
{
        struct vibration_gain g = { 0 };

        for (int i = 0; i < p->harmonics; i++) {
                const struct vibration_harmonic *h = &p->harmonic[i];
                const struct vec3 f = h->force_n_per_radps2;
                double c = cos(h->phase_rad), s = sin(h->phase_rad);
                double per_order = 1.0 / h->order;
                /* cos(a + b) and sin(a + b), a the multiple of the angle, b the phase. */
                struct vec3 by_cosine = { f.x * c, spin * f.y * s, f.z * c };
                struct vec3 by_sine = { -f.x * s, spin * f.y * c, -f.z * s };

                put(g.cosine[i], g.sine[i], per_order, body, hub_body_m, by_cosine);
                put(g.sine[i], g.cosine[i], -per_order, body, hub_body_m, by_sine);
                if (h->order >= 1.0 && h->order <= TIMES_MAX &&
                    h->order == floor(h->order))
                        g.times[i] = (int)h->order;
        }
        return g;
}

/* Cosine and sine of n times an angle from those of the angle. */
static inline pair times(pair once, int n)
{
        pair at = once;

        while (--n > 0)
                at = both(once[0]) * at + both(once[1]) * (pair){ -at[1], at[0] };
        return at;
}

void vibration_add(struct vibration *v, const struct vibration_params *p,
                   const struct vibration_gain *gain, double speed_radps,
                   double angle_turns)
{
        const pair once = direction_of(angle_turns);
        pair sum[5] = { { 0.0 } };

        for (int i = 0; i < p->harmonics; i++) {
                pair at = gain->times[i] > 0
                                  ? times(once, gain->times[i])
                                  : direction_of(p->harmonic[i].order * angle_turns);

                for (int k = 0; k < 5; k++)
                        sum[k] += both(at[0]) * gain->cosine[i][k] +
                                  both(at[1]) * gain->sine[i][k];
        }
        for (int k = 0; k < 5; k++)
                sum[k] *= both(k < 3 ? speed_radps * speed_radps : speed_radps);
        v->accel_body_mps2 = vec3_add(v->accel_body_mps2,
                                      (struct vec3){ sum[0][0], sum[0][1], sum[1][0] });
        v->rate_dot_body_radps2 =
                vec3_add(v->rate_dot_body_radps2,
                         (struct vec3){ sum[1][1], sum[2][0], sum[2][1] });
        v->rate_body_radps = vec3_add(v->rate_body_radps,
                                      (struct vec3){ sum[3][0], sum[3][1], sum[4][0] });
}
