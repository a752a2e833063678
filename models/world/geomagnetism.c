/* Spherical harmonics of the main field, without the crust and the currents above. Numbers in
 * parentheses are equations of the WMM2025 technical report. */
#include "models/world/geomagnetism.h"

#define REFERENCE_RADIUS_M 6371200.0
#define TESLA_PER_NT       1e-9
#define SIZE               (GEOMAGNETISM_DEGREE + 1)

/* Schmidt semi-normalised associated Legendre functions of sin(latitude), and their derivatives by
 * the latitude. From order 1 on both contain a factor of cos(latitude)^m; over_cos leaves out one
 * cosine, so that the field at the poles needs no division by zero. */
struct legendre {
        double p[SIZE][SIZE], slope[SIZE][SIZE], over_cos[SIZE][SIZE];
};

static void start_order(struct legendre *l, int m, double sin_lat, double cos_lat)
{
        double k = m == 1 ? 1.0 : sqrt((2.0 * m - 1.0) / (2.0 * m));

        l->p[m][m] = k * cos_lat * l->p[m - 1][m - 1];
        l->slope[m][m] =
                k * (cos_lat * l->slope[m - 1][m - 1] - sin_lat * l->p[m - 1][m - 1]);
        l->over_cos[m][m] = k * l->p[m - 1][m - 1];
}

/* Up one degree at the same order. */
static void raise_degree(struct legendre *l, int n, int m, double sin_lat, double cos_lat)
{
        double root = sqrt((double)(n * n - m * m));
        double a = (2.0 * n - 1.0) / root;
        double b = n - 2 < m ? 0.0 : sqrt((double)((n - 1) * (n - 1) - m * m)) / root;
        int before = n - 2 < m ? n - 1 : n - 2; /* not used where b is 0 */

        l->p[n][m] = a * sin_lat * l->p[n - 1][m] - b * l->p[before][m];
        l->slope[n][m] = a * (cos_lat * l->p[n - 1][m] + sin_lat * l->slope[n - 1][m]) -
                         b * l->slope[before][m];
        l->over_cos[n][m] =
                a * sin_lat * l->over_cos[n - 1][m] - b * l->over_cos[before][m];
}

static void legendre_at(struct legendre *l, double sin_lat, double cos_lat)
{
        *l = (struct legendre){ .p[0][0] = 1.0 };
        for (int m = 0; m <= GEOMAGNETISM_DEGREE; m++) {
                if (m > 0)
                        start_order(l, m, sin_lat, cos_lat);
                for (int n = m + 1; n <= GEOMAGNETISM_DEGREE; n++)
                        raise_degree(l, n, m, sin_lat, cos_lat);
        }
}

/* (10) to (12): north, east, down in geocentric axes, nT. */
static struct vec3 geocentric_field(const struct legendre *l, double lon_rad,
                                    double radius_m, double years)
{
        const struct geomagnetism_term *term = geomagnetism_terms;
        double ratio = REFERENCE_RADIUS_M / radius_m, power = ratio * ratio;
        struct vec3 field = { 0.0, 0.0, 0.0 };

        for (int n = 1; n <= GEOMAGNETISM_DEGREE; n++) {
                power *= ratio;
                for (int m = 0; m <= n; m++, term++) {
                        double g = term->g_nt + years * term->g_nt_per_year;
                        double h = term->h_nt + years * term->h_nt_per_year;
                        double c = cos(m * lon_rad), s = sin(m * lon_rad);
                        double along = g * c + h * s, across = m * (g * s - h * c);

                        field.x -= power * along * l->slope[n][m];
                        field.y += power * across * l->over_cos[n][m];
                        field.z -= power * (n + 1) * along * l->p[n][m];
                }
        }
        return field;
}

struct vec3 geomagnetism_field_ned_t(struct earth_position at, double decimal_year)
{
        struct vec3 ecef_m = earth_to_ecef(at);
        double radius_m = vec3_norm(ecef_m);
        double from_axis_m = sqrt(ecef_m.x * ecef_m.x + ecef_m.y * ecef_m.y);
        double sin_lat = ecef_m.z / radius_m, cos_lat = from_axis_m / radius_m;
        struct legendre l;
        struct vec3 field;
        double turn_rad, c, s;

        legendre_at(&l, sin_lat, cos_lat);
        field = geocentric_field(&l, at.lon_rad, radius_m,
                                 decimal_year - geomagnetism_epoch_year);
        /* (17): from the geocentric horizon to the geodetic one. */
        turn_rad = atan2(sin_lat, cos_lat) - at.lat_rad;
        c = cos(turn_rad);
        s = sin(turn_rad);
        return vec3_scale(TESLA_PER_NT, (struct vec3){ field.x * c - field.z * s, field.y,
                                                       field.x * s + field.z * c });
}
