/* The flight controller's parameters, which the build writes from a file of
 * rig_configs/flight_controllers/: see params_c.c. */
#pragma once

#include "models/fc/laws/params.h"

/* As the words that stand in flash, so that no member can be forgotten. */
union firmware_params_image {
        uint32_t word[sizeof(struct fc_params) / sizeof(uint32_t)];
        struct fc_params params;
};

extern const union firmware_params_image firmware_params_image;
#define firmware_params (firmware_params_image.params)
