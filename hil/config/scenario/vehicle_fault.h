/* The vehicle's faults in a scenario file: "vehicle_fault": { "does": "motor_weak", "rotor": 2,
 * "loss_ratio": 0.3 }. Each kind takes its own keys and no others. */
#ifndef HIL_CONFIG_SCENARIO_VEHICLE_FAULT_H
#define HIL_CONFIG_SCENARIO_VEHICLE_FAULT_H

#include "hil/config/table.h"
#include "models/faults/vehicle_fault.h"

struct vehicle_fault_file {
        int does; /* first: config_field.given cannot be at 0 */
        bool rotor_given, time_constant_ratio_given, loss_ratio_given;
        bool unbalance_given, resistance_ratio_given, charge_loss_ratio_given;
        bool voltage_given, shift_given, mass_given, at_given, size_given;
        int rotor;
        double time_constant_ratio, loss_ratio, unbalance_kgm;
        double resistance_ratio, charge_loss_ratio, voltage_v;
        struct vec3 shift_m, at_m, size_m;
        double mass_kg;
};

extern const struct config_table config_vehicle_fault_table;

/* node is the object that holds "does". vehicle: one that the fault is for; of a step for every vehicle
 * this is asked for each of them, and gives the same fault. */
bool config_build_vehicle_fault(struct vehicle_fault *out,
                                const struct vehicle_fault_file *file,
                                const struct vehicle_params *vehicle,
                                const struct json *node, struct config_error *why);

/* A few words: "rotor 2 weak, 30 % lost". */
void vehicle_fault_describe(const struct vehicle_fault *p, char *text, size_t cap);

#endif
