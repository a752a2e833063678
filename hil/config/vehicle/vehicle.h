/* A vehicle file: parts, battery, rotors, hull and sensors, and the models that come of them. */
#pragma once

#include "hil/config/table.h"
#include "hil/config/vehicle/sensors.h"
#include "models/plant/battery.h"
#include "models/plant/body.h"
#include "models/plant/inertia.h"

/* The parts of a vehicle file, from which mass and inertia follow. */

#define PARTS_MAX 32

struct part_file {
        struct inertia_part part; /* the first of them, but for how it is turned */
        double size_m[5]; /* length, width, height, radius, inner radius */
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

/* The battery of a vehicle file. */

struct battery_file {
        struct battery_params params; /* with the curve, unless it follows from cells */
        int cells; /* 0: none */
};

extern const struct config_table config_battery_table;

/* node is the object "battery". */
bool config_build_battery(struct battery_params *p, const struct battery_file *file,
                          const struct json *node, struct config_error *why);

enum { LAYOUT_PLUS, LAYOUT_X, LAYOUT_LIST };
enum { SPIN_CW, SPIN_CCW };

/* Where the rotors are and how they turn. */
struct rotor_layout_file {
        int layout;
        double arm_m, up_m;
        int first_spin;
        bool first_spin_given;
        int listed;
        struct {
                struct vec3 position_m;
                int spin;
        } list[ROTORS_MAX];
};

extern const struct config_table config_rotor_listed_table;
extern const struct config_table config_rotors_table;
extern const char *const config_layout_names[];
extern const char *const config_spin_names[];

struct vehicle_file {
        char name[NAME_MAX_LEN];
        struct vehicle_params
                params; /* what a key says as it is; its first motor and rotor are all */
        double thrust_expo;
        double mass_kg; /* 0: that of the parts */
        struct {
                double xx, yy, zz, xy, xz, yz;
        } inertia_kgm2;
        struct parts_file parts;
        struct battery_file battery;
        struct rotor_layout_file layout;
        int hull;
        struct hull_file {
                struct vec3 at_m;
                double radius_m;
        } sphere[CONTACT_POINTS_MAX];
        struct {
                struct vec3 centre_m, size_m;
        } box; /* size 0: none is given */
        struct sensors_file sensors;
};

extern const struct config_table config_vehicle_table;

bool config_build_vehicle(struct vehicle_params *p, const struct vehicle_file *file,
                          const struct json *node, struct config_error *why);

struct rotor_places {
        int rotors;
        struct vec3 pos_body_m[ROTORS_MAX];
        double spin[ROTORS_MAX];
};

void config_build_layout(struct rotor_places *places,
                         const struct rotor_layout_file *file);

/* Every motor and rotor of p, from the first of each. */
void config_build_rotors(struct vehicle_params *p, const struct rotor_layout_file *file);

/* The five fields of a rotor layout, for the tables that hold one as `member`. */
/* clang-format off */
#define ROTOR_LAYOUT_FIELDS(type, member)                                               \
        { "layout", CONFIG_CHOICE,                                                      \
          "plus: front, right, back, left, of which front and back turn clockwise "     \
          "seen from above. x: front right, rear right, rear left, front left at 45 "   \
          "degrees, of which rear right and front left turn clockwise. list: as "       \
          "listed.",                                                                    \
          .names = config_layout_names, AT(type, member.layout) },                      \
        { "arm_m", CONFIG_NUMBER,                                                       \
          "Centre of mass to each rotor's axis, for plus and x.", ABOVE(0),             \
          AT_MOST(10), .optional = true, AT(type, member.arm_m) },                           \
        { "up_m", CONFIG_NUMBER,                                                        \
          "How far above the centre of mass the rotors are, for plus and x. Left "      \
          "out: 0.", BETWEEN(-10, 10), .optional = true, AT(type, member.up_m) },                            \
        { "first_spin", CONFIG_CHOICE,                                                  \
          "Sense of the first rotor seen from above, for plus and x; the others "       \
          "alternate. Left out: as the layout says.", .names = config_spin_names,       \
          .optional = true, AT(type, member.first_spin),                                \
          .given = offsetof(struct type, member.first_spin_given) },                    \
        { "list", CONFIG_OBJECTS, "The rotors one by one, for list.",                   \
          .table = &config_rotor_listed_table, .least = 1, .size = ROTORS_MAX,          \
          .stride = sizeof(((struct type *)0)->member.list[0]), .optional = true,       \
          AT(type, member.list), .count = offsetof(struct type, member.listed) }

/* What they ask of each other. */
#define ROTOR_LAYOUT_RULES                                                              \
        { { "list" }, { "layout" }, .must = CONFIG_IS(LAYOUT_LIST) },                   \
        { { "arm_m" }, { "layout" },                                                    \
          .must = CONFIG_IS(LAYOUT_PLUS) | CONFIG_IS(LAYOUT_X) },                       \
        { { "up_m", "first_spin" }, { "layout" },                                       \
          .may = CONFIG_IS(LAYOUT_PLUS) | CONFIG_IS(LAYOUT_X) }
/* clang-format on */
