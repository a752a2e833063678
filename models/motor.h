/* One brushless motor with its speed controller: a first-order lag from the command to
 * the rotor's speed, with a limit on the speed. It knows nothing of thrust. */
#ifndef MODELS_MOTOR_H
#define MODELS_MOTOR_H

/* Gruber 4.14: G(s) = 1.08/(1 + 0.165 s) from the 0..255 command to the speed, itself on
 * a scale where 255 is 4250 rpm: full command asks for 1.08 * 4250 rpm. speed_limit_radps
 * is what the motor can reach (2000 rpm of the md4-200, ibid.); a command beyond it
 * saturates. */
struct motor_params {
        double tau_s; /* > 0 */
        double speed_full_radps; /* steady speed that duty 1 asks for, > 0 */
        double speed_limit_radps; /* > 0 */
};

struct motor {
        double speed_radps; /* >= 0 */
};

/* The share of the way to the target covered in dt_s: -expm1(-dt_s / tau_s). Computed
 * once, since neither changes in a run. */
double motor_reach(const struct motor_params *p, double dt_s);

/* Speed that `duty` asks for. NaN and negative stop the motor. */
static inline double motor_target_radps(const struct motor_params *p, double duty)
{
        /* Written so that NaN fails the test. */
        double asked = duty > 0.0 ? (duty < 1.0 ? duty : 1.0) * p->speed_full_radps : 0.0;

        return asked < p->speed_limit_radps ? asked : p->speed_limit_radps;
}

/* Exact for a command held over the step: two half steps give the same speed as one. */
static inline double motor_speed_after(double speed_radps, double target_radps,
                                       double reach)
{
        return speed_radps + reach * (target_radps - speed_radps);
}

/* Advances by the dt_s that gave `reach`. */
void motor_step(struct motor *m, const struct motor_params *p, double duty, double reach);

#endif
