/* Places in files: an object with named axes, each 0 where it is left out. */
#include "hil/config/place.h"

static const struct config_field body_fields[] = {
        { "forward", CONFIG_NUMBER, "m ahead.", BETWEEN(-10, 10), .preset = "0",
          AT(vec3, x) },
        { "right", CONFIG_NUMBER, "m to the right.", BETWEEN(-10, 10), .preset = "0",
          AT(vec3, y) },
        { "down", CONFIG_NUMBER, "m below.", BETWEEN(-10, 10), .preset = "0",
          AT(vec3, z) },
        { NULL },
};

const struct config_table config_body_place_table = {
        .name = "body_place",
        .about = "A place on the vehicle, from its centre of mass.",
        .field = body_fields,
};

static const struct config_field world_fields[] = {
        { "north", CONFIG_NUMBER, "m to the north.", BETWEEN(-1e5, 1e5), .preset = "0",
          AT(vec3, x) },
        { "east", CONFIG_NUMBER, "m to the east.", BETWEEN(-1e5, 1e5), .preset = "0",
          AT(vec3, y) },
        { "up", CONFIG_NUMBER, "m above the ground.", .was = "down", BETWEEN(-1e4, 1e4),
          .preset = "0", AT(vec3, z) },
        { NULL },
};

const struct config_table config_world_place_table = {
        .name = "world_place",
        .about = "A place in the world: from its origin, and above its ground.",
        .field = world_fields,
};
