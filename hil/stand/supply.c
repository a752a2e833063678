/* What the table of a stand tells of its battery and its ESC. */
#include <math.h>

#include "hil/stand/rows.h"

/* The open-circuit voltage falls with the charge drawn, slowly and not along a line. */
static void voltages(const void *of, const double *p, double *out)
{
        const struct stand_fit *f = of;

        for (size_t i = 0; i < f->rows; i++) {
                const struct stand_row *r = &f->row[i];
                double q = 1e-3 * r->charge_c;

                out[i] = r->voltage_v -
                         (p[1] + p[2] * q + p[3] * q * q - p[0] * r->current_a);
        }
}

static void powers(const void *of, const double *p, double *out)
{
        const struct stand_fit *f = of;

        for (size_t i = 0; i < f->rows; i++) {
                const struct stand_row *r = &f->row[i];
                double shaft_w = r->torque_nm * r->speed_radps;

                out[i] = shaft_w / p[0] + p[1] - r->voltage_v * r->current_a;
        }
}

void stand_find_resistance(struct stand_fit *f, struct stand_result *r)
{
        double ohm = fmax(f->start->battery.resistance_ohm, 1e-3);
        double volt = f->row[0].voltage_v;
        const double begin[4] = { ohm, volt, 0.0, 0.0 };
        const double scale[4] = { 10.0 * ohm, volt, volt, volt };
        const double low[4] = { 0.0, 0.0, -1e3, -1e3 }, high[4] = { 10.0, 1e3, 1e3, 1e3 };
        double found[4], half[4];

        if (stand_solve(f, voltages, 4, begin, scale, low, high, found, half))
                stand_take(r, STAND_RESISTANCE, found[0], half[0]);
}

void stand_find_efficiency(struct stand_fit *f, struct stand_result *r)
{
        const double begin[2] = { 0.6, 1.0 }, scale[2] = { 0.5, 20.0 };
        const double low[2] = { 0.02, 0.0 }, high[2] = { 1.0, 500.0 };
        double found[2], half[2];

        if (stand_solve(f, powers, 2, begin, scale, low, high, found, half))
                stand_take(r, STAND_EFFICIENCY, found[0], half[0]);
}
