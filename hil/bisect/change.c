#include "hil/bisect/change.h"

#include <math.h>
#include <stdlib.h>

#define NO_CHANGE 0.5 /* how probable it is before anything was seen */
/* How large a change is before anything was seen, in the spread that builds have anyway: a deviation. */
#define CHANGE_SPREADS 10.0

bool bisect_change_open(struct bisect_change *c, int builds)
{
        *c = (struct bisect_change){ .builds = builds };
        c->level = malloc((size_t)builds * sizeof *c->level);
        c->unseen = calloc((size_t)builds, sizeof *c->unseen);
        c->probability = calloc((size_t)builds, sizeof *c->probability);
        if (c->level == NULL || c->unseen == NULL || c->probability == NULL) {
                bisect_change_close(c);
                return false;
        }
        for (int i = 0; i < builds; i++)
                c->level[i] = (double)NAN;
        return true;
}

void bisect_change_close(struct bisect_change *c)
{
        free(c->level);
        free(c->unseen);
        free(c->probability);
        *c = (struct bisect_change){ 0 };
}

/* The levels from build `first` to before `end`. */
struct part {
        int n;
        double mean, squares; /* about the mean */
};

static struct part part_of(const struct bisect_change *c, int first, int end)
{
        struct part p = { 0 };

        for (int i = first; i < end; i++) {
                double off = c->level[i] - p.mean;

                if (isnan(off))
                        continue;
                p.mean += off / ++p.n;
                p.squares += off * (c->level[i] - p.mean);
        }
        return p;
}

/* By how much the levels speak for a change at build k rather than for none. */
static double log_factor(const struct bisect_change *c, int k, const struct part *all)
{
        struct part a = part_of(c, 0, k), b = part_of(c, k, c->builds);
        double both = (double)a.n * b.n / all->n; /* levels' worth of the difference */
        double g = CHANGE_SPREADS * CHANGE_SPREADS * both;
        double explained = both * (b.mean - a.mean) * (b.mean - a.mean);

        if (a.n == 0 || b.n == 0 || all->squares == 0.0)
                return 0.0;
        explained = fmin(explained / all->squares, 1.0);
        return -0.5 * log1p(g) - 0.5 * (all->n - 1) * log1p(-explained * g / (1.0 + g));
}

void bisect_change_solve(struct bisect_change *c)
{
        struct part all = part_of(c, 0, c->builds);
        double most = -(double)INFINITY, sum = 0.0;

        for (int k = 0; k < c->builds; k++) {
                c->probability[k] =
                        k == 0 ? log(NO_CHANGE)
                               : log_factor(c, k, &all) +
                                         log((1.0 - NO_CHANGE) / (c->builds - 1));
                most = fmax(most, c->probability[k]);
        }
        for (int k = 0; k < c->builds; k++) {
                c->probability[k] = exp(c->probability[k] - most);
                sum += c->probability[k];
        }
        for (int k = 0; k < c->builds; k++)
                c->probability[k] /= sum;
}

static double from_to(const struct bisect_change *c, int first, int last)
{
        double sum = 0.0;

        for (int k = first; k <= last; k++)
                sum += c->probability[k];
        return sum;
}

double bisect_change_behind(const struct bisect_change *c, int build)
{
        return from_to(c, 1, build) / from_to(c, 1, c->builds - 1);
}

int bisect_change_next(const struct bisect_change *c, const bool *spent)
{
        double nearest = 2.0;
        int next = -1;

        for (int i = 1; i < c->builds - 1; i++) {
                double open = fabs(bisect_change_behind(c, i) - 0.5);

                if (c->unseen[i] || spent[i] || open >= nearest)
                        continue;
                nearest = open;
                next = i;
        }
        return next;
}

struct bisect_range bisect_change_best(const struct bisect_change *c)
{
        struct bisect_range best = { 0, 0, -1.0 };

        for (int first = 1; first < c->builds; first++) {
                int last = first;
                double probability;

                while (last < c->builds - 1 && c->unseen[last])
                        last++;
                probability = from_to(c, first, last);
                if (probability > best.probability)
                        best = (struct bisect_range){ first, last, probability };
                first = last;
        }
        return best;
}

struct bisect_range bisect_change_within(const struct bisect_change *c, double share)
{
        double change = from_to(c, 1, c->builds - 1);
        struct bisect_range best = { 1, c->builds - 1, 1.0 };

        for (int first = 1; first < c->builds; first++) {
                double sum = 0.0;
                int last = first - 1;

                while (last < c->builds - 1 && sum < share * change)
                        sum += c->probability[++last];
                if (sum >= share * change && last - first < best.last - best.first)
                        best = (struct bisect_range){ first, last, sum / change };
        }
        return best;
}
