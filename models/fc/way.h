/* The mission's target -> where to fly now: a ring of sonars bends the path around obstacles, and
 * the thesis's way-point controller turns it into velocities. Without these laws nothing changes. */
#pragma once

#include "models/fc/mission.h"
#include "models/fc/peers.h"

struct way {
        struct peers peers;
        struct flocking flock;
        struct sonar_ring ring;
        struct position_thesis thesis;
        double yaw_rad; /* the thesis's heading, while it flies */
        bool yaw_known;
};

void way_init(struct way *w);

/* What it knows at time t_ns of what is about it, by radio and by its ring, for a law of flocks. */
void way_look_round(struct way *w, const struct fc_params *p,
                    const struct fc_estimator *e, struct vec3 target_ned_m, int64_t t_ns,
                    struct flock_view *v);

/* Reads the ring in a frame that comes dt_s after the last one. */
void way_hear(struct way *w, const struct fc_params *p, const struct sensor_frame *frame,
              double dt_s);

/* Changes a demand to fly; any other demand ends what was in progress. */
void way_step(struct way *w, const struct fc_params *p, const struct fc_estimator *e,
              int64_t t_ns, double dt_s, struct demand *d);
