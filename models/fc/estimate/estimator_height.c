/* The estimator's heights: above the start from the barometer, above the ground from the sonar. */
#include "models/fc/estimate/estimator.h"

#define SONAR_LOST_S  0.3
#define SONAR_GATE_M  0.5 /* a step this high is the ground's, not the vehicle's */
#define SONAR_SURE    2 /* readings that agree with the one before */
#define SONAR_SAME_M  0.05 /* readings no farther apart are the same, */
#define SONAR_STUCK_M 0.5 /* and over such a climb or descent no true one does */

/* Standard atmosphere (ISO 2533). */
#define LAPSE_K_PER_M  0.0065
#define LAPSE_EXPONENT 0.190263

/* A measured down coordinate, by the gains of a third-order observer with three equal
 * poles at -1/tau: height, velocity and the accelerometer's error. */
static void correct_down(struct fc_estimator *e, int64_t t_ns, double down_m,
                         double tau_s, double dt_s)
{
        struct motion_point then;
        double share = fmin(dt_s / tau_s, 0.3);
        double error_m;

        if (!motion_at(&e->motion, t_ns, &then))
                return;
        error_m = down_m - then.pos_ned_m.z;
        motion_correct(&e->motion, t_ns, (struct vec3){ 0.0, 0.0, 3.0 * share * error_m },
                       (struct vec3){ 0.0, 0.0, 3.0 * share * error_m / tau_s });
        e->motion.accel_bias_ned_mps2.z -= share * error_m / (tau_s * tau_s);
}

/* Height by the standard atmosphere's lapse, from the ground's pressure and temperature. */
static double baro_down_m(const struct fc_estimator *e, double pressure_pa)
{
        double ground_k = e->baro_zero_k;

        if (!(ground_k > 200.0 && ground_k < 330.0))
                ground_k = 288.15;
        return -ground_k / LAPSE_K_PER_M *
               (1.0 - pow(pressure_pa / e->baro_zero_pa, LAPSE_EXPONENT));
}

void estimator_use_baro(struct fc_estimator *e, const struct fc_params *p,
                        const struct baro_sample *baro)
{
        double dt_s = estimator_since(&e->baro_t_ns, baro->t_ns);

        if (dt_s <= 0.0)
                return;
        if (!e->aligned) {
                alignment_baro(&e->alignment, baro);
                return;
        }
        correct_down(e, baro->t_ns, baro_down_m(e, baro->pressure_pa), p->baro_tau_s,
                     fmin(dt_s, ESTIMATOR_BARO_LOST_S));
        e->baro_age_s = 0.0;
}

/* Whether a reading is of the same ground as the last one. */
static bool agrees_with_last(const struct fc_estimator *e, double above_m, int64_t t_ns)
{
        struct motion_point before, now;

        return estimator_hears_ground(e) &&
               motion_at(&e->motion, e->heard_t_ns, &before) &&
               motion_at(&e->motion, t_ns, &now) &&
               fabs(above_m + now.pos_ned_m.z - e->above_ground_m - before.pos_ned_m.z) <
                       SONAR_GATE_M;
}

/* Whether the reading stays the same wherever the vehicle goes: dirt, water, a cable, a fault. It
 * is then ignored until it changes. */
static bool is_stuck(struct fc_estimator *e, double height_m, int64_t t_ns,
                     bool on_ground)
{
        struct motion_point then;

        if (!motion_at(&e->motion, t_ns, &then))
                return false;
        if (on_ground || !(fabs(height_m - e->sonar_same_m) < SONAR_SAME_M)) {
                e->sonar_same_m = height_m;
                e->sonar_same_down_m = then.pos_ned_m.z;
        }
        return fabs(then.pos_ned_m.z - e->sonar_same_down_m) > SONAR_STUCK_M;
}

/* Range along the tilted beam -> height above the ground, less the reading on the ground. */
void estimator_use_sonar(struct fc_estimator *e, const struct fc_params *p,
                         const struct sonar_sample *sonar, bool on_ground)
{
        double dt_s = estimator_since(&e->sonar_t_ns, sonar->t_ns);
        struct vec3 beam =
                quat_rotate(e->ahrs.q_body_to_ned, (struct vec3){ 0.0, 0.0, 1.0 });
        double height_m = sonar->range_m * beam.z;
        struct motion_point then;

        if (!e->aligned || dt_s <= 0.0 || !sonar->echo || beam.z < 0.7 ||
            !(sonar->range_m > p->sonar_min_m) || !(sonar->range_m < p->sonar_max_m))
                return;
        if (on_ground) {
                double share = e->sonar_zero_known ? fmin(dt_s, 1.0) : 1.0;

                e->sonar_zero_m += share * (height_m - e->sonar_zero_m);
                e->sonar_zero_known = true;
        }
        if (!e->sonar_zero_known || is_stuck(e, height_m, sonar->t_ns, on_ground))
                return;
        if (!agrees_with_last(e, height_m - e->sonar_zero_m, sonar->t_ns))
                e->sonar_agrees = 0;
        else if (e->sonar_agrees < SONAR_SURE)
                e->sonar_agrees++;
        e->above_ground_m = height_m - e->sonar_zero_m;
        e->sonar_age_s = 0.0;
        e->heard_t_ns = sonar->t_ns;
        if (motion_at(&e->motion, sonar->t_ns, &then) &&
            fabs(e->above_ground_m + then.pos_ned_m.z) < SONAR_GATE_M)
                correct_down(e, sonar->t_ns, -e->above_ground_m, p->sonar_tau_s, dt_s);
}

bool estimator_hears_ground(const struct fc_estimator *e)
{
        return e->sonar_age_s < SONAR_LOST_S;
}

bool estimator_sure_of_ground(const struct fc_estimator *e)
{
        return estimator_hears_ground(e) && e->sonar_agrees >= SONAR_SURE;
}

double estimator_height_m(const struct fc_estimator *e, double ground_down_m)
{
        if (estimator_hears_ground(e))
                return e->above_ground_m;
        return ground_down_m - e->pos_ned_m.z;
}
