/* GPS satellites on the orbits of an almanac (IS-GPS-200, 20.3.3.5): where they are, which a receiver
 * can see, and how good their geometry is. */
#ifndef MODELS_SATELLITES_H
#define MODELS_SATELLITES_H

#include "models/world.h"

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

/* The almanac that comes with the program, and where it is from, in words. */
extern const struct almanac almanac_shipped;
extern const char almanac_source[];

/* Position in WGS-84 earth-centred, earth-fixed axes at a GPS time. */
struct vec3 satellites_ecef_m(const struct almanac *a, int orbit, double gps_time_s);

/* The sky over one place at one time. */
struct sky {
        int count; /* above the mask and not blocked */
        struct sky_satellite {
                int prn;
                double elevation_rad, azimuth_rad; /* azimuth clockwise from north */
        } satellite[SATELLITES_MAX];
        /* Dilution of precision and the covariance of (north, east, down, clock) for unit range
         * errors, lower Cholesky factor; dop zero with fewer than 4 or a singular geometry. */
        double gdop, pdop, hdop, vdop, tdop;
        double spread[4][4];
};

/* What an antenna at pos sees at gps_time_s: satellites above mask_rad whose line of sight meets neither
 * ground nor scene. */
void satellites_sky(struct sky *sky, const struct almanac *a, const struct world *world,
                    struct vec3 pos_ned_m, double gps_time_s, double mask_rad);

#endif
