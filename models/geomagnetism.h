/* The earth's magnetic field: the World Magnetic Model of NOAA/NCEI and BGS, valid for five years from
 * its epoch, evaluated on WGS-84 (model's technical report, equations 4 to 20). */
#ifndef MODELS_GEOMAGNETISM_H
#define MODELS_GEOMAGNETISM_H

#include "models/earth.h"

extern const double geomagnetism_epoch_year; /* 2025.0 */

/* Field in NED at a geodetic position, T. decimal_year may lie outside of the model's five years;
 * then the field is an extrapolation. */
struct vec3 geomagnetism_field_ned_t(struct earth_position at, double decimal_year);

#endif
