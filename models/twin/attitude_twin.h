/* The twin of the FINken report (Maeurer and Velinov 3.3): the telemetry's attitude and throttle are the set-points of
 * the attitude and height laws of a simulated vehicle (tables 3.5, 3.6; (3.5)), which flies as far from where the real
 * one is as the two models differ. The laws see the simulated vehicle's true state: it has no sensors of its own. */
#pragma once

#include "models/fc/laws/attitude_law.h"
#include "models/fc/laws/mixer.h"
#include "models/fc/rotors.h"
#include "models/signals.h"

struct attitude_twin {
        struct mixer mixer;
        struct attitude_law_state law;
        struct rotors rotors;
        struct mixer_result got;
        double thrust_n;
};

/* What the telemetry says. */
struct attitude_twin_ask {
        struct quat q_body_to_ned;
        double throttle_percent; /* 0: on the ground, its rotors idle */
        double height_m; /* above the ground; 0 or less: throttle alone */
};

void attitude_twin_init(struct attitude_twin *t, const struct fc_params *p);

/* ground_down_m: from where heights count, as a down coordinate. */
void attitude_twin_step(struct attitude_twin *t, const struct fc_params *p,
                        const struct attitude_twin_ask *ask, const struct body_state *is,
                        double ground_down_m, bool on_ground, double dt_s,
                        struct motor_command *out);
