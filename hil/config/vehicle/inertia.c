#include "hil/config/vehicle/vehicle.h"

/* How far the parts' centre of mass may lie from the origin that all places of the file are from,
 * and how far their mass from what the scales say. */
#define CENTRE_MAX_M     1e-3
#define MASS_MAX_PERCENT 5.0

static const char *const shape_names[] = { "point",  "cuboid",    "cylinder", "tube",
                                           "sphere", "propeller", NULL };

static const struct config_field rotation_fields[] = {
        { "roll", CONFIG_NUMBER, "About the part's x.", BETWEEN(-360, 360),
          .scale = RAD_PER_DEG, .preset = "0", AT(mounting_file, roll_rad) },
        { "pitch", CONFIG_NUMBER, "About its y.", BETWEEN(-360, 360),
          .scale = RAD_PER_DEG, .preset = "0", AT(mounting_file, pitch_rad) },
        { "yaw", CONFIG_NUMBER, "About its z.", BETWEEN(-360, 360), .scale = RAD_PER_DEG,
          .preset = "0", AT(mounting_file, yaw_rad) },
        { NULL },
};

static const struct config_table rotation_table = {
        .name = "part_rotation",
        .about = "Turns forward, right, down into the part's x, y, z.",
        .field = rotation_fields,
};

