/* Where and when a world is: time, gravity, magnetic field of a world file. */
#ifndef HIL_CONFIG_WORLD_EARTH_H
#define HIL_CONFIG_WORLD_EARTH_H

#include "hil/config/table.h"

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

#endif
