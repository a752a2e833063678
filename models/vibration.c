#include "models/vibration.h"

#include <string.h>

/* Two doubles at once: half the instructions, and each IMU sample needs this for each rotor. */
typedef double pair __attribute__((vector_size(16)));

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

/* A vector and its integral over time, side by side. */
struct moving {
        pair x, y, z;
};

static inline struct moving moment(struct vec3 arm, const struct moving *force)
{
        return (struct moving){
                both(arm.y) * force->z - both(arm.z) * force->y,
                both(arm.z) * force->x - both(arm.x) * force->z,
                both(arm.x) * force->y - both(arm.y) * force->x,
        };
}

/* How fast the body's turning changes under a torque. */
static inline struct moving turned_by(const struct body_params *body,
                                      const struct moving *torque)
{
        const double(*m)[3] = body->inverse_kgm2;
        struct moving turn = { both(m[0][0]) * torque->x, both(m[1][1]) * torque->y,
                               both(m[2][2]) * torque->z };

        if (body->principal)
                return turn;
        turn.x += both(m[0][1]) * torque->y + both(m[0][2]) * torque->z;
        turn.y += both(m[1][0]) * torque->x + both(m[1][2]) * torque->z;
        turn.z += both(m[2][0]) * torque->x + both(m[2][1]) * torque->y;
        return turn;
}

void vibration_add(struct vibration *v, const struct vibration_params *p,
                   const struct body_params *body, struct vec3 hub_body_m, double spin,
                   double speed_radps, double angle_turns)
{
        const double turns_per_rad = 0.15915494309189533577;
        /* The integral over the speed lacks a division by it: at a standstill it is 0. */
        const pair speed = { speed_radps * speed_radps, speed_radps };
        struct moving force = { 0 }, turn;

        for (int i = 0; i < p->harmonics; i++) {
                const struct vibration_harmonic *h = &p->harmonic[i];
                const struct vec3 f = h->force_n_per_radps2;
                pair at = direction_of(h->order * angle_turns +
                                       turns_per_rad * h->phase_rad);
                double per_order = 1.0 / h->order;
                pair cosine = { at[0], per_order * at[1] };
                pair sine = { at[1], -per_order * at[0] };

                force.x += both(f.x) * cosine;
                force.y += both(spin * f.y) * sine;
                force.z += both(f.z) * cosine;
        }
        force = (struct moving){ speed * force.x, speed * force.y, speed * force.z };
        turn = moment(hub_body_m, &force);
        turn = turned_by(body, &turn);
        v->accel_body_mps2 =
                vec3_axpy(v->accel_body_mps2, body->per_mass,
                          (struct vec3){ force.x[0], force.y[0], force.z[0] });
        v->rate_dot_body_radps2 =
                vec3_add(v->rate_dot_body_radps2,
                         (struct vec3){ turn.x[0], turn.y[0], turn.z[0] });
        v->rate_body_radps = vec3_add(v->rate_body_radps,
                                      (struct vec3){ turn.x[1], turn.y[1], turn.z[1] });
}
