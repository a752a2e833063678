/* The parts of a vehicle file, from which mass and inertia follow. */
#ifndef HIL_CONFIG_VEHICLE_INERTIA_H
#define HIL_CONFIG_VEHICLE_INERTIA_H

#include "hil/config/axes.h"
#include "models/plant/body.h"
#include "models/plant/inertia.h"

#define PARTS_MAX 32

struct part_file {
        int shape; /* enum inertia_shape */
        double mass_kg;
        double length_m, width_m, height_m, radius_m, inner_radius_m;
        bool length_given, width_given, height_given, radius_given, inner_radius_given;
        struct vec3 at_m;
        struct mounting_file rotation;
        int around;
};

struct parts_file {
        int count;
        struct part_file part[PARTS_MAX];
};

extern const struct config_table config_part_table;

/* Inertia of the parts, and their mass where mass_kg is 0; otherwise that, which must be
 * about theirs. node is the object that holds the key "parts". */
bool config_build_parts(struct body_params *p, const struct parts_file *file,
                        double mass_kg, const struct json *node,
                        struct config_error *why);

#endif
