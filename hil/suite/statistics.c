/* Distributions, estimates and numbers of pairs. The sign-flip test is statistics_flip.c's. */
#include "hil/suite/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/sort.h"

#define EXACT_RANKS_MAX 100

/* Where f, falling from positive to negative over low..high, is zero. */
struct search {
        double low, high;
};

static double middle(const struct search *s)
{
        return 0.5 * (s->low + s->high);
}

static void narrow(struct search *s, bool above)
{
        *(above ? &s->low : &s->high) = middle(s);
}

double statistics_normal_quantile(double p)
{
        struct search s = { -40.0, 40.0 };

        if (!(p > 0.0) || p >= 1.0)
                return p > 0.0 ? INFINITY : -INFINITY;
        /* Looked for in the lower half, where erfc() loses no digits. */
        for (int i = 0; i < 100; i++)
                narrow(&s, 0.5 * erfc(-middle(&s) * M_SQRT1_2) < fmin(p, 1.0 - p));
        return p < 0.5 ? middle(&s) : -middle(&s);
}

/* Lentz's continued fraction of the incomplete beta function (Press et al., Numerical Recipes,
 * 6.4.5), for x on its fast side. */
static double beta_fraction(double a, double b, double x)
{
        const double tiny = 1e-300;
        double c = 1.0, d = 1.0 - (a + b) * x / (a + 1.0), h;

        d = 1.0 / (fabs(d) < tiny ? tiny : d);
        h = d;
        for (int m = 1; m <= 500; m++) {
                double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
                double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
                double step;

                d = 1.0 + even * d;
                c = 1.0 + even / c;
                d = 1.0 / (fabs(d) < tiny ? tiny : d);
                c = fabs(c) < tiny ? tiny : c;
                h *= d * c;
                d = 1.0 + odd * d;
                c = 1.0 + odd / c;
                d = 1.0 / (fabs(d) < tiny ? tiny : d);
                c = fabs(c) < tiny ? tiny : c;
                step = d * c;
                h *= step;
                if (fabs(step - 1.0) < 1e-15)
                        break;
        }
        return h;
}

static double log_gamma(double x)
{
        int sign;

        return lgamma_r(x, &sign);
}

/* The regularised incomplete beta function I_x(a, b). */
static double beta(double a, double b, double x)
{
        double front;

        if (!(x > 0.0) || x >= 1.0)
                return x > 0.0 ? 1.0 : 0.0;
        front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) +
                    b * log1p(-x));
        if (x < (a + 1.0) / (a + b + 2.0))
                return front * beta_fraction(a, b, x) / a;
        return 1.0 - front * beta_fraction(b, a, 1.0 - x) / b;
}

double statistics_t_two_sided(double t, double df)
{
        if (isinf(t))
                return 0.0;
        return beta(0.5 * df, 0.5, df / (df + t * t));
}

double statistics_t_quantile(double p, double df)
{
        double tail = 2.0 * fmin(p, 1.0 - p);
        struct search s = { 0.0, 1.0 };

        if (!(tail > 0.0))
                return p < 0.5 ? -INFINITY : INFINITY;
        while (s.high < 1e12 && statistics_t_two_sided(s.high, df) > tail)
                s.high *= 2.0;
        for (int i = 0; i < 200; i++)
                narrow(&s, statistics_t_two_sided(middle(&s), df) > tail);
        return p < 0.5 ? -middle(&s) : middle(&s);
}

double statistics_binomial_two_sided(int k, int n)
{
        int fewer = k < n - k ? k : n - k;
        double tail = 0.0;

        for (int i = 0; i <= fewer; i++)
                tail += exp(log_gamma(n + 1.0) - log_gamma(i + 1.0) -
                            log_gamma(n - i + 1.0) - n * M_LN2);
        return fmin(2.0 * tail, 1.0);
}

double statistics_unseen_share(int n, double confidence)
{
        return n > 0 ? -expm1(log1p(-confidence) / n) : 1.0;
}

double statistics_mean(const double *d, int n)
{
        double sum = 0.0;

        for (int i = 0; i < n; i++)
                sum += d[i];
        return n > 0 ? sum / n : NAN;
}

double statistics_deviation(const double *d, int n)
{
        double mean = statistics_mean(d, n), sum = 0.0;

        for (int i = 0; i < n; i++)
                sum += (d[i] - mean) * (d[i] - mean);
        return n > 1 ? sqrt(sum / (n - 1)) : 0.0;
}

