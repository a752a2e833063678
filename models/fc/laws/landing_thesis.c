#include "models/fc/laws/landing_thesis.h"

#include <math.h>

/* Every backward difference of the measurements kept. */
static bool zero(const struct landing_thesis *s, const struct landing_thesis_params *p)
{
        for (int i = 1; i < LANDING_THESIS_KEPT; i++) {
                int at = (s->next + i) % LANDING_THESIS_KEPT;
                int before = (s->next + i - 1) % LANDING_THESIS_KEPT;

                if (!(fabs(s->down_m[at] - s->down_m[before]) < p->zero_mps * p->every_s))
                        return false;
        }
        return true;
}

double landing_thesis_step(struct landing_thesis *s,
                           const struct landing_thesis_params *p, double down_m,
                           double dt_s)
{
        s->since_s += dt_s;
        if (!s->landed && (s->kept == 0 || s->since_s >= p->every_s)) {
                s->since_s = s->kept == 0 ? 0.0 : s->since_s - p->every_s;
                s->down_m[s->next] = down_m;
                s->next = (s->next + 1) % LANDING_THESIS_KEPT;
                if (s->kept < LANDING_THESIS_KEPT)
                        s->kept++;
                s->landed = s->kept == LANDING_THESIS_KEPT && zero(s, p);
        }
        return s->landed ? 0.0 : -p->sink_mps;
}
