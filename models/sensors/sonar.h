/* Sonars: each sends a ping into a cone and believes the first echo that it hears, however that came
 * to it. The cone is a bundle of rays (Micklisch 3.6.3, algorithms 1 to 3), as wide and long as the
 * part's data sheet says (FINken report 3.1.1: 30 degrees, 7.65 m, readings up to 2.65 m). The echo
 * comes from ground, obstacles or other vehicles; another sonar's ping that comes back by way
 * of them is taken for an echo of one's own.
 *
 * Nothing moves while the sound is on its way: at 5 m/s and 2.65 m, 4 cm of the way back. */
#pragma once

#include "models/sensors/errors/error_model.h"
#include "models/sensors/exposure.h"
#include "models/sensors/schedule.h"

#define SONAR_RAYS_MAX 64

struct sonar_unit_params {
        struct schedule_params schedule; /* of the pings */
        struct vec3 lever_arm_body_m;
        struct vec3 axis_body; /* unit; down is 0, 0, 1 */
        double opening_rad; /* full angle of the cone, < pi; 0: a single ray along the axis */
        int rays; /* of the bundle, 1 to SONAR_RAYS_MAX */
        double beam_max_m; /* no echo from farther away: how long it listens */
        double incidence_max_rad; /* no echo from a surface met farther off its normal */
        /* How loud a flat, hard wall 1 m ahead is, over what is just heard; 0: whatever comes back is
         * heard, however faint. */
        double margin_db;
        double absorption_dbpm; /* of air, at the sonar's frequency */
        /* The speed of sound by which it makes a distance of a time; 0: the true one. */
        double assumed_mps;
        double frequency_hz;
        bool crosstalk; /* hears, and is heard by, others of its frequency that have it, on any vehicle */
        struct error_params range; /* m; its min and max are those of the reading */

        /* Filled by sonar_params_prepare(). */
        double cos_half, cos_incidence_max;
        struct vec3 ray_body[SONAR_RAYS_MAX]; /* unit; the first is the axis */
};

struct sonar_params {
        int count;
        struct sonar_unit_params unit[SONARS_MAX];
};

struct sonar {
        struct rng rng[SONARS_MAX]; /* one for each unit */
};

void sonar_params_prepare(struct sonar_params *p);

void sonar_init(struct sonar *ring, const struct sonar_params *p, uint64_t seed,
                uint32_t vehicle);

/* One reading of unit i, whose ping leaves at e->t_ns. `echo` says that it heard something: farther
 * away than the cap, the range is the cap. Without an echo it is the cap too, or the beam's length
 * where that is shorter. Where a real sonar measured something nearer (e->real_range_m, with its own
 * errors already in it), that is the reading (FINken report 3.3.3). out->t_ns is the caller's. */
void sonar_step(struct sonar *ring, const struct sonar_params *p, int i,
                const struct exposure *e, struct sonar_sample *out);

/* Of dry air: 331.3 m/s sqrt(T / 273.15 K), as ISO 2533's 20.0468 sqrt(T). */
double sonar_speed_of_sound_mps(double temperature_k);
