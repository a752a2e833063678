/* Orbits and lines of sight. Dilution of precision is in satellites_geometry.c. */
#include "models/world/satellites.h"

/* IS-GPS-200, 20.3.3.4.3. */
#define EARTH_GM_M3PS2   3.986005e14
#define EARTH_TURN_RADPS 7.2921151467e-5
#define WEEK_S           604800.0

/* Newton on Kepler's equation from E = M: the error is squared and halved with the
 * eccentricity each time, 0.03 -> 1e-5 -> 1e-12 -> nothing. */
static double eccentric_anomaly(double mean_rad, double eccentricity)
{
        double e_rad = mean_rad;

        for (int pass = 0; pass < 4; pass++)
                e_rad -= (e_rad - eccentricity * sin(e_rad) - mean_rad) /
                         (1.0 - eccentricity * cos(e_rad));
        return e_rad;
}

/* IS-GPS-200, table 20-IV, with the terms that an almanac has. */
struct vec3 satellites_ecef_m(const struct almanac *a, int orbit, double gps_time_s)
{
        const struct almanac_orbit *o = &a->orbit[orbit];
        double axis_m = o->sqrt_axis_sqrt_m * o->sqrt_axis_sqrt_m;
        double motion_radps = sqrt(EARTH_GM_M3PS2 / axis_m) / axis_m;
        double since_s = gps_time_s - a->reference_gps_s;
        double mean_rad = o->mean_anomaly_rad + motion_radps * since_s;
        double e_rad = eccentric_anomaly(mean_rad, o->eccentricity);
        /* In the orbit's plane, first axis to the perigee. */
        double along_m = axis_m * (cos(e_rad) - o->eccentricity);
        double across_m =
                axis_m * sqrt(1.0 - o->eccentricity * o->eccentricity) * sin(e_rad);
        double cos_w = cos(o->perigee_rad), sin_w = sin(o->perigee_rad);
        double to_node_m = along_m * cos_w - across_m * sin_w;
        double north_m = along_m * sin_w + across_m * cos_w;
        double node_rad = o->node_rad +
                          (o->node_rate_radps - EARTH_TURN_RADPS) * since_s -
                          EARTH_TURN_RADPS * fmod(a->reference_gps_s, WEEK_S);
        double cos_n = cos(node_rad), sin_n = sin(node_rad);
        double flat_m = north_m * cos(o->inclination_rad);

        return (struct vec3){ to_node_m * cos_n - flat_m * sin_n,
                              to_node_m * sin_n + flat_m * cos_n,
                              north_m * sin(o->inclination_rad) };
}

static struct sky_satellite look(const struct almanac *a, int orbit,
                                 const struct earth_axes *axes, struct vec3 eye_ecef_m,
                                 double gps_time_s)
{
        struct vec3 away_m =
                vec3_sub(satellites_ecef_m(a, orbit, gps_time_s), eye_ecef_m);
        struct vec3 ned_m = earth_axes_ned(axes, away_m);
        struct vec3 towards = vec3_scale(1.0 / vec3_norm(ned_m), ned_m);

        return (struct sky_satellite){
                .prn = a->orbit[orbit].prn,
                .towards_ned = towards,
                .elevation_rad = atan2(
                        -towards.z, sqrt(towards.x * towards.x + towards.y * towards.y)),
                .azimuth_rad = atan2(towards.y, towards.x),
        };
}

static void insert_by_height(struct sky *sky, struct sky_satellite s)
{
        int at = sky->count++;

        for (; at > 0 && sky->satellite[at - 1].elevation_rad < s.elevation_rad; at--)
                sky->satellite[at] = sky->satellite[at - 1];
        sky->satellite[at] = s;
}

void satellites_above(struct sky *sky, const struct almanac *a,
                      const struct earth_origin *origin, struct vec3 pos_ned_m,
                      double gps_time_s, double mask_rad)
{
        /* The origin's horizon is used for every place near it: an error of a hundredth of a degree
         * per kilometre. */
        struct earth_axes axes = earth_axes_at(origin);
        struct vec3 eye_ecef_m = earth_axes_ecef(&axes, pos_ned_m);

        *sky = (struct sky){ 0 };
        for (int i = 0; i < a->orbits; i++) {
                struct sky_satellite s;

                if (!a->orbit[i].healthy)
                        continue;
                s = look(a, i, &axes, eye_ecef_m, gps_time_s);
                if (s.azimuth_rad < 0.0)
                        s.azimuth_rad += 2.0 * M_PI;
                if (s.elevation_rad > mask_rad)
                        insert_by_height(sky, s);
        }
}

bool satellites_in_sight(const struct world *world, struct vec3 pos_ned_m,
                         struct vec3 towards_ned)
{
        /* The ground is an infinite plane. */
        if (towards_ned.z >= 0.0 || pos_ned_m.z >= world->ground_down_m)
                return false;
        if (!world->scene)
                return true;
        return isinf(world_hit(world, pos_ned_m, towards_ned,
                               world->scene->reach_m + vec3_norm(pos_ned_m))
                             .range_m);
}

void satellites_sky(struct sky *sky, const struct almanac *a, const struct world *world,
                    struct vec3 pos_ned_m, double gps_time_s, double mask_rad)
{
        int above;

        satellites_above(sky, a, &world->origin, pos_ned_m, gps_time_s, mask_rad);
        above = sky->count;
        sky->count = 0;
        for (int i = 0; i < above; i++)
                if (satellites_in_sight(world, pos_ned_m, sky->satellite[i].towards_ned))
                        sky->satellite[sky->count++] = sky->satellite[i];
        satellites_geometry(sky);
}
