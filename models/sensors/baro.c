#include "models/sensors/baro.h"

void baro_init(struct baro *baro, uint64_t seed, uint32_t vehicle)
{
        for (uint32_t i = 0; i < 2; i++)
                rng_init(&baro->rng[i], seed, vehicle, SENSOR_BARO, i);
}

void baro_step(struct baro *baro, const struct baro_params *p, const struct world *world,
               const struct body_state *truth, struct baro_sample *out)
{
        double altitude_m = world_altitude_m(world, truth->pos_ned_m);

        out->pressure_pa = atmosphere_pressure_pa(&world->atmosphere, altitude_m);
        out->temperature_k = atmosphere_temperature_k(&world->atmosphere, altitude_m);
        error_apply(&p->pressure, &baro->rng[0], 1, &out->pressure_pa);
        error_apply(&p->temperature, &baro->rng[1], 1, &out->temperature_k);
}
