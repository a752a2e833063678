#include "hil/sysid/supply.h"

#include <math.h>

#define SLOW_S 2.0 /* a firmware's filter of its voltage is faster */

void supply_init(struct supply *u, const struct vehicle_params *start,
                 double air_density_kgpm3)
{
        *u = (struct supply){ .start = start, .air_density_kgpm3 = air_density_kgpm3 };
        battery_init(&u->battery, &start->battery);
}

static bool is_fitted(const struct supply *u)
{
        return u->start->battery.capacity_c > 0.0;
}

static void compare(struct supply *u, double v, int64_t t_ns)
{
        double part = 1.0;

        if (u->heard_ns > 0)
                part = -expm1(1e-9 * (double)(u->heard_ns - t_ns) / SLOW_S);
        u->beyond_v += part * (v - u->battery.voltage_v - u->beyond_v);
        u->heard_ns = t_ns;
}

double supply_ratio(struct supply *u, const struct track *t, int64_t t_ns)
{
        const struct track_samples *of = &t->of[TRACK_VOLTAGE];

        if (!is_fitted(u))
                return 1.0;
        for (; u->next < of->count && of->t_ns[u->next] <= t_ns; u->next++)
                /* With less nothing is connected. */
                if (of->value[u->next] >= 1.0)
                        compare(u, of->value[u->next], of->t_ns[u->next]);
        return (u->battery.voltage_v + u->beyond_v) / u->start->battery.reference_v;
}

void supply_drain(struct supply *u, const double *target_radps, double dt_s)
{
        double shaft_w = 0.0;

        if (!is_fitted(u))
                return;
        for (int i = 0; i < u->start->rotors; i++) {
                const struct rotor_params *r = &u->start->rotor[i];
                const struct motor_params *m = &u->start->motor[i];
                double *speed = &u->speed_radps[i], torque_nm, was = *speed;
                double lag_s = m->tau_down_s > 0.0 && target_radps[i] < was
                                       ? m->tau_down_s
                                       : m->tau_s;

                *speed = motor_speed_after(was, target_radps[i], -expm1(-dt_s / lag_s));
                torque_nm = r->torque_nm_per_radps2 * u->air_density_kgpm3 /
                                    r->air_density_ref_kgpm3 * *speed * *speed +
                            r->inertia_kgm2 / lag_s * (target_radps[i] - *speed);
                shaft_w += fmax(torque_nm, 0.0) * *speed;
        }
        battery_step(&u->battery, &u->start->battery, shaft_w, dt_s);
}