/* clang-format off */
#define SIZE(key, about, member)                                                        \
        { key, CONFIG_NUMBER, about, AT_LEAST(0), AT_MOST(10), .optional = true,        \
          AT(part_file, member##_m),                                                    \
          .given = offsetof(struct part_file, member##_given) }
/* clang-format on */

static const struct config_field part_fields[] = {
        { "shape", CONFIG_CHOICE,
          "point, cuboid, cylinder (a thin plate or rod is one), tube, sphere, or "
          "propeller: a "
          "turning disk whose density falls as 1/r, so that its inertia is m R^2/3.",
          .names = shape_names, AT(part_file, shape) },
        { "mass_kg", CONFIG_NUMBER, "Of one.", ABOVE(0), AT_MOST(1000),
          AT(part_file, mass_kg) },
        SIZE("length_m", "Of a cuboid along its x; of a cylinder or tube along its z.",
             length),
        SIZE("width_m", "Of a cuboid along its y.", width),
        SIZE("height_m", "Of a cuboid along its z.", height),
        SIZE("radius_m", "Of a cylinder, sphere or propeller; of a tube the outer one.",
             radius),
        SIZE("inner_radius_m", "Of a tube.", inner_radius),
        { "at_m", CONFIG_VECTOR,
          "Its own centre of mass from the vehicle's: forward, right, down.",
          BETWEEN(-10, 10), .size = 3, .preset = "[0, 0, 0]", AT(part_file, at_m) },
        { "rotation_deg", CONFIG_OBJECT,
          "Turns forward, right, down into its x, y, z: yaw, then pitch, then roll.",
          .table = &rotation_table, .preset = "{}", AT(part_file, rotation) },
        { "around", CONFIG_INTEGER,
          "How many of these stand around the vehicle's down axis, evenly, the first one "
          "at at_m.",
          BETWEEN(1, 64), .preset = "1", AT(part_file, around) },
        { NULL },
};

const struct config_table config_part_table = {
        .name = "part",
        .about = "A part of the vehicle, of uniform density.",
        .field = part_fields,
};

/* In the order of the model's size_m, for each shape. */
enum { LENGTH, WIDTH, HEIGHT, RADIUS, INNER_RADIUS, SIZES };

static const char *const size_keys[SIZES] = { "length_m", "width_m", "height_m",
                                              "radius_m", "inner_radius_m" };
static const int sizes_of[][3] = {
        [INERTIA_POINT] = { -1, -1, -1 },
        [INERTIA_CUBOID] = { LENGTH, WIDTH, HEIGHT },
        [INERTIA_CYLINDER] = { RADIUS, LENGTH, -1 },
        [INERTIA_TUBE] = { RADIUS, INNER_RADIUS, LENGTH },
        [INERTIA_SPHERE] = { RADIUS, -1, -1 },
        [INERTIA_PROPELLER] = { RADIUS, -1, -1 },
};

/* The sizes that the shape has, all of them and no other. */
static bool build_size(double size_m[3], const struct part_file *file,
                       const struct json *node, struct config_error *why)
{
        const double value[SIZES] = { file->length_m, file->width_m, file->height_m,
                                      file->radius_m, file->inner_radius_m };
        bool open[SIZES] = { file->length_given, file->width_given, file->height_given,
                             file->radius_given, file->inner_radius_given };

        for (int i = 0; i < 3; i++) {
                int size = sizes_of[file->shape][i];

                if (size < 0)
                        continue;
                if (!open[size])
                        return config_refuse(
                                why, node, size_keys[size],
                                "is required, and missing, with \"shape\": \"%s\"",
                                shape_names[file->shape]);
                open[size] = false;
                size_m[i] = value[size];
        }
        for (int i = 0; i < SIZES; i++)
                if (open[i])
                        return config_refuse_at(why, node, size_keys[i],
                                                "means nothing with \"shape\": \"%s\"",
                                                shape_names[file->shape]);
        if (file->shape == INERTIA_TUBE && file->inner_radius_m > file->radius_m)
                return config_refuse_at(why, node, "inner_radius_m",
                                        "must be at most radius_m, which is %.15g",
                                        file->radius_m);
        return true;
}

static bool add_part(struct inertia_sum *sum, const struct part_file *file,
                     const struct json *node, struct config_error *why)
{
        struct inertia_part part = { .shape = (enum inertia_shape)file->shape,
                                     .mass_kg = file->mass_kg };
        struct quat rotation =
                quat_from_euler(file->rotation.roll_rad, file->rotation.pitch_rad,
                                file->rotation.yaw_rad);

        if (!build_size(part.size_m, file, node, why))
                return false;
        for (int i = 0; i < file->around; i++) {
                struct quat turn =
                        quat_from_euler(0.0, 0.0, i * 360.0 * RAD_PER_DEG / file->around);

                part.pos_m = quat_rotate(turn, file->at_m);
                part.q_part_to_body = quat_multiply(turn, rotation);
                inertia_add(sum, &part);
        }
        return true;
}

/* Products of inertia that symmetry cancels must not live on as rounding errors: they cost the plant
 * its principal axes. */
static void take_inertia(struct body_params *p, const struct inertia_sum *sum)
{
        const double(*m)[3] = sum->about_centre_kgm2;
        double trace = m[0][0] + m[1][1] + m[2][2];

        for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                        p->inertia_kgm2[i][j] =
                                fabs(m[i][j]) > 1e-12 * trace ? m[i][j] : 0.0;
}

static bool check_sum(const struct inertia_sum *sum, double mass_kg,
                      const struct json *node, struct config_error *why)
{
        const struct vec3 c = sum->centre_m;

        if (vec3_norm(c) > CENTRE_MAX_M)
                return config_refuse_at(
                        why, node, "parts",
                        "must have their centre of mass at the origin, have it %.2f mm "
                        "forward, %.2f mm right and %.2f mm down of it",
                        1e3 * c.x, 1e3 * c.y, 1e3 * c.z);
        if (mass_kg > 0.0 &&
            fabs(sum->mass_kg - mass_kg) > 0.01 * MASS_MAX_PERCENT * mass_kg)
                return config_refuse_at(why, node, "mass_kg",
                                        "must be within %g %% of the sum of parts, which "
                                        "is %.6g, is %.6g",
                                        MASS_MAX_PERCENT, sum->mass_kg, mass_kg);
        return true;
}

bool config_build_parts(struct body_params *p, const struct parts_file *file,
                        double mass_kg, const struct json *node, struct config_error *why)
{
        struct inertia_sum sum = { 0 };
        const struct json *list = json_member(node, "parts");

        for (int i = 0; i < file->count; i++)
                if (!add_part(&sum, &file->part[i], json_item(list, i), why))
                        return false;
        inertia_finish(&sum);
        if (!check_sum(&sum, mass_kg, node, why))
                return false;
        p->mass_kg = mass_kg > 0.0 ? mass_kg : sum.mass_kg;
        take_inertia(p, &sum);
        return true;
}
