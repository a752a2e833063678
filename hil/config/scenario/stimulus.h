/* The "stimulus" of a scenario's step. */
#ifndef HIL_CONFIG_SCENARIO_STIMULUS_H
#define HIL_CONFIG_SCENARIO_STIMULUS_H

#include "hil/config/table.h"
#include "hil/scenario/stimulus.h"

struct stimulus_file {
        int input; /* its place among the names */
        int shape;
        double amplitude; /* in the unit of the input's name */
        int64_t for_ns, chip_ns;
        double from_hz, to_hz;
        int bits;
        bool from_given, to_given, bits_given, chip_given;
};

extern const struct config_table config_stimulus_table;

/* Also checks what depends on the rig's period: frequencies below half the rate, chips and halves of
 * a doublet of whole periods. */
bool config_build_stimulus(struct stimulus *s, const struct stimulus_file *file,
                           int64_t period_ns, const struct json *node,
                           struct config_error *why);

/* A few words: "gyro_x_dps prbs 3 for 20 s". */
void stimulus_describe(const struct stimulus *s, char *text, size_t cap);

#endif
