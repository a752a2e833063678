/* Two layers of the standard atmosphere. Outside -5 to 20 km the values at the edge hold, so
 * that a vehicle that flies away still gets finite air. */
#include "models/world/atmosphere.h"

#include <math.h>

/* ISO 2533. Its height is geopotential; at 1 km that is 0.16 m less than the geometric height,
 * which the models use instead. */
#define GRAVITY_MPS2       9.80665
#define GAS_CONSTANT_JPKGK 287.05287
#define LAPSE_RATE_KPM     0.0065
#define PRESSURE_EXPONENT  (GRAVITY_MPS2 / (GAS_CONSTANT_JPKGK * LAPSE_RATE_KPM))
#define TROPOPAUSE_M       11000.0

/* NaN stays NaN. */
static double within(double altitude_m, double highest_m)
{
        if (altitude_m < ATMOSPHERE_LOWEST_M)
                return ATMOSPHERE_LOWEST_M;
        return altitude_m > highest_m ? highest_m : altitude_m;
}

double atmosphere_temperature_k(const struct atmosphere *a, double altitude_m)
{
        return a->sea_level_temperature_k -
               LAPSE_RATE_KPM * within(altitude_m, TROPOPAUSE_M);
}

/* Over which the pressure falls to 1/e where the temperature stays: 6341.6 m. */
static double scale_height_m(const struct atmosphere *a)
{
        return GAS_CONSTANT_JPKGK * atmosphere_temperature_k(a, TROPOPAUSE_M) /
               GRAVITY_MPS2;
}

double atmosphere_pressure_pa(const struct atmosphere *a, double altitude_m)
{
        double ratio =
                atmosphere_temperature_k(a, altitude_m) / a->sea_level_temperature_k;
        double pressure_pa = a->sea_level_pressure_pa * pow(ratio, PRESSURE_EXPONENT);

        if (!(altitude_m > TROPOPAUSE_M))
                return pressure_pa;
        return pressure_pa *
               exp((TROPOPAUSE_M - within(altitude_m, ATMOSPHERE_HIGHEST_M)) /
                   scale_height_m(a));
}

double atmosphere_gas_density_kgpm3(double pressure_pa, double temperature_k)
{
        return pressure_pa / (GAS_CONSTANT_JPKGK * temperature_k);
}

double atmosphere_density_kgpm3(const struct atmosphere *a, double altitude_m)
{
        return atmosphere_gas_density_kgpm3(atmosphere_pressure_pa(a, altitude_m),
                                            atmosphere_temperature_k(a, altitude_m));
}

/* Micklisch (33), corrected: docs/errata.md */
double atmosphere_altitude_m(const struct atmosphere *a, double pressure_pa)
{
        double ratio = (pressure_pa < 0.0 ? 0.0 : pressure_pa) / a->sea_level_pressure_pa;
        double cooling = 1.0 - pow(ratio, 1.0 / PRESSURE_EXPONENT);
        double altitude_m = a->sea_level_temperature_k / LAPSE_RATE_KPM * cooling;

        if (altitude_m > TROPOPAUSE_M)
                altitude_m =
                        TROPOPAUSE_M +
                        scale_height_m(a) * log(atmosphere_pressure_pa(a, TROPOPAUSE_M) /
                                                (ratio * a->sea_level_pressure_pa));
        return within(altitude_m, ATMOSPHERE_HIGHEST_M);
}
