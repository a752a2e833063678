/* The Bosch BMP180's words and the arithmetic that a driver applies to them (data sheet
 * BST-BMP180-DS000, 3.5), both ways. Bounded for any calibration words. */
#pragma once

#include "models/signals.h"

struct bmp180_words {
        int32_t ut; /* 16 bits */
        int32_t up; /* 16 + oversampling bits */
};

struct bmp180_reading {
        int32_t temperature_dc; /* 0.1 degrees Celsius */
        int32_t pressure_pa;
};

/* What the driver makes of the words. Divisions by 0, which no real part's words lead to,
 * give 0. */
struct bmp180_reading bmp180_compensate(const struct bmp180_params *p,
                                        struct bmp180_words words);

/* The words for which the driver's reading comes nearest to pressure and temperature. */
struct bmp180_words bmp180_convert(const struct bmp180_params *p, double pressure_pa,
                                   double temperature_c);

/* Noise of the pressure in the mode, rms (data sheet, table 3). */
double bmp180_sigma_pa(int oversampling);

/* Whether words exist for the part's whole range, 300 to 1100 hPa at -40 to 85 degrees
 * Celsius, and the arithmetic leads back from them. */
bool bmp180_params_fit(const struct bmp180_params *p);
