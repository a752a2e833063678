/* Durations in a fixed amount of memory: log-linear buckets, 1 ns to 68 s, relative width 1/64.
 * Adding never allocates and never fails; quantiles are the upper edge of their bucket, clipped to
 * the largest value seen. */
#pragma once

#include <stdint.h>

#define HISTOGRAM_SUB_BITS 6
#define HISTOGRAM_BUCKETS  ((36 - HISTOGRAM_SUB_BITS + 1) << HISTOGRAM_SUB_BITS)

struct histogram {
        uint64_t count;
        int64_t max_ns;
        uint32_t bucket[HISTOGRAM_BUCKETS];
};

/* Negative counts as 0, more than 68 s as the last bucket. */
void histogram_add(struct histogram *h, int64_t ns);
/* p in 0..1: the smallest duration that at least p of the samples do not exceed; 0 if empty. */
int64_t histogram_quantile_ns(const struct histogram *h, double p);
/* The smallest duration that belongs to a bucket. */
int64_t histogram_edge_ns(int bucket);
/* into += from */
void histogram_merge(struct histogram *into, const struct histogram *from);
