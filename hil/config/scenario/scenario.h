/* A scenario file: its steps, what each can do, its payloads and requirements. */
#pragma once

#include "hil/config/table.h"
#include "hil/config/vehicle/sensors.h"
#include "hil/formula/requirement.h"
#include "hil/scenario/scenario.h"
#include "hil/scenario/stimulus.h"
#include "io/wire/fault.h"
#include "models/faults/sensor_fault.h"
#include "models/faults/vehicle_fault.h"

/* Requirements as scenario files hold them. */

struct requirement_file {
        char name[NAME_MAX_LEN];
        int vehicle, kind, metric;
        char signal[FORMULA_TEXT_MAX], formula[FORMULA_TEXT_MAX];
        double min, max, target, from_value, band; /* band 0: none */
        int64_t from_ns, to_ns; /* to_ns below 0: the end of the scenario */
        bool metric_given, min_given, max_given, from_value_given;
};

extern const struct config_table config_requirement_table;

/* r owns what it gets even if this fails. item is the object that was read. */
bool config_build_requirement(struct requirement *r, const struct requirement_file *file,
                              int vehicles, int64_t duration_ns, const struct json *item,
                              struct config_error *why);
/* Writes the window that was left to its default. */
void config_resolve_requirement(struct json *resolved, const struct requirement *r);

/* The "stimulus" of a scenario's step. */

struct stimulus_file {
        int input; /* its place among the names */
        struct stimulus stimulus; /* its amplitude in the unit of the input's name */
};

extern const struct config_table config_stimulus_table;

/* Also checks what depends on the rig's period: frequencies below half the rate, chips and halves of
 * a doublet of whole periods. */
bool config_build_stimulus(struct stimulus *s, const struct stimulus_file *file,
                           int64_t period_ns, const struct json *node,
                           struct config_error *why);

/* A few words: "gyro_x_dps prbs 3 for 20 s". */
void stimulus_describe(const struct stimulus *s, char *text, size_t cap);

/* A sensor fault as a step of a scenario has it: "sensor_fault": { "sensor": "gyro", "does": "bias",
 * "axes": "xz", "amount_dps": 5 }. Just the keys that the fault needs may be there. */

/* The keys for amounts: one for each unit, and one for each unit a second. */
enum fault_amount {
        AMOUNT_MPS2,
        AMOUNT_DPS,
        AMOUNT_M,
        AMOUNT_PA,
        AMOUNT_UT,
        AMOUNT_RAD,
        AMOUNT_V,
        AMOUNT_A,
        AMOUNT_UNITS,
        AMOUNT_MPS = 2 * AMOUNT_UNITS,
        AMOUNT_RATIO,
        AMOUNTS
};

struct sensor_fault_unit {
        const char *key, *per_s_key; /* of amounts in it, and in it a second */
        const char *text; /* "deg/s" */
        double scale; /* file -> signals.h */
};

extern const struct sensor_fault_unit sensor_fault_units[AMOUNT_UNITS];
/* In the order of the enums, NULL at the end. */
extern const char *const sensor_fault_sensors[];
extern const char *const sensor_fault_kinds[];

/* Which amount a fault takes; AMOUNTS: none. */
enum fault_amount sensor_fault_amount(enum sensor_fault_target target,
                                      enum sensor_fault_kind kind);
/* The letters of the axes among which it may choose, x or north first; NULL: it has none. */
const char *sensor_fault_letters(enum sensor_fault_target target,
                                 enum sensor_fault_kind kind);

struct sensor_fault_file {
        struct sensor_fault fault; /* but for its axes and its amount */
        char axes[4];
        struct {
                double value;
                bool given;
        } amount[AMOUNTS];
};

extern const struct config_table config_sensor_fault_table;

/* node is the object that was read; of: the faulty vehicle. */
bool config_build_sensor_fault(struct sensor_fault *out,
                               const struct sensor_fault_file *file,
                               const struct vehicle_config *of, const struct json *node,
                               struct config_error *why);

/* The fault in a few words: "gyro x z bias 5 deg/s". */
void sensor_fault_describe(const struct sensor_fault *p, char *text, size_t cap);

/* The vehicle's faults in a scenario file: "vehicle_fault": { "does": "motor_weak", "rotor": 2,
 * "loss_ratio": 0.3 }. Each kind takes its own keys and no others. */

/* Of a struct vehicle_fault. */
extern const struct config_table config_vehicle_fault_table;

/* Whether the vehicle can have it. node is the object that holds "does". */
bool config_check_vehicle_fault(const struct vehicle_fault *fault,
                                const struct vehicle_params *vehicle,
                                const struct json *node, struct config_error *why);

/* A few words: "rotor 2 weak, 30 % lost". */
void vehicle_fault_describe(const struct vehicle_fault *p, char *text, size_t cap);

