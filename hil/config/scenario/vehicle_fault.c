#include "hil/config/scenario/scenario.h"

#include <stdio.h>

/* kg m of g mm */
#define KGM_PER_G_MM 1e-6

/* A payload falls by a step's "drop" alone (config_payload.h). */
static const char *const does_names[] = {
        [MOTOR_DEAD] = "motor_dead",
        [MOTOR_SLOW] = "motor_slow",
        [MOTOR_STUCK] = "motor_stuck",
        [MOTOR_WEAK] = "motor_weak",
        [PROPELLER_CHIPPED] = "propeller_chipped",
        [BATTERY_SAG] = "battery_sag",
        [BROWN_OUT] = "brown_out",
        [COM_SHIFT] = "com_shift",
        [ADDED_MASS] = "added_mass",
        [PAYLOAD_DROP] = NULL,
};

_Static_assert(PAYLOAD_DROP == VEHICLE_FAULT_KINDS - 1, "does_names ends there");

static const struct config_field fault_fields[] = {
        { "does", CONFIG_CHOICE,
          "motor_dead: no power. motor_slow: a longer time constant. motor_stuck: goes "
          "on with the command of this moment. motor_weak: thrust and torque are lost. "
          "propeller_chipped: the same, and it shakes. battery_sag: more resistance, "
          "less "
          "charge. brown_out: the battery's terminals fall to a voltage. com_shift: the "
          "centre of mass moves. added_mass: something is hung on.",
          .names = does_names, AT(vehicle_fault_file, does) },
        { "rotor", CONFIG_INTEGER,
          "Of motors and propellers: which, from 0, in the vehicle file's order.",
          BETWEEN(0, ROTORS_MAX - 1), .optional = true, AT(vehicle_fault_file, rotor),
          .given = offsetof(struct vehicle_fault_file, rotor_given) },
        { "time_constant_ratio", CONFIG_NUMBER,
          "Of motor_slow: its time constant over the one that it had.", ABOVE(0),
          AT_MOST(1000), .optional = true, AT(vehicle_fault_file, time_constant_ratio),
          .given = offsetof(struct vehicle_fault_file, time_constant_ratio_given) },
        { "loss_ratio", CONFIG_NUMBER,
          "Of motor_weak and propeller_chipped: share of thrust and torque that is lost.",
          AT_LEAST(0), BELOW(1), .optional = true, AT(vehicle_fault_file, loss_ratio),
          .given = offsetof(struct vehicle_fault_file, loss_ratio_given) },
        { "unbalance_g_mm", CONFIG_NUMBER,
          "Of propeller_chipped: mass that is missing times its distance from the axis.",
          ABOVE(0), AT_MOST(1e6), .scale = KGM_PER_G_MM, .optional = true,
          AT(vehicle_fault_file, unbalance_kgm),
          .given = offsetof(struct vehicle_fault_file, unbalance_given) },
        { "resistance_ratio", CONFIG_NUMBER,
          "Of battery_sag: its resistance over the one that it had.", AT_LEAST(1),
          AT_MOST(1000), .optional = true, AT(vehicle_fault_file, resistance_ratio),
          .given = offsetof(struct vehicle_fault_file, resistance_ratio_given) },
        { "charge_loss_ratio", CONFIG_NUMBER,
          "Of battery_sag: share of the full battery's charge that is gone.", ABOVE(0),
          AT_MOST(1), .optional = true, AT(vehicle_fault_file, charge_loss_ratio),
          .given = offsetof(struct vehicle_fault_file, charge_loss_ratio_given) },
        { "voltage_v", CONFIG_NUMBER,
          "Of brown_out: at the battery's terminals, whatever the load.", ABOVE(0),
          AT_MOST(1000), .optional = true, AT(vehicle_fault_file, voltage_v),
          .given = offsetof(struct vehicle_fault_file, voltage_given) },
        { "shift_m", CONFIG_VECTOR,
          "Of com_shift: by how much the centre of mass moves forward, right, down.",
          BETWEEN(-10, 10), .size = 3, .optional = true, AT(vehicle_fault_file, shift_m),
          .given = offsetof(struct vehicle_fault_file, shift_given) },
        { "mass_kg", CONFIG_NUMBER, "Of added_mass.", ABOVE(0), AT_MOST(1000),
          .optional = true, AT(vehicle_fault_file, mass_kg),
          .given = offsetof(struct vehicle_fault_file, mass_given) },
        { "at_m", CONFIG_VECTOR,
          "Of added_mass: its middle, from the vehicle file's centre of mass: forward, "
          "right, down.",
          BETWEEN(-10, 10), .size = 3, .optional = true, AT(vehicle_fault_file, at_m),
          .given = offsetof(struct vehicle_fault_file, at_given) },
        { "size_m", CONFIG_VECTOR,
          "Of added_mass: length, width, height of a box of even density. Left out: a "
          "point.",
          BETWEEN(0, 10), .size = 3, .optional = true, AT(vehicle_fault_file, size_m),
          .given = offsetof(struct vehicle_fault_file, size_given) },
        { NULL },
};

