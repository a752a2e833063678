/* The names, keys and units of what rest tells. */
#pragma once

#include "hil/rest/rest.h"

#define GRAVITY 9.80665 /* m/s^2 in the g of the keys */

enum { REST_BIAS, REST_WHITE, REST_INSTABILITY, REST_WALK, REST_FIGURES };

extern const struct rest_units {
        const char *name, *key;
        struct {
                const char *name, *key, *unit;
                double scale; /* from SI */
        } figure[REST_FIGURES];
        const char *lsb_key;
        double lsb_scale;
        const char *sigma_key;
} rest_units[REST_HALVES];

#define REST_SLOWS (1 + REST_FIXES) /* the barometer and the errors of a fix */

extern const struct rest_slow {
        const char *name, *unit;
} rest_slow[REST_SLOWS];

extern const char *const rest_axes[3];

const struct rest_value *rest_figure(const struct rest_axis *a, int figure);
/* NULL: the logs say nothing of it. */
const struct markov *rest_slow_of(const struct rest_result *r, int slow, double *sigma);
