#include "hil/sysid/supply.h"

#include <math.h>
#include <string.h>

#define SLOW_S 2.0 /* a firmware's filter of its voltage is faster */
/* 1 sigma: of a low-passed voltage, and of what is not known beforehand; resistance in parts of the file's. */
#define SIGMA_V       0.01
#define OFFSET_V      1.0
#define SAG_RATIO     1.0
#define DRIFT_V_PER_S 0.01

void supply_init(struct supply *u, const struct vehicle_params *start,
                 double air_density_kgpm3)
{
        const double before[SUPPLY_TERMS] = {
                OFFSET_V, SAG_RATIO * fmax(start->battery.resistance_ohm, 1e-3),
                DRIFT_V_PER_S
        };

        *u = (struct supply){ .start = start, .air_density_kgpm3 = air_density_kgpm3 };
        battery_init(&u->battery, &start->battery);
        for (int i = 0; i < SUPPLY_TERMS; i++)
                u->normal[i][i] = SIGMA_V * SIGMA_V / (before[i] * before[i]);
}

static bool is_fitted(const struct supply *u)
{
        return u->start->battery.capacity_c > 0.0;
}

double supply_ratio(const struct supply *u, int64_t t_ns)
{
        double v = u->battery.voltage_v + u->beyond[SUPPLY_OFFSET] +
                   u->beyond[SUPPLY_SAG] * u->battery.current_a;

        if (!is_fitted(u))
                return 1.0;
        if (u->begun_ns > 0)
                v += u->beyond[SUPPLY_DRIFT] * 1e-9 * (double)(t_ns - u->begun_ns);
        return v / u->start->battery.reference_v;
}

void supply_drain(struct supply *u, const double *target_radps, double dt_s)
{
        double shaft_w = 0.0;

        if (!is_fitted(u))
                return;
        for (int i = 0; i < u->start->rotors; i++) {
                const struct rotor_params *r = &u->start->rotor[i];
                const struct motor_params *m = &u->start->motor[i];
                double *speed = &u->speed_radps[i], torque_nm;

                *speed = motor_speed_after(*speed, target_radps[i], motor_reach(m, dt_s));
                torque_nm = r->torque_nm_per_radps2 * u->air_density_kgpm3 /
                                    r->air_density_ref_kgpm3 * *speed * *speed +
                            r->inertia_kgm2 / m->tau_s * (target_radps[i] - *speed);
                shaft_w += fmax(torque_nm, 0.0) * *speed;
        }
        battery_step(&u->battery, &u->start->battery, shaft_w, dt_s);
}

static void compare_sample(struct supply *u, double v, int64_t t_ns)
{
        double beyond_v = v - u->battery.voltage_v, part = 1.0, at[SUPPLY_TERMS];

        if (u->heard_ns > 0)
                part = -expm1(1e-9 * (double)(u->heard_ns - t_ns) / SLOW_S);
        else
                u->begun_ns = t_ns;
        u->heard_ns = t_ns;
        u->slow_v += part * (beyond_v - u->slow_v);
        u->slow_a += part * (u->battery.current_a - u->slow_a);
        at[SUPPLY_OFFSET] = 1.0;
        at[SUPPLY_SAG] = u->slow_a;
        at[SUPPLY_DRIFT] = 1e-9 * (double)(t_ns - u->begun_ns);
        for (int i = 0; i < SUPPLY_TERMS; i++) {
                u->moment[i] += at[i] * u->slow_v;
                for (int k = 0; k < SUPPLY_TERMS; k++)
                        u->normal[i][k] += at[i] * at[k];
        }
}

void supply_compare(struct supply *u, const struct track *t, int64_t t_ns)
{
        const struct track_samples *of = &t->of[TRACK_VOLTAGE];

        for (; u->next < of->count && of->t_ns[u->next] <= t_ns; u->next++)
                /* With less nothing is connected. */
                if (is_fitted(u) && of->value[u->next] >= 1.0)
                        compare_sample(u, of->value[u->next], of->t_ns[u->next]);
}

/* What is known beforehand makes the matrix positive definite. */
static void solve(double (*m)[SUPPLY_TERMS], double *b)
{
        for (int i = 0; i < SUPPLY_TERMS; i++)
                for (int r = i + 1; r < SUPPLY_TERMS; r++) {
                        double factor = m[r][i] / m[i][i];

                        for (int k = i; k < SUPPLY_TERMS; k++)
                                m[r][k] -= factor * m[i][k];
                        b[r] -= factor * b[i];
                }
        for (int i = SUPPLY_TERMS - 1; i >= 0; i--) {
                for (int k = i + 1; k < SUPPLY_TERMS; k++)
                        b[i] -= m[i][k] * b[k];
                b[i] /= m[i][i];
        }
}

void supply_learn(struct supply *u)
{
        double beyond[SUPPLY_TERMS];
        int64_t begun_ns = u->begun_ns;

        memcpy(beyond, u->moment, sizeof beyond);
        solve(u->normal, beyond);
        supply_init(u, u->start, u->air_density_kgpm3);
        u->begun_ns = begun_ns;
        memcpy(u->beyond, beyond, sizeof beyond);
}
