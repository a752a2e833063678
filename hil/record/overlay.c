#include "hil/record/overlay.h"

#include <math.h>
#include <stdlib.h>

#include "hil/config/config.h"
#include "io/sort.h"

static struct overlay_bin *bins_of(const struct overlay_run *run, int vehicle,
                                   enum overlay_quantity q)
{
        return run->bin +
               ((size_t)vehicle * OVERLAY_QUANTITIES + (size_t)q) * OVERLAY_BINS;
}

bool overlay_open(struct overlay_run *run, double end_s)
{
        *run = (struct overlay_run){ .end_s = end_s, .last_s = -1.0 };
        run->bin = calloc((size_t)VEHICLES_MAX * OVERLAY_QUANTITIES * OVERLAY_BINS,
                          sizeof *run->bin);
        return run->bin != NULL;
}

void overlay_close(struct overlay_run *run)
{
        free(run->bin);
        run->bin = NULL;
        run->vehicles = 0;
}

static void widen(struct overlay_bin *bin, const struct overlay_bin *by)
{
        if (bin->count == 0 || by->low < bin->low) {
                bin->low = by->low;
                bin->low_later = true;
        }
        if (bin->count == 0 || by->high > bin->high) {
                bin->high = by->high;
                bin->low_later = bin->low == by->low && by->low_later;
        }
        bin->sum += by->sum;
        bin->count += by->count;
}

void overlay_add(struct overlay_run *run, int vehicle, enum overlay_quantity q,
                 double t_s, double value)
{
        const struct overlay_bin one = { value, value, value, 1, false };
        double at = t_s / run->end_s * OVERLAY_BINS;

        if (!isfinite(value) || !(at >= 0.0) || at > OVERLAY_BINS)
                return;
        /* The last moment of all belongs to the last bin. */
        at = fmin(at, OVERLAY_BINS - 1);
        widen(&bins_of(run, vehicle, q)[(int)at], &one);
        if (vehicle >= run->vehicles)
                run->vehicles = vehicle + 1;
}

struct overlay_bin overlay_bin(const struct overlay_run *run, int vehicle,
                               enum overlay_quantity q, int first, int bins)
{
        const struct overlay_bin *from = bins_of(run, vehicle, q);
        struct overlay_bin all = { 0 };

        for (int i = first; i < first + bins && i < OVERLAY_BINS; i++)
                if (from[i].count > 0)
                        widen(&all, &from[i]);
        return all;
}

double overlay_first(const struct overlay_run *run, int vehicle, enum overlay_quantity q)
{
        const struct overlay_bin *bin = bins_of(run, vehicle, q);

        for (int i = 0; i < OVERLAY_BINS; i++)
                if (bin[i].count > 0)
                        return bin[i].sum / bin[i].count;
        return NAN;
}

bool overlay_has(const struct overlay_run *run, int vehicle, enum overlay_quantity q)
{
        return vehicle < run->vehicles && !isnan(overlay_first(run, vehicle, q));
}

void overlay_turn_to(struct overlay_run *run, int vehicle, enum overlay_quantity q,
                     double near_deg)
{
        struct overlay_bin *bin = bins_of(run, vehicle, q);
        double turn_deg =
                360.0 * round((near_deg - overlay_first(run, vehicle, q)) / 360.0);

        for (int i = 0; isfinite(turn_deg) && i < OVERLAY_BINS; i++) {
                bin[i].low += turn_deg;
                bin[i].high += turn_deg;
                bin[i].sum += turn_deg * bin[i].count;
        }
}

double overlay_median(double *value, int n)
{
        if (n == 0)
                return NAN;
        sort_doubles(value, (size_t)n);
        return 0.5 * (value[(n - 1) / 2] + value[n / 2]);
}
