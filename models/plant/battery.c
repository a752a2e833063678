#include "models/plant/battery.h"

#include <math.h>

/* State of charge, 0 to 1. */
static double charge_left(const struct battery *b, const struct battery_params *p)
{
        double left = p->charge_ratio - b->charge_used_c / p->capacity_c;

        return left > 0.0 ? left : 0.0;
}

/* The first point from 1 on that is not below, or the last. */
static int point_above(const struct battery_params *p, double charge_ratio)
{
        int low = 1, high = p->points - 1;

        while (low < high) {
                int middle = (low + high) / 2;

                if (charge_ratio > p->curve_ratio[middle])
                        low = middle + 1;
                else
                        high = middle;
        }
        return low;
}

double battery_open_circuit_v(const struct battery_params *p, double charge_ratio)
{
        int i = point_above(p, charge_ratio);
        double from = p->curve_ratio[i - 1];
        double share = (charge_ratio - from) / (p->curve_ratio[i] - from);

        share = share > 0.0 ? share : 0.0;
        share = share < 1.0 ? share : 1.0;
        return p->curve_v[i - 1] + share * (p->curve_v[i] - p->curve_v[i - 1]);
}

void battery_init(struct battery *b, const struct battery_params *p)
{
        *b = (struct battery){ 0 };
        if (battery_fitted(p))
                b->voltage_v = battery_open_circuit_v(p, p->charge_ratio);
}

/* The smaller root of R I^2 - E I + P = 0, written so that R = 0 divides by nothing. */
static double current_for(double source_v, double resistance_ohm, double power_w)
{
        double root = source_v * source_v - 4.0 * resistance_ohm * power_w;

        if (root < 0.0)
                return 0.5 * source_v / resistance_ohm;
        return 2.0 * power_w / (source_v + sqrt(root));
}

/* NaN is no load, and power that a rotor takes from the wind is not fed back. */
static double power_for(const struct battery_params *p, double shaft_w)
{
        return shaft_w > 0.0 ? p->idle_w + shaft_w / p->efficiency : p->idle_w;
}

static double source_v_of(const struct battery *b, const struct battery_params *p)
{
        return battery_open_circuit_v(p, charge_left(b, p));
}

double battery_voltage_v(const struct battery *b, const struct battery_params *p,
                         double shaft_w)
{
        double source_v = source_v_of(b, p);

        return source_v - p->resistance_ohm * current_for(source_v, p->resistance_ohm,
                                                          power_for(p, shaft_w));
}

void battery_step(struct battery *b, const struct battery_params *p, double shaft_w,
                  double dt_s)
{
        double source_v;

        if (!battery_fitted(p))
                return;
        source_v = source_v_of(b, p);
        b->current_a = current_for(source_v, p->resistance_ohm, power_for(p, shaft_w));
        b->voltage_v = source_v - p->resistance_ohm * b->current_a;
        b->charge_used_c += b->current_a * dt_s;
        b->low_s = b->voltage_v < p->cutoff_v ? b->low_s + dt_s : 0.0;
        /* Whatever the cut-off, an empty battery delivers nothing. */
        if (b->low_s >= BATTERY_CUTOFF_S ||
            b->charge_used_c >= p->charge_ratio * p->capacity_c)
                b->empty = 1;
}
