/* Attitude -> torque as the FINken does it (Maeurer and Velinov 3.1.2, tables 3.5 and 3.6): one PID for
 * each of pitch, roll and yaw. Roll and pitch compare entries of the rotation matrix, which are sines
 * of the tilt; yaw compares angles, wrapped into (-pi, pi).
 *
 * The output is a share of the air stream: rotor i gets v (1 + c_i), where c_i is the sum of the three
 * outputs with the signs of its place (the program's last lines). By (2.13) and (2.12) a rotor's force
 * is proportional to v^2, so a small share c changes it by 2 c, and (2.2) gives the torque
 *
 *   about x:  2 c T mean(|y_i|)      about y:  2 c T mean(|x_i|)      about z:  2 c T (torque/thrust)
 *
 * for a total thrust of T and rotors at x_i, y_i. The mixer does the rest, for any geometry. */
#pragma once

#include "models/fc/laws/attitude.h"
#include "models/fc/laws/finken_pid.h"

struct finken_attitude {
        struct finken_pid roll, pitch, yaw;
};

/* Torque about the body's axes, no more than torque_max_nm. */
struct vec3 finken_attitude_torque(struct finken_attitude *c, const struct fc_params *p,
                                   const struct attitude_ask *ask);

/* The torque about each axis that a share of 1 would give if forces stayed proportional. */
struct vec3 finken_authority_nm(const struct fc_params *p, double thrust_n);
