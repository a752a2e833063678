/* The standard atmosphere against the tables of ISO 2533 and its own physics. */
#include <math.h>

#include "models/world/atmosphere.h"

#include "tests/suites.h"

static const struct atmosphere isa = { 101325.0, 288.15 };
static const struct atmosphere cold_low = { 98200.0, 268.0 };

/* ISO 2533:1975, by geopotential height; above 11 km U.S. Standard Atmosphere, 1976, table I, which is
 * the same up to 32 km. */
static const struct {
        double altitude_m, temperature_k, pressure_pa, density_kgpm3;
} table[] = {
        { -1000.0, 294.65, 113929.0, 1.34700 }, { 0.0, 288.15, 101325.0, 1.225 },
        { 1000.0, 281.65, 89874.6, 1.11164 },   { 2000.0, 275.15, 79495.2, 1.00649 },
        { 5000.0, 255.65, 54019.9, 0.736116 },  { 8000.0, 236.15, 35599.8, 0.525168 },
        { 10000.0, 223.15, 26436.3, 0.412707 }, { 11000.0, 216.65, 22632.1, 0.363918 },
        { 12000.0, 216.65, 19330.4, 0.310828 }, { 15000.0, 216.65, 12044.6, 0.193674 },
        { 18000.0, 216.65, 7504.84, 0.120676 }, { 20000.0, 216.65, 5474.89, 0.0880349 },
};

TEST(standard_atmosphere_matches_the_table)
{
        for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++) {
                double h = table[i].altitude_m;

                ck_assert_double_eq_tol(atmosphere_temperature_k(&isa, h),
                                        table[i].temperature_k, 1e-9);
                ck_assert_double_eq_tol(atmosphere_pressure_pa(&isa, h),
                                        table[i].pressure_pa, 0.1);
                ck_assert_double_eq_tol(atmosphere_density_kgpm3(&isa, h),
                                        table[i].density_kgpm3, 1e-5);
                ck_assert_double_eq_tol(
                        atmosphere_gas_density_kgpm3(table[i].pressure_pa,
                                                     table[i].temperature_k),
                        table[i].density_kgpm3, 1e-5);
        }
}

TEST(sea_level_is_what_was_set)
{
        ck_assert_double_eq(atmosphere_pressure_pa(&cold_low, 0.0), 98200.0);
        ck_assert_double_eq(atmosphere_temperature_k(&cold_low, 0.0), 268.0);
}

/* Each layer of air carries what is above it: dp/dh = -rho g. */
TEST(pressure_falls_by_the_weight_of_the_air)
{
        for (double h = -4000.0; h < 19900.0; h += 157.0) {
                double slope = (atmosphere_pressure_pa(&cold_low, h + 1.0) -
                                atmosphere_pressure_pa(&cold_low, h - 1.0)) /
                               2.0;
                double weight = 9.80665 * atmosphere_density_kgpm3(&cold_low, h);

                ck_assert_double_eq_tol(slope, -weight, 1e-6);
        }
}

TEST(altitude_is_the_inverse_of_pressure)
{
        for (double h = -4999.0; h < 20000.0; h += 13.7) {
                double p = atmosphere_pressure_pa(&isa, h);
                double q = atmosphere_pressure_pa(&cold_low, h);

                ck_assert_double_eq_tol(atmosphere_altitude_m(&isa, p), h, 1e-8);
                ck_assert_double_eq_tol(atmosphere_altitude_m(&cold_low, q), h, 1e-8);
        }
}

TEST(edges_hold_outside_the_layer)
{
        ck_assert_double_eq(atmosphere_pressure_pa(&isa, 1e6),
                            atmosphere_pressure_pa(&isa, 20000.0));
        ck_assert_double_eq(atmosphere_density_kgpm3(&isa, -1e6),
                            atmosphere_density_kgpm3(&isa, -5000.0));
        ck_assert_double_eq_tol(atmosphere_temperature_k(&isa, INFINITY), 216.65, 1e-9);
        ck_assert_double_eq(atmosphere_altitude_m(&isa, 0.0), 20000.0);
        ck_assert_double_eq(atmosphere_altitude_m(&isa, -3.0), 20000.0);
        ck_assert_double_eq(atmosphere_altitude_m(&isa, 1e9), -5000.0);
}

TEST(nan_stays_nan)
{
        ck_assert(isnan(atmosphere_pressure_pa(&isa, NAN)));
        ck_assert(isnan(atmosphere_density_kgpm3(&isa, NAN)));
        ck_assert(isnan(atmosphere_altitude_m(&isa, NAN)));
}