const struct config_table config_vehicle_fault_table = {
        .name = "vehicle_fault",
        .about = "What breaks on the vehicle, or what is hung on it.",
        .field = fault_fields,
};

/* Keys beside "does". */
enum {
        ROTOR,
        TIME_CONSTANT,
        LOSS,
        UNBALANCE,
        RESISTANCE,
        CHARGE,
        VOLTAGE,
        SHIFT,
        MASS,
        PLACE,
        SIZE,
        KEYS
};

static const char *const keys[KEYS] = {
        "rotor",
        "time_constant_ratio",
        "loss_ratio",
        "unbalance_g_mm",
        "resistance_ratio",
        "charge_loss_ratio",
        "voltage_v",
        "shift_m",
        "mass_kg",
        "at_m",
        "size_m",
};

enum need { NEVER, MAY, MUST };

static const enum need needs[VEHICLE_FAULT_KINDS][KEYS] = {
        [MOTOR_DEAD] = { [ROTOR] = MUST },
        [MOTOR_SLOW] = { [ROTOR] = MUST, [TIME_CONSTANT] = MUST },
        [MOTOR_STUCK] = { [ROTOR] = MUST },
        [MOTOR_WEAK] = { [ROTOR] = MUST, [LOSS] = MUST },
        [PROPELLER_CHIPPED] = { [ROTOR] = MUST, [LOSS] = MUST, [UNBALANCE] = MUST },
        [BATTERY_SAG] = { [RESISTANCE] = MAY, [CHARGE] = MAY },
        [BROWN_OUT] = { [VOLTAGE] = MUST },
        [COM_SHIFT] = { [SHIFT] = MUST },
        [ADDED_MASS] = { [MASS] = MUST, [PLACE] = MUST, [SIZE] = MAY },
};

static bool check_keys(const struct vehicle_fault_file *file, const struct json *node,
                       struct config_error *why)
{
        const bool given[KEYS] = {
                file->rotor_given,
                file->time_constant_ratio_given,
                file->loss_ratio_given,
                file->unbalance_given,
                file->resistance_ratio_given,
                file->charge_loss_ratio_given,
                file->voltage_given,
                file->shift_given,
                file->mass_given,
                file->at_given,
                file->size_given,
        };

        for (int i = 0; i < KEYS; i++) {
                enum need need = needs[file->does][i];

                if (given[i] && need == NEVER)
                        return config_refuse_at(why, node, keys[i],
                                                "means nothing with \"does\": \"%s\"",
                                                does_names[file->does]);
                if (!given[i] && need == MUST)
                        return config_refuse(
                                why, node, keys[i],
                                "is required, and missing, with \"does\": \"%s\"",
                                does_names[file->does]);
        }
        if (file->does == BATTERY_SAG && !given[RESISTANCE] && !given[CHARGE])
                return config_refuse(why, node, NULL,
                                     "must have resistance_ratio or charge_loss_ratio, "
                                     "or both");
        return true;
}

static bool check_battery(const struct vehicle_fault *f, const struct battery_params *p,
                          const struct json *node, struct config_error *why)
{
        double start_v;

        if (!(p->capacity_c > 0.0))
                return config_refuse_at(why, node, "does",
                                        "is \"%s\", and the vehicle has no battery",
                                        does_names[f->kind]);
        start_v = battery_open_circuit_v(p, p->charge_ratio);
        if (f->kind == BROWN_OUT && f->voltage_v >= start_v)
                return config_refuse_at(why, node, "voltage_v",
                                        "must be less than the battery's voltage at the "
                                        "start, which is %.4g, is %.15g",
                                        start_v, f->voltage_v);
        return true;
}

