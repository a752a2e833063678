/* Which satellites a GPS receiver uses: what stands above its antenna, what hides them, how long it
 * takes to find them. */
#pragma once

#include "models/world/satellites.h"

struct gps_tracking_params {
        double mask_rad; /* above the horizon; lower satellites are not used */
        double antenna_mask_sin; /* sine of the elevation above the antenna's plane, which is the
                                    body's forward-right plane; -1: receives all around */
        int channels; /* most satellites at a time, the highest first */
        /* The first satellite is found after a quarter of this, the next two after quarters more,
         * the fourth, which makes the fix, at its end; then one every reacquire_ns. 0:
         * tracking from the start. */
        int64_t first_fix_ns;
        int64_t reacquire_ns; /* a satellite must be in sight so long before it is used */
};

struct gps_tracking {
        struct sky above; /* without obstacles, at above_ns */
        int64_t above_ns;
        bool looked; /* above is there */
        struct sky used; /* by the receiver; its geometry belongs to it */
        /* By PRN: since when in sight; GPS_UNSEEN: is not. */
        int64_t seen_ns[SATELLITES_MAX + 1];
};

#define GPS_UNSEEN INT64_MAX

/* Satellites are looked up once in this time; they move 4 km/s, 0.01 degrees. */
#define GPS_SKY_NS 1000000000

void gps_tracking_init(struct gps_tracking *t);

/* Fills t->used at t_ns for an antenna at pos_ned_m on a body turned by q_body_to_ned. */
void gps_tracking_step(struct gps_tracking *t, const struct gps_tracking_params *p,
                       const struct world *world, struct vec3 pos_ned_m,
                       struct quat q_body_to_ned, int64_t t_ns);
