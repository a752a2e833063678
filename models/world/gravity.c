/* Knows only the ellipsoid: neither masses below nor the moon above. */
#include "models/world/gravity.h"

#include <math.h>

/* NIMA TR8350.2, tables 3.1, 3.3 and 3.4. */
#define SEMI_MAJOR_M  6378137.0
#define FLATTENING    (1.0 / 298.257223563)
#define EQUATOR_MPS2  9.7803253359
#define SOMIGLIANA_K  0.00193185265241
#define ECCENTRICITY2 0.00669437999013
#define CENTRIFUGAL_M 0.00344978650684 /* at the equator, over gravity */

/* (4-1) */
static double on_ellipsoid_mps2(double sin2)
{
        return EQUATOR_MPS2 * (1.0 + SOMIGLIANA_K * sin2) /
               sqrt(1.0 - ECCENTRICITY2 * sin2);
}

/* From (4-3): the relative loss over the first metre. */
static double fading_per_m(double sin2)
{
        return 2.0 / SEMI_MAJOR_M *
               (1.0 + FLATTENING + CENTRIFUGAL_M - 2.0 * FLATTENING * sin2);
}

double gravity_mps2(double lat_rad, double height_m)
{
        double s = sin(lat_rad), sin2 = s * s, up = height_m / SEMI_MAJOR_M;

        return on_ellipsoid_mps2(sin2) *
               (1.0 - fading_per_m(sin2) * height_m + 3.0 * up * up);
}

double gravity_per_m(double lat_rad, double height_m)
{
        double s = sin(lat_rad), sin2 = s * s;
        double bend = 6.0 * height_m / (SEMI_MAJOR_M * SEMI_MAJOR_M);

        return on_ellipsoid_mps2(sin2) * (fading_per_m(sin2) - bend);
}
