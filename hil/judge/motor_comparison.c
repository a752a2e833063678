#include "hil/judge/motor_comparison.h"

#include <math.h>

/* Less than this much apart, in mean square, is no difference at all (DShot's own step is 5e-4). */
#define SAME_MEAN_SQUARE 1e-5
#define MUCH_BETTER      9.0

void motor_comparison_take(struct motor_comparison *c, int motors, int seen, double duty,
                           const struct motor_command *reported)
{
        for (int j = 0; j < motors; j++) {
                struct motor_difference *d = &c->of[seen][j];
                double off = fabs(duty - reported->duty[j]);

                d->ticks++;
                d->square_sum += off * off;
                d->max = fmax(d->max, off);
        }
}

static double mean_square(const struct motor_difference *d)
{
        return d->ticks > 0 ? d->square_sum / (double)d->ticks : 0.0;
}

double motor_difference_rms(const struct motor_difference *d)
{
        return sqrt(mean_square(d));
}

int motor_comparison_better(const struct motor_comparison *c, int motors, int i)
{
        double own = mean_square(&c->of[i][i]), best_mean = INFINITY;
        int best = -1;

        for (int j = 0; j < motors; j++)
                if (j != i && mean_square(&c->of[i][j]) < best_mean) {
                        best_mean = mean_square(&c->of[i][j]);
                        best = j;
                }
        return own > SAME_MEAN_SQUARE && own > MUCH_BETTER * best_mean ? best : -1;
}
