/* The inertial navigation system. */
#include "hil/config/vehicle/sensors.h"

static const struct config_field ins_fields[] = {
        CONFIG_RATE_AND_PHASE(ins_params, schedule),
        CONFIG_DELAY(ins_params, schedule, 1000000),
        { "sigma", CONFIG_NUMBER,
          "Noise of each step, as a share of the distance and turn in it (Gruber "
          "5.2.7.3: 0.01).",
          BETWEEN(0, 1), .preset = "0", AT(ins_params, sigma) },
        { "drifting", CONFIG_BOOL,
          "The noise has a mean: a/p of the distance and a/p^2 of the turn, with a drawn "
          "once between -0.5 and 0.5.",
          .preset = "false", AT(ins_params, drifting) },
        { "precision", CONFIG_NUMBER, "p, for drifting.", AT_LEAST(1), AT_MOST(1e9),
          .preset = "1000", AT(ins_params, precision) },
        { NULL },
};

const struct config_table config_ins_table = {
        .name = "ins",
        .about = "Inertial navigation system, simulated as a whole.",
        .field = ins_fields,
};
