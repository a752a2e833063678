/* A sensor fault as a step of a scenario has it: "sensor_fault": { "sensor": "gyro", "does": "bias",
 * "axes": "xz", "amount_dps": 5 }. Just the keys that the fault needs may be there. */
#ifndef HIL_CONFIG_SCENARIO_SENSOR_FAULT_H
#define HIL_CONFIG_SCENARIO_SENSOR_FAULT_H

#include "hil/config/table.h"
#include "models/faults/sensor_fault.h"

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
        int sensor, does;
        char axes[4];
        int sonar, count;
        double probability;
        int64_t delay_ns, offset_ns;
        struct {
                double value;
                bool given;
        } amount[AMOUNTS];
        bool axes_given, sonar_given, count_given, probability_given, delay_given,
                offset_given;
};

extern const struct config_table config_sensor_fault_table;

/* node is the object that was read. fitted: what the faulty vehicle carries; NULL: not known, and not
 * checked. */
bool config_build_sensor_fault(struct sensor_fault *out,
                               const struct sensor_fault_file *file,
                               const struct sensors_params *fitted,
                               const struct json *node, struct config_error *why);

/* The fault in a few words: "gyro x z bias 5 deg/s". */
void sensor_fault_describe(const struct sensor_fault *p, char *text, size_t cap);

#endif
