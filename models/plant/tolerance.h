/* No two motors and rotors are the same: their scatter about the values of the vehicle file (FINken
 * report 2.1.2), drawn from the run's seed. */
#pragma once

#include <stdint.h>

#include "models/plant/motor.h"
#include "models/plant/rotor.h"

/* Relative standard deviations; draws are cut at three of them. */
struct tolerance_params {
        double speed_ratio; /* of speed_full and speed_limit */
        double tau_ratio;
        double thrust_ratio, torque_ratio;
};

/* `rotor` also holds the factors for blade elements: thrust and torque factors scatter alike. */
void tolerance_apply(const struct tolerance_params *p, struct motor_params *motor,
                     struct rotor_params *rotor, int rotors, uint64_t seed,
                     uint32_t vehicle);

/* Where the first blade of a rotor points at the start, in turns, 0 to 1: no two rotors start at
 * the same angle, otherwise their vibrations would be in phase. */
double tolerance_angle_turns(uint64_t seed, uint32_t vehicle, int rotor);
