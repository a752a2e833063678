/* A vehicle file: parts, battery, rotors, hull and sensors, and the models that come of them. */
#ifndef HIL_CONFIG_VEHICLE_VEHICLE_H
#define HIL_CONFIG_VEHICLE_VEHICLE_H

#include "hil/config/table.h"
#include "hil/config/vehicle/sensors.h"
#include "models/plant/battery.h"
#include "models/plant/body.h"
#include "models/plant/inertia.h"

/* The parts of a vehicle file, from which mass and inertia follow. */

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

/* The battery of a vehicle file. */

struct battery_file {
        int cells; /* first: config_field.given cannot be at 0 */
        bool cells_given, curve_given;
        int points;
        struct {
                double charge_ratio, voltage_v;
        } curve[BATTERY_CURVE_MAX];
        double capacity_c, charge_ratio, resistance_ohm, cutoff_v;
        double idle_w, efficiency, reference_v;
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
        bool arm_given, up_given, first_spin_given, list_given;
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
        double mass_kg;
        bool mass_given, inertia_given, parts_given;
        struct {
                double xx, yy, zz, xy, xz, yz;
                bool as_identified;
        } inertia_kgm2;
        struct parts_file parts;
        bool battery_given;
        struct battery_file battery;
        struct motor_params motor;
        int motor_steps;
        struct rotor_layout_file layout;
        struct rotor_params rotor; /* what all rotors have in common */
        double rotor_radius_m;
        bool rotor_radius_given, thrust_given, torque_given, blades_given;
        struct blades_params blades;
        int harmonics;
        struct vibration_file {
                int order;
                struct vec3 force_n_per_radps2;
                double phase_rad;
        } harmonic[VIBRATION_HARMONICS_MAX];
        struct tolerance_params tolerance;
        struct airframe_params airframe;
        struct contact_params contact;
        int hull;
        struct hull_file {
                struct vec3 at_m;
                double radius_m;
        } sphere[CONTACT_POINTS_MAX];
        bool box_given;
        struct {
                struct vec3 centre_m, size_m;
        } box;
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

/* node is the object that holds the layout's keys. */
bool config_build_layout(struct rotor_places *places,
                         const struct rotor_layout_file *file, const struct json *node,
                         struct config_error *why);

/* Everything of p that stands under "rotors"; node is that object. */
bool config_build_rotors(struct vehicle_params *p, const struct vehicle_file *file,
                         const struct json *node, struct config_error *why);

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
          AT_MOST(10), .optional = true, AT(type, member.arm_m),                        \
          .given = offsetof(struct type, member.arm_given) },                           \
        { "up_m", CONFIG_NUMBER,                                                        \
          "How far above the centre of mass the rotors are, for plus and x. Left "      \
          "out: 0.", BETWEEN(-10, 10), .optional = true, AT(type, member.up_m),         \
          .given = offsetof(struct type, member.up_given) },                            \
        { "first_spin", CONFIG_CHOICE,                                                  \
          "Sense of the first rotor seen from above, for plus and x; the others "       \
          "alternate. Left out: as the layout says.", .names = config_spin_names,       \
          .optional = true, AT(type, member.first_spin),                                \
          .given = offsetof(struct type, member.first_spin_given) },                    \
        { "list", CONFIG_OBJECTS, "The rotors one by one, for list.",                   \
          .table = &config_rotor_listed_table, .least = 1, .size = ROTORS_MAX,          \
          .stride = sizeof(((struct type *)0)->member.list[0]), .optional = true,       \
          AT(type, member.list), .count = offsetof(struct type, member.listed),         \
          .given = offsetof(struct type, member.list_given) }
/* clang-format on */

#endif
