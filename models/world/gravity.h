/* Normal gravity of WGS-84: Somigliana's formula on the ellipsoid and its change with height. */
#pragma once

/* m/s^2 at a geodetic latitude and height above the ellipsoid (NIMA TR8350.2, 4-1 and 4-3); to
 * 1e-6 up to 10 km. */
double gravity_mps2(double lat_rad, double height_m);

/* How much it grows there per metre down. */
double gravity_per_m(double lat_rad, double height_m);
