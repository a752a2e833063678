/* White noise and a first-order Gauss-Markov process about an unknown mean: their sizes and the time constant, each with
 * its 95 % interval, by maximum likelihood. */
#pragma once

#include <stdint.h>

#include "hil/rest/noise.h"

#define MARKOV_RECORDS 24

/* Several records of one process, each with a mean of its own. */
struct markov_records {
        int records;
        struct markov_record {
                size_t count;
                const int64_t *t_ns;
                const double *value;
                int stride; /* doubles from value to value */
        } record[MARKOV_RECORDS];
};

struct markov {
        struct rest_value white, drift; /* 1 sigma */
        struct rest_value tau_s; /* in which the drift's autocorrelation falls to 1/e */
};

/* False: out of memory, or fewer than a hundred samples. */
bool markov_find(const struct markov_records *of, struct markov *out);
