/* A scenario step's fault of the wire: {"does": "drop", "direction": "to_fc", ...}. */
#ifndef HIL_CONFIG_SCENARIO_WIRE_FAULT_H
#define HIL_CONFIG_SCENARIO_WIRE_FAULT_H

#include "hil/config/table.h"
#include "io/wire/wire_fault.h"

struct wire_fault_file {
        int does, direction;
        double probability, error_ratio, clock_error;
        int count, channel, ticks, bytes, bits;
        bool direction_given, probability_given, count_given, frame_given, channel_given,
                ticks_given, bytes_given, bits_given, ratio_given, clock_given;
        char frame[32];
};

extern const struct config_table config_wire_fault_table;

/* codec: the name in the rig file, for what its frames are called. Keys that the fault has no use for
 * are refused. */
bool config_build_wire_fault(struct wire_fault *out, const struct wire_fault_file *file,
                             const char *codec, const struct json *node,
                             struct config_error *why);

/* Whether the fault can be of this flight controller's links. */
bool config_check_wire_fault(const struct wire_fault *fault, const struct fc_config *fc,
                             const struct json *node, struct config_error *why);

/* What it does, in a few words: "drops sensors to the FC, 10 % of them, at most 5". */
void wire_fault_describe(const struct wire_fault *fault, char *text, size_t cap);

#endif
