/* GPS receiver, in three forms of rising truth:
 *
 *   white       true position and velocity at the antenna with white noise, satellites given
 *   gruber      Gruber's simulated receiver (5.2.7.2): white noise that depends on the number of
 *               satellites above 5 degrees and in sight
 *   satellites  errors of ranges that wander, spread by the geometry of the satellites that the
 *               receiver has found (Misra and Enge, Global Positioning System, 6.1)
 */
#pragma once

#include "models/sensors/errors/error_model.h"
#include "models/sensors/exposure.h"
#include "models/sensors/gps_errors.h"
#include "models/sensors/gps_tracking.h"
#include "models/sensors/schedule.h"

enum gps_model { GPS_WHITE, GPS_GRUBER, GPS_SATELLITES };

struct gps_params {
        struct schedule_params schedule; /* Gruber: every 0.25 s */
        struct vec3 lever_arm_body_m;
        bool flat_earth; /* Gruber's conversion instead of WGS-84 */
        enum gps_model model;
        /* Biases of every form; sigmas of the position in white, of the velocity in white and
         * gruber. */
        struct error_params position; /* north, east, down, m */
        struct error_params velocity; /* north, east, down, m/s */
        int satellites; /* white: reported as it is; fewer than 4: no fix */
        /* gruber: standard deviation with 4 satellites and with 12, linear between. */
        double sigma_four_m, sigma_twelve_m;
        struct gps_tracking_params tracking; /* gruber: the mask alone */
        struct gps_errors_params errors; /* satellites */
};

struct gps {
        struct rng rng[6];
        struct gps_errors errors;
        struct gps_tracking tracking; /* what NMEA GSV or UBX NAV-SAT would say */
        struct gps_sample last; /* the last fix */
        bool has_fix; /* there was one */
        double fix_down_m; /* the height of the last 3D fix, as NED */
};

/* What h_acc_m and v_acc_m, and s_acc_mps are without a fix in gruber and satellites. */
#define GPS_UNKNOWN_M   10000.0
#define GPS_UNKNOWN_MPS 100.0

/* Fixes the period; once when the other parameters stand. */
void gps_params_prepare(struct gps_params *p);

/* Of each axis in m, by Gruber 5.2.7.2: linear between 4 satellites and 12. */
double gps_gruber_sigma_m(const struct gps_params *p, int satellites);

void gps_init(struct gps *gps, const struct gps_params *p, uint64_t seed,
              uint32_t vehicle);

/* One sample. In white without a fix the fields hold what they would with one; in the other forms
 * they stay at the last fix, or at the world's origin when there was none. The noise drawn never
 * depends on what is seen. out->t_ns is the caller's. */
void gps_step(struct gps *gps, const struct gps_params *p, const struct exposure *e,
              struct gps_sample *out);
