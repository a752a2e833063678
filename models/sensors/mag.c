#include "models/sensors/mag.h"

void mag_init(struct mag *mag, const struct mag_params *p, uint64_t seed,
              uint32_t vehicle)
{
        (void)p;
        for (uint32_t i = 0; i < 3; i++)
                rng_init(&mag->rng[i], seed, vehicle, SENSOR_MAG, i);
}

/* At the sensor, in body axes. */
static struct vec3 field_at_sensor(const struct mag_params *p, const struct exposure *e)
{
        struct vec3 field_t = quat_rotate_inverse(e->body->q_body_to_ned,
                                                  e->world->magnetic_field_ned_t);
        struct vec3 added_t =
                vec3_axpy(p->hard_iron_body_t, e->current_a, p->current_body_t_per_a);

        return vec3_add(vec3_add(field_t, mat3_times(p->induced_body, field_t)), added_t);
}

/* Gain and offset of the sensor follow the temperature of the air about it. */
static struct vec3 warm(const struct mag_params *p, const struct exposure *e,
                        struct vec3 v)
{
        double altitude_m = world_altitude_m(e->world, e->body->pos_ned_m);
        double above_k = atmosphere_temperature_k(&e->world->atmosphere, altitude_m) -
                         p->reference_k;

        return vec3_axpy(vec3_scale(1.0 + p->gain_per_k * above_k, v), above_k,
                         p->bias_t_per_k);
}

void mag_step(struct mag *mag, const struct mag_params *p, const struct exposure *e,
              struct mag_sample *out)
{
        struct vec3 v =
                warm(p, e, quat_rotate(p->q_body_to_sensor, field_at_sensor(p, e)));
        double value[3] = { v.x, v.y, v.z };

        error_apply(&p->field, mag->rng, 3, value);
        out->field_body_t = (struct vec3){ value[0], value[1], value[2] };
}
