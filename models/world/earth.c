/* WGS-84 by closed formulas and a fixed number of iterations, so that the same position
 * always takes the same steps. Knows neither geoid nor projection. */
#include "models/world/earth.h"

/* WGS-84's two defining constants (NGA.STND.0036), and constants derived from them. */
#define SEMI_MAJOR_M      6378137.0
#define FLATTENING        (1.0 / 298.257223563)
#define SEMI_MINOR_M      (SEMI_MAJOR_M * (1.0 - FLATTENING))
#define ECCENTRICITY2     (FLATTENING * (2.0 - FLATTENING))
#define SECOND_ECCENTRIC2 (ECCENTRICITY2 / (1.0 - ECCENTRICITY2))

/* Gruber 5.2.7.2 */
#define FLAT_NORTH_M_PER_DEG 111200.0
#define FLAT_EAST_M_PER_DEG  71670.0

struct vec3 earth_to_ecef(struct earth_position p)
{
        double sin_lat = sin(p.lat_rad), cos_lat = cos(p.lat_rad);
        double prime_vertical_m =
                SEMI_MAJOR_M / sqrt(1.0 - ECCENTRICITY2 * sin_lat * sin_lat);
        double from_axis_m = (prime_vertical_m + p.height_m) * cos_lat;

        return (struct vec3){
                from_axis_m * cos(p.lon_rad),
                from_axis_m * sin(p.lon_rad),
                (prime_vertical_m * (1.0 - ECCENTRICITY2) + p.height_m) * sin_lat,
        };
}

struct earth_position earth_from_ecef(struct vec3 ecef_m)
{
        double from_axis_m = sqrt(ecef_m.x * ecef_m.x + ecef_m.y * ecef_m.y);
        double reduced = atan2(ecef_m.z * SEMI_MAJOR_M, from_axis_m * SEMI_MINOR_M);
        double lat = 0.0;

        /* Bowring 1976: each pass is a Newton step in the reduced latitude. One is enough
         * on the ground, three as far out as satellites. */
        for (int pass = 0; pass < 3; pass++) {
                double s = sin(reduced), c = cos(reduced);

                lat = atan2(ecef_m.z + SECOND_ECCENTRIC2 * SEMI_MINOR_M * s * s * s,
                            from_axis_m - ECCENTRICITY2 * SEMI_MAJOR_M * c * c * c);
                reduced = atan2((1.0 - FLATTENING) * sin(lat), cos(lat));
        }

        /* This form of the height has no division, so it also holds at the poles. */
        double sin_lat = sin(lat), cos_lat = cos(lat);
        double height_m = from_axis_m * cos_lat + ecef_m.z * sin_lat -
                          SEMI_MAJOR_M * sqrt(1.0 - ECCENTRICITY2 * sin_lat * sin_lat);

        return (struct earth_position){ lat, atan2(ecef_m.y, ecef_m.x), height_m };
}

struct earth_axes earth_axes_at(const struct earth_origin *o)
{
        double sin_lat = sin(o->lat_rad), cos_lat = cos(o->lat_rad);
        double sin_lon = sin(o->lon_rad), cos_lon = cos(o->lon_rad);

        return (struct earth_axes){
                .north = { -sin_lat * cos_lon, -sin_lat * sin_lon, cos_lat },
                .east = { -sin_lon, cos_lon, 0.0 },
                .down = { -cos_lat * cos_lon, -cos_lat * sin_lon, -sin_lat },
                .origin_ecef_m = earth_to_ecef(
                        (struct earth_position){ o->lat_rad, o->lon_rad, o->height_m }),
        };
}

struct vec3 earth_axes_ned(const struct earth_axes *a, struct vec3 ecef)
{
        return (struct vec3){ vec3_dot(a->north, ecef), vec3_dot(a->east, ecef),
                              vec3_dot(a->down, ecef) };
}

struct vec3 earth_axes_ecef(const struct earth_axes *a, struct vec3 pos_ned_m)
{
        struct vec3 ecef_m = vec3_axpy(a->origin_ecef_m, pos_ned_m.x, a->north);

        ecef_m = vec3_axpy(ecef_m, pos_ned_m.y, a->east);
        return vec3_axpy(ecef_m, pos_ned_m.z, a->down);
}

struct earth_position earth_from_ned(const struct earth_origin *o, struct vec3 pos_ned_m)
{
        struct earth_axes axes = earth_axes_at(o);

        return earth_from_ecef(earth_axes_ecef(&axes, pos_ned_m));
}

struct vec3 earth_to_ned(const struct earth_origin *o, struct earth_position p)
{
        struct earth_axes axes = earth_axes_at(o);

        return earth_axes_ned(&axes, vec3_sub(earth_to_ecef(p), axes.origin_ecef_m));
}

/* Wraps longitudes less than one turn out of range to -pi..pi, so that the date line needs no
 * special case. */
static double wrap_rad(double angle_rad)
{
        if (angle_rad > M_PI)
                return angle_rad - 2.0 * M_PI;
        return angle_rad < -M_PI ? angle_rad + 2.0 * M_PI : angle_rad;
}

struct earth_position earth_from_ned_flat(const struct earth_origin *o,
                                          struct vec3 pos_ned_m)
{
        double lat_deg = pos_ned_m.x / FLAT_NORTH_M_PER_DEG;
        double lon_deg = pos_ned_m.y / FLAT_EAST_M_PER_DEG;

        return (struct earth_position){
                o->lat_rad + lat_deg / DEG_PER_RAD,
                wrap_rad(o->lon_rad + lon_deg / DEG_PER_RAD),
                o->height_m - pos_ned_m.z,
        };
}

struct vec3 earth_to_ned_flat(const struct earth_origin *o, struct earth_position p)
{
        double lat_deg = (p.lat_rad - o->lat_rad) * DEG_PER_RAD;
        double lon_deg = wrap_rad(p.lon_rad - o->lon_rad) * DEG_PER_RAD;

        return (struct vec3){ lat_deg * FLAT_NORTH_M_PER_DEG,
                              lon_deg * FLAT_EAST_M_PER_DEG, o->height_m - p.height_m };
}
