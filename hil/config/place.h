/* Places in files: "at_m" of a thing, and lists of them. */
#pragma once

#include "hil/config/table.h"

/* Of a struct vec3: forward, right, down; north, east, up above the ground. */
extern const struct config_table config_body_place_table;
extern const struct config_table config_world_place_table;
