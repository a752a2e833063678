/* The battery of a vehicle. */
#include "hil/config/vehicle/vehicle.h"

/* Open-circuit voltage of one lithium-polymer cell: Chen and Rincon-Mora (IEEE Transactions on Energy
 * Conversion 21(2), 2006), -1.031 exp(-35 s) + 3.685 + 0.2156 s - 0.1178 s^2 + 0.3201 s^3, at
 * these states of charge s. */
#define CELL_POINTS 15

static const double cell_ratio[CELL_POINTS] = { 0.0,  0.01, 0.02, 0.03, 0.05,
                                                0.07, 0.1,  0.15, 0.25, 0.4,
                                                0.55, 0.7,  0.8,  0.9,  1.0 };
static const double cell_v[CELL_POINTS] = { 2.654,  2.9606, 3.1773, 3.3306, 3.5164,
                                            3.6107, 3.6746, 3.7104, 3.7364, 3.7729,
                                            3.8212, 3.888,  3.946,  4.017,  4.1029 };

static const struct config_field curve_fields[] = {
        { "charge_percent", CONFIG_NUMBER, "State of charge.", BETWEEN(0, 100),
          .scale = 0.01, .offset = 0 },
        { "voltage_v", CONFIG_NUMBER, "Of the whole battery, without a load.", ABOVE(0),
          AT_MOST(1000),
          .offset = offsetof(struct battery_params, curve_v) -
                    offsetof(struct battery_params, curve_ratio) },
        { NULL },
};

static const struct config_table curve_table = {
        .name = "battery_point",
        .about = "A point of the open-circuit voltage.",
        .field = curve_fields,
};

static const struct config_field battery_fields[] = {
        { "cells", CONFIG_INTEGER,
          "Lithium-polymer cells in series, for a voltage of 4.1 V each when full and "
          "3.7 V "
          "at 10 % (Chen and Rincon-Mora 2006).",
          BETWEEN(1, 24), .optional = true, AT(battery_file, cells) },
        { "curve", CONFIG_OBJECTS,
          "Instead of cells: the open-circuit voltage, rising, linear between its "
          "points.",
          .table = &curve_table, .least = 2, .size = BATTERY_CURVE_MAX,
          .stride = sizeof(double), .optional = true,
          AT(battery_file, params.curve_ratio),
          .count = offsetof(struct battery_file, params.points) },
        { "capacity_mah", CONFIG_NUMBER, "Charge of the full battery.", ABOVE(0),
          AT_MOST(1e6), .scale = 3.6, AT(battery_file, params.capacity_c) },
        { "charge_percent", CONFIG_NUMBER, "State of charge at the start.", ABOVE(0),
          AT_MOST(100), .scale = 0.01, .preset = "100",
          AT(battery_file, params.charge_ratio) },
        { "resistance_mohm", CONFIG_NUMBER, "Of all cells and wires together.",
          BETWEEN(0, 1e5), .scale = 1e-3, AT(battery_file, params.resistance_ohm) },
        { "cutoff_v", CONFIG_NUMBER,
          "Voltage under load: below it for half a second the motors stop for good.",
          BETWEEN(0, 1000), AT(battery_file, params.cutoff_v) },
        { "idle_w", CONFIG_NUMBER, "Power of everything but the motors.", BETWEEN(0, 1e5),
          .preset = "0", AT(battery_file, params.idle_w) },
        { "efficiency", CONFIG_NUMBER,
          "Power at the rotor shafts over what speed controllers and motors take.",
          ABOVE(0), AT_MOST(1), AT(battery_file, params.efficiency) },
        { "reference_v", CONFIG_NUMBER,
          "Voltage at which the motor's speed_full_rpm and speed_limit_rpm hold; both go "
          "with the voltage.",
          ABOVE(0), AT_MOST(1000), AT(battery_file, params.reference_v) },
        { NULL },
};

static const struct config_rule battery_rules[] = {
        { { "cells", "curve" }, .least = 1, .most = 1 },
        { { NULL } },
};

const struct config_table config_battery_table = {
        .name = "battery",
        .about = "Battery: the motors' current lowers its voltage, and its voltage "
                 "limits their speed.",
        .field = battery_fields,
        .rule = battery_rules,
};

static bool check_curve(const struct battery_params *p, const struct json *node,
                        struct config_error *why)
{
        for (int i = 1; i < p->points; i++)
                if (!(p->curve_ratio[i] > p->curve_ratio[i - 1] &&
                      p->curve_v[i] > p->curve_v[i - 1]))
                        return config_refuse(
                                why, json_item(json_member(node, "curve"), i), NULL,
                                "must have more charge and more voltage than the point "
                                "before it");
        return true;
}

static void set_cells_curve(struct battery_params *p, int cells)
{
        p->points = CELL_POINTS;
        for (int i = 0; i < CELL_POINTS; i++) {
                p->curve_ratio[i] = cell_ratio[i];
                p->curve_v[i] = cells * cell_v[i];
        }
}

bool config_build_battery(struct battery_params *p, const struct battery_file *file,
                          const struct json *node, struct config_error *why)
{
        double start_v;

        *p = file->params;
        if (!(p->capacity_c > 0.0))
                return true;
        if (file->cells > 0)
                set_cells_curve(p, file->cells);
        else if (!check_curve(p, node, why))
                return false;
        start_v = battery_open_circuit_v(p, p->charge_ratio);
        if (p->cutoff_v >= start_v)
                return config_refuse_at(
                        why, node, "cutoff_v",
                        "must be less than the voltage at the start, which is %.4g",
                        start_v);
        return true;
}
