/* Trains of pulses. */
#include <math.h>

#include "io/motor/train.h"

#define STEADY   8 /* a period of the train is off by less than one part in this many */
#define TOO_LONG 1.5 /* of the longest pulse in range */
#define ENOUGH   8 /* low times */

void motor_rivals_init(struct motor_rivals *r, enum motor_protocol only,
                       const struct motor_range *range, double tick_hz)
{
        r->only = only;
        for (int p = MOTOR_PWM; p <= MOTOR_MULTISHOT; p++)
                motor_pulse_init(&r->pulse[p - MOTOR_PWM], (enum motor_protocol)p, range,
                                 tick_hz, false);
}

enum motor_likeness motor_rivals_judge(const struct motor_rivals *r, int64_t level_ticks,
                                       int64_t period_ticks)
{
        enum motor_likeness best = MOTOR_NO_PULSE;
        double level = (double)level_ticks;

        for (int p = MOTOR_PWM; p <= MOTOR_MULTISHOT; p++) {
                const struct motor_pulse *m = &r->pulse[p - MOTOR_PWM];

                if ((r->only != MOTOR_UNKNOWN && r->only != m->protocol) ||
                    (double)period_ticks < m->soonest_ticks ||
                    level > TOO_LONG * m->longest_ticks)
                        continue;
                if (level >= m->shortest_ticks && level <= m->longest_ticks)
                        return MOTOR_A_PULSE;
                best = MOTOR_ODD_PULSE;
        }
        return best;
}

void motor_train_begin(struct motor_train *t, int64_t last_start)
{
        *t = (struct motor_train){ .timed = true, .last_start = last_start };
}

bool motor_train_follow(struct motor_train *t, const struct motor_pulse *p,
                        const struct motor_word *w, double period_ticks)
{
        double off = fabs((double)(w->start_tick - t->last_start) - period_ticks);
        bool in_step = t->timed && p->whole && period_ticks > 0.0 &&
                       off * STEADY <= period_ticks;

        t->timed = true;
        t->last_start = w->start_tick;
        if (w->kind != MOTOR_ODD)
                t->broken = false;
        return in_step && !t->broken;
}

void motor_train_weigh(struct motor_train *t, const struct motor_rivals *r,
                       const struct motor_pulse *p, const struct motor_word *w)
{
        int64_t period = p->idle_ticks + w->end_tick - w->start_tick;
        uint8_t *count = &t->misfits;

        if (p->inverted || !p->timed || w->kind == MOTOR_ODD)
                return;
        if (motor_rivals_judge(r, p->idle_ticks, period) == MOTOR_A_PULSE)
                count = &t->fits;
        if (*count < ENOUGH)
                (*count)++;
}

bool motor_train_ambiguous(const struct motor_train *t)
{
        return t->fits > 0 && t->misfits < ENOUGH;
}
