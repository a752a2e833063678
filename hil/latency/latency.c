/* Order statistics and their confidence. */
#include "hil/latency/latency.h"

#include <math.h>
#include <stdlib.h>

#include "io/sort.h"

#define MISS 0.025 /* of either end of an interval */
#define BAR  48 /* characters */

bool latency_add(struct latency_samples *l, double s)
{
        if (isnan(s))
                return true;
        if (l->count == l->capacity) {
                int capacity = l->capacity > 0 ? 2 * l->capacity : 256;
                double *more = realloc(l->s, (size_t)capacity * sizeof *more);

                if (more == NULL)
                        return false;
                l->s = more;
                l->capacity = capacity;
        }
        l->s[l->count++] = s;
        return true;
}

void latency_free(struct latency_samples *l)
{
        free(l->s);
        *l = (struct latency_samples){ 0 };
}

void latency_sort(struct latency_samples *l)
{
        if (l->count > 1)
                sort_doubles(l->s, (size_t)l->count);
}

/* Probability of exactly k of n. */
static double binomial(int n, int k, double p)
{
        return exp(lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0) + k * log(p) +
                   (n - k) * log1p(-p));
}

/* The low one is the largest whose chance to lie above the quantile is at most MISS: that of fewer than
 * `low` samples below it. The high one likewise. */
void latency_ranks(int n, double p, int *low, int *high)
{
        double below = 0.0; /* chance of fewer than k */

        *low = *high = 0;
        if (!(p > 0.0 && p < 1.0))
                return;
        for (int k = 0; k <= n; k++) {
                if (below <= MISS)
                        *low = k;
                if (below >= 1.0 - MISS && k > 0) {
                        *high = k;
                        return;
                }
                below += binomial(n, k, p);
        }
}

struct latency_figure latency_quantile(const struct latency_samples *l, double p)
{
        struct latency_figure f = { NAN, NAN, NAN };
        int low, high, rank;

        if (l->count == 0)
                return f;
        /* The rounding error of the product must not ask for one sample more. */
        rank = (int)ceil(p * l->count - 1e-6);
        f.s = l->s[rank > 1 ? rank - 1 : 0];
        latency_ranks(l->count, p, &low, &high);
        if (low > 0)
                f.low_s = l->s[low - 1];
        if (high > 0)
                f.high_s = l->s[high - 1];
        return f;
}

struct latency_figure latency_mean(const struct latency_samples *l)
{
        struct latency_figure f = { NAN, NAN, NAN };
        double sum = 0.0, squares = 0.0, error;

        if (l->count == 0)
                return f;
        for (int i = 0; i < l->count; i++)
                sum += l->s[i];
        f.s = sum / l->count;
        if (l->count < 2)
                return f;
        for (int i = 0; i < l->count; i++)
                squares += (l->s[i] - f.s) * (l->s[i] - f.s);
        error = 1.959964 * sqrt(squares / (l->count - 1.0) / l->count);
        f.low_s = f.s - error;
        f.high_s = f.s + error;
        return f;
}

double latency_error_scale(const struct latency_samples *l,
                           const struct latency_samples *errors)
{
        double mean = latency_mean(l).s, scatter = 0.0, stated = 0.0;

        if (l->count < 2 || errors->count == 0)
                return 1.0;
        for (int i = 0; i < l->count; i++)
                scatter += (l->s[i] - mean) * (l->s[i] - mean) / (l->count - 1.0);
        for (int i = 0; i < errors->count; i++)
                stated += errors->s[i] * errors->s[i] / errors->count;
        return stated > scatter ? sqrt(scatter / stated) : 1.0;
}

#define APART_MAX 64 /* ticks from frame to frame */

/* The most frequent distance, from one that was sent to the next. */
static int usual_distance(const struct latency_frame *frame, int count)
{
        int times[APART_MAX + 1] = { 0 }, before = -1, usual = 1;

        for (int i = 0; i < count; i++) {
                if (isnan(frame[i].sent_s))
                        continue;
                if (before >= 0 && i - before <= APART_MAX)
                        times[i - before]++;
                before = i;
        }
        for (int apart = 2; apart <= APART_MAX; apart++)
                if (times[apart] > times[usual])
                        usual = apart;
        return usual;
}

