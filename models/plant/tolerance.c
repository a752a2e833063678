#include "models/plant/tolerance.h"

#include "models/rng.h"

/* The number of this stream among the sensors' (rng.h) never changes, nor do those of the quantities. */
#define STREAM_TOLERANCE 100

enum { SPEED, TAU, THRUST, TORQUE, QUANTITIES };

/* The axes of the angles come after those of all rotors' quantities. */
#define AXIS_ANGLE (QUANTITIES * ROTORS_MAX)

/* Always drawn, even with a ratio of 0: changing one ratio changes no other quantity. */
static double factor(double ratio, uint64_t seed, uint32_t vehicle, int rotor,
                     int quantity)
{
        struct rng rng;
        double z;

        rng_init(&rng, seed, vehicle, STREAM_TOLERANCE,
                 (uint32_t)(QUANTITIES * rotor + quantity));
        z = rng_normal(&rng);
        z = z > 3.0 ? 3.0 : z < -3.0 ? -3.0 : z;
        return 1.0 + ratio * z;
}

void tolerance_apply(const struct tolerance_params *p, struct motor_params *motor,
                     struct rotor_params *rotor, int rotors, uint64_t seed,
                     uint32_t vehicle)
{
        for (int i = 0; i < rotors; i++) {
                double speed = factor(p->speed_ratio, seed, vehicle, i, SPEED);
                double tau = factor(p->tau_ratio, seed, vehicle, i, TAU);

                motor[i].speed_full_radps *= speed;
                motor[i].speed_limit_radps *= speed;
                motor[i].tau_s *= tau;
                motor[i].tau_down_s *= tau;
                rotor[i].thrust_n_per_radps2 *=
                        factor(p->thrust_ratio, seed, vehicle, i, THRUST);
                rotor[i].torque_nm_per_radps2 *=
                        factor(p->torque_ratio, seed, vehicle, i, TORQUE);
        }
}

double tolerance_angle_turns(uint64_t seed, uint32_t vehicle, int rotor)
{
        struct rng rng;

        rng_init(&rng, seed, vehicle, STREAM_TOLERANCE, (uint32_t)(AXIS_ANGLE + rotor));
        return rng_uniform(&rng);
}
