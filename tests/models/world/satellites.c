/* GPS satellites: another implementation, the orbits' published shape, and geometries whose dilution
 * can be worked out by hand. */
#include "models/world/satellites.h"

#include "tests/suites.h"

static const struct almanac *const a = &almanac_shipped;

static double rad(double deg)
{
        return deg * M_PI / 180.0;
}

static struct world graz(void)
{
        return (struct world){ .origin = { rad(47.0707), rad(15.4395), 353.0 },
                               .gps_time_s = almanac_shipped.reference_gps_s };
}

/* alm2pos() of RTKLIB 2.4.3 with the same almanac, 300000 s before its time; over all satellites and
 * a week the two differ by 4e-7 m. */
TEST(positions_are_those_of_another_implementation)
{
        const int prn[3] = { 1, 7, 22 };
        const struct vec3 ecef_m[3] = { { 15732091.080, -21334866.633, 401919.202 },
                                        { 3752445.495, -23228229.074, 12569476.833 },
                                        { -20418668.461, -11397982.571, 12609443.006 } };

        for (int i = 0; i < 3; i++) {
                struct vec3 p =
                        satellites_ecef_m(a, prn[i] - 1, a->reference_gps_s - 300000.0);

                ck_assert_int_eq(a->orbit[prn[i] - 1].prn, prn[i]);
                ck_assert_double_lt(vec3_norm(vec3_sub(p, ecef_m[i])), 1e-3);
        }
}

/* GPS Standard Positioning Service Performance Standard, 3.2: six planes at 55 degrees, an axis of
 * 26,560 km, half a sidereal day, of which Kepler's formula misses the seconds that the earth's
 * flattening makes. */
TEST(orbits_have_the_published_shape)
{
        for (int i = 0; i < a->orbits; i++) {
                const struct almanac_orbit *o = &a->orbit[i];
                double axis_m = o->sqrt_axis_sqrt_m * o->sqrt_axis_sqrt_m;

                ck_assert_double_eq_tol(axis_m, 26560e3, 5e3);
                ck_assert_double_eq_tol(o->inclination_rad, rad(55.0), rad(3.0));
                ck_assert_double_lt(o->eccentricity, 0.03);
                ck_assert_double_eq_tol(2.0 * M_PI * sqrt(axis_m / 3.986005e14) * axis_m,
                                        43082.0, 10.0);
                for (double t = 0.0; t < 43082.0; t += 997.0) {
                        struct vec3 p = satellites_ecef_m(a, i, a->reference_gps_s + t);

                        ck_assert_double_ge(vec3_norm(p),
                                            axis_m * (1.0 - o->eccentricity) - 1.0);
                        ck_assert_double_le(vec3_norm(p),
                                            axis_m * (1.0 + o->eccentricity) + 1.0);
                }
        }
}

TEST(every_satellite_is_listed_once)
{
        int healthy = 0;

        for (int i = 0; i < a->orbits; i++) {
                healthy += a->orbit[i].healthy;
                ck_assert_int_ge(a->orbit[i].prn, 1);
                ck_assert_int_le(a->orbit[i].prn, SATELLITES_MAX);
                for (int j = 0; j < i; j++)
                        ck_assert_int_ne(a->orbit[i].prn, a->orbit[j].prn);
        }
        ck_assert_int_eq(healthy, 31);
}

/* Two orbits later the earth has turned once under them. */
TEST(tracks_over_the_ground_repeat_after_a_sidereal_day)
{
        for (int i = 0; i < a->orbits; i++) {
                struct vec3 now = satellites_ecef_m(a, i, a->reference_gps_s);
                struct vec3 then = satellites_ecef_m(a, i, a->reference_gps_s + 86164.1);

                ck_assert_double_lt(vec3_norm(vec3_sub(then, now)), 50e3);
        }
}

/* About 3.9 km/s in space: circular speed at that axis. Seen from the turning earth it is less or
 * more. */
TEST(speed_is_the_circular_speed)
{
        const double turn = 7.2921151467e-5;

        for (int i = 0; i < a->orbits; i++) {
                struct vec3 p = satellites_ecef_m(a, i, a->reference_gps_s);
                struct vec3 q = satellites_ecef_m(a, i, a->reference_gps_s + 1.0);
                struct vec3 v = vec3_sub(q, p);

                v.x -= turn * p.y;
                v.y += turn * p.x;
                ck_assert_double_eq_tol(vec3_norm(v), 3874.0,
                                        3874.0 * a->orbit[i].eccentricity + 5.0);
        }
}

