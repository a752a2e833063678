/* Settings of the reference flight controller that can be changed by name, at the start or in
 * flight: the law to fly by, a fault to show. */
#pragma once

#include "models/fc/fc.h"

/* One setting. To add another: a row in option.c. */
struct fc_option_row {
        const char *key; /* at most 20 characters of printable ASCII */
        const char *const *values; /* possible values, NULL at the end */
        /* Stores a value in *p and, if it changes what the controller remembers, in *fc. An empty
         * value means that of `given`, the parameters without any option. False: no such value;
         * nothing has changed. */
        bool (*set)(struct fc *fc, struct fc_params *p, const struct fc_params *given,
                    const char *value);
};

/* Sets one of the rows, key NULL at the end. False: no such key, or no such value of it. */
bool fc_option_set(const struct fc_option_row *row, struct fc *fc, struct fc_params *p,
                   const struct fc_params *given, const char *key, const char *value);

/* The same with the reference flight controller's own rows. `p` is a copy of `given` that belongs
 * to the caller, who makes a fresh one at each hello, before fc_init(). */
bool fc_option(struct fc *fc, struct fc_params *p, const struct fc_params *given,
               const char *key, const char *value);

/* The reference flight controller's settings by index from 0; NULL after the last. */
const struct fc_option_row *fc_option_row(int i);
