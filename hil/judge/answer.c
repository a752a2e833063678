/* A chip of n ticks is n equal pulses in a row, and the sequence's pulses, one a chip, are white. So the
 * products of answer and pulse, by lag, are the impulse response summed up over n ticks: its sum is n
 * times the impulse response's, and its centroid (n - 1) / 2 ticks later. */
#include "hil/judge/answer.h"

#include <math.h>

void answer_weigh_rotors(struct answer_axes *axes, const struct vehicle_params *p)
{
        *axes = (struct answer_axes){ .rotors = p->rotors };
        for (int axis = 0; axis < 3; axis++) {
                double most = 0.0, *weight = axes->weight[axis];

                for (int i = 0; i < p->rotors; i++) {
                        const struct rotor_params *r = &p->rotor[i];
                        const double of[3] = { -r->pos_body_m.y, r->pos_body_m.x,
                                               -r->spin };

                        weight[i] = of[axis];
                        most = fmax(most, fabs(of[axis]));
                }
                for (int i = 0; i < p->rotors && most > 0.0; i++)
                        weight[i] /= most;
        }
}

double answer_torque(const struct answer_axes *axes, int axis, const double *duty)
{
        double sum = 0.0;

        for (int i = 0; i < axes->rotors; i++)
                sum += axes->weight[axis][i] * duty[i];
        return sum;
}

bool answer_is_to(const struct scenario_step *step, enum stimulus_shape shape)
{
        return step->action == ACTION_STIMULUS && step->stimulus.input == STIMULUS_GYRO &&
               step->stimulus.shape == shape;
}

static int64_t answer_repeat_chips(int bits)
{
        return (INT64_C(1) << bits) - 1;
}

double answer_repeat_s(int bits, int64_t chip_ns)
{
        return (double)answer_repeat_chips(bits) * (double)chip_ns * 1e-9;
}

void answer_init(struct answer *a, const struct vehicle_params *p,
                 const struct actions *actions, int64_t period_ns, int axis)
{
        *a = (struct answer){ .period_ns = period_ns, .axis = axis, .actions = actions };
        answer_weigh_rotors(&a->axes, p);
}

static bool is_counted(const struct answer *a, const struct action *one)
{
        return one->on && (a->of == NULL || a->of == one->of) &&
               answer_is_to(one->of, STIMULUS_PRBS) &&
               (a->axis == ANSWER_ANY_AXIS || a->axis == one->of->stimulus.index);
}

/* Whole periods, with the sequence going on before and after them for as long as an answer lasts: there a
 * chip's neighbours are those that the sequence's correlation is made of. */
static void choose_chips(struct answer *a, const struct stimulus *s)
{
        int64_t all = s->for_ns / s->chip_ns, period = answer_repeat_chips(s->bits);
        int64_t margin = (a->lags + a->chip - 1) / a->chip;
        int64_t whole = (all - 2 * margin) / period * period;

        a->from = whole > 0 ? margin : 0;
        a->to = whole > 0 ? margin + whole : all;
}

static void begin_answer(struct answer *a, const struct scenario_step *of)
{
        int64_t lags = (ANSWER_NS + of->stimulus.chip_ns) / a->period_ns;
        int64_t chip = of->stimulus.chip_ns / a->period_ns;

        a->of = of;
        a->chip = (int)(chip < ANSWER_LAGS_MAX ? chip : ANSWER_LAGS_MAX);
        a->lags = (int)(lags < ANSWER_LAGS_MAX ? lags : ANSWER_LAGS_MAX);
        a->lags -= a->lags % a->chip;
        choose_chips(a, &of->stimulus);
}

/* A chip's height at the tick that it begins with. */
static double pulse_of(const struct answer *a, int64_t since_ns)
{
        const struct stimulus *s = &a->of->stimulus;
        int64_t chip = since_ns / s->chip_ns;

        return since_ns % s->chip_ns == 0 && chip >= a->from && chip < a->to
                       ? stimulus_value(s, since_ns)
                       : 0.0;
}

static double pulse_now(struct answer *a, int64_t t_ns)
{
        for (int i = 0; a->actions->in_force > 0 && i < a->actions->count; i++) {
                const struct action *one = &a->actions->list[i];

                if (!is_counted(a, one))
                        continue;
                if (a->of == NULL)
                        begin_answer(a, one->of);
                return pulse_of(a, t_ns - one->begin_ns);
        }
        return 0.0;
}

void answer_observe(struct answer *a, int64_t t_ns, const struct motor_command *command)
{
        double y;

        if (a->actions == NULL || !a->actions->stimulates)
                return;
        a->newest = (a->newest + 1) % ANSWER_LAGS_MAX;
        a->pulse[a->newest] = pulse_now(a, t_ns);
        /* Against the rate is what a gyroscope is to make the motors do. */
        y = a->of != NULL ? -answer_torque(&a->axes, a->of->stimulus.index, command->duty)
                          : 0.0;
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

/* Without its mean, a sequence of N chips correlates with itself by -1/(N - 1) at every lag of whole
 * chips. So from each lag that share of the answers at the lags whole chips away is missing, and is given
 * back: their sum is known from what is left of it. */
static double restored(const struct answer *a, int lag)
{
        double k = 1.0 / ((1 << a->of->stimulus.bits) - 2.0), left = 0.0;
        int n = a->lags / a->chip;

        for (int other = lag % a->chip; other < a->lags; other += a->chip)
                left += slope(a, other);
        return (slope(a, lag) + k * left / (1.0 + k - n * k)) / (1.0 + k);
}

/* Sum and first moment, ticks. False: there is no answer, or the sequence repeats before it ends. */
static bool summed(const struct answer *a, double *sum, double *moment)
{
        *sum = *moment = 0.0;
        if (a->of == NULL || a->lags <= a->chip ||
            a->lags / a->chip > (1 << a->of->stimulus.bits) / 2)
                return false;
        for (int lag = 0; lag < a->lags; lag++) {
                double here = restored(a, lag);

                *sum += here;
                *moment += lag * here;
        }
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
