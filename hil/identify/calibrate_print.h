/* A calibration as a person reads it, as JSON, and as Paparazzi's airframe files have it. */
#ifndef HIL_IDENTIFY_CALIBRATE_PRINT_H
#define HIL_IDENTIFY_CALIBRATE_PRINT_H

#include <stdio.h>

#include "hil/identify/calibrate.h"

struct calibration_result {
        int vehicle;
        const char *name;
        double gravity_mps2, lsb_mps2;
        int positions;
        struct calibration fit;
};

/* False: not all was written. */
bool calibrate_print(FILE *out, const struct calibration_result *r, bool json);

#endif
