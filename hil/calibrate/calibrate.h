/* Calibration of an accelerometer from the positions in which it lay still, as Paparazzi's calibrate.py
 * does it for the FINken (FINken report 3.3.1): whatever the attitude, what it feels must be gravity.
 * Arithmetic only: where the samples come from is the command's matter. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "models/vec.h"

/* Readings over half a second, taken together. */
struct calibration_window {
        double mean_mps2[3], sigma_mps2[3];
        int position; /* -1: it moved */
};

struct calibration_data {
        int count, capacity;
        struct calibration_window *window;
        /* Of the window that is being filled; sums about its first reading. */
        uint64_t start_us;
        int readings;
        double first_mps2[3], sum[3], squares[3];
};

/* One reading, in the order of time; what is not a number spoils its window alone. False: no memory. */
bool calibration_add(struct calibration_data *d, uint64_t t_us, struct vec3 accel_mps2);
void calibration_free(struct calibration_data *d);

/* Tells which windows were still, and which still windows are one position; returns how many positions
 * there are. A window is still when it is no noisier than three times the tenth of them that is
 * quietest. */
int calibration_find_positions(struct calibration_data *d);

/* Which of +x, -x, +y, -y, +z, -z have no still window within 35 degrees: bits 0 to 5. */
unsigned calibration_missing(const struct calibration_data *d);

/* reading = scale * truth + bias on each axis, with the standard errors that the scatter of the windows
 * about the fit gives. */
struct calibration {
        int windows; /* still ones */
        double bias_mps2[3], scale[3];
        double bias_se_mps2[3], scale_se[3];
        double before_mps2, after_mps2; /* root mean square of |a| - g */
};

/* Least squares over the still windows, by Gauss and Newton from the middle and half the span of the
 * readings. False: they do not determine it. */
bool calibration_fit(const struct calibration_data *d, double gravity_mps2,
                     struct calibration *out);

/* A calibration as a person reads it, as JSON, and as Paparazzi's airframe files have it. */
struct calibration_result {
        int vehicle;
        const char *name;
        double gravity_mps2, lsb_mps2;
        int positions;
        struct calibration fit;
};

/* False: not all was written. */
bool calibrate_print(FILE *out, const struct calibration_result *r, bool json);
