/* Latencies as a distribution: quantiles with the confidence that their number gives, and what becomes of
 * them when the times are counted at which something should have happened but did not. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct latency_samples {
        int count, capacity;
        double *s; /* in the order of being added, until latency_sort() */
};

/* False: no memory. What is not a number is not added. */
bool latency_add(struct latency_samples *l, double s);
void latency_sort(struct latency_samples *l);
void latency_free(struct latency_samples *l);

/* A figure with the interval that has it with a probability of 95 % at least; NAN: so many samples give
 * no such bound. */
struct latency_figure {
        double s, low_s, high_s;
};

/* Of sorted samples: the smallest that at least the share p does not exceed. Its interval reaches from one
 * sample to another, by the binomial distribution of how many lie below the true quantile, so that nothing is
 * assumed of the distribution but that the samples do not depend on each other. All NAN: no samples. */
struct latency_figure latency_quantile(const struct latency_samples *l, double p);
/* Mean, with 1.96 standard errors either way. */
struct latency_figure latency_mean(const struct latency_samples *l);

/* Factor, 1 at most, by which standard errors of samples are to be multiplied so that their root mean square is
 * no larger than the samples' own standard deviation: what is measured with independent noise scatters by that
 * noise at least. */
double latency_error_scale(const struct latency_samples *l,
                           const struct latency_samples *errors);

/* Ranks, from 1, of the samples that bound the quantile p of n; 0: none. */
void latency_ranks(int n, double p, int *low, int *high);

/* One tick, and the frame that should have gone out at due_s, whether it did or not. */
struct latency_frame {
        double due_s; /* NAN: none should have */
        double sent_s; /* NAN: it did not */
        double answer_s; /* when something came that answers a frame; NAN: nothing came in this period */
        int answers; /* index of the frame that the answer is to */
};

/* A board may take every second frame, every fourth: ticks between those have none that is due. Takes the usual
 * distance of those that were sent for it, and returns how many were due; *missed: of them, how many were not sent. */
int latency_mark_due(struct latency_frame *frame, int count, int *missed);

/* Per frame that was sent and answered itself: from sent_s to the answer. */
bool latency_round_trips(const struct latency_frame *frame, int count,
                         struct latency_samples *out);
/* Per frame, sent or not: from due_s to the first answer that knows of it. A stall of n periods gives n
 * samples, each a period shorter than the last, as Tene's correction for coordinated omission adds them. Frames
 * at the end that nothing answers are left out; wait_s[i], if given, gets each one's, NAN for those. */
bool latency_intended(const struct latency_frame *frame, int count, double *wait_s,
                      struct latency_samples *out);

/* Of sorted samples: bars over `bins` equal steps between the quantiles 0.001 and 0.999 and what lies
 * outside. */
#define LATENCY_BINS 24

struct latency_bins {
        double from_s, step_s;
        int below, above;
        int count[LATENCY_BINS];
};

void latency_bin(const struct latency_samples *l, struct latency_bins *out);
void latency_print_bins(FILE *out, const struct latency_bins *b);
