/* A rig file: its world, its vehicles with their flight controllers, pilots, ports and pads, and its scenario. */
#pragma once

#include "hil/config/config.h"
#include "hil/config/fc/fc.h"
#include "hil/config/scenario/scenario.h"
#include "hil/config/table.h"
#include "hil/config/vehicle/vehicle.h"
#include "hil/config/world/world.h"

/* The motor pads of a rig's vehicle: what captures them, and what the rig does with them. */

struct pads_file {
        struct pads_config pads; /* but for its source and its rotors */
        double rate_hz;
        int use, clock;
        int rotors; /* 0: in order */
        uint16_t rotor[ROTORS_MAX]; /* the pad of each */
};

extern const struct config_table config_pads_table;

/* v: the vehicle, but for its pads. node is the rig's vehicle. */
bool config_build_pads(struct pads_config *p, const struct pads_file *file,
                       const struct vehicle_config *v, enum pace pace,
                       const struct json *node, struct config_error *why);

/* Of a struct radio_params. */
extern const struct config_table config_radio_table;

/* The pilot of a rig's vehicle, and what is connected to the board's further ports. */

/* Of a struct pilot_params, and of a struct port_config. */
extern const struct config_table config_pilot_table;
extern const struct config_table config_port_table;

/* Of a struct joystick_config. node is the rig's vehicle. */
extern const struct config_table config_joystick_table;
bool config_build_joystick(struct vehicle_config *v, enum pace pace,
                           const struct json *node, struct config_error *why);
void config_resolve_joystick(struct json *resolved, const struct vehicle_config *v);

/* Of a struct mexo_settings. node is the port's. */
extern const struct config_table config_mexo_table;
bool config_build_mexo(struct port_config *port, const struct vehicle_config *v,
                       const struct json *node, struct config_error *why);

/* node is the rig's vehicle. */
bool config_check_pilot(const struct pilot_params *p, const struct json *node,
                        struct config_error *why);
/* Makes links of the texts of v's ports. */
bool config_build_ports(struct vehicle_config *v, const struct json *node,
                        struct config_error *why);

struct copies_file {
        int count;
        double spacing_m;
        int grid;
};

/* A vehicle that has a twin's source in place of a flight controller. */
struct twin_file {
        struct twin_config twin; /* what a key says as it is */
        struct vec3 at_m; /* north, east, up */
        bool controlled;
        struct fc_file controller;
};

extern const struct config_table config_twin_table;

struct rig_vehicle_file {
        struct vehicle_config config; /* what a key says as it is */
        struct vehicle_file vehicle;
        double height_m; /* of the start, unless it is given as down */
        struct fc_file reference;
        struct twin_file twin;
        bool stop_given;
        int motors; /* 0: the usual order */
        uint16_t motor_order[ROTORS_MAX];
        struct pads_file pads;
        struct copies_file
                copies; /* of one that was refused: others have become vehicles */
};

extern const struct config_table config_rig_fc_table;
/* Of a struct fc_start_config, and of a struct fc_stop_config. */
extern const struct config_table config_fc_start_table;
extern const struct config_table config_fc_stop_table;
extern const struct config_table config_rig_vehicle_table;
extern const struct config_table config_copies_table;

/* The build functions check what no single field can show. `node` is the object that was read, for
 * the error. */

/* fc has what the file says; p is the vehicle, which is built already; NULL: it is not sound, and nothing is
 * said that depends on it. node is the vehicle's. */
bool config_build_rig_fc(struct fc_config *fc, const struct rig_vehicle_file *file,
                         const struct vehicle_params *p, const struct json *node,
                         struct config_error *why);
/* v: the vehicle that is built already, as a body. */
bool config_build_twin(struct vehicle_config *v, const struct twin_file *file,
                       const struct rig_config *rig, const struct json *node,
                       struct config_error *why);
void config_resolve_twin(struct json *resolved, const struct vehicle_config *v);
/* Names of files become whole ones. fc has its links already; node is the vehicle's fc. */
bool config_build_fc_start(struct fc_config *fc, bool stop_given, const struct json *node,
                           struct config_error *why);
/* It runs beside the rig, must be new for each flight, and the rig does not start it. */
bool config_fc_must_be_renewed(const struct fc_config *fc);
/* So that the resolved text means the same wherever it is read. */
void config_resolve_fc_start(struct json *resolved, const struct fc_config *fc);
/* The rig's world and times are built already. */
bool config_build_rig_vehicle(struct vehicle_config *v,
                              const struct rig_vehicle_file *file,
                              const struct rig_config *rig, const struct json *node,
                              struct config_error *why);
