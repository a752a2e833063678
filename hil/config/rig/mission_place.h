/* Where a mission is flown: "place" of its file. */
#ifndef HIL_CONFIG_RIG_MISSION_PLACE_H
#define HIL_CONFIG_RIG_MISSION_PLACE_H

#include "hil/config/rig/rig.h"

/* Moves every place, and every altitude above the sea, so that the plan's home is where the vehicle starts. A plan without places
 * stays. False: it has such altitudes, and no home; node is the mission. */
bool config_move_mission(struct mission_plan *p, const struct earth_origin *origin,
                         struct vec3 start_ned_m, const struct json *node,
                         struct config_error *why);

#endif
