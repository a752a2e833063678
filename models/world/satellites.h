/* GPS satellites on the orbits of an almanac (IS-GPS-200, 20.3.3.5): their positions, which ones a
 * receiver can see, and how good their geometry is. */
#pragma once

#include "models/world/world.h"

#define SATELLITES_MAX 32

/* One satellite's almanac; angles at the reference time. */
struct almanac_orbit {
        int prn;
        bool healthy;
        double eccentricity, inclination_rad, node_rate_radps, sqrt_axis_sqrt_m;
        double node_rad; /* longitude of the ascending node at the week's beginning */
        double perigee_rad, mean_anomaly_rad;
};

struct almanac {
        double reference_gps_s; /* GPS seconds since 1980-01-06 */
        int orbits;
        struct almanac_orbit orbit[SATELLITES_MAX];
};

/* The almanac that comes with the program. */
extern const struct almanac almanac_shipped;

/* Position in WGS-84 earth-centred, earth-fixed axes at a GPS time: within some kilometres of the
 * truth while the almanac is weeks old, on a similar orbit but elsewhere when it is years old. */
struct vec3 satellites_ecef_m(const struct almanac *a, int orbit, double gps_time_s);

/* The sky over one place at one time. */
struct sky {
        int count; /* satellites, the highest first */
        struct sky_satellite {
                int prn;
                double elevation_rad, azimuth_rad; /* azimuth clockwise from north */
                struct vec3 towards_ned; /* unit */
        } satellite[SATELLITES_MAX];
        /* Dilution of precision, and the covariance of (north, east, down, clock in metres) for
         * unit range errors as its lower Cholesky factor; all zero with fewer than 3 or a singular
         * geometry. With 3 the height is assumed to be known: down has no error of its own, and
         * hold[] is the error of north and east per metre of error in down. */
        double gdop, pdop, hdop, vdop, tdop;
        double spread[4][4];
        double hold[2];
};

/* Healthy satellites higher than mask_rad above the horizon of pos, hidden or not; geometry not
 * computed. The light travel time of 70 ms, in which a satellite moves 280 m, is left out. */
void satellites_above(struct sky *sky, const struct almanac *a,
                      const struct earth_origin *origin, struct vec3 pos_ned_m,
                      double gps_time_s, double mask_rad);

/* Whether the line of sight from pos along the unit vector meets neither ground nor scene. */
bool satellites_in_sight(const struct world *world, struct vec3 pos_ned_m,
                         struct vec3 towards_ned);

/* Fills the dilutions and the spread from the satellites of the sky. */
void satellites_geometry(struct sky *sky);

/* All three steps: what an antenna at pos sees at gps_time_s. */
void satellites_sky(struct sky *sky, const struct almanac *a, const struct world *world,
                    struct vec3 pos_ned_m, double gps_time_s, double mask_rad);
