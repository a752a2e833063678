#include "models/sensors/mag.h"

void mag_init(struct mag *mag, uint64_t seed, uint32_t vehicle)
{
        for (uint32_t i = 0; i < 3; i++)
                rng_init(&mag->rng[i], seed, vehicle, SENSOR_MAG, i);
}

void mag_step(struct mag *mag, const struct mag_params *p, const struct world *world,
              const struct body_state *truth, struct mag_sample *out)
{
        struct vec3 body_t =
                quat_rotate_inverse(truth->q_body_to_ned, world->magnetic_field_ned_t);
        struct vec3 v = quat_rotate(p->q_body_to_sensor, body_t);
        double value[3] = { v.x, v.y, v.z };

        error_apply(&p->field, mag->rng, 3, value);
        out->field_body_t = (struct vec3){ value[0], value[1], value[2] };
}
