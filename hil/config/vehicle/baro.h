/* The barometer of a vehicle file, and the part that it is. */
#ifndef HIL_CONFIG_VEHICLE_BARO_H
#define HIL_CONFIG_VEHICLE_BARO_H

#include "hil/config/axes.h"

#define BARO_MODES_MAX 12

struct baro_part_file {
        struct scalar_file pressure, temperature;
        double drift_pa_per_k, drift_reference_k;
        double heating_k, heating_tau_s;
        int oversampling;
        bool oversampling_given;
        int modes;
        struct baro_mode_file {
                int oversampling;
                double sigma_pa;
        } mode[BARO_MODES_MAX];
        bool bmp180_given;
        struct bmp180_file {
                int oversampling;
                int ac1, ac2, ac3, ac4, ac5, ac6, b1, b2, mb, mc, md;
        } bmp180;
};

struct baro_file {
        struct schedule_params schedule;
        struct vec3 lever_arm_m;
        struct baro_part_file part;
        /* In the part's stead. */
        struct scalar_file pressure, temperature;
        int oversampling;
        struct {
                bool sigma, lsb, min, max, sigma_k, lsb_k, oversampling;
        } given;
        struct vec3 wind_ratio;
        double wash_ratio, wash_ground_ratio;
        double drift_sigma_pa, drift_tau_s;
};

extern const struct config_table config_baro_table;
extern const struct config_table config_baro_part_table;

/* node is the object that holds the key "baro". */
bool config_build_baro(struct baro_params *p, const struct baro_file *file,
                       const struct json *node, struct config_error *why);

#endif
