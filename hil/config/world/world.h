/* A world file: where and when it is, its air, and what stands in it. */
#pragma once

#include "hil/config/place.h"
#include "hil/config/table.h"
#include "hil/config/world/scenery.h"

/* Where and when a world is: time, gravity, magnetic field of a world file. */

struct earth_file {
        char time_utc[32];
        int gravity_model;
        struct {
                int model;
                double strength_t, inclination_rad, declination_rad;
        } magnetic_field;
};

/* Of a struct earth_file, at its magnetic_field. */
extern const struct config_table config_magnetic_field_table;
extern const char *const config_gravity_names[];

/* Fills gps_time_s, gravity and the magnetic field of a world whose origin and gravity_mps2 are
 * those of the file. node is the world's object, for the error. */
bool config_build_earth(struct world *world, const struct earth_file *file,
                        const struct json *node, struct config_error *why);

/* The fields of a world file that holds a struct earth_file as `member`. */
/* clang-format off */
#define EARTH_FIELDS(type, member)                                                      \
        { "time_utc", CONFIG_TEXT,                                                      \
          "When the run begins, such as 2026-07-27T12:00:00Z: sets the satellites and " \
          "the magnetic field.",                                                        \
          .size = sizeof(((struct type *)0)->member.time_utc),                          \
          .preset = "\"2026-07-27T12:00:00Z\"", AT(type, member.time_utc) },            \
        { "gravity_model", CONFIG_CHOICE,                                               \
          "given: gravity_mps2 everywhere. wgs84: normal gravity of the origin's "      \
          "latitude and height, which changes with height; gravity_mps2 is not used.",  \
          .names = config_gravity_names, .preset = "\"given\"",                         \
          AT(type, member.gravity_model) },                                             \
        { "magnetic_field", CONFIG_OBJECT, "The magnetic field.",                       \
          .table = &config_magnetic_field_table, .preset = "{}", AT(type, member) }
/* clang-format on */

/* Moving air and regions of a world file. */

struct region_file {
        char name[NAME_MAX_LEN];
        struct vec3 at_m; /* north, east, up */
        double size_m[3]; /* along its own north, east, down before the turn */
        double yaw_rad;
        struct vec3 wind_ned_mps, force_ned_n;
};

/* Of a struct gust, a struct wind_params, a struct region_file. */
extern const struct config_table config_gust_table;
extern const struct config_table config_turbulence_table;
extern const struct config_table config_region_table;

void config_build_regions(struct world *world, const struct region_file *file, int count);

/* Surfaces and obstacles of a world file. */

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
};

struct scene_file {
        int surfaces;
        struct surface_file surface[SURFACES_MAX];
        int obstacles;
        struct obstacle_file *obstacle; /* owned */
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
        { "surfaces", CONFIG_OBJECTS, "Materials that obstacles can be made of.",                 \
          .table = &config_surface_table, .size = SURFACES_MAX,                         \
          .stride = sizeof(struct surface_file), .preset = "[]",                        \
          AT(type, member.surface), .count = offsetof(struct type, member.surfaces) },  \
        { "obstacles", CONFIG_OBJECTS, "Obstacles in the world.",                     \
          .table = &config_obstacle_table, .size = OBSTACLES_MAX,                       \
          .stride = sizeof(struct obstacle_file), .on_heap = true, .preset = "[]",      \
          AT(type, member.obstacle), .count = offsetof(struct type, member.obstacles) }

/* Of a struct surface, at `member`. */
#define SURFACE_FIELDS(type, member)                                                    \
        { "friction", CONFIG_NUMBER, "Coulomb coefficient.", BETWEEN(0, 10),            \
          .preset = "0.6", AT(type, member.friction) },                                 \
        { "restitution", CONFIG_NUMBER, "Share of the speed that bounces back.",        \
          BETWEEN(0, 1), .preset = "0", AT(type, member.restitution) },                 \
        { "sound_reflection", CONFIG_NUMBER,                                            \
          "Share of a sound's amplitude that is reflected: 1 tiles, 0 felt.",             \
          BETWEEN(0, 1), .preset = "1", AT(type, member.sound_reflection) },            \
        { "texture", CONFIG_NUMBER, "How much texture optical flow sees on it: 0 none.",         \
          BETWEEN(0, 1), .preset = "1", AT(type, member.texture) }
/* clang-format on */

struct world_file {
        char name[NAME_MAX_LEN];
        struct world world;
        struct earth_file earth;
        int regions;
        struct region_file region[REGIONS_MAX];
        struct scene_file scene;
};

extern const struct config_table config_world_table;

bool config_build_world(struct world *world, const struct world_file *file,
                        const struct json *node, struct config_error *why);
