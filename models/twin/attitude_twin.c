#include "models/twin/attitude_twin.h"

#include <math.h>

#include "models/fc/laws/finken_height.h"

#define THRUST_MAX_SHARE 0.93 /* of the rotors' thrust: the rest is for attitude */

void attitude_twin_init(struct attitude_twin *t, const struct fc_params *p)
{
        *t = (struct attitude_twin){ .got = { .roll_pitch = 1.0, .yaw = 1.0 } };
        mixer_init(&t->mixer, p);
}

/* (3.5) with the height error where the real one knows its height, else with the throttle alone. */
static double thrust_of(const struct attitude_twin *t, const struct fc_params *p,
                        const struct attitude_twin_ask *ask, const struct body_state *is,
                        double ground_down_m)
{
        bool has_height = ask->height_m > 0.0;
        double missing_m =
                has_height ? ask->height_m - (ground_down_m - is->pos_ned_m.z) : 0.0;
        double stream = finken_stream_mps(&p->finken, ask->throttle_percent, missing_m,
                                          has_height ? -is->vel_ned_mps.z : 0.0);

        return fmin(finken_thrust_n(p, stream),
                    THRUST_MAX_SHARE * p->rotors * t->mixer.max_n);
}

void attitude_twin_step(struct attitude_twin *t, const struct fc_params *p,
                        const struct attitude_twin_ask *ask, const struct body_state *is,
                        double ground_down_m, bool on_ground, double dt_s,
                        struct motor_command *out)
{
        struct attitude_ask a = { .is = is->q_body_to_ned,
                                  .wanted = ask->q_body_to_ned,
                                  .rate_body_radps = is->rate_body_radps,
                                  .speed_mps =
                                          hypot(is->vel_ned_mps.x, is->vel_ned_mps.y),
                                  .got = t->got,
                                  .dt_s = dt_s,
                                  .hold = on_ground };
        double rotor_thrust_n[ROTORS_MAX];

        if (!(ask->throttle_percent > 0.0)) {
                attitude_twin_init(t, p);
                rotors_even(&t->rotors, p, 0.0, dt_s, out);
                return;
        }
        t->thrust_n = a.thrust_n = thrust_of(t, p, ask, is, ground_down_m);
        t->got = mixer_step(&t->mixer, t->thrust_n, attitude_law_torque(&t->law, p, &a),
                            rotor_thrust_n);
        rotors_step(&t->rotors, p, rotor_thrust_n, dt_s, out);
}