/* They go out at ticks with the same remainder. */
static int usual_remainder(const struct latency_frame *frame, int count, int apart)
{
        int times[APART_MAX] = { 0 }, usual = 0;

        for (int i = 0; i < count; i++)
                times[i % apart] += !isnan(frame[i].sent_s);
        for (int remainder = 1; remainder < apart; remainder++)
                if (times[remainder] > times[usual])
                        usual = remainder;
        return usual;
}

int latency_mark_due(struct latency_frame *frame, int count, int *missed)
{
        int apart = usual_distance(frame, count);
        int remainder = usual_remainder(frame, count, apart);
        int due = 0;

        *missed = 0;
        for (int i = 0; i < count; i++) {
                bool sent = !isnan(frame[i].sent_s);

                if (!sent && i % apart != remainder) {
                        frame[i].due_s = NAN;
                        continue;
                }
                due++;
                *missed += !sent;
        }
        return due;
}

bool latency_round_trips(const struct latency_frame *frame, int count,
                         struct latency_samples *out)
{
        for (int i = 0; i < count; i++) {
                int to = frame[i].answers;

                if (isnan(frame[i].answer_s) || to < 0 || to >= count)
                        continue;
                if (!latency_add(out, frame[i].answer_s - frame[to].sent_s))
                        return false;
        }
        return true;
}

bool latency_intended(const struct latency_frame *frame, int count, double *wait_s,
                      struct latency_samples *out)
{
        int next = 0;

        for (int i = 0; wait_s != NULL && i < count; i++)
                wait_s[i] = NAN;
        /* Each answer is the first that knows of the frames up to the one it is to. */
        for (int i = 0; i < count; i++) {
                if (isnan(frame[i].answer_s))
                        continue;
                for (; next <= frame[i].answers && next < count; next++) {
                        double s = frame[i].answer_s - frame[next].due_s;

                        if (wait_s != NULL)
                                wait_s[next] = s;
                        if (!latency_add(out, s))
                                return false;
                }
        }
        return true;
}

void latency_bin(const struct latency_samples *l, struct latency_bins *out)
{
        double to_s;

        *out = (struct latency_bins){ 0 };
        if (l->count == 0)
                return;
        out->from_s = latency_quantile(l, 0.001).s;
        to_s = latency_quantile(l, 0.999).s;
        /* All alike: one bar of a nanosecond's width. */
        out->step_s = fmax((to_s - out->from_s) / LATENCY_BINS, 1e-9);
        for (int i = 0; i < l->count; i++) {
                double at = (l->s[i] - out->from_s) / out->step_s;

                if (at < 0.0)
                        out->below++;
                else if (l->s[i] > to_s)
                        out->above++;
                else
                        out->count[at < LATENCY_BINS ? (int)at : LATENCY_BINS - 1]++;
        }
}

static void print_bar(FILE *out, int count, int most)
{
        int length = (int)ceil((double)BAR * count / most);

        fprintf(out, "%8d ", count);
        for (int i = 0; i < length; i++)
                fputc('#', out);
        fputc('\n', out);
}

void latency_print_bins(FILE *out, const struct latency_bins *b)
{
        int most = b->below > b->above ? b->below : b->above;
        int last = 0;

        for (int i = 0; i < LATENCY_BINS; i++) {
                most = b->count[i] > most ? b->count[i] : most;
                last = b->count[i] > 0 ? i : last;
        }
        if (most == 0)
                return;
        if (b->below > 0) {
                fprintf(out, "%12s ", "less");
                print_bar(out, b->below, most);
        }
        for (int i = 0; i <= last; i++) {
                fprintf(out, "%12.1f ", 1e6 * (b->from_s + i * b->step_s));
                print_bar(out, b->count[i], most);
        }
        if (b->above > 0) {
                fprintf(out, "%12s ", "more");
                print_bar(out, b->above, most);
        }
}
