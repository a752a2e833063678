#include "models/fc/ground.h"

/* (35) to (37). O_u is what the sonar says, brought up to now by the motion since its last ping; O_p
 * is the height by the pressure as the estimator smooths it, on the sonar's scale, which does
 * not end at 0 on the ground. */
static struct ground_height weighted(const struct fc_estimator *e,
                                     const struct fc_params *p, double takeoff_down_m)
{
        double standing_m = e->sonar_zero_known ? e->sonar_zero_m : 0.0;
        double down_m = e->pos_ned_m.z;
        struct height_fusion fused;

        height_fusion_step(&p->height_fusion, takeoff_down_m - down_m + standing_m,
                           fmax(e->ground_down_m - down_m + standing_m, 0.0),
                           estimator_hears_ground(e), &fused);
        return (struct ground_height){ fused.height_m, standing_m,
                                       fused.main == HEIGHT_BY_SONAR };
}

struct ground_height ground_height(const struct fc_estimator *e,
                                   const struct fc_params *p, double takeoff_down_m)
{
        if (p->law.ground == GROUND_WEIGHTED)
                return weighted(e, p, takeoff_down_m);
        return (struct ground_height){ estimator_height_m(e, takeoff_down_m), 0.0,
                                       estimator_hears_ground(e) };
}
