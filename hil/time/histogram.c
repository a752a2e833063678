/* Log-linear buckets: exact below 64 ns, then 64 of equal width in every factor of two.
 */
#include "hil/time/histogram.h"

#include <math.h>

#define SUB       (1 << HISTOGRAM_SUB_BITS)
#define LIMIT_BIT 36 /* the last bucket ends at 2^36 - 1 ns */

static int bucket_of(int64_t ns)
{
        int exponent;

        if (ns < SUB)
                return ns > 0 ? (int)ns : 0;
        if (ns >> LIMIT_BIT)
                return HISTOGRAM_BUCKETS - 1;
        exponent = 63 - __builtin_clzll((unsigned long long)ns) - HISTOGRAM_SUB_BITS;
        /* The leading bit is in ns >> exponent: it adds the one that `exponent` is short
         * of. */
        return exponent * SUB + (int)(ns >> exponent);
}

/* The largest duration that belongs to the bucket. */
static int64_t bucket_last_ns(int bucket)
{
        int exponent = bucket / SUB - 1;

        if (exponent <= 0)
                return bucket;
        return ((int64_t)(bucket % SUB + SUB + 1) << exponent) - 1;
}

int64_t histogram_edge_ns(int bucket)
{
        return bucket > 0 ? bucket_last_ns(bucket - 1) + 1 : 0;
}

/* Counts saturate: after four thousand million samples a bucket no longer wraps to
 * nothing. */
static void bucket_add(uint32_t *bucket, uint32_t n)
{
        *bucket = n < UINT32_MAX - *bucket ? *bucket + n : UINT32_MAX;
}

void histogram_add(struct histogram *h, int64_t ns)
{
        h->count++;
        if (ns > h->max_ns)
                h->max_ns = ns;
        bucket_add(&h->bucket[bucket_of(ns)], 1);
}

int64_t histogram_quantile_ns(const struct histogram *h, double p)
{
        /* The rounding error of the product must not ask for one sample more. */
        double rank = ceil(p * (double)h->count - 1e-6);
        uint64_t seen = 0;

        for (int i = 0; i < HISTOGRAM_BUCKETS - 1; i++) {
                seen += h->bucket[i];
                if (seen > 0 && (double)seen >= rank) {
                        int64_t last_ns = bucket_last_ns(i);

                        return last_ns < h->max_ns ? last_ns : h->max_ns;
                }
        }
        return h->max_ns;
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
        into->count += from->count;
        if (from->max_ns > into->max_ns)
                into->max_ns = from->max_ns;
        for (int i = 0; i < HISTOGRAM_BUCKETS; i++)
                bucket_add(&into->bucket[i], from->bucket[i]);
}
