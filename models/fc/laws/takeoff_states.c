#include "models/fc/laws/takeoff_states.h"

#include <math.h>

/* Written so that NaN keeps the state. */
static void advance(struct takeoff_states *s, const struct takeoff_states_params *p,
                    double height_m)
{
        if (s->state == TAKEOFF_ON_GROUND && height_m > p->off_ground_m)
                s->state = TAKEOFF_BELOW;
        if (s->state == TAKEOFF_BELOW && height_m >= p->height_m - p->tolerance_m)
                s->state = TAKEOFF_THERE;
}

struct takeoff_aim takeoff_states_step(struct takeoff_states *s,
                                       const struct takeoff_states_params *p,
                                       double height_m, double dt_s)
{
        struct takeoff_aim aim = { .height_m = p->height_m, .share = 1.0 };

        advance(s, p, height_m);
        s->spooling_s += dt_s;
        if (s->state == TAKEOFF_ON_GROUND) {
                aim.height_m = p->first_m; /* 5.2, 1 */
                aim.share = s->spooling_s < p->spool_s ? s->spooling_s / p->spool_s : 1.0;
        }
        aim.done = s->state == TAKEOFF_THERE;
        return aim;
}
