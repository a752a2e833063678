/* Places out of pairs of ranges to the walls of an arena, and the likeliest of them. */
#include "models/fc/estimate/medusa.h"

#include <math.h>

#define STEEP 1e-3 /* a beam that runs along a wall never meets it */
#define OFF   4.5 /* doubt of one reading: 3 sigma */

/* One step's readings: direction in the world and distance from the vehicle's middle. */
struct reading {
        double cosine, sine, from_middle_m;
};

struct readings {
        int count;
        struct reading of[SONARS_MAX];
};

static double distance_to(double from_m, double half_m, double slope)
{
        return fabs(slope) < STEEP ? INFINITY
                                   : ((slope > 0.0 ? half_m : -half_m) - from_m) / slope;
}

static double range_along(const struct medusa_params *p, double north_m, double east_m,
                          double cosine, double sine)
{
        return fmin(distance_to(north_m, 0.5 * p->length_m, cosine),
                    distance_to(east_m, 0.5 * p->width_m, sine));
}

double medusa_range_m(const struct medusa_params *p, double north_m, double east_m,
                      double direction_rad)
{
        return range_along(p, north_m, east_m, cos(direction_rad), sin(direction_rad));
}

static void take_readings(struct readings *r, const struct medusa_params *p,
                          double yaw_rad, const double range_m[])
{
        r->count = 0;
        for (int i = 0; i < p->sonars; i++) {
                double direction_rad = yaw_rad + p->bearing_rad[i];

                if (range_m[i] > 0.0 && range_m[i] < p->range_max_m)
                        r->of[r->count++] =
                                (struct reading){ cos(direction_rad), sin(direction_rad),
                                                  range_m[i] + p->offset_m[i] };
        }
}

static bool is_inside(const struct medusa_params *p, double north_m, double east_m)
{
        return fabs(north_m) <= 0.5 * p->length_m && fabs(east_m) <= 0.5 * p->width_m;
}

/* How far the readings are from what they should be there: the sum of squares in halves of sigma, of which one that is
 * more than 3 sigma off has no more than that: something else reflects there. */
static double find_doubt(const struct readings *r, const struct medusa_params *p,
                         double north_m, double east_m)
{
        double doubt = 0.0;

        for (int i = 0; i < r->count; i++) {
                const struct reading *at = &r->of[i];
                double off = (at->from_middle_m -
                              range_along(p, north_m, east_m, at->cosine, at->sine)) /
                             p->sigma_m;

                doubt += fmin(0.5 * off * off, OFF);
        }
        return doubt;
}

/* The best place so far of this step. */
struct search {
        int candidates;
        double doubt, north_m, east_m;
};

static void try_place(struct search *s, const struct readings *r, const struct medusa *m,
                      const struct medusa_params *p, double north_m, double east_m)
{
        double way_m = hypot(north_m - m->north_m, east_m - m->east_m), doubt;

        if (!is_inside(p, north_m, east_m) ||
            (m->known && p->speed_max_mps > 0.0 && way_m > p->speed_max_mps * m->since_s))
                return;
        doubt = find_doubt(r, p, north_m, east_m);
        s->candidates++;
        if (doubt >= s->doubt)
                return;
        s->doubt = doubt;
        s->north_m = north_m;
        s->east_m = east_m;
}

/* If that reading is of the wall to the north or south, and of the one to the east or west. */
static double north_of(const struct medusa_params *p, const struct reading *r)
{
        return (r->cosine > 0.0 ? 0.5 : -0.5) * p->length_m -
               r->from_middle_m * r->cosine;
}

static double east_of(const struct medusa_params *p, const struct reading *r)
{
        return (r->sine > 0.0 ? 0.5 : -0.5) * p->width_m - r->from_middle_m * r->sine;
}

bool medusa_step(struct medusa *m, const struct medusa_params *p, double yaw_rad,
                 const double range_m[], double dt_s)
{
        struct search best = { .doubt = INFINITY };
        struct readings r;

        m->since_s += dt_s;
        take_readings(&r, p, yaw_rad, range_m);
        /* A coordinate that no reading tells stays: first, so that what is as good is not taken. */
        for (int i = 0; m->known && r.count > 1 && i < r.count; i++) {
                try_place(&best, &r, m, p, north_of(p, &r.of[i]), m->east_m);
                try_place(&best, &r, m, p, m->north_m, east_of(p, &r.of[i]));
        }
        for (int i = 0; i < r.count; i++)
                for (int k = 0; k < r.count; k++)
                        if (i != k)
                                try_place(&best, &r, m, p, north_of(p, &r.of[i]),
                                          east_of(p, &r.of[k]));
        m->candidates = best.candidates;
        m->weight = exp(-best.doubt);
        /* More readings must speak for it than against it. */
        if (!(best.doubt < 0.5 * OFF * r.count))
                return false;
        m->known = true;
        m->since_s = 0.0;
        m->north_m = best.north_m;
        m->east_m = best.east_m;
        return true;
}
