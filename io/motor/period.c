/* Periods from start to start of a pad's frames. */
#include "io/motor/period.h"

#include <math.h>

#define MEMORY 1024.0 /* frames */
#define STRANGE                                                                          \
        16 /* periods before outliers are noticed; so many in a row are a new period */

void motor_period_begin(struct motor_period *m, int64_t ticks)
{
        *m = (struct motor_period){ .mean_ticks = (double)ticks };
}

static bool is_strange(const struct motor_period *m, double period)
{
        return m->periods >= STRANGE &&
               fabs(period - m->mean_ticks) > 0.5 * m->mean_ticks;
}

static void weigh(struct motor_period *m, double period)
{
        double weight = 1.0 / fmin(++m->periods, MEMORY);
        double off = period - m->mean_ticks;

        m->strange = 0;
        m->mean_ticks += weight * off;
        m->variance = (1.0 - weight) * (m->variance + weight * off * off);
}

void motor_period_frame(struct motor_period *m, int64_t start_tick)
{
        double period = (double)(start_tick - m->last_start);

        if (m->in_step && period > 0.0) {
                if (!is_strange(m, period))
                        weigh(m, period);
                else if (++m->strange >= STRANGE)
                        motor_period_begin(m, 0);
        }
        m->last_start = start_tick;
        m->in_step = true;
}

void motor_period_gap(struct motor_period *m)
{
        m->in_step = false;
}
