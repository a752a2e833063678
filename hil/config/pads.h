/* The motor pads of a rig's vehicle: what captures them, and what the rig does with them. */
#ifndef HIL_CONFIG_PADS_H
#define HIL_CONFIG_PADS_H

#include "hil/config/config.h"
#include "hil/config/table.h"

struct pads_file {
        char source[160];
        double rate_hz;
        int use, clock, protocol, polarity;
        int rotors;
        uint16_t rotor[ROTORS_MAX]; /* the pad of each */
        double low_us, high_us;
        bool three_d;
        double glitch_s;
        int64_t silence_ns;
        int gaps_max;
        bool given;
};

extern const struct config_table config_pads_table;

/* node is the rig's vehicle. */
bool config_build_pads(struct vehicle_config *v, const struct pads_file *file,
                       enum pace pace, const struct json *node, struct config_error *why);

#endif
