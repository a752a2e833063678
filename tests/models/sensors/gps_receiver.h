/* A GPS receiver on a bench: one world, one body at rest, and what it reports. */
#pragma once

#include <check.h>

#include "models/sensors/gps.h"
#include "tests/models/near.h"

#define S 1000000000LL

static struct gps_params params;
static struct gps gps;
static struct world world;
static struct body_state body;
static const struct body_state level_at_rest = {
        .pos_ned_m = { 0.0, 0.0, -10.0 }, .q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 }
};

static inline void set_up(void)
{
        params = (struct gps_params){
                .schedule = { .period_ns = S / 4 },
                .satellites = 9,
                .tracking = { .mask_rad = 5.0 * M_PI / 180.0,
                              .antenna_mask_sin = -1.0,
                              .channels = SATELLITES_MAX },
        };
        world = (struct world){ .origin = { 0.8215, 0.2695, 430.0 },
                                .gps_time_s = almanac_shipped.reference_gps_s };
        body = level_at_rest;
        error_params_ideal(&params.position);
        error_params_ideal(&params.velocity);
        gps_params_prepare(&params);
        gps_init(&gps, &params, 1, 0);
}

static inline void use(enum gps_model model)
{
        params.model = model;
        gps_params_prepare(&params);
        gps_init(&gps, &params, 1, 0);
}

static inline struct gps_sample measure_at(int64_t t_ns)
{
        struct exposure e = { .t_ns = t_ns, .world = &world, .body = &body };
        struct gps_sample sample;

        gps_step(&gps, &params, &e, &sample);
        return sample;
}

static inline struct gps_sample measure(void)
{
        return measure_at(0);
}

static inline struct vec3 ned_of(const struct gps_sample *s)
{
        struct earth_position p = { s->lat_rad, s->lon_rad, s->height_m };

        return params.flat_earth ? earth_to_ned_flat(&world.origin, p)
                                 : earth_to_ned(&world.origin, p);
}

static inline struct vec3 error_of(const struct gps_sample *s)
{
        return vec3_sub(ned_of(s), body.pos_ned_m);
}

/* Leaves so many satellites of the sky above 5 degrees: the highest. Gruber's receiver is put under
 * 12 by its channels. */
static inline void leave(int satellites)
{
        params.tracking.channels = satellites;
}
