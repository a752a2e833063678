#include "hil/bisect/change.h"

#include <math.h>
#include <stdlib.h>

#define NO_CHANGE 0.5 /* how probable it is before anything was seen */
/* Looks that the least spread is worth. */
#define LOOKS_BEFORE 2.0

bool bisect_change_open(struct bisect_change *c, int builds)
{
        *c = (struct bisect_change){ .builds = builds, .least = 1.0 };
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

/* Squares about the mean of the levels from build `first` to before `end`; *n counts them. */
static double squares(const struct bisect_change *c, int first, int end, int *n)
{
        double mean = 0.0, sum = 0.0;

        *n = 0;
        for (int i = first; i < end; i++)
                if (!isnan(c->level[i])) {
                        mean += c->level[i];
                        (*n)++;
                }
        mean /= *n > 0 ? *n : 1;
        for (int i = first; i < end; i++)
                if (!isnan(c->level[i]))
                        sum += (c->level[i] - mean) * (c->level[i] - mean);
        return sum;
}

/* Of n levels with so many squares left by so many means. */
static double log_weight(const struct bisect_change *c, double left, int n, int means)
{
        return -0.5 * n * log(left + LOOKS_BEFORE * c->least * c->least) -
               0.5 * means * log(n);
}

void bisect_change_solve(struct bisect_change *c)
{
        double most = -(double)INFINITY, sum = 0.0;

        for (int k = 0; k < c->builds; k++) {
                int before, behind;
                double left =
                        squares(c, 0, k, &before) + squares(c, k, c->builds, &behind);

                c->probability[k] =
                        log_weight(c, left, before + behind, k == 0 ? 1 : 2) +
                        log(k == 0 ? NO_CHANGE : (1.0 - NO_CHANGE) / (c->builds - 1));
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
