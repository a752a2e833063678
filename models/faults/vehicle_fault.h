/* What can break on a vehicle, and what can be hung on it and fall off, exactly at a tick. Faults
 * change parameters, never the model: with all of them that are in force the parameters are made
 * anew from those without any, so faults may overlap and end in any order, and when the last
 * one ends the parameters are the old ones to the bit. */
#pragma once

#include "models/vehicle/loading.h"

enum vehicle_fault_kind {
        MOTOR_DEAD, /* no power, whatever the command: the rotor runs out with the motor's lag */
        MOTOR_SLOW, /* its time constant is time_constant_ratio times as long */
        MOTOR_STUCK, /* goes on with the first command that it gets under the fault */
        MOTOR_WEAK, /* loss_ratio of its rotor's thrust and torque is lost */
        PROPELLER_CHIPPED, /* the same, and its unbalance shakes the frame */
        BATTERY_SAG, /* resistance_ratio times the resistance; charge_loss_ratio of the capacity is
                        gone */
        BROWN_OUT, /* the terminals stand at voltage_v, or at what the battery has without a load if
                      that is less */
        COM_SHIFT, /* the centre of mass moves by shift_m, the airframe does not */
        RADIO_LOST, /* its radio neither sends nor hears */
        RADIO_JAMMED, /* noise_dbm at its antenna */
        ADDED_MASS, /* a load that was not there */
        PAYLOAD_DROP, /* a load that was there falls off, for good */
        VEHICLE_FAULT_KINDS
};

struct vehicle_fault {
        enum vehicle_fault_kind kind;
        int rotor; /* of motors and propellers, in the order of the vehicle file */
        double time_constant_ratio; /* > 0 */
        double loss_ratio; /* 0 to less than 1 */
        double unbalance_kgm; /* mass times eccentricity */
        double resistance_ratio; /* > 0; 1: as it was */
        double charge_loss_ratio; /* 0 to 1 */
        double voltage_v; /* > 0 */
        double noise_dbm;
        struct vec3 shift_m;
        struct load load; /* a payload is known by its name */
};

/* What a fault in force remembers: of a stuck motor its command. */
struct vehicle_fault_state {
        bool holds;
        double duty;
};

/* The fault begins. */
void vehicle_fault_init(struct vehicle_fault_state *s, const struct vehicle_fault *p,
                        const struct vehicle *v);

/* What becomes of the command on its way to the motors; every tick. */
void vehicle_fault_command(const struct vehicle_fault *p, struct vehicle_fault_state *s,
                           struct motor_command *command);

/* Whenever a fault has begun or ended: *params from *pristine, which is prepared and without any, with
 * those in the list, always in the same order. v goes on under them: each point of its airframe
 * stays where it is and as fast as it is, and battery voltage and accelerations are those of
 * now. Motors, filters, drifts and noise are untouched. False: no body has the mass or the inertia that
 * is left; then mass, inertia and centre are those of pristine, and motors, propellers and battery
 * are as broken as the list says. */
bool vehicle_faults_recompute(struct vehicle_params *params, struct vehicle *v,
                              const struct vehicle_params *pristine,
                              const struct vehicle_fault *const *fault, int count);

/* Whether it is possible alone, for this vehicle: the rotor is there, the battery too, and its
 * mass and inertia can belong to a body. */
bool vehicle_fault_possible(const struct vehicle_fault *p,
                            const struct vehicle_params *vehicle);
