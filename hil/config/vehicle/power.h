/* The battery of a vehicle file. */
#ifndef HIL_CONFIG_VEHICLE_POWER_H
#define HIL_CONFIG_VEHICLE_POWER_H

#include "hil/config/table.h"
#include "models/plant/battery.h"

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

#endif
