/* A flight controller's own settings in rig files and scenarios: which codec can say them, and, of the
 * reference flight controller that the rig starts itself, which there are. Another firmware's are its own:
 * only it can say whether it has them. */
#ifndef HIL_CONFIG_OPTION_H
#define HIL_CONFIG_OPTION_H

#include "hil/config/table.h"

/* fc.options of a vehicle, once everything else of its `fc` is built. node: the vehicle. */
bool config_check_options(const struct fc_config *fc, const struct json *node,
                          struct config_error *why);

/* An fc_option for this vehicle. node: the step. */
bool config_check_fc_option(const struct fc_option *option,
                            const struct vehicle_config *v, const struct json *node,
                            struct config_error *why);

#endif
