/* White noise, bias instability and rate random walk of rates at rest, each with its 95 % interval, out of Allan variances. */
#pragma once

#include "hil/rest/allan.h"

#define NOISE_RECORDS 8

/* What was found of a number. from <= found <= to. */
struct rest_value {
        double found, from, to; /* INFINITY: no limit */
        bool told;
};

/* Several records of one process. */
struct noise_records {
        int records;
        const struct allan *allan[NOISE_RECORDS];
        const struct allan_scatter *scatter[NOISE_RECORDS];
};

struct noise {
        struct rest_value n, b, k; /* of allan.h, seconds and hertz */
        double from_s; /* averaging times from which the three describe the record */
        double square[ALLAN_NOISES]; /* N^2, (2 ln 2/pi) B^2, K^2/3 */
        bool described;
};

/* Of the first record's samples. */
void noise_amounts(const struct noise *noise, double period_s,
                   double amount[ALLAN_NOISES]);
/* False: not described, the records are too short or something else is in them. */
bool noise_find(const struct noise_records *of, struct noise *out);
