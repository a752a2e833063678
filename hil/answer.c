/* A chip of n ticks is n equal pulses in a row, and the sequence's pulses, one a chip, are white. So the
 * products of answer and pulse, by lag, are the impulse response summed up over n ticks: its sum is n
 * times the impulse response's, and its centroid (n - 1) / 2 ticks later. */
#include "hil/answer.h"

#include <math.h>

void answer_init(struct answer *a, const struct vehicle_params *p,
                 const struct actions *actions, int64_t period_ns)
{
        *a = (struct answer){ .period_ns = period_ns,
                              .actions = actions,
                              .rotors = p->rotors };
        for (int i = 0; i < p->rotors; i++) {
                a->pos_body_m[i][0] = p->rotor[i].pos_body_m.x;
                a->pos_body_m[i][1] = p->rotor[i].pos_body_m.y;
                a->spin[i] = p->rotor[i].spin;
        }
}

/* The torque's sign is that of a positive duty. */
static void weigh_rotors(struct answer *a, int axis)
{
        double most = 0.0;

        for (int i = 0; i < a->rotors; i++) {
                const double of[3] = { -a->pos_body_m[i][1], a->pos_body_m[i][0],
                                       -a->spin[i] };

                a->weight[i] = of[axis];
                most = fmax(most, fabs(of[axis]));
        }
        for (int i = 0; i < a->rotors && most > 0.0; i++)
                a->weight[i] /= most;
}

static bool counts(const struct answer *a, const struct action *one)
{
        const struct scenario_step *of = one->of;

        return one->on && (a->of == NULL || a->of == of) &&
               of->action == ACTION_STIMULUS && of->stimulus.input == STIMULUS_GYRO &&
               of->stimulus.shape == STIMULUS_PRBS;
}

static void begin(struct answer *a, const struct scenario_step *of)
{
        int64_t lags = (ANSWER_NS + of->stimulus.chip_ns) / a->period_ns;

        a->of = of;
        a->lags = (int)(lags < ANSWER_LAGS_MAX ? lags : ANSWER_LAGS_MAX);
        a->chip = (int)(of->stimulus.chip_ns / a->period_ns);
        weigh_rotors(a, of->stimulus.index);
}

/* A chip's height at the tick that it begins with. */
static double pulse_now(struct answer *a, int64_t t_ns)
{
        for (int i = 0; a->actions->in_force > 0 && i < a->actions->count; i++) {
                const struct action *one = &a->actions->list[i];

                if (!counts(a, one))
                        continue;
                if (a->of == NULL)
                        begin(a, one->of);
                if ((t_ns - one->begin_ns) % one->of->stimulus.chip_ns == 0)
                        return stimulus_value(&one->of->stimulus, t_ns - one->begin_ns);
                return 0.0;
        }
        return 0.0;
}

void answer_observe(struct answer *a, int64_t t_ns, const struct motor_command *command)
{
        double y = 0.0;

        if (a->actions == NULL || !a->actions->stimulates)
                return;
        a->newest = (a->newest + 1) % ANSWER_LAGS_MAX;
        a->pulse[a->newest] = pulse_now(a, t_ns);
        for (int i = 0; i < a->rotors; i++)
                y -= a->weight[i] * command->duty[i];
        for (int lag = 0; lag < a->lags; lag++) {
                double pulse =
                        a->pulse[(a->newest + ANSWER_LAGS_MAX - lag) % ANSWER_LAGS_MAX];

                if (pulse == 0.0)
                        continue;
                a->product[lag] += pulse * y;
                a->level[lag] += y;
                a->height[lag] += pulse;
                a->energy[lag] += pulse * pulse;
                a->pulses[lag]++;
        }
}

/* What the answer at that lag has to do with the pulse: a regression with a constant, since the motors
 * have a trim and the sequence is not quite without a mean. */
static double slope(const struct answer *a, int lag)
{
        double n = a->pulses[lag];
        double variance = a->energy[lag] - a->height[lag] * a->height[lag] / n;

        return n > 1.0 && variance > 0.0
                       ? (a->product[lag] - a->height[lag] * a->level[lag] / n) / variance
                       : NAN;
}

/* Sum and first moment of the answer, ticks. Without its mean the sequence repeats -1 of its length in
 * chips at every lag, so that each has lost that share of the whole answer: it is given back. False:
 * there is none. */
static bool summed(const struct answer *a, double *sum, double *moment)
{
        double lost;

        *sum = *moment = 0.0;
        if (a->of == NULL || a->lags <= a->chip)
                return false;
        for (int lag = 0; lag < a->lags; lag++) {
                *sum += slope(a, lag);
                *moment += lag * slope(a, lag);
        }
        lost = 1.0 / (a->chip * ((1 << a->of->stimulus.bits) - 1.0));
        if (a->lags * lost > 0.5)
                return false;
        *sum /= 1.0 - a->lags * lost;
        *moment += *sum * lost * 0.5 * a->lags * (a->lags - 1);
        return true;
}

double answer_gain_s(const struct answer *a)
{
        double sum, moment;

        return summed(a, &sum, &moment) ? sum / a->chip : NAN;
}

double answer_delay_s(const struct answer *a)
{
        double sum, moment, ticks;

        if (!summed(a, &sum, &moment))
                return NAN;
        ticks = moment / sum - 0.5 * (a->chip - 1);
        return isfinite(ticks) ? ticks * (double)a->period_ns * 1e-9 : NAN;
}
