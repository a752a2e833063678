/* Moving air and regions of a world file. */
#ifndef HIL_CONFIG_WORLD_WIND_H
#define HIL_CONFIG_WORLD_WIND_H

#include "hil/config/table.h"

struct region_file {
        char name[NAME_MAX_LEN];
        struct vec3 at_ned_m;
        double size_m[3]; /* along its own north, east, down before the turn */
        double yaw_rad;
        struct vec3 wind_ned_mps, force_ned_n;
};

/* Of a struct gust, a struct wind_params, a struct region_file. */
extern const struct config_table config_gust_table;
extern const struct config_table config_turbulence_table;
extern const struct config_table config_region_table;

void config_build_regions(struct world *world, const struct region_file *file, int count);

#endif