TEST(satellite_is_overhead_where_it_is_overhead)
{
        for (int i = 0; i < a->orbits; i++) {
                struct vec3 ecef_m = satellites_ecef_m(a, i, a->reference_gps_s);
                struct earth_position below = earth_from_ecef(ecef_m);
                struct earth_origin o = { below.lat_rad, below.lon_rad, 0.0 };
                struct sky sky;

                if (!a->orbit[i].healthy)
                        continue;
                satellites_above(&sky, a, &o, (struct vec3){ 0.0, 0.0, 0.0 },
                                 a->reference_gps_s, 0.0);
                ck_assert_int_eq(sky.satellite[0].prn, a->orbit[i].prn);
                ck_assert_double_eq_tol(sky.satellite[0].elevation_rad, M_PI_2, 1e-6);
        }
}

TEST(sky_is_sorted_masked_and_consistent)
{
        struct world w = graz();
        struct sky sky;

        satellites_sky(&sky, a, &w, (struct vec3){ 10.0, -20.0, -30.0 }, w.gps_time_s,
                       rad(10.0));
        ck_assert_int_ge(sky.count, 4);
        for (int i = 0; i < sky.count; i++) {
                const struct sky_satellite *s = &sky.satellite[i];
                double level = cos(s->elevation_rad);

                ck_assert_double_gt(s->elevation_rad, rad(10.0));
                ck_assert_double_ge(s->azimuth_rad, 0.0);
                ck_assert_double_lt(s->azimuth_rad, 2.0 * M_PI);
                ck_assert_double_eq_tol(s->towards_ned.x, level * cos(s->azimuth_rad),
                                        1e-12);
                ck_assert_double_eq_tol(s->towards_ned.y, level * sin(s->azimuth_rad),
                                        1e-12);
                ck_assert_double_eq_tol(s->towards_ned.z, -sin(s->elevation_rad), 1e-12);
                if (i > 0)
                        ck_assert_double_le(s->elevation_rad,
                                            sky.satellite[i - 1].elevation_rad);
        }
}

/* The performance standard's table 3.8-1: PDOP of 6 or less for 98 % of the time. */
TEST(a_day_has_the_dilution_that_users_were_promised)
{
        struct world w = graz();
        int bad = 0, all = 0;

        for (double t = 0.0; t < 86400.0; t += 300.0, all++) {
                struct sky sky;

                satellites_sky(&sky, a, &w, (struct vec3){ 0.0, 0.0, -10.0 },
                               w.gps_time_s + t, rad(5.0));
                ck_assert_int_ge(sky.count, 6);
                ck_assert_int_le(sky.count, 16);
                bad += sky.pdop == 0.0 || sky.pdop > 6.0;
        }
        ck_assert_int_le(bad * 50, all);
}

static struct sky_satellite at(double elevation_deg, double azimuth_deg)
{
        double el = rad(elevation_deg), az = rad(azimuth_deg);

        return (struct sky_satellite){ .towards_ned = { cos(el) * cos(az),
                                                        cos(el) * sin(az), -sin(el) } };
}

/* One overhead, three on the horizon, 120 degrees apart: horizontally 2/3 and 2/3; of down and clock
 * the inverse of [1 1; 1 4]. */
TEST(dilution_of_the_best_four_is_the_root_of_three)
{
        struct sky sky = { .count = 4,
                           .satellite = { at(90, 0), at(0, 0), at(0, 120), at(0, 240) } };

        satellites_geometry(&sky);
        ck_assert_double_eq_tol(sky.hdop, sqrt(4.0 / 3.0), 1e-12);
        ck_assert_double_eq_tol(sky.vdop, sqrt(4.0 / 3.0), 1e-12);
        ck_assert_double_eq_tol(sky.tdop, sqrt(1.0 / 3.0), 1e-12);
        ck_assert_double_eq_tol(sky.pdop, sqrt(8.0 / 3.0), 1e-12);
        ck_assert_double_eq_tol(sky.gdop, sqrt(3.0), 1e-12);
}

/* At one elevation height and clock cannot be told apart. */
TEST(satellites_on_a_cone_have_no_geometry)
{
        struct sky sky = { .count = 5,
                           .satellite = { at(40, 10), at(40, 80), at(40, 160),
                                          at(40, 230), at(40, 300) } };

        satellites_geometry(&sky);
        ck_assert_double_eq(sky.gdop, 0.0);
        ck_assert_double_eq(sky.spread[2][2], 0.0);
}

