#include "models/fc/landing_watch.h"

#define GRAVITY_MPS2 9.80665

#define FELT_TAU_S  0.03 /* the rotors shake it, an impact rings */
#define SINKS_SHARE 0.9 /* of 1 g; a bias of the sensor may hide a twentieth */
#define FALLS_SHARE 0.8

void landing_watch_step(struct landing_watch *w, double felt_mps2, double dt_s)
{
        double share = dt_s / (dt_s + FELT_TAU_S);

        if (!w->begun)
                w->felt_mps2 = GRAVITY_MPS2;
        w->begun = true;
        w->felt_mps2 += share * (felt_mps2 - w->felt_mps2);
}

bool landing_watch_sinks(const struct landing_watch *w)
{
        return w->felt_mps2 < SINKS_SHARE * GRAVITY_MPS2;
}

bool landing_watch_falls(const struct landing_watch *w)
{
        return w->felt_mps2 < FALLS_SHARE * GRAVITY_MPS2;
}