void config_resolve_rig_vehicle(struct json *resolved, const struct vehicle_config *v);

/* Writes out the copies that vehicles ask for, wherever nothing is wrong with them. */
void config_expand_copies(struct json *root, struct config_error *why);

/* A station of a rig, and the hub that it may be. */
struct hub_switch_file {
        int64_t t_ns;
        char group[HUB_NAME_MAX];
        int status, count;
        char behaviour[HUB_BEHAVIOURS][HUB_NAME_MAX];
        bool status_given, behaviours_given;
};

struct hub_group_file {
        char name[HUB_NAME_MAX];
        int members, count;
        uint16_t member[HUB_MEMBERS_MAX];
        char behaviour[HUB_BEHAVIOURS][HUB_NAME_MAX];
};

struct hub_file {
        char name[NAME_MAX_LEN];
        int64_t period_ns, silent_ns;
        int when_silent, groups, switches;
        struct hub_group_file group[HUB_GROUPS_MAX];
        struct hub_switch_file at[HUB_SWITCHES_MAX];
};

struct rig_station_file {
        struct rig_vehicle_file board; /* name, fc and ports */
        struct vec3 at_m; /* north, east, up */
        bool has_fc, has_hub;
        struct hub_file hub;
};

extern const struct config_table config_hub_table, config_rig_station_table;

/* node: the hub file's. */
bool config_build_hub(struct hub_params *p, const struct hub_file *file,
                      const struct json *node, struct config_error *why);
/* Number i of rig's stations, whose vehicles are built; node is the rig. */
bool config_build_station(struct rig_config *rig, const struct rig_station_file *file,
                          int i, const struct json *node, struct config_error *why);
void config_resolve_station(struct json *resolved, const struct vehicle_config *v);

/* The mission of a rig, as its file has it. */

struct mission_item_file {
        int command, frame;
        bool autocontinue, param_given[4], lat_given, lon_given, altitude_given;
        double param[4], lat_deg, lon_deg, altitude_m;
};

struct mission_home_file {
        double lat_deg, lon_deg, altitude_m;
};

struct mission_file {
        struct mission_settings settings;
        bool home_given;
        struct mission_home_file home;
        struct mission_item_file *item[MISSION_LISTS]; /* owned */
        int items[MISSION_LISTS];
};

extern const struct config_table config_mission_table;

struct config_document;

/* A mission file, which the rig file or the command line (file, or NULL) names, becomes items in the tree. scenario: the
 * command line has given one, which then stays; else one without steps takes its place. */
void config_expand_mission(struct config_document *d, const char *file, bool scenario,
                           struct config_error *why);
/* After the vehicles and the scenario. */
bool config_build_mission(struct rig_config *rig, const struct mission_file *file,
                          const struct json *root, struct config_error *why);
void config_free_mission(struct rig_config *rig);

struct rig_file {
        struct rig_config rig; /* what a key says as it is */
        struct world_file world;
        struct scenario_file scenario;
        bool has_mission;
        struct mission_file mission;
        struct rig_vehicle_file *vehicle; /* so many, owned */
        struct rig_station_file *station;
};

extern const struct config_table config_rig_table;

/* The kinds of file, NULL at the end. */
extern const struct config_table *const config_kinds[];

/* Builds what is sound, and leaves the vehicles zeroed that are not. */
bool config_build_rig(struct rig_config *rig, const struct rig_file *file,
                      const struct json *node, struct config_error *why);

/* What no vehicle shows alone; the vehicles are built already. */
bool config_check_rig(const struct rig_config *rig, const struct json *node,
                      struct config_error *why);
/* A hand that asks for set-points is the vehicle's pilot. */
bool config_check_hands(const struct rig_config *rig, const struct json *scenario,
                        struct config_error *why);

/* Writes into a resolved rig what was left to a rule instead of a default: the plant's step, the
 * motor orders, the ends of requirements. node is the rig as it was read. */
void config_resolve_rig(struct json *resolved, const struct json *node,
                        const struct rig_config *rig);

/* Where a mission is flown, "place" of its file: moves every place, and every altitude above the sea, so that the plan's
 * home is where the vehicle starts. A plan without places stays. False: it has such altitudes, and no home; node is the
 * mission. */
bool config_move_mission(struct mission_plan *p, const struct earth_origin *origin,
                         struct vec3 start_ned_m, const struct json *node,
                         struct config_error *why);