static bool check_fit(const struct vehicle_fault *f, const struct vehicle_params *vehicle,
                      const struct json *node, struct config_error *why)
{
        if (needs[f->kind][ROTOR] == MUST && f->rotor >= vehicle->rotors)
                return config_refuse_at(why, node, "rotor",
                                        "must be less than %d, the vehicle's number of "
                                        "rotors, is %d",
                                        vehicle->rotors, f->rotor);
        if (f->kind == BATTERY_SAG || f->kind == BROWN_OUT)
                return check_battery(f, &vehicle->battery, node, why);
        if (vehicle_fault_possible(f, vehicle))
                return true;
        return config_refuse(why, node, NULL,
                             "leaves the vehicle with a mass or an inertia that no body "
                             "has");
}

bool config_build_vehicle_fault(struct vehicle_fault *out,
                                const struct vehicle_fault_file *file,
                                const struct vehicle_params *vehicle,
                                const struct json *node, struct config_error *why)
{
        if (!check_keys(file, node, why))
                return false;
        *out = (struct vehicle_fault){
                .kind = (enum vehicle_fault_kind)file->does,
                .rotor = file->rotor,
                .time_constant_ratio = file->time_constant_ratio,
                .loss_ratio = file->loss_ratio,
                .unbalance_kgm = file->unbalance_kgm,
                .resistance_ratio =
                        file->resistance_ratio_given ? file->resistance_ratio : 1.0,
                .charge_loss_ratio = file->charge_loss_ratio,
                .voltage_v = file->voltage_v,
                .shift_m = file->shift_m,
                .load = { .mass_kg = file->mass_kg,
                          .at_m = file->at_m,
                          .size_m = file->size_m },
        };
        return check_fit(out, vehicle, node, why);
}

static void describe_sag(const struct vehicle_fault *p, char *text, size_t cap)
{
        if (p->charge_loss_ratio > 0.0 && p->resistance_ratio != 1.0)
                snprintf(text, cap, "battery sags, resistance times %.4g, %.4g %% lost",
                         p->resistance_ratio, 100.0 * p->charge_loss_ratio);
        else if (p->charge_loss_ratio > 0.0)
                snprintf(text, cap, "battery sags, %.4g %% of its charge lost",
                         100.0 * p->charge_loss_ratio);
        else
                snprintf(text, cap, "battery sags, resistance times %.4g",
                         p->resistance_ratio);
}

static void describe_motor(const struct vehicle_fault *p, char *text, size_t cap)
{
        switch (p->kind) {
        case MOTOR_DEAD:
                snprintf(text, cap, "rotor %d dead", p->rotor);
                break;
        case MOTOR_SLOW:
                snprintf(text, cap, "rotor %d slow, time constant times %.4g", p->rotor,
                         p->time_constant_ratio);
                break;
        case MOTOR_STUCK:
                snprintf(text, cap, "rotor %d stuck at its command", p->rotor);
                break;
        case MOTOR_WEAK:
                snprintf(text, cap, "rotor %d weak, %.4g %% lost", p->rotor,
                         100.0 * p->loss_ratio);
                break;
        default:
                snprintf(text, cap, "rotor %d chipped, %.4g g mm, %.4g %% lost", p->rotor,
                         p->unbalance_kgm / KGM_PER_G_MM, 100.0 * p->loss_ratio);
                break;
        }
}

void vehicle_fault_describe(const struct vehicle_fault *p, char *text, size_t cap)
{
        const struct vec3 shift = p->shift_m, at = p->load.at_m;

        switch (p->kind) {
        case BATTERY_SAG:
                describe_sag(p, text, cap);
                break;
        case BROWN_OUT:
                snprintf(text, cap, "battery down to %.4g V", p->voltage_v);
                break;
        case COM_SHIFT:
                snprintf(text, cap, "centre of mass moved by %.4g, %.4g, %.4g m", shift.x,
                         shift.y, shift.z);
                break;
        case ADDED_MASS:
                snprintf(text, cap, "%.4g kg more at %.4g, %.4g, %.4g m", p->load.mass_kg,
                         at.x, at.y, at.z);
                break;
        case PAYLOAD_DROP:
                snprintf(text, cap, "payload %s dropped, %.4g kg", p->load.name,
                         p->load.mass_kg);
                break;
        default:
                describe_motor(p, text, cap);
                break;
        }
}
