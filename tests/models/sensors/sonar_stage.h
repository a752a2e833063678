/* What the tests of the sonars have in common: one or several units, in a world with a ground, boxes
 * and other vehicles. */
#pragma once

#include <check.h>

#include "models/sensors/sonar.h"

#define DEG (3.14159265358979323846 / 180.0)
#define MS  INT64_C(1000000)

#define BOXES 3

static struct sonar_params params;
static struct sonar_unit_params *const unit = &params.unit[0];
static struct sonar ring;
static struct body_state body;
static struct neighbours others;
static double real_range_m[SONARS_MAX];
static struct world world;
static struct surface surface[1];
static struct solid box[BOXES];
static struct scene_node node[SCENE_NODES(BOXES)];
static struct scene scene;
static struct exposure exposure;

static const struct vec3 forward = { 1.0, 0.0, 0.0 }, down = { 0.0, 0.0, 1.0 };

static inline void ideal_unit(struct sonar_unit_params *u, struct vec3 axis)
{
        *u = (struct sonar_unit_params){ .schedule = { .period_ns = 50 * MS },
                                         .axis_body = axis,
                                         .rays = 25,
                                         .frequency_hz = 40e3,
                                         .beam_max_m = 7.65,
                                         .incidence_max_rad = 0.5 };
        error_params_ideal(&u->range);
        u->range.min = 0.2;
        u->range.max = 2.65;
}

/* FINken report 3.1.1: a beam of 7.65 m, readings up to 2.65 m. */
static inline void set_up(void)
{
        params.count = 1;
        ideal_unit(unit, down);
        others.count = 0;
        surface[0] = (struct surface){ .sound_reflection = 1.0 };
        world = (struct world){
                .ground = { .sound_reflection = 1.0 },
                .atmosphere = { 101325.0, 293.15 },
        };
        for (int i = 0; i < SONARS_MAX; i++)
                real_range_m[i] = INFINITY;
        exposure = (struct exposure){ .world = &world,
                                      .others = &others,
                                      .body = &body,
                                      .real_range_m = real_range_m };
}

static inline struct sonar_sample reading(int i)
{
        struct sonar_sample sample;

        sonar_params_prepare(&params);
        sonar_step(&ring, &params, i, &exposure, &sample);
        return sample;
}

static inline struct sonar_sample measure(double height_m, struct quat q_body_to_ned)
{
        body = (struct body_state){ .pos_ned_m = { 3.0, 4.0, -height_m },
                                    .q_body_to_ned = q_body_to_ned };
        return reading(0);
}

static inline struct quat level(void)
{
        return (struct quat){ 1.0, 0.0, 0.0, 0.0 };
}

static inline struct quat rolled(double angle_rad)
{
        return quat_from_euler(angle_rad, 0.0, 0.7);
}

/* Full boxes, turned about the vertical; the ground is out of the way. */
static inline void build(int boxes)
{
        world.ground_down_m = 1000.0;
        ck_assert(scene_build(&scene, box, boxes, node, surface, 1));
        world.scene = &scene;
}

static inline struct solid wall(double north_m, double east_m, double yaw_rad,
                                struct vec3 half_m)
{
        double c = cos(yaw_rad), s = sin(yaw_rad);

        return (struct solid){ .shape = SOLID_BOX,
                               .pos_ned_m = { north_m, east_m, 0.0 },
                               .axes_to_ned = { { c, -s, 0 }, { s, c, 0 }, { 0, 0, 1 } },
                               .size_m = half_m };
}

/* A large wall whose face is so far ahead and turned so much away. */
static inline void wall_ahead(double face_m, double yaw_rad)
{
        box[0] = wall(face_m + 0.5 * cos(yaw_rad), 0.5 * sin(yaw_rad), yaw_rad,
                      (struct vec3){ 0.5, 100.0, 100.0 });
        build(1);
        body = (struct body_state){ .q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 } };
}

static inline void cone_ahead(double opening_deg)
{
        ideal_unit(unit, forward);
        unit->opening_rad = opening_deg * DEG;
        unit->range.max = unit->beam_max_m;
}

static inline void ball_at(double off_axis_deg, double range_m, double radius_m)
{
        world.ground_down_m = 1000.0;
        body = (struct body_state){ .q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 } };
        others.count = 1;
        others.at[0].pos_ned_m = (struct vec3){ range_m * cos(off_axis_deg * DEG),
                                                range_m * sin(off_axis_deg * DEG), 0.0 };
        others.at[0].radius_m = radius_m;
}
