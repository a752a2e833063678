/* Where NED coordinates are on the earth. Two conversions: WGS-84, and the flat earth of
 * Gruber's simulated receiver (5.2.7.2: 111200 m per degree of latitude, 71670 m per
 * degree of longitude). */
#pragma once

#include "models/vec.h"

struct earth_origin {
        double lat_rad, lon_rad; /* WGS-84 */
        double height_m; /* above the ellipsoid; also used as height above mean sea level */
};

struct earth_position {
        double lat_rad, lon_rad;
        double height_m;
};

/* North, east and down at the origin, each in ECEF axes, and its position. */
struct earth_axes {
        struct vec3 north, east, down;
        struct vec3 origin_ecef_m;
};

struct earth_axes earth_axes_at(const struct earth_origin *o);
/* A direction or a difference, from ECEF to NED axes. */
struct vec3 earth_axes_ned(const struct earth_axes *a, struct vec3 ecef);
/* A position, from NED to ECEF. */
struct vec3 earth_axes_ecef(const struct earth_axes *a, struct vec3 pos_ned_m);

/* WGS-84 through earth-centred, earth-fixed coordinates: exact to a micrometre within 100
 * km. */
struct earth_position earth_from_ned(const struct earth_origin *o, struct vec3 pos_ned_m);
struct vec3 earth_to_ned(const struct earth_origin *o, struct earth_position p);

/* Flat earth: north = 111200 (lat - lat0), east = 71670 (lon - lon0), degrees; the round
 * trip is the identity (docs/errata.md). */
struct earth_position earth_from_ned_flat(const struct earth_origin *o,
                                          struct vec3 pos_ned_m);
struct vec3 earth_to_ned_flat(const struct earth_origin *o, struct earth_position p);

/* Geodetic -> ECEF and back (Bowring's iteration, three passes), metres. */
struct vec3 earth_to_ecef(struct earth_position p);
struct earth_position earth_from_ecef(struct vec3 ecef_m);
