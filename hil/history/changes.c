#include "hil/history/changes.h"

#include <math.h>
#include <stdlib.h>

#define WITHIN 0.95
/* Releases that the least spread is worth. */
#define RELEASES_BEFORE 2.0

struct segments {
        int n; /* levels that are known */
        int *release; /* [n]: whose */
        double *sum, *square; /* [n + 1]: of those before, less the mean of all */
        double *left; /* [most + 1][n + 1]: least squares of the first so many, with so many changes */
        int *begin; /* the same: where the last segment begins */
        int most;
};

static void close_segments(struct segments *s)
{
        free(s->release);
        free(s->sum);
        free(s->square);
        free(s->left);
        free(s->begin);
}

static bool open_segments(struct segments *s, const double *level, int releases)
{
        size_t room = (size_t)releases + 1;
        double mean = 0.0;

        *s = (struct segments){ 0 };
        s->release = calloc(room, sizeof *s->release);
        s->sum = calloc(room, sizeof *s->sum);
        s->square = calloc(room, sizeof *s->square);
        s->left = calloc((HISTORY_CHANGES_MAX + 1) * room, sizeof *s->left);
        s->begin = calloc((HISTORY_CHANGES_MAX + 1) * room, sizeof *s->begin);
        if (s->release == NULL || s->sum == NULL || s->square == NULL ||
            s->left == NULL || s->begin == NULL) {
                close_segments(s);
                return false;
        }
        for (int i = 0; i < releases; i++)
                if (!isnan(level[i])) {
                        mean += level[i];
                        s->release[s->n++] = i;
                }
        for (int i = 0; i < s->n; i++) {
                double d = level[s->release[i]] - mean / s->n;

                s->sum[i + 1] = s->sum[i] + d;
                s->square[i + 1] = s->square[i] + d * d;
        }
        s->most = s->n - 2 < HISTORY_CHANGES_MAX ? s->n - 2 : HISTORY_CHANGES_MAX;
        return true;
}

/* Squares of levels first to before end about their mean. */
static double squares(const struct segments *s, int first, int end)
{
        double sum = s->sum[end] - s->sum[first];

        return fmax(s->square[end] - s->square[first] - sum * sum / (end - first), 0.0);
}

static void place(struct segments *s)
{
        int room = s->n + 1;

        for (int end = 1; end <= s->n; end++)
                s->left[end] = squares(s, 0, end);
        for (int k = 1; k <= s->most; k++)
                for (int end = k + 1; end <= s->n; end++) {
                        double least = (double)INFINITY;

                        for (int b = k; b < end; b++) {
                                double left =
                                        s->left[(k - 1) * room + b] + squares(s, b, end);

                                if (left >= least)
                                        continue;
                                least = left;
                                s->begin[k * room + end] = b;
                        }
                        s->left[k * room + end] = least;
                }
}

static double log_left(const struct segments *s, double left, double least)
{
        return 0.5 * s->n * log(left + RELEASES_BEFORE * least * least);
}

/* A change is worth what it costs if scatter would seem to show one, somewhere, with no more than that chance. The spread is
 * learned from n - 1 - k degrees of freedom, and Student's t, which that makes of it, has a tail of so many powers: with few
 * releases a change has to be large. */
static int choose_count(const struct segments *s, double least, double doubt)
{
        double best = (double)INFINITY;
        int count = 0;

        for (int k = 0; k == 0 || k <= s->most; k++) {
                double asked =
                        k == 0 ? 0.0
                               : k * (log(s->n) - log(doubt)) * s->n / (s->n - 1 - k);
                double cost = log_left(s, s->left[k * (s->n + 1) + s->n], least) + asked;

                if (cost >= best)
                        continue;
                best = cost;
                count = k;
        }
        return count;
}

static double mean_of(const struct segments *s, const double *level, int first, int end)
{
        double sum = 0.0;

        for (int i = first; i < end; i++)
                sum += level[s->release[i]];
        return sum / (end - first);
}

/* The shortest row of places about the best one that has 95 % of the probability, its neighbours being where they are. */
static void bound(const struct segments *s, struct history_change *c, const int *begin,
                  double total, double least)
{
        int low = begin[0] + 1, high = begin[2] - 1, first = begin[1], last = begin[1];
        double own = squares(s, begin[0], begin[1]) + squares(s, begin[1], begin[2]);
        double sum = 0.0, got = 1.0;

#define WEIGHT(k)                                                                        \
        exp(log_left(s, total, least) -                                                  \
            log_left(s, total - own + squares(s, begin[0], k) + squares(s, k, begin[2]), \
                     least))
        for (int k = low; k <= high; k++)
                sum += WEIGHT(k);
        while (got < WITHIN * sum && (first > low || last < high)) {
                double before = first > low ? WEIGHT(first - 1) : -1.0;
                double behind = last < high ? WEIGHT(last + 1) : -1.0;

                got += fmax(before, behind);
                if (before >= behind)
                        first--;
                else
                        last++;
        }
#undef WEIGHT
        c->at = s->release[begin[1]];
        c->first = s->release[first];
        c->last = s->release[last];
}

static void tell(const struct segments *s, struct history_changes *c, const double *level,
                 double least)
{
        int begin[HISTORY_CHANGES_MAX + 2] = { 0 }, room = s->n + 1;
        double total = s->left[c->count * room + s->n];

        begin[c->count + 1] = s->n;
        for (int k = c->count; k > 0; k--)
                begin[k] = s->begin[k * room + begin[k + 1]];
        for (int k = 1; k <= c->count; k++) {
                struct history_change *change = &c->of[k - 1];

                bound(s, change, begin + k - 1, total, least);
                change->from = mean_of(s, level, begin[k - 1], begin[k]);
                change->to = mean_of(s, level, begin[k], begin[k + 1]);
        }
        c->spread = sqrt(total / fmax(s->n - 1 - c->count, 1));
}

bool history_find_changes(struct history_changes *c, const double *level, int releases,
                          double least, double doubt)
{
        struct segments s;

        *c = (struct history_changes){ 0 };
        if (!open_segments(&s, level, releases))
                return false;
        if (s.n > 1) {
                place(&s);
                c->count = choose_count(&s, least, doubt);
                tell(&s, c, level, least);
        }
        close_segments(&s);
        return true;
}
