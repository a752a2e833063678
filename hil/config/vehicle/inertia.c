/* The parts of a vehicle, from which mass and inertia follow. */
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
#define SIZE(key, about, which)                                                         \
        { key, CONFIG_NUMBER, about, AT_LEAST(0), AT_MOST(10), .optional = true,        \
          AT(part_file, size_m[which]) }
/* clang-format on */

enum { LENGTH, WIDTH, HEIGHT, RADIUS, INNER_RADIUS };

static const struct config_field part_fields[] = {
        { "shape", CONFIG_CHOICE,
          "point, cuboid, cylinder (a thin plate or rod is one), tube, sphere, or "
          "propeller: a "
          "turning disk whose density falls as 1/r, so that its inertia is m R^2/3.",
          .names = shape_names, AT(part_file, part.shape) },
        { "mass_kg", CONFIG_NUMBER, "Of one.", ABOVE(0), AT_MOST(1000),
          AT(part_file, part.mass_kg) },
        SIZE("length_m", "Of a cuboid along its x; of a cylinder or tube along its z.",
             LENGTH),
        SIZE("width_m", "Of a cuboid along its y.", WIDTH),
        SIZE("height_m", "Of a cuboid along its z.", HEIGHT),
        SIZE("radius_m", "Of a cylinder, sphere or propeller; of a tube the outer one.",
             RADIUS),
        SIZE("inner_radius_m", "Of a tube.", INNER_RADIUS),
        { "at_m", CONFIG_OBJECT, "Its own centre of mass, from the vehicle's.",
          .table = &config_body_place_table, .preset = "{}", AT(part_file, part.pos_m) },
        { "rotation_deg", CONFIG_OBJECT,
          "Turns forward, right, down into its x, y, z: yaw, then pitch, then roll.",
          .table = &rotation_table, .preset = "{}", AT(part_file, rotation) },
        { "around", CONFIG_INTEGER,
          "How many of these there are, evenly spaced around the vehicle's down axis, "
          "the first one at at_m.",
          BETWEEN(1, 64), .preset = "1", AT(part_file, around) },
        { NULL },
};

#define IS(shape) CONFIG_IS(INERTIA_##shape)

static const struct config_rule part_rules[] = {
        { { "length_m" }, { "shape" }, .must = IS(CUBOID) | IS(CYLINDER) | IS(TUBE) },
        { { "width_m", "height_m" }, { "shape" }, .must = IS(CUBOID) },
        { { "radius_m" },
          { "shape" },
          .must = IS(CYLINDER) | IS(TUBE) | IS(SPHERE) | IS(PROPELLER) },
        { { "inner_radius_m" }, { "shape" }, .must = IS(TUBE) },
        { { NULL } },
};

const struct config_table config_part_table = {
        .name = "part",
        .about = "A part of the vehicle, of uniform density.",
        .field = part_fields,
        .rule = part_rules,
};

/* In the order of the model's size_m, for each shape. */
static const int sizes_of[][3] = {
        [INERTIA_POINT] = { -1, -1, -1 },
        [INERTIA_CUBOID] = { LENGTH, WIDTH, HEIGHT },
        [INERTIA_CYLINDER] = { RADIUS, LENGTH, -1 },
        [INERTIA_TUBE] = { RADIUS, INNER_RADIUS, LENGTH },
        [INERTIA_SPHERE] = { RADIUS, -1, -1 },
        [INERTIA_PROPELLER] = { RADIUS, -1, -1 },
};

static bool add_part(struct inertia_sum *sum, const struct part_file *file,
                     const struct json *node, struct config_error *why)
{
        struct inertia_part part = file->part;
        struct quat rotation =
                quat_from_euler(file->rotation.roll_rad, file->rotation.pitch_rad,
                                file->rotation.yaw_rad);

        if (part.shape == INERTIA_TUBE &&
            file->size_m[INNER_RADIUS] > file->size_m[RADIUS])
                return config_refuse_at(why, node, "inner_radius_m",
                                        "must be at most radius_m, which is %.15g",
                                        file->size_m[RADIUS]);
        for (int i = 0; i < 3; i++)
                if (sizes_of[part.shape][i] >= 0)
                        part.size_m[i] = file->size_m[sizes_of[part.shape][i]];
        for (int i = 0; i < file->around; i++) {
                struct quat turn =
                        quat_from_euler(0.0, 0.0, i * 360.0 * RAD_PER_DEG / file->around);

                part.pos_m = quat_rotate(turn, file->part.pos_m);
                part.q_part_to_body = quat_multiply(turn, rotation);
                inertia_add(sum, &part);
        }
        return true;
}

/* Products of inertia that symmetry cancels must not live on as rounding errors: they cost the plant
 * its principal axes. */
static void copy_inertia(struct body_params *p, const struct inertia_sum *sum)
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
        copy_inertia(p, &sum);
        return true;
}
