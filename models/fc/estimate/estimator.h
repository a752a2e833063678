/* The flight controller's estimate: alignment at rest, then attitude (ahrs) and motion, corrected
 * by every sensor with a new sample. Samples that are repeated, older than the last, or impossible
 * for a sensor (NaN, 1e30) change nothing. */
#pragma once

#include "models/world/earth.h"
#include "models/fc/estimate/ahrs.h"
#include "models/fc/estimate/alignment.h"
#include "models/fc/estimate/motion.h"

struct fc_estimator {
        /* The result of the last step. */
        bool aligned;
        struct quat q_body_to_ned;
        struct vec3 rate_body_radps;
        struct vec3 pos_ned_m; /* from where it was aligned */
        struct vec3 vel_ned_mps;

        struct alignment alignment; /* until then */
        struct ahrs ahrs;
        struct motion motion;
        struct vec3 felt_body_mps2; /* specific force, impacts apart */

        bool started; /* an IMU sample has come */
        int64_t imu_t_ns, gps_t_ns, baro_t_ns, mag_t_ns,
                sonar_t_ns; /* of the last ones */

        double gps_age_s, baro_age_s; /* since one was used; large: never */
        bool origin_known;
        int origin_samples;
        struct earth_position first_fix;
        struct vec3 origin_sum_m; /* relative to the first fix */
        struct earth_origin origin;
        double searching_s; /* for a first fix, since alignment */

        double baro_zero_pa, baro_zero_k;
        bool sonar_zero_known;
        double sonar_zero_m; /* what it reads on the ground */
        double sonar_same_m; /* the reading that repeats, */
        double sonar_same_down_m; /* and where that began */
        double above_ground_m; /* from sonar; only while sonar_age_s is small */
        double sonar_age_s;
        int64_t heard_t_ns; /* when that was */
        int sonar_agrees; /* readings in a row of the same ground as the one before */
};

void estimator_init(struct fc_estimator *e);

/* Processes a frame; returns the time since the last IMU sample, 0 if there is no new one.
 * `on_ground`: it certainly stands there, so the sonar's zero may be learnt. */
double estimator_step(struct fc_estimator *e, const struct fc_params *p,
                      const struct sensor_frame *frame, bool on_ground);

/* Whether its sonar hears the ground. */
bool estimator_hears_ground(const struct fc_estimator *e);

/* The same, several times in a row: not a single false echo. */
bool estimator_sure_of_ground(const struct fc_estimator *e);

/* Why it cannot fly yet; NULL if it can. */
const char *estimator_missing(const struct fc_estimator *e);

/* Whether the horizontal position is known: GPS, not too long ago. */
bool estimator_knows_position(const struct fc_estimator *e);

/* Height above the ground below, if the sonar hears it; otherwise above the ground that it started
 * from, at down coordinate ground_down_m. */
double estimator_height_m(const struct fc_estimator *e, double ground_down_m);

/* Between estimator.c and estimator_height.c. */

#define ESTIMATOR_BARO_LOST_S 1.0 /* after this time it is no longer waited for */

/* Time since the last sample of a sensor, which this one then becomes; 0 if it is not newer. At most a second, to limit
 * the filters' gains. */
double estimator_since(int64_t *last_ns, int64_t t_ns);
void estimator_use_baro(struct fc_estimator *e, const struct fc_params *p,
                        const struct baro_sample *baro);
void estimator_use_sonar(struct fc_estimator *e, const struct fc_params *p,
                         const struct sonar_sample *sonar, bool on_ground);
