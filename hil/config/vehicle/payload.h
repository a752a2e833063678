/* What vehicles carry at the start of a scenario, and can drop: a scenario's "payloads", and
 * "drop": NAME of its steps. */
#ifndef HIL_CONFIG_VEHICLE_PAYLOAD_H
#define HIL_CONFIG_VEHICLE_PAYLOAD_H

#include "hil/config/table.h"
#include "models/faults/vehicle_fault.h"

struct payload_file {
        char name[NAME_MAX_LEN];
        int vehicle;
        bool vehicle_given; /* else every vehicle carries one */
        double mass_kg;
        struct vec3 at_m, size_m;
};

extern const struct config_table config_payload_table;

/* Names differ, and the vehicles are there. list is the array "payloads". */
bool config_check_payloads(const struct payload_file *file, int count, int vehicles,
                           const struct json *list, struct config_error *why);

/* What a vehicle carries of them: puts it onto params that are not yet prepared. */
bool config_load_payloads(struct vehicle_params *params, const struct payload_file *file,
                          int count, int vehicle, const struct json *list,
                          struct config_error *why);

/* The fault of a step that drops the payload of that name; vehicle: the step's, -1: every one. node is
 * the step, for the error. */
bool config_build_drop(struct vehicle_fault *out, const char *name,
                       const struct payload_file *file, int count, int vehicle,
                       const struct json *node, struct config_error *why);

#endif
