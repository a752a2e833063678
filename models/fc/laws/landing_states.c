#include "models/fc/laws/landing_states.h"

/* Written so that NaN counts as high. */
static enum landing_state state_at(const struct landing_states_params *p, double height_m,
                                   bool sure)
{
        if (height_m < p->off_m && sure)
                return LANDING_OFF;
        if (height_m < p->flare_m)
                return LANDING_FLARE;
        return height_m < p->slow_m ? LANDING_SLOW : LANDING_HIGH;
}

void landing_states_step(struct landing_states *s, const struct landing_states_params *p,
                         double height_m, bool sure)
{
        if (s->state != LANDING_OFF)
                s->state = state_at(p, height_m, sure);
}

double landing_states_below_m(const struct landing_states *s,
                              const struct landing_states_params *p)
{
        switch (s->state) {
        case LANDING_HIGH:
                return p->high_below_m;
        case LANDING_SLOW:
                return p->slow_below_m;
        case LANDING_FLARE:
                return p->flare_below_m;
        case LANDING_OFF:
                break;
        }
        return 0.0;
}
