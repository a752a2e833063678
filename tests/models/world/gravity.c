/* Normal gravity: published values, and the potential of the ellipsoid as another route. */
#include "models/world/earth.h"
#include "models/world/gravity.h"

#include "tests/suites.h"

/* NIMA TR8350.2, table 3.4. */
TEST(gravity_on_the_ellipsoid_is_the_published_one)
{
        ck_assert_double_eq_tol(gravity_mps2(0.0, 0.0), 9.7803253359, 1e-10);
        ck_assert_double_eq_tol(gravity_mps2(M_PI_2, 0.0), 9.8321849378, 2e-10);
        ck_assert_double_eq_tol(gravity_mps2(-M_PI_2, 0.0), 9.8321849378, 2e-10);
}

/* The same table: the mean over the ellipsoid is 9.7976432222. */
TEST(mean_gravity_is_the_published_one)
{
        const double e2 = 0.00669437999013;
        const int n = 20000;
        double sum = 0.0, area = 0.0;

        for (int i = 0; i < n; i++) {
                double lat = ((i + 0.5) / n - 0.5) * M_PI, s = sin(lat);
                double w2 = 1.0 - e2 * s * s, share = cos(lat) / (w2 * w2);

                sum += share * gravity_mps2(lat, 0.0);
                area += share;
        }
        ck_assert_double_eq_tol(sum / area, 9.7976432222, 1e-9);
}

/* Potential of gravity and of turning (TR8350.2, 5: even zonal harmonics of the ellipsoid from
 * J2 = 1.082629821313e-3 by their closed formula). */
static double potential(struct vec3 ecef_m)
{
        const double a = 6378137.0, gm = 3986004.418e8, turn = 7292115e-11;
        const double e2 = 0.00669437999014, j2 = 1.082629821313e-3;
        double r = vec3_norm(ecef_m), x = ecef_m.z / r, sum = 1.0;
        double before = 1.0, p = x, power = 1.0, e2n = 1.0;

        for (int degree = 2, n = 1; n <= 6; degree++) {
                double next = ((2 * degree - 1) * x * p - (degree - 1) * before) / degree;

                before = p;
                p = next;
                if (degree % 2 != 0)
                        continue;
                power *= a / r * (a / r);
                e2n *= e2;
                sum -= (n % 2 == 1 ? 1.0 : -1.0) * 3.0 * e2n /
                       ((2 * n + 1) * (2 * n + 3)) * (1.0 - n + 5.0 * n * j2 / e2) *
                       power * p;
                n++;
        }
        return gm / r * sum +
               0.5 * turn * turn * (ecef_m.x * ecef_m.x + ecef_m.y * ecef_m.y);
}

static double gradient(double lat, double height_m)
{
        const double h = 100.0;
        struct vec3 at = earth_to_ecef((struct earth_position){ lat, 0.0, height_m });
        double x = potential((struct vec3){ at.x + h, at.y, at.z }) -
                   potential((struct vec3){ at.x - h, at.y, at.z });
        double z = potential((struct vec3){ at.x, at.y, at.z + h }) -
                   potential((struct vec3){ at.x, at.y, at.z - h });

        return sqrt(x * x + z * z) / (2.0 * h);
}

TEST(gravity_is_the_gradient_of_the_potential)
{
        for (double lat = -1.5; lat <= 1.5; lat += 0.25) {
                ck_assert_double_eq_tol(gravity_mps2(lat, 0.0), gradient(lat, 0.0), 1e-7);
                ck_assert_double_eq_tol(gravity_mps2(lat, 5e3), gradient(lat, 5e3), 1e-6);
                ck_assert_double_eq_tol(gravity_mps2(lat, 10e3), gradient(lat, 10e3),
                                        1e-6);
        }
}

/* The free-air gradient of textbooks, 0.3086 mGal a metre. */
TEST(gravity_grows_downwards_by_the_free_air_gradient)
{
        ck_assert_double_eq_tol(gravity_per_m(0.785, 0.0), 3.086e-6, 1e-9);
        for (double lat = -1.5; lat <= 1.5; lat += 0.5)
                for (double h = -400.0; h < 9000.0; h += 1000.0)
                        ck_assert_double_eq_tol(gravity_per_m(lat, h),
                                                (gravity_mps2(lat, h - 10.0) -
                                                 gravity_mps2(lat, h + 10.0)) /
                                                        20.0,
                                                1e-14 / 1e-3);
}
