/* Faults of the vehicle itself: their keys, whether a vehicle can have them, and their words. */
#include "hil/config/place.h"
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
        [RADIO_LOST] = "radio_lost",
        [RADIO_JAMMED] = "radio_jammed",
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
          "centre of mass moves. radio_lost: its radio neither sends nor hears. "
          "radio_jammed: noise at its antenna. added_mass: something is hung on.",
          .names = does_names, AT(vehicle_fault, kind) },
        { "rotor", CONFIG_INTEGER,
          "Of motors and propellers: which, from 0, in the vehicle file's order.",
          BETWEEN(0, ROTORS_MAX - 1), .optional = true, AT(vehicle_fault, rotor) },
        { "time_constant_ratio", CONFIG_NUMBER,
          "Of motor_slow: the new time constant over the old one.", ABOVE(0),
          AT_MOST(1000), .optional = true, AT(vehicle_fault, time_constant_ratio) },
        { "loss_ratio", CONFIG_NUMBER,
          "Of motor_weak and propeller_chipped: share of thrust and torque that is lost.",
          AT_LEAST(0), BELOW(1), .optional = true, AT(vehicle_fault, loss_ratio) },
        { "unbalance_g_mm", CONFIG_NUMBER,
          "Of propeller_chipped: mass that is missing times its distance from the axis.",
          ABOVE(0), AT_MOST(1e6), .scale = KGM_PER_G_MM, .optional = true,
          AT(vehicle_fault, unbalance_kgm) },
        { "resistance_ratio", CONFIG_NUMBER,
          "Of battery_sag: the new resistance over the old one.", AT_LEAST(1),
          AT_MOST(1000), .optional = true, AT(vehicle_fault, resistance_ratio),
          .absent = "1" },
        { "charge_loss_ratio", CONFIG_NUMBER,
          "Of battery_sag: share of the full battery's charge that is gone.", ABOVE(0),
          AT_MOST(1), .optional = true, AT(vehicle_fault, charge_loss_ratio) },
        { "voltage_v", CONFIG_NUMBER,
          "Of brown_out: at the battery's terminals, whatever the load.", ABOVE(0),
          AT_MOST(1000), .optional = true, AT(vehicle_fault, voltage_v) },
        { "noise_dbm", CONFIG_NUMBER,
          "Of radio_jammed: at the antenna. Only what is louder by the radio's "
          "capture_db "
          "is heard, and with carrier_sense nothing is sent while the noise itself can "
          "be "
          "heard.",
          BETWEEN(-200, 60), .optional = true, AT(vehicle_fault, noise_dbm) },
        { "shift_m", CONFIG_OBJECT, "Of com_shift: by how much the centre of mass moves.",
          .table = &config_body_place_table, .optional = true,
          AT(vehicle_fault, shift_m) },
        { "mass_kg", CONFIG_NUMBER, "Of added_mass.", ABOVE(0), AT_MOST(1000),
          .optional = true, AT(vehicle_fault, load.mass_kg) },
        { "at_m", CONFIG_OBJECT,
          "Of added_mass: its middle, from the vehicle file's centre of mass.",
          .table = &config_body_place_table, .optional = true,
          AT(vehicle_fault, load.at_m) },
        { "size_m", CONFIG_VECTOR,
          "Of added_mass: length, width, height of a box of uniform density. Left out: a "
          "point.",
          BETWEEN(0, 10), .size = 3, .optional = true, AT(vehicle_fault, load.size_m) },
        { NULL },
};

#define MOTORS                                                                           \
        (CONFIG_IS(MOTOR_DEAD) | CONFIG_IS(MOTOR_SLOW) | CONFIG_IS(MOTOR_STUCK) |        \
         CONFIG_IS(MOTOR_WEAK) | CONFIG_IS(PROPELLER_CHIPPED))

static const struct config_rule fault_rules[] = {
        { { "rotor" }, { "does" }, .must = MOTORS },
        { { "time_constant_ratio" }, { "does" }, .must = CONFIG_IS(MOTOR_SLOW) },
        { { "loss_ratio" },
          { "does" },
          .must = CONFIG_IS(MOTOR_WEAK) | CONFIG_IS(PROPELLER_CHIPPED) },
        { { "unbalance_g_mm" }, { "does" }, .must = CONFIG_IS(PROPELLER_CHIPPED) },
        { { "resistance_ratio", "charge_loss_ratio" },
          { "does" },
          .may = CONFIG_IS(BATTERY_SAG),
          .least = 1 },
        { { "voltage_v" }, { "does" }, .must = CONFIG_IS(BROWN_OUT) },
        { { "shift_m" }, { "does" }, .must = CONFIG_IS(COM_SHIFT) },
        { { "noise_dbm" }, { "does" }, .must = CONFIG_IS(RADIO_JAMMED) },
        { { "mass_kg", "at_m" }, { "does" }, .must = CONFIG_IS(ADDED_MASS) },
        { { "size_m" }, { "does" }, .may = CONFIG_IS(ADDED_MASS) },
        { { NULL } },
};

const struct config_table config_vehicle_fault_table = {
        .name = "vehicle_fault",
        .about = "What breaks on the vehicle, or what is attached to it.",
        .field = fault_fields,
        .rule = fault_rules,
};

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

bool config_check_vehicle_fault(const struct vehicle_fault *f,
                                const struct vehicle_params *vehicle,
                                const struct json *node, struct config_error *why)
{
        if ((MOTORS & CONFIG_IS(f->kind)) && f->rotor >= vehicle->rotors)
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
        case RADIO_LOST:
                snprintf(text, cap, "radio lost");
                break;
        case RADIO_JAMMED:
                snprintf(text, cap, "radio jammed by %.4g dBm", p->noise_dbm);
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
