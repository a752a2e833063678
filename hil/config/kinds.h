/* What the files hold, kind by kind: the tables, the structs they fill, and what becomes of these.
 * Where a file's content is the model's own struct, the table fills that; elsewhere it fills an
 * image of the file, already in SI units, from which the build function makes the model's. */
#ifndef HIL_CONFIG_KINDS_H
#define HIL_CONFIG_KINDS_H

#include "hil/config/vehicle/baro.h"
#include "hil/config/world/earth.h"
#include "hil/config/vehicle/flow.h"
#include "hil/config/vehicle/gps.h"
#include "hil/config/vehicle/imu.h"
#include "hil/config/vehicle/inertia.h"
#include "hil/config/vehicle/ins.h"
#include "hil/config/vehicle/mag.h"
#include "hil/config/vehicle/payload.h"
#include "hil/config/pads.h"
#include "hil/config/pilot.h"
#include "hil/config/vehicle/power.h"
#include "hil/config/vehicle/power_module.h"
#include "hil/config/scenario/requirement.h"
#include "hil/config/world/scene.h"
#include "hil/config/scenario/sensor_fault.h"
#include "hil/config/vehicle/sonar.h"
#include "hil/config/scenario/stimulus.h"
#include "hil/config/scenario/vehicle_fault.h"
#include "hil/config/world/wind.h"
#include "hil/config/scenario/wire_fault.h"

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

struct sensors_file {
        struct imu_file imu;
        struct gps_file gps;
        struct baro_file baro;
        struct mag_file mag;
        struct sonars_file sonar;
        struct flow_file flow;
        struct power_file power;
        struct ins_file ins;
};

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

struct world_file {
        char name[NAME_MAX_LEN];
        struct world world;
        struct earth_file earth;
        int regions;
        struct region_file region[REGIONS_MAX];
        struct scene_file scene;
};

struct scenario_file {
        char name[NAME_MAX_LEN];
        int64_t duration_ns;
        int steps;
        struct step_file {
                char name[NAME_MAX_LEN];
                int64_t at_ns, after_ns, latest_ns;
                int at_tick;
                char when[FORMULA_TEXT_MAX];
                bool at_given, tick_given, after_given, when_given, latest_given;
                int vehicle;
                bool vehicle_given;
                int mode;
                double north_m, east_m, up_m, yaw_rad;
                bool mode_given, up_given;
                int channels;
                uint16_t rc_us[RC_CHANNELS_MAX];
                bool rc_given;
                struct mounting_file hold;
                bool hold_given, release;
                int64_t for_ns;
                bool for_given;
                struct stimulus_file stimulus;
                struct sensor_fault_file sensor_fault;
                struct vehicle_fault_file vehicle_fault;
                struct wire_fault_file wire_fault;
                struct fc_option fc_option;
                char drop[NAME_MAX_LEN];
                struct host_fault_file {
                        int kind;
                        int64_t by_ns;
                } host_fault;
                bool stimulus_given, sensor_fault_given, vehicle_fault_given,
                        wire_fault_given, host_fault_given, drop_given, fc_option_given;
        } step[SCENARIO_STEPS_MAX];
        int payloads;
        struct payload_file payload[SCENARIO_PAYLOADS_MAX];
        int requirements;
        struct requirement_file requirement[SCENARIO_REQUIREMENTS_MAX];
};

struct fc_file {
        char name[NAME_MAX_LEN];
        struct rotor_layout_file layout;
        struct fc_params params;
};

struct rig_vehicle_file {
        char name[NAME_MAX_LEN];
        struct vehicle_file vehicle;
        struct {
                double north_m, east_m, down_m, height_m, yaw_rad;
                bool down_given, height_given;
        } start;
        struct {
                char codec[32];
                char dialect[16];
                bool dialect_given;
                int links;
                char link[CODEC_CHANNELS_MAX][160];
                bool spawn, reference_given, motor_order_given;
                struct fc_file reference;
                int motors;
                uint16_t motor_order[ROTORS_MAX];
                int options;
                struct fc_option option[FC_OPTIONS_MAX];
                int64_t timeout_ns, hello_timeout_ns;
                bool reconnect;
        } fc;
        struct pilot_file pilot;
        int ports;
        struct port_file port[PORTS_MAX];
        struct pads_file pads;
};

struct rig_file {
        char name[NAME_MAX_LEN];
        uint64_t seed;
        int pace;
        int64_t period_ns, plant_step_ns;
        bool plant_step_given;
        int64_t stop_after_ns;
        bool stop_after_given;
        struct world_file world;
        struct scenario_file scenario;
        int vehicles;
        struct rig_vehicle_file vehicle[VEHICLES_MAX];
        struct realtime_config realtime;
        struct log_config log;
};

extern const struct config_table config_rig_table;
extern const struct config_table config_vehicle_table;
extern const struct config_table config_world_table;
extern const struct config_table config_scenario_table;
extern const struct config_table config_fc_table;

/* The five, NULL at the end. */
extern const struct config_table *const config_kinds[];

extern const struct config_table config_sensors_table;
extern const struct config_table config_rotor_listed_table;
extern const struct config_table config_rotors_table;
extern const char *const config_layout_names[];
extern const char *const config_spin_names[];

/* The build functions check what no single field can show. `node` is the object that was read, for
 * the error. */
bool config_build_rig(struct rig_config *rig, const struct rig_file *file,
                      const struct json *node, struct config_error *why);
bool config_build_vehicle(struct vehicle_params *p, const struct vehicle_file *file,
                          const struct json *node, struct config_error *why);
bool config_build_sensors(struct sensors_params *p, const struct sensors_file *file,
                          const struct json *node, struct config_error *why);
bool config_build_world(struct world *world, const struct world_file *file,
                        const struct json *node, struct config_error *why);
/* The rig's vehicles are built already. What the scenario owns is freed by scenario_free(), after a
 * failure too. */
bool config_build_scenario(struct scenario *s, const struct scenario_file *file,
                           const struct rig_config *rig, const struct json *node,
                           struct config_error *why);
bool config_build_fc(struct fc_params *p, const struct fc_file *file,
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

/* Writes into a resolved rig what was left to a rule instead of a default: the plant's step, the
 * motor orders, the ends of requirements. node is the rig as it was read. */
void config_resolve_rig(struct json *resolved, const struct json *node,
                        const struct rig_file *file, const struct rig_config *rig);

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
