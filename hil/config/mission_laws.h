/* Gains of the laws that say where to fly: height above ground, take-off, landing, way-points,
 * obstacles. */
#ifndef HIL_CONFIG_MISSION_LAWS_H
#define HIL_CONFIG_MISSION_LAWS_H

#include "hil/config/table.h"

/* Objects of a flight_controller file. */
extern const struct config_table config_height_fusion_table;
extern const struct config_table config_takeoff_states_table;
extern const struct config_table config_takeoff_thesis_table;
extern const struct config_table config_landing_states_table;
extern const struct config_table config_landing_thesis_table;
extern const struct config_table config_position_thesis_table;
extern const struct config_table config_sonar_ring_table;
extern const struct config_table config_avoid_states_table;
extern const struct config_table config_avoid_levels_table;

#endif
