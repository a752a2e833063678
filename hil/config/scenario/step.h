/* One step of a scenario file. */
#ifndef HIL_CONFIG_SCENARIO_STEP_H
#define HIL_CONFIG_SCENARIO_STEP_H

#include "hil/config/kinds.h"

extern const struct config_table config_step_table;

/* Step `index` of the file. The rig's vehicles and times are built already. */
bool config_build_step(struct scenario_step *step, const struct scenario_file *file,
                       int index, const struct rig_config *rig, const struct json *node,
                       struct config_error *why);

#endif
