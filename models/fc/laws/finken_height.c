#include "models/fc/laws/finken_height.h"

#define GRAVITY_MPS2 9.80665

double finken_height_missing_m(struct finken_height *c, double is_down_m,
                               double target_down_m)
{
        c->down_m = target_down_m;
        c->known = true;
        return is_down_m - c->down_m;
}

double finken_height_along_m(struct finken_height *c, double is_down_m, double climb_mps,
                             double dt_s)
{
        if (!c->known)
                c->down_m = is_down_m;
        c->known = true;
        c->down_m -= climb_mps * dt_s;
        return is_down_m - c->down_m;
}

double finken_throttle(const struct finken_params *p, double throttle_percent)
{
        double d = fmin(fmax(throttle_percent, 0.0), 100.0) - 50.0;
        double a = d < 0.0 ? p->curve_below : p->curve_above;

        /* (3.6) */
        return a > 0.0 ? 50.0 + a * d / (a + 50.0 - fabs(d)) : 50.0 + d;
}

double finken_stream_mps(const struct finken_params *p, double throttle_percent,
                         double missing_m, double climb_mps)
{
        /* (3.5) */
        double stream_mps =
                p->stream_full_mps * finken_throttle(p, throttle_percent) / 100.0 +
                p->height_p_per_s * missing_m - p->climb_p * climb_mps;

        return fmax(stream_mps, 0.0);
}

double finken_thrust_n(const struct fc_params *p, double stream_mps)
{
        double share = stream_mps / p->finken.stream_hover_mps;

        return p->mass_kg * GRAVITY_MPS2 * share * share;
}
