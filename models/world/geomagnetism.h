/* The earth's magnetic field: the World Magnetic Model of NOAA/NCEI and BGS, valid for five years from
 * its epoch, evaluated on WGS-84 (model's technical report, equations 4 to 20). */
#pragma once

#include "models/world/earth.h"

#define GEOMAGNETISM_DEGREE 12
#define GEOMAGNETISM_TERMS  90 /* n = 1 to the degree, m = 0 to n */

/* Gauss coefficients of one degree and order at the epoch, and how they change. */
struct geomagnetism_term {
        double g_nt, h_nt, g_nt_per_year, h_nt_per_year;
};

/* In the order (1, 0), (1, 1), (2, 0), ... */
extern const struct geomagnetism_term geomagnetism_terms[GEOMAGNETISM_TERMS];
extern const double geomagnetism_epoch_year; /* 2025.0 */

/* Field in NED at a geodetic position, T. decimal_year may be outside the model's five years; the
 * field is then an extrapolation. At the poles the longitude defines north. */
struct vec3 geomagnetism_field_ned_t(struct earth_position at, double decimal_year);
