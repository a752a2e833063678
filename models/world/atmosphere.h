/* The International Standard Atmosphere (ISO 2533) up to 20 km, with a settable pressure
 * and temperature at sea level: up to 11 km colder by 6.5 K/km, above at one temperature.
 * Below -5 km and above 20 km the values at that height hold. NaN gives NaN. */
#pragma once

#define ATMOSPHERE_LOWEST_M  -5000.0
#define ATMOSPHERE_HIGHEST_M 20000.0

struct atmosphere {
        double sea_level_pressure_pa; /* ISA: 101325 */
        double sea_level_temperature_k; /* ISA: 288.15 */
};

double atmosphere_temperature_k(const struct atmosphere *a, double altitude_m);
double atmosphere_pressure_pa(const struct atmosphere *a, double altitude_m);
double atmosphere_density_kgpm3(const struct atmosphere *a, double altitude_m);

/* Dry air as an ideal gas: the density at a pressure and a temperature. */
double atmosphere_gas_density_kgpm3(double pressure_pa, double temperature_k);

/* The inverse of the pressure, up to 11 km h = (T0/L) (1 - (P/P0)^(R L/(g M))) (Micklisch 33,
 * corrected: docs/errata.md). */
double atmosphere_altitude_m(const struct atmosphere *a, double pressure_pa);
