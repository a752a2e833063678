/* WGS-84 against published points and the ellipsoid's own geometry; Gruber's flat earth.
 */
#include "models/world/earth.h"

#include "tests/models/near.h"
#include "tests/suites.h"

static double rad(double deg)
{
        return deg * M_PI / 180.0;
}

static const struct earth_origin places[] = {
        { 0.82, 0.25, 450.0 }, /* central Europe */
        { 0.0, 0.0, 0.0 }, /* where equator and prime meridian meet */
        { -0.6, -3.14159, 20.0 }, /* beside the date line */
        { 1.55, 2.0, 0.0 }, /* a degree from the pole */
        { -1.2, -1.0, 3000.0 },
};

#define PLACES (sizeof places / sizeof places[0])

/* IOGP Guidance Note 373-7-2, geographic/geocentric conversions, example on WGS-84. */
TEST(ecef_of_the_published_point)
{
        struct earth_position p = { rad(53.0 + 48.0 / 60.0 + 33.820 / 3600.0),
                                    rad(2.0 + 7.0 / 60.0 + 46.380 / 3600.0), 73.0 };
        struct vec3 ecef_m = earth_to_ecef(p);

        /* The angles are printed to 0.001", which is 3 cm; the metres agree to a
         * millimetre. */
        assert_near(ecef_m, (struct vec3){ 3771793.968, 140253.342, 5124304.349 }, 1e-3);
}

/* CartConvert of GeographicLib 2.1.2, which agrees within 2e-8 m on 3000 points from the ground to
 * 20,000 km. The first is the example of its manual. */
TEST(ecef_is_that_of_another_implementation)
{
        const double place[3][3] = { { 33.3, 44.4, 6000.0 },
                                     { -89.999, -120.0, 100.0 },
                                     { 0.001, 179.999, 20200000.0 } };
        const struct vec3 ecef_m[3] = { { 3816209.604493, 3737108.550254,
                                          3485109.572568 },
                                        { -55.847862, -96.731335, -6356852.313270 },
                                        { -26578136.991910, 463.876000, 463.130785 } };

        for (int i = 0; i < 3; i++) {
                struct earth_position p = { rad(place[i][0]), rad(place[i][1]),
                                            place[i][2] };

                assert_near(earth_to_ecef(p), ecef_m[i], 1e-6);
        }
}

/* The same program with -r -l 47.0707 15.4395 353. */
TEST(ned_is_that_of_another_implementation)
{
        const struct earth_origin o = { rad(47.0707), rad(15.4395), 353.0 };
        const struct vec3 ned_m[2] = { { 111200.0, 71670.0, -100.0 },
                                       { 40000.0, -2500.0, 300.0 } };
        const double place[2][3] = {
                { 48.06666737807515, 16.40090757838723, 1825.268667316 },
                { 47.43047825213063, 15.40636331465429, 179.078757250 }
        };

        for (int i = 0; i < 2; i++) {
                struct earth_position p = earth_from_ned(&o, ned_m[i]);

                ck_assert_double_eq_tol(p.lat_rad, rad(place[i][0]), 1e-14);
                ck_assert_double_eq_tol(p.lon_rad, rad(place[i][1]), 1e-14);
                ck_assert_double_eq_tol(p.height_m, place[i][2], 1e-8);
        }
}

/* NGA.STND.0036: semi-axes 6378137.0 m and 6356752.3142 m. */
TEST(ecef_of_the_axes)
{
        assert_near(earth_to_ecef((struct earth_position){ 0.0, 0.0, 0.0 }),
                    (struct vec3){ 6378137.0, 0.0, 0.0 }, 1e-8);
        assert_near(earth_to_ecef((struct earth_position){ 0.0, rad(90.0), 0.0 }),
                    (struct vec3){ 0.0, 6378137.0, 0.0 }, 1e-8);
        assert_near(earth_to_ecef((struct earth_position){ rad(90.0), 0.0, 0.0 }),
                    (struct vec3){ 0.0, 0.0, 6356752.3142 }, 1e-4);
}

TEST(ecef_and_back_is_the_identity)
{
        const double height[] = { -5000.0, 0.0, 120.0, 9000.0, 400e3, 20200e3 };

        for (double lat = -90.0; lat <= 90.0; lat += 7.5)
                for (double lon = -179.0; lon <= 180.0; lon += 33.0)
                        for (int i = 0; i < 6; i++) {
                                struct earth_position in = { rad(lat), rad(lon),
                                                             height[i] };
                                struct vec3 ecef_m = earth_to_ecef(in);
                                struct earth_position out = earth_from_ecef(ecef_m);

                                ck_assert_double_eq_tol(out.lat_rad, in.lat_rad, 1e-15);
                                ck_assert_double_eq_tol(out.height_m, in.height_m, 2e-8);
                                assert_near(earth_to_ecef(out), ecef_m, 2e-8);
                        }
}

TEST(centre_of_the_earth_is_finite)
{
        struct earth_position p = earth_from_ecef((struct vec3){ 0.0, 0.0, 0.0 });

        ck_assert(isfinite(p.lat_rad) && isfinite(p.lon_rad) && isfinite(p.height_m));
}

