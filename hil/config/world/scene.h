/* Surfaces and obstacles of a world file. */
#ifndef HIL_CONFIG_WORLD_SCENE_H
#define HIL_CONFIG_WORLD_SCENE_H

#include "hil/config/table.h"
#include "hil/config/world/scenery.h"

#define OBSTACLES_MAX   2048
#define SURFACES_MAX    32
#define PATH_POINTS_MAX 32

struct surface_file {
        char name[NAME_MAX_LEN];
        struct surface surface;
};

struct obstacle_file {
        char name[NAME_MAX_LEN];
        int shape;
        struct vec3 at_m; /* north, east, up */
        double yaw_rad, pitch_rad, roll_rad;
        double size_m[3], radius_m, height_m, width_m, thickness_m, scale_m;
        int path_points;
        struct vec3 path_m[PATH_POINTS_MAX];
        int steps, up_axis;
        char file[256];
        char surface[NAME_MAX_LEN];
        bool surface_given, size_given, radius_given, height_given, width_given,
                thickness_given, scale_given, path_given, steps_given, up_axis_given,
                file_given;
};

struct scene_file {
        int surfaces;
        struct surface_file surface[SURFACES_MAX];
        int obstacles;
        struct obstacle_file obstacle[OBSTACLES_MAX];
};

extern const struct config_table config_surface_table, config_obstacle_table;

/* *scenery becomes NULL when there are no obstacles; otherwise the caller frees it. node is the
 * world's object. */
bool config_build_scene(struct scenery **scenery, const struct scene_file *file,
                        double ground_down_m, const struct json *node,
                        struct config_error *why);

/* Makes the paths of mesh files absolute in a resolved world, so that it can be read from
 * anywhere. node is the world as it was read. */
void config_resolve_scene(struct json *resolved, const struct json *node);

/* The fields of a world file that holds a struct scene_file as `member`. */
/* clang-format off */
#define SCENE_FIELDS(type, member)                                                      \
        { "surfaces", CONFIG_OBJECTS, "What obstacles can be made of.",                 \
          .table = &config_surface_table, .size = SURFACES_MAX,                         \
          .stride = sizeof(struct surface_file), .preset = "[]",                        \
          AT(type, member.surface), .count = offsetof(struct type, member.surfaces) },  \
        { "obstacles", CONFIG_OBJECTS, "What stands in the world.",                     \
          .table = &config_obstacle_table, .size = OBSTACLES_MAX,                       \
          .stride = sizeof(struct obstacle_file), .preset = "[]",                       \
          AT(type, member.obstacle), .count = offsetof(struct type, member.obstacles) }

/* Of a struct surface, at `member`. */
#define SURFACE_FIELDS(type, member)                                                    \
        { "friction", CONFIG_NUMBER, "Coulomb coefficient.", BETWEEN(0, 10),            \
          .preset = "0.6", AT(type, member.friction) },                                 \
        { "restitution", CONFIG_NUMBER, "Share of the speed that bounces back.",        \
          BETWEEN(0, 1), .preset = "0", AT(type, member.restitution) },                 \
        { "sound_reflection", CONFIG_NUMBER,                                            \
          "Share of a sound's amplitude that comes back: 1 tiles, 0 felt.",             \
          BETWEEN(0, 1), .preset = "1", AT(type, member.sound_reflection) },            \
        { "texture", CONFIG_NUMBER, "What optical flow sees on it: 0 nothing.",         \
          BETWEEN(0, 1), .preset = "1", AT(type, member.texture) }
/* clang-format on */

#endif
