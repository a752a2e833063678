/* The magnetometer of a vehicle file, and the part that it is. */
#ifndef HIL_CONFIG_VEHICLE_MAG_H
#define HIL_CONFIG_VEHICLE_MAG_H

#include "hil/config/axes.h"

struct mag_part_file {
        double sigma_t[3];
        double noise_t_rthz;
        double lsb_t, range_t;
        bool range_given;
        double gain_per_k;
        struct vec3 bias_t_per_k;
        double reference_k;
};

struct mag_file {
        struct schedule_params schedule;
        struct mounting_file mounting;
        struct mag_part_file part;
        struct vec3 hard_iron_t, current_t_per_a;
        struct axes_file soft_iron; /* its matrix alone */
        struct axes_file field; /* the noise, LSB and range in the part's stead */
        bool sigma_given, lsb_given;
};

extern const struct config_table config_mag_table;
extern const struct config_table config_mag_part_table;

void config_build_mag(struct mag_params *p, const struct mag_file *file);

#endif