/* (G^T G) (L L^T) = 1, term by term. */
TEST(spread_is_the_root_of_the_inverse)
{
        struct world w = graz();
        struct sky sky;
        double g[4][4] = { { 0.0 } }, h[4][4] = { { 0.0 } };

        satellites_sky(&sky, a, &w, (struct vec3){ 0.0, 0.0, -10.0 }, w.gps_time_s, 0.1);
        for (int s = 0; s < sky.count; s++) {
                struct vec3 t = sky.satellite[s].towards_ned;
                const double row[4] = { -t.x, -t.y, -t.z, 1.0 };

                for (int i = 0; i < 4; i++)
                        for (int j = 0; j < 4; j++)
                                g[i][j] += row[i] * row[j];
        }
        for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                        for (int k = 0; k < 4; k++)
                                h[i][j] += sky.spread[i][k] * sky.spread[j][k];
        for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++) {
                        double sum = 0.0;

                        for (int k = 0; k < 4; k++)
                                sum += g[i][k] * h[k][j];
                        ck_assert_double_eq_tol(sum, i == j ? 1.0 : 0.0, 1e-10);
                }
        ck_assert_double_eq_tol(h[0][0] + h[1][1], sky.hdop * sky.hdop, 1e-12);
        ck_assert_double_eq_tol(h[2][2], sky.vdop * sky.vdop, 1e-12);
}

/* Three on the horizon: the height does not matter, HDOP is that of the four. Three at 45 degrees
 * evenly around: a wrong height only moves the clock. Leaning to the north, it moves north. */
TEST(three_satellites_place_on_a_known_height)
{
        struct sky flat = { .count = 3,
                            .satellite = { at(0, 0), at(0, 120), at(0, 240) } };
        struct sky even = { .count = 3,
                            .satellite = { at(45, 0), at(45, 120), at(45, 240) } };
        struct sky two = { .count = 3,
                           .satellite = { at(45, 0), at(0, 90), at(0, 270) } };

        satellites_geometry(&flat);
        ck_assert_double_eq_tol(flat.hdop, sqrt(4.0 / 3.0), 1e-12);
        ck_assert_double_eq(flat.vdop, 0.0);
        ck_assert_double_eq_tol(flat.hold[0], 0.0, 1e-12);
        satellites_geometry(&even);
        ck_assert_double_eq_tol(even.hold[0], 0.0, 1e-12);
        ck_assert_double_eq_tol(even.hold[1], 0.0, 1e-12);
        /* Too low by 1 m, its range to the north can only be right 1 m further north. */
        satellites_geometry(&two);
        ck_assert_double_eq_tol(two.hold[0], 1.0, 1e-12);
        ck_assert_double_eq_tol(two.hold[1], 0.0, 1e-12);
}

TEST(ground_hides_what_is_below_the_horizon)
{
        struct world w = graz();
        struct vec3 up = { 0.6, 0.0, -0.8 }, down = { 0.6, 0.0, 0.8 };

        ck_assert(satellites_in_sight(&w, (struct vec3){ 0.0, 0.0, -1.0 }, up));
        ck_assert(!satellites_in_sight(&w, (struct vec3){ 0.0, 0.0, -1.0 }, down));
        ck_assert(!satellites_in_sight(&w, (struct vec3){ 0.0, 0.0, 1.0 }, up));
}

/* A wall 10 m to the south and 20 m higher than the antenna, 200 m long. */
TEST(walls_hide_what_is_behind_them)
{
        struct solid wall = { .shape = SOLID_BOX,
                              .pos_ned_m = { -11.0, 0.0, -11.0 },
                              .axes_to_ned = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
                              .size_m = { 1.0, 100.0, 10.0 } };
        const struct surface surface = { 0 };
        struct scene_node node[SCENE_NODES(1)];
        struct scene scene;
        struct world w = graz();
        struct sky all, some;
        int hidden = 0;

        ck_assert(scene_build(&scene, &wall, 1, node, &surface, 1));
        satellites_sky(&all, a, &w, (struct vec3){ 0.0, 0.0, -1.0 }, w.gps_time_s, 0.1);
        w.scene = &scene;
        satellites_sky(&some, a, &w, (struct vec3){ 0.0, 0.0, -1.0 }, w.gps_time_s, 0.1);
        for (int i = 0; i < all.count; i++) {
                struct vec3 t = all.satellite[i].towards_ned;
                double far = t.x < 0.0 ? 10.0 / -t.x : INFINITY;
                bool behind =
                        isfinite(far) && fabs(far * t.y) < 100.0 && -far * t.z < 20.0;

                hidden += behind;
        }
        ck_assert_int_gt(hidden, 0);
        ck_assert_int_eq(some.count, all.count - hidden);
        ck_assert_double_gt(some.gdop, all.gdop);
}
