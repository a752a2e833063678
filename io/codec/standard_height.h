/* Height in the standard atmosphere (ISO 2533), which some messages carry beside the pressure; firmware computes its own. */
#pragma once

#include <math.h>

/* 0 of what is no pressure. */
static inline double standard_height_m(double pressure_pa)
{
        if (!(pressure_pa > 0.0))
                return 0.0;
        return 44330.77 * (1.0 - pow(pressure_pa / 101325.0, 0.190263));
}
