/* Solids and small scenes for tests: everything in one struct, so that a test needs no memory of its
 * own. */
#pragma once

#include <check.h>

#include "models/rng.h"
#include "models/world/solid.h"

#define STAGE_SOLIDS 2048

struct stage {
        struct solid solid[STAGE_SOLIDS];
        struct scene_node node[SCENE_NODES(STAGE_SOLIDS)];
        struct surface surface[2];
        struct scene scene;
        int solids;
};

static const struct mat3 upright = { { 1.0, 0.0, 0.0 },
                                     { 0.0, 1.0, 0.0 },
                                     { 0.0, 0.0, 1.0 } };

static inline struct vec3 ned(double north, double east, double down)
{
        return (struct vec3){ north, east, down };
}

static inline void stage_add(struct stage *s, struct solid solid)
{
        ck_assert_int_lt(s->solids, STAGE_SOLIDS);
        solid.name = s->solids;
        s->solid[s->solids++] = solid;
}

static inline void stage_box(struct stage *s, struct vec3 centre, struct vec3 half)
{
        stage_add(s, (struct solid){ .shape = SOLID_BOX,
                                     .pos_ned_m = centre,
                                     .axes_to_ned = upright,
                                     .size_m = half });
}

static inline void stage_triangle(struct stage *s, struct vec3 a, struct vec3 b,
                                  struct vec3 c)
{
        stage_add(s, (struct solid){ .shape = SOLID_TRIANGLE,
                                     .pos_ned_m = a,
                                     .edge_m = { vec3_sub(b, a), vec3_sub(c, a) },
                                     .axes_to_ned = upright });
}

/* Corners in their order around it. */
static inline void stage_quad(struct stage *s, struct vec3 a, struct vec3 b,
                              struct vec3 c, struct vec3 d)
{
        stage_triangle(s, a, b, c);
        stage_triangle(s, a, c, d);
}

static inline const struct scene *stage_build(struct stage *s)
{
        ck_assert(scene_build(&s->scene, s->solid, s->solids, s->node, s->surface, 2));
        return &s->scene;
}

static inline double between(struct rng *rng, double low, double high)
{
        return low + (high - low) * rng_uniform(rng);
}

static inline struct vec3 somewhere(struct rng *rng, double far)
{
        struct vec3 v;

        v.x = between(rng, -far, far);
        v.y = between(rng, -far, far);
        v.z = between(rng, -far, far);
        return v;
}

static inline struct vec3 any_direction(struct rng *rng)
{
        struct vec3 v;

        v.x = rng_normal(rng);
        v.y = rng_normal(rng);
        v.z = rng_normal(rng);
        return vec3_scale(1.0 / vec3_norm(v), v);
}

static inline struct mat3 any_turn(struct rng *rng)
{
        double roll = between(rng, -3.0, 3.0), pitch = between(rng, -1.5, 1.5);

        return quat_to_mat3(quat_from_euler(roll, pitch, between(rng, -3.0, 3.0)));
}

/* Of the given shape, in or about a cube of side 2 far. */
static inline struct solid any_solid(struct rng *rng, enum solid_shape shape, double far,
                                     double size)
{
        struct solid s = { .shape = shape, .pos_ned_m = somewhere(rng, far) };

        s.axes_to_ned = any_turn(rng);
        s.edge_m[0] = somewhere(rng, size);
        s.edge_m[1] = somewhere(rng, size);
        s.size_m.x = between(rng, 0.05, size);
        s.size_m.y = between(rng, 0.05, size);
        s.size_m.z = between(rng, 0.05, size);
        return s;
}
