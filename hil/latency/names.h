/* How the figures of a latency measurement are called. */
#ifndef HIL_LATENCY_NAMES_H
#define HIL_LATENCY_NAMES_H

#include <stddef.h>

struct response_model;

#define LATENCY_QUANTILES 4

extern const struct latency_quantile_name {
        const char *name; /* for people */
        const char *key; /* for programs */
        double p;
} latency_quantiles[LATENCY_QUANTILES];

extern const char *const latency_axes[3];

/* "fit behind lag:80". */
void latency_filter_text(const struct response_model *m, char *text, size_t cap);

#endif
