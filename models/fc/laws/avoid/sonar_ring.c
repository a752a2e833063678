#include "models/fc/laws/avoid/sonar_ring.h"

#define NEVER_S 1e9

/* In the exact direction of a sonar no neighbour counts, whatever the rounding. */
#define NEIGHBOUR_SHARE 0.999

void sonar_ring_init(struct sonar_ring *r)
{
        for (int i = 0; i < SONARS_MAX; i++) {
                r->range_m[i] = INFINITY;
                r->age_s[i] = NEVER_S;
        }
}

void sonar_ring_hear(struct sonar_ring *r, const struct sonar_ring_params *p,
                     const struct sensor_frame *frame, double dt_s)
{
        for (int i = 0; i < p->count; i++) {
                const struct sonar_sample *s = &frame->sonar[p->first + i];

                r->age_s[i] += dt_s;
                if (!(frame->fresh_sonars & (1U << (p->first + i))) ||
                    !(s->range_m >= 0.0))
                        continue;
                r->range_m[i] = s->echo ? s->range_m : INFINITY;
                r->age_s[i] = 0.0;
        }
}

double sonar_ring_range_m(const struct sonar_ring *r, const struct sonar_ring_params *p,
                          int i)
{
        return r->age_s[i] <= p->silent_s ? r->range_m[i] : (double)NAN;
}

double sonar_ring_angle_rad(const struct sonar_ring_params *p, int i)
{
        return p->first_angle_rad + 2.0 * M_PI * i / p->count;
}

/* Algorithm 7 uses the plain difference of two angles from 0 to 360 degrees, so that 359 and 1
 * degrees are 358 apart: docs/errata.md. */
double sonar_ring_between_rad(double a_rad, double b_rad)
{
        double turns = (a_rad - b_rad) / (2.0 * M_PI);

        return 2.0 * M_PI * fabs(turns - rint(turns));
}

double sonar_ring_toward_m(const struct sonar_ring *r, const struct sonar_ring_params *p,
                           double angle_rad)
{
        double spacing_rad = NEIGHBOUR_SHARE * 2.0 * M_PI / fmax(p->count, 1);
        double least_m = INFINITY;

        for (int i = 0; i < p->count; i++) {
                double off_rad =
                        sonar_ring_between_rad(sonar_ring_angle_rad(p, i), angle_rad);
                double range_m = sonar_ring_range_m(r, p, i);

                if (off_rad > spacing_rad)
                        continue;
                if (isnan(range_m))
                        return (double)NAN;
                least_m = fmin(least_m, range_m);
        }
        return least_m;
}

int sonar_ring_nearest(const struct sonar_ring *r, const struct sonar_ring_params *p,
                       bool *silent)
{
        double least_m = INFINITY;
        int nearest = -1;

        *silent = false;
        for (int i = 0; i < p->count; i++) {
                double range_m = sonar_ring_range_m(r, p, i);

                if (isnan(range_m))
                        *silent = true;
                if (range_m < least_m) {
                        least_m = range_m;
                        nearest = i;
                }
        }
        return nearest;
}
