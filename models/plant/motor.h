/* One brushless motor with its speed controller: a curve from the command to a speed, and a first-order
 * lag, of its own where the rotor slows down, with a limit on the speed. It does not know about thrust. */
#pragma once

#include <math.h>
#include <stdbool.h>

#include "models/quad.h"

/* Gruber 4.14: G(s) = 1.08/(1 + 0.165 s) from the 0..255 command to the speed, itself on a scale
 * where 255 is 4250 rpm: full command asks for 1.08 * 4250 rpm. speed_limit_radps is the maximum
 * speed of the motor (2000 rpm for the md4-200, ibid.); a command beyond it saturates. */
struct motor_params {
        double tau_s; /* > 0 */
        double speed_full_radps; /* steady speed that duty 1 asks for, > 0 */
        double speed_limit_radps; /* > 0 */
        double dead_band; /* a duty below it stops the motor; 0: none */
        double steps; /* number of steps of the ESC's input, a whole number up to 1e6; 0: continuous */
        double tau_down_s; /* where the rotor slows down; 0: tau_s */
        /* 1 - f, where thrust over the full one is f u^2 + (1 - f) u of the command u, as ArduPilot's
         * MOT_THST_EXPO and PX4's THR_MDL_FAC have it, so that the speed goes with its root; 0: the speed goes
         * with u. At most 2, so that the thrust rises all the way; below 0 small commands have none. */
        double thrust_linear;

        double step_duty; /* one of them; filled by motor_params_prepare(), as the next */
        double down_ratio; /* motor_reach() down over that up; 0: the same */
};

struct motor {
        double speed_radps; /* >= 0 */
};

/* The share of the way to the target covered in dt_s: -expm1(-dt_s / tau_s). Computed
 * once, since neither changes in a run. */
double motor_reach(const struct motor_params *p, double dt_s);

/* For steps of dt_s. */
void motor_params_prepare(struct motor_params *p, double dt_s);

/* Speed over that of the full command, for a duty of 0 to 1. */
static inline double motor_speed_share(const struct motor_params *p, double duty)
{
        double thrust = duty * (p->thrust_linear + (1.0 - p->thrust_linear) * duty);

        if (p->thrust_linear == 0.0)
                return duty;
        return thrust > 0.0 ? sqrt(thrust) : 0.0;
}

/* The duty, 0 to 1, on the nearest of its steps. */
static inline double motor_step_of_duty(const struct motor_params *p, double duty)
{
        return (double)(int)(duty * p->steps + 0.5) * p->step_duty;
}

/* Speed that `duty` asks for. speed_ratio is the factor by which the battery's voltage scales the
 * speed: 1 at the voltage of the parameters, 0 when it is empty. NaN and negative stop the motor. */
static inline double motor_target_radps(const struct motor_params *p, double duty,
                                        double speed_ratio)
{
        /* Written so that NaN fails the test. */
        double given = duty > 0.0 ? (duty < 1.0 ? duty : 1.0) : 0.0;
        double asked;

        if (p->step_duty > 0.0)
                given = motor_step_of_duty(p, given);
        asked = given >= p->dead_band ? motor_speed_share(p, given) * p->speed_full_radps
                                      : 0.0;
        return speed_ratio *
               (asked < p->speed_limit_radps ? asked : p->speed_limit_radps);
}

/* The target with which a step by tau_s ends where one by tau_down_s would, whose momentum is then exact as well; from
 * step to step another. */
static inline double motor_aim_radps(const struct motor_params *p, double speed_radps,
                                     double target_radps)
{
        if (p->down_ratio == 0.0 || !(target_radps < speed_radps))
                return target_radps;
        return speed_radps + p->down_ratio * (target_radps - speed_radps);
}

/* Exact for a command held over the step: two half steps give the same speed as one. */
static inline double motor_speed_after(double speed_radps, double target_radps,
                                       double reach)
{
        return speed_radps + reach * (target_radps - speed_radps);
}

/* How many turns the rotor makes in dt_s, to which `reach` belongs: the integral of the speed,
 * target + (start - target) exp(-t/tau), is also exact. */
static inline double motor_turned_turns(double start_radps, double target_radps,
                                        double reach, double tau_s, double dt_s)
{
        const double turns_per_rad = 0.15915494309189533577;

        return turns_per_rad *
               (target_radps * dt_s - tau_s * (target_radps - start_radps) * reach);
}

/* Four motors side by side, each without thrust_linear and as fast down as up: the numbers that the functions above give
 * one by one. */
struct motor_quad {
        bool fits; /* all are such motors; what follows is 0 of one that is not there */
        quad steps, step_duty, dead_band, full_radps, limit_radps, tau_s;
        quad reach_half, reach_full; /* motor_reach() of half a step, and of one */
};

/* q starts with `fits` and zeros. */
void motor_quad_add(struct motor_quad *q, int lane, const struct motor_params *p,
                    double reach_half, double reach_full);

/* In a step of dt_s. */
struct motor_quad_turn {
        quad target_radps, start_radps, middle_radps, end_radps, turns;
};

ALWAYS_INLINE void motor_quad_turn(bool wide, struct motor_quad_turn *t,
                                   const struct motor_quad *q, const double duty[QUAD],
                                   double speed_ratio, const double start_radps[QUAD],
                                   double dt_s)
{
        typedef int32_t whole __attribute__((vector_size(QUAD * sizeof(int32_t))));
        const double turns_per_rad = 0.15915494309189533577;
        const quad none = { 0.0 }, one = 1.0 + none;
        quad given = *(const quad *)duty, start = *(const quad *)start_radps, step, asked;
        quad way;

        quad_if_less(wide, &given, &given, &one, &given, &one);
        quad_if_less(wide, &given, &none, (const quad *)duty, &given, &none);
        step = given * q->steps + 0.5;
        step = __builtin_convertvector(__builtin_convertvector(step, whole), quad);
        step = step * q->step_duty;
        quad_if_less(wide, &given, &none, &q->step_duty, &step, &given);
        asked = given * q->full_radps;
        quad_if_less(wide, &asked, &given, &q->dead_band, &none, &asked);
        quad_if_less(wide, &asked, &asked, &q->limit_radps, &asked, &q->limit_radps);
        quad_scale(wide, &asked, speed_ratio, &asked);
        t->target_radps = asked;
        t->start_radps = start;
        t->middle_radps = start + q->reach_half * (asked - start);
        t->end_radps = start + q->reach_full * (asked - start);
        quad_scale(wide, &way, dt_s, &asked);
        t->turns = turns_per_rad * (way - q->tau_s * (asked - start) * q->reach_full);
}
