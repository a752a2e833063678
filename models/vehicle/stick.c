#include "models/vehicle/stick.h"

#include <math.h>

static bool is_one_sided(const struct stick_params *p)
{
        return p->centre <= p->least;
}

/* Beyond the dead zone, from 0 at its edge to 1 at the end. */
static double shape_side(const struct stick_params *p, double side)
{
        double x = fmin(fmax(side, 0.0), 1.0);

        x = x <= p->dead_ratio ? 0.0 : (x - p->dead_ratio) / (1.0 - p->dead_ratio);
        return (1.0 - p->expo_ratio) * x + p->expo_ratio * x * x * x;
}

double stick_value(const struct stick_params *p, double raw)
{
        double off = raw - p->centre;
        double value = off >= 0.0 ? shape_side(p, off / (p->most - p->centre))
                                  : -shape_side(p, off / (p->least - p->centre));

        if (is_one_sided(p))
                value = fmax(value, 0.0);
        if (!p->inverted)
                return value;
        return is_one_sided(p) ? 1.0 - value : -value;
}

uint16_t stick_us(const struct stick_params *p, double raw)
{
        double value = stick_value(p, raw);

        return (uint16_t)lrint(is_one_sided(p) ? 1000.0 + 1000.0 * value
                                               : 1500.0 + 500.0 * value);
}
