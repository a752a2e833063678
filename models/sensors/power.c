#include "models/sensors/power.h"

/* Streams. */
enum { VOLTAGE, CURRENT, STREAMS };

void power_init(struct power *power, const struct power_params *p, uint64_t seed,
                uint32_t vehicle)
{
        (void)p;
        *power = (struct power){ 0 };
        for (uint32_t i = 0; i < STREAMS; i++)
                rng_init(&power->rng[i], seed, vehicle, SENSOR_POWER, i);
}

void power_step(struct power *power, const struct power_params *p,
                const struct exposure *e, struct power_sample *out)
{
        out->voltage_v = e->voltage_v;
        out->current_a = e->current_a;
        error_apply(&p->voltage, &power->rng[VOLTAGE], 1, &out->voltage_v);
        error_apply(&p->current, &power->rng[CURRENT], 1, &out->current_a);
        if (power->started)
                power->charge_used_c +=
                        out->current_a * (1e-9 * (double)(e->t_ns - power->t_ns));
        power->started = true;
        power->t_ns = e->t_ns;
        out->charge_used_c = power->charge_used_c;
}