/* A scenario step's fault of the wire: {"does": "drop", "direction": "to_fc", ...}. */

struct wire_fault_file {
        struct wire_fault fault; /* but for its directions and its frame */
        int direction;
        char frame[32];
};

extern const struct config_table config_wire_fault_table;

/* codec: the name in the rig file, for what its frames are called. */
bool config_build_wire_fault(struct wire_fault *out, const struct wire_fault_file *file,
                             const char *codec, const struct json *node,
                             struct config_error *why);

/* Whether the fault can be of this flight controller's links. */
bool config_check_wire_fault(const struct wire_fault *fault,
                             const struct vehicle_config *v, const struct json *node,
                             struct config_error *why);

/* What it does, in a few words: "drops sensors to the FC, 10 % of them, at most 5". */
void wire_fault_describe(const struct wire_fault *fault, char *text, size_t cap);

/* What vehicles carry at the start of a scenario, and can drop: a scenario's "payloads", and
 * "drop": NAME of its steps. */

struct payload_file {
        struct load load;
        int vehicle; /* -1: every vehicle carries one */
};

extern const struct config_table config_payload_table;

/* Names differ, and the vehicles are there. list is the array "payloads". */
bool config_check_payloads(const struct payload_file *file, int count, int vehicles,
                           const struct json *list, struct config_error *why);

/* What a vehicle carries of them: puts it onto params that are not yet prepared. */
bool config_load_payloads(struct vehicle_params *params, const struct payload_file *file,
                          int count, int vehicle, const struct json *list,
                          struct config_error *why);

/* The fault of a step that drops the payload of that name. node is the step, for the error. */
bool config_build_drop(struct vehicle_fault *out, const char *name,
                       const struct payload_file *file, int count,
                       const struct scenario_step *step, const struct json *node,
                       struct config_error *why);

/* The "vehicles" of a step: which it is for, if not one or all. */

#define STEP_NAMES_MAX 16

struct step_vehicles_file {
        int names, numbers;
        char name[STEP_NAMES_MAX][NAME_MAX_LEN];
        uint16_t number[VEHICLES_MAX];
        int every, from, random; /* 0: not so */
};

extern const struct config_table config_step_vehicles_table;

/* index: the step's, by which random ones are drawn, with the rig's seed. node is the object. */
bool config_choose_vehicles(struct scenario_step *step, int index,
                            const struct step_vehicles_file *file,
                            const struct rig_config *rig, const struct json *node,
                            struct config_error *why);
/* Writes who was drawn in place of how many. */
void config_resolve_step(struct json *resolved, const struct scenario_step *step);

struct step_file {
        struct scenario_step step; /* but for its trigger, jig and action */
        int64_t at_ns, latest_ns; /* below 0: none */
        int at_tick; /* below 0: none */
        int64_t after_ns;
        char when[FORMULA_TEXT_MAX];
        struct step_vehicles_file vehicles;
        int channels;
        struct mounting_file hold;
        bool hold_given, release;
        struct stimulus_file stimulus;
        struct sensor_fault_file sensor_fault;
        struct vehicle_fault vehicle_fault;
        struct wire_fault_file wire_fault;
        struct host_fault host_fault;
        struct fc_option fc_option;
        char drop[NAME_MAX_LEN];
};

struct scenario_file {
        char name[NAME_MAX_LEN];
        int64_t duration_ns;
        int tracks; /* beside the first, which is the scenario's own */
        struct track_file {
                char name[NAME_MAX_LEN];
                int steps;
                struct step_file *step; /* owned */
        } track[1 + SCENARIO_TRACKS_MAX];
        int payloads;
        struct payload_file payload[SCENARIO_PAYLOADS_MAX];
        int requirements;
        struct requirement_file requirement[SCENARIO_REQUIREMENTS_MAX];
};

/* One step of a scenario file. */

extern const struct config_table config_step_table;

/* A step of the file, `index` of all. The rig's vehicles and times are built already; of the vehicles that are not, nothing is
 * checked. */
bool config_build_step(struct scenario_step *step, int index,
                       const struct scenario_file *all, const struct step_file *file,
                       const struct rig_config *rig, const struct json *node,
                       struct config_error *why);

extern const struct config_table config_scenario_table;

/* The rig's vehicles are built already. What the scenario owns is freed by scenario_free(), after a
 * failure too. */
bool config_build_scenario(struct scenario *s, const struct scenario_file *file,
                           const struct rig_config *rig, const struct json *node,
                           struct config_error *why);

/* Writes what was left to defaults, and to chance. */
void config_resolve_scenario(struct json *resolved, const struct scenario *s);

/* What the step does, in a few words: "roll_prbs: gyro x prbs 3 deg/s". */
void scenario_describe(const struct scenario_step *step, char *text, size_t cap);
