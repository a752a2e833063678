/* A flight_controller file, and what a board can be asked to be set to. */
#pragma once

#include "hil/config/table.h"
#include "hil/config/vehicle/vehicle.h"
#include "models/fc/laws/params.h"
#include "models/vehicle/vehicle.h"

/* Which laws the reference flight controller flies by, and the gains of each. */

/* "laws" of a flight_controller file. */
extern const struct config_table config_laws_table;

/* The gains of its attitude laws, each a table, and its filters. */
extern const struct config_table config_filters_table;
extern const struct config_table config_kemper_table;
extern const struct config_table config_hoffmann_table;
extern const struct config_table config_dikmen_table;
extern const struct config_table config_finken_table;
extern const struct config_table config_sticks_table;

/* Makes what the file counts otherwise, and refuses a law without its gains. node is the flight_controller
 * object. */
bool config_build_laws(struct fc_params *p, const struct json *node,
                       struct config_error *why);

/* Gains of the laws that say where to fly: height above ground, take-off, landing, way-points,
 * obstacles. */

/* Objects of a flight_controller file. */
extern const struct config_table config_height_fusion_table;
extern const struct config_table config_takeoff_states_table;
extern const struct config_table config_takeoff_thesis_table;
extern const struct config_table config_landing_states_table;
extern const struct config_table config_landing_thesis_table;
extern const struct config_table config_position_thesis_table;
extern const struct config_table config_sonar_ring_table;
extern const struct config_table config_flock_table;
extern const struct config_table config_collective_table;
extern const struct config_table config_avoid_states_table;
extern const struct config_table config_avoid_levels_table;

/* A flight controller's own settings in rig files and scenarios: which codec can say them, and, of the
 * reference flight controller that the rig starts itself, which there are. Another firmware's are its own:
 * only it can say whether it has them. */

/* fc.options of a vehicle, once everything else of its `fc` is built. node: the vehicle. */
bool config_check_options(const struct fc_config *fc, const struct json *node,
                          struct config_error *why);

/* An fc_option for this vehicle. node: the step. */
bool config_check_fc_option(const struct fc_option *option,
                            const struct vehicle_config *v, const struct json *node,
                            struct config_error *why);

struct fc_file {
        char name[NAME_MAX_LEN];
        struct rotor_layout_file layout;
        struct fc_params params;
};

extern const struct config_table config_fc_table;

bool config_build_fc(struct fc_params *p, const struct fc_file *file,
                     const struct json *node, struct config_error *why);