/* The largest rank sum w with P(W <= w) <= tail for n pairs without ties; -1: there is none. The
 * distribution grows by one rank at a time: half of the ways leave it out. */
static int exact_rank_bound(int n, double tail)
{
        static const int sums = EXACT_RANKS_MAX * (EXACT_RANKS_MAX + 1) / 2;
        double p[EXACT_RANKS_MAX * (EXACT_RANKS_MAX + 1) / 2 + 1] = { 1.0 }, below = 0.0;
        int w = -1;

        for (int rank = 1; rank <= n; rank++)
                for (int s = rank * (rank + 1) / 2; s >= 0; s--)
                        p[s] = 0.5 * (p[s] + (s >= rank ? p[s - rank] : 0.0));
        while (w < sums && below + p[w + 1] <= tail)
                below += p[++w];
        return w;
}

static int rank_bound(int n, double tail)
{
        double mean = 0.25 * n * (n + 1.0);
        double deviation = sqrt(n * (n + 1.0) * (2.0 * n + 1.0) / 24.0);

        if (n <= EXACT_RANKS_MAX)
                return exact_rank_bound(n, tail);
        return (int)floor(mean + statistics_normal_quantile(tail) * deviation - 0.5);
}

bool statistics_hodges_lehmann(const double *d, int n, double confidence,
                               struct interval *out)
{
        size_t count = (size_t)n * ((size_t)n + 1) / 2, at = 0;
        double *mean = malloc(count * sizeof *mean);
        int bound = rank_bound(n, 0.5 * (1.0 - confidence));

        *out = (struct interval){ NAN, -INFINITY, INFINITY };
        if (mean == NULL)
                return false;
        for (int i = 0; i < n; i++)
                for (int k = i; k < n; k++)
                        mean[at++] = 0.5 * d[i] + 0.5 * d[k];
        sort_doubles(mean, count);
        out->estimate = 0.5 * mean[(count - 1) / 2] + 0.5 * mean[count / 2];
        if (bound >= 0) {
                out->low = mean[bound];
                out->high = mean[count - 1 - (size_t)bound];
        }
        free(mean);
        return bound >= 0;
}

int statistics_fewest_pairs(double alpha)
{
        int n = 1;

        while (n < 60 && ldexp(2.0, -n) > alpha)
                n++;
        return n;
}

int statistics_fewest_exchanged(double alpha)
{
        double ways = 2.0;
        int n = 1;

        for (; n < 30 && 2.0 / ways > alpha; n++)
                ways *= 2.0 * (2.0 * n + 1.0) / (n + 1.0);
        return n;
}

/* Whether n pairs do: the question of the two functions below. */
static bool finds(int n, double effect, double alpha, double power)
{
        return sqrt(n) * effect - statistics_t_quantile(1.0 - 0.5 * alpha, n - 1.0) >=
               statistics_normal_quantile(power);
}

static bool excludes(int n, double room, double deviation, double confidence)
{
        return statistics_t_quantile(0.5 + 0.5 * confidence, n - 1.0) * deviation <=
               room * sqrt(n);
}

/* What a number of pairs must be enough for. */
struct pair_search {
        double alpha, power; /* to find an effect */
        double effect;
        double confidence, deviation; /* or to exclude what is beyond the room */
        double room;
        bool exclude;
};

static bool are_enough(int n, const struct pair_search *s)
{
        return s->exclude ? excludes(n, s->room, s->deviation, s->confidence)
                          : finds(n, s->effect, s->alpha, s->power);
}

static int fewest_enough(const struct pair_search *s)
{
        int low = 1, high = 2;

        while (high < PAIRS_NEVER && !are_enough(high, s)) {
                low = high;
                high *= 2;
        }
        if (high >= PAIRS_NEVER)
                return PAIRS_NEVER;
        while (high - low > 1) {
                int half = low + (high - low) / 2;

                *(are_enough(half, s) ? &high : &low) = half;
        }
        return high;
}

int statistics_pairs_to_find(double effect, double alpha, double power)
{
        return fewest_enough(&(struct pair_search){
                .effect = fabs(effect), .alpha = alpha, .power = power });
}

int statistics_pairs_to_exclude(double mean, double deviation, double margin,
                                double confidence)
{
        const struct pair_search s = { .exclude = true,
                                       .room = margin - fabs(mean),
                                       .deviation = deviation,
                                       .confidence = confidence };

        return s.room > 0.0 ? fewest_enough(&s) : PAIRS_NEVER;
}
