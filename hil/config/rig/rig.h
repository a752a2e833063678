/* A rig file: its world, its vehicles with their flight controllers, pilots, ports and pads, and its scenario. */
#ifndef HIL_CONFIG_RIG_RIG_H
#define HIL_CONFIG_RIG_RIG_H

#include "hil/config/config.h"
#include "hil/config/fc/fc.h"
#include "hil/config/scenario/scenario.h"
#include "hil/config/table.h"
#include "hil/config/vehicle/vehicle.h"
#include "hil/config/world/world.h"

/* The motor pads of a rig's vehicle: what captures them, and what the rig does with them. */

struct pads_file {
        char source[160];
        double rate_hz;
        int use, clock, protocol, polarity;
        int rotors;
        uint16_t rotor[ROTORS_MAX]; /* the pad of each */
        double low_us, high_us;
        bool three_d;
        double glitch_s;
        int64_t silence_ns;
        int gaps_max;
        bool given;
};

extern const struct config_table config_pads_table;

/* node is the rig's vehicle. */
bool config_build_pads(struct vehicle_config *v, const struct pads_file *file,
                       enum pace pace, const struct json *node, struct config_error *why);

/* The pilot of a rig's vehicle, and what is connected to the board's further ports. */

struct pilot_file {
        struct pilot_params params;
        int arm_channel, hold_channel; /* counted from 1; 0: none */
        bool given;
};

struct port_file {
        char device[32];
        char link[160];
        int baud;
        int sonar;
};

extern const struct config_table config_pilot_table;
extern const struct config_table config_port_table;

/* node is the rig's vehicle. */
bool config_build_pilot(struct pilot_params *p, const struct pilot_file *file,
                        const struct json *node, struct config_error *why);
bool config_build_ports(struct vehicle_config *v, const struct port_file *file, int ports,
                        const struct json *node, struct config_error *why);

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

/* The five kinds of file, NULL at the end. */
extern const struct config_table *const config_kinds[];

/* The build functions check what no single field can show. `node` is the object that was read, for
 * the error. */
bool config_build_rig(struct rig_config *rig, const struct rig_file *file,
                      const struct json *node, struct config_error *why);

/* Writes into a resolved rig what was left to a rule instead of a default: the plant's step, the
 * motor orders, the ends of requirements. node is the rig as it was read. */
void config_resolve_rig(struct json *resolved, const struct json *node,
                        const struct rig_file *file, const struct rig_config *rig);

#endif