TEST(ned_and_back_is_the_identity_to_a_micrometre)
{
        const double far_m[] = { 0.001, 1.0, 1e3, 100e3 };

        for (unsigned i = 0; i < PLACES; i++)
                for (int k = 0; k < 4; k++) {
                        struct vec3 in = { far_m[k], -0.7 * far_m[k], 0.1 * far_m[k] };
                        struct earth_position p = earth_from_ned(&places[i], in);

                        assert_near(earth_to_ned(&places[i], p), in, 1e-6);
                }
}

TEST(origin_is_ned_zero)
{
        for (unsigned i = 0; i < PLACES; i++) {
                struct earth_position p =
                        earth_from_ned(&places[i], (struct vec3){ 0.0, 0.0, 0.0 });

                ck_assert_double_eq_tol(p.lat_rad, places[i].lat_rad, 1e-15);
                ck_assert_double_eq_tol(p.lon_rad, places[i].lon_rad, 1e-13);
                ck_assert_double_eq_tol(p.height_m, places[i].height_m, 1e-8);
        }
}

/* Distances on the ground by another route: the radii of curvature of the ellipsoid. */
TEST(a_metre_agrees_with_the_radii_of_curvature)
{
        const double e2 = 6.69437999014e-3; /* NGA.STND.0036 */

        for (unsigned i = 0; i < PLACES; i++) {
                const struct earth_origin *o = &places[i];
                double s = sin(o->lat_rad), w2 = 1.0 - e2 * s * s;
                double meridian_m =
                        6378137.0 * (1.0 - e2) / (w2 * sqrt(w2)) + o->height_m;
                double parallel_m =
                        (6378137.0 / sqrt(w2) + o->height_m) * cos(o->lat_rad);
                struct earth_position north =
                        earth_from_ned(o, (struct vec3){ 1.0, 0.0, 0.0 });
                struct earth_position east =
                        earth_from_ned(o, (struct vec3){ 0.0, 1.0, 0.0 });

                ck_assert_double_eq_tol((north.lat_rad - o->lat_rad) * meridian_m, 1.0,
                                        1e-6);
                ck_assert_double_eq_tol((east.lon_rad - o->lon_rad) * parallel_m, 1.0,
                                        1e-6);
        }
}

TEST(down_changes_the_height_alone)
{
        for (unsigned i = 0; i < PLACES; i++) {
                struct earth_position p =
                        earth_from_ned(&places[i], (struct vec3){ 0.0, 0.0, -123.0 });

                ck_assert_double_eq_tol(p.height_m, places[i].height_m + 123.0, 1e-8);
                ck_assert_double_eq_tol(p.lat_rad, places[i].lat_rad, 1e-15);
        }
}

/* The plane leaves the surface by d^2/2R: 785 m at 100 km. */
TEST(the_earth_falls_away_below_the_tangent_plane)
{
        struct earth_position p =
                earth_from_ned(&places[0], (struct vec3){ 0.0, 100e3, 0.0 });

        ck_assert_double_eq_tol(p.height_m - places[0].height_m,
                                100e3 * 100e3 / 2.0 / 6.38e6, 3.0);
}

/* Gruber 5.2.7.2 */
TEST(flat_earth_has_the_factors_of_the_document)
{
        struct earth_position p = earth_from_ned_flat(
                &places[0], (struct vec3){ 111200.0, 71670.0, -50.0 });

        ck_assert_double_eq_tol(p.lat_rad - places[0].lat_rad, rad(1.0), 1e-15);
        ck_assert_double_eq_tol(p.lon_rad - places[0].lon_rad, rad(1.0), 1e-15);
        ck_assert_double_eq(p.height_m, places[0].height_m + 50.0);
}

TEST(flat_earth_and_back_is_the_identity)
{
        for (unsigned i = 0; i < PLACES; i++)
                for (double m = -100e3; m <= 100e3; m += 9973.0) {
                        struct vec3 in = { m, -0.3 * m, 0.01 * m };
                        struct earth_position p = earth_from_ned_flat(&places[i], in);

                        ck_assert_double_le(fabs(p.lon_rad), M_PI);
                        assert_near(earth_to_ned_flat(&places[i], p), in, 1e-8);
                }
}

/* The document's factors fit 50 degrees of latitude. */
TEST(flat_earth_is_close_to_wgs84_where_it_was_made_for)
{
        const struct earth_origin o = { rad(50.0), rad(14.3), 450.0 };
        struct vec3 in = { 100.0, 100.0, -20.0 };
        struct vec3 out = earth_to_ned(&o, earth_from_ned_flat(&o, in));

        assert_near(out, in, 0.5);
}

TEST(date_line_is_crossed_without_a_jump)
{
        const struct earth_origin o = { 0.3, M_PI - 1e-6, 0.0 };
        const struct vec3 east = { 0.0, 50.0, 0.0 };

        ck_assert_double_lt(earth_from_ned(&o, east).lon_rad, 0.0);
        ck_assert_double_lt(earth_from_ned_flat(&o, east).lon_rad, 0.0);
        assert_near(earth_to_ned(&o, earth_from_ned(&o, east)), east, 1e-6);
        assert_near(earth_to_ned_flat(&o, earth_from_ned_flat(&o, east)), east, 1e-8);
}
