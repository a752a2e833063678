/* The pilot of a rig's vehicle, and what is connected to the board's further ports. */
#ifndef HIL_CONFIG_PILOT_H
#define HIL_CONFIG_PILOT_H

#include "hil/config/config.h"
#include "hil/config/table.h"

struct pilot_file {
        struct pilot_params params;
        int arm_channel, hold_channel; /* counted from 1; 0: none */
        bool given;
};

struct port_file {
        char device[32];
        char link[160];
        int baud;
        int sonar;
};

extern const struct config_table config_pilot_table;
extern const struct config_table config_port_table;

/* node is the rig's vehicle. */
bool config_build_pilot(struct pilot_params *p, const struct pilot_file *file,
                        const struct json *node, struct config_error *why);
bool config_build_ports(struct vehicle_config *v, const struct port_file *file, int ports,
                        const struct json *node, struct config_error *why);

#endif
