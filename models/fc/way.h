/* The mission's target -> where to fly now: a ring of sonars bends the path around obstacles, and
 * the thesis's way-point controller turns it into velocities. Without these laws nothing changes. */
#ifndef MODELS_FC_WAY_H
#define MODELS_FC_WAY_H

#include "models/fc/mission.h"

struct way {
        struct sonar_ring ring;
        struct position_thesis thesis;
        double yaw_rad; /* the thesis's heading, while it flies */
        bool yaw_known;
};

void way_init(struct way *w);

/* Reads the ring in a frame that comes dt_s after the last one. */
void way_hear(struct way *w, const struct fc_params *p, const struct sensor_frame *frame,
              double dt_s);

/* Changes a demand to fly; any other demand ends what was in progress. */
void way_step(struct way *w, const struct fc_params *p, const struct fc_estimator *e,
              double dt_s, struct demand *d);

#endif
