#include "models/fc/ground.h"

/* O_u: the sonar's last reading, carried forward by the motion since. */
static double sonar_m(const struct fc_estimator *e)
{
        double then_m = e->above_ground_m + e->sonar_zero_m;
        struct motion_point then;

        if (!motion_at(&e->motion, e->heard_t_ns, &then))
                return then_m;
        return fmax(then_m + then.pos_ned_m.z - e->pos_ned_m.z, 0.0);
}

/* (35) to (37). O_p is the height by pressure as the estimator smooths it, on the sonar's scale,
 * which does not end at 0 on the ground. */
static struct ground_height weighted(const struct fc_estimator *e,
                                     const struct fc_params *p, double takeoff_down_m)
{
        double standing_m = e->sonar_zero_known ? e->sonar_zero_m : 0.0;
        double pressure_m = takeoff_down_m - e->pos_ned_m.z + standing_m;
        struct height_fusion fused;

        height_fusion_step(&p->height_fusion, pressure_m, sonar_m(e),
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

double ground_clearance_m(const struct fc_estimator *e, const struct fc_params *p,
                          double takeoff_down_m)
{
        struct ground_height height = ground_height(e, p, takeoff_down_m);

        return height.above_m - height.standing_m;
}
