/* A vehicle: battery, motors, rotors, airframe, body, contact and sensors in the order in which
 * the signal travels. Copying struct vehicle is a snapshot. */
#pragma once

#include "models/plant/airframe.h"
#include "models/plant/battery.h"
#include "models/plant/blades.h"
#include "models/plant/body.h"
#include "models/plant/contact.h"
#include "models/plant/motor.h"
#include "models/plant/rotor.h"
#include "models/sensors/sensors.h"
#include "models/signals.h"
#include "models/world/shape.h"
#include "models/world/surroundings.h"
#include "models/plant/tolerance.h"
#include "models/plant/vibration.h"
#include "models/world/world.h"

struct vehicle_params {
        struct body_params body;
        /* Of mass, from where the vehicle file has it: loads move it, with every place here that is told
         * from it (loading.h). */
        struct vec3 centre_body_m;
        int rotors;
        struct battery_params battery;
        struct motor_params motor[ROTORS_MAX];
        struct rotor_params rotor[ROTORS_MAX];
        double rotor_radius_m; /* for ground effect and disk loading; 0: neither */
        struct blades_params blades; /* of every rotor, instead of rotor[]'s factors */
        struct vibration_params vibration; /* of every rotor */
        double unbalance_kgm[ROTORS_MAX]; /* of a chipped propeller, on top of it */
        struct tolerance_params tolerance;
        struct airframe_params airframe;
        struct contact_params contact;
        struct surroundings_params surroundings;
        struct sensors_params sensors;

        /* Filled by vehicle_params_prepare(). */
        int64_t step_ns;
        double step_s; /* step_ns in seconds */
        bool off_centre; /* centre_body_m is not 0: the airframe's drag acts where it was */
        double reach_half[ROTORS_MAX], reach_full[ROTORS_MAX]; /* motor_reach() */
        struct motor_quad motors[ROTORS_MAX / QUAD];
        /* What a rotor takes from its motor: per rad/s that it lacks, and per square of its speed at 1 kg/m3. */
        double spin_up_nms[ROTORS_MAX], drag_kgm2[ROTORS_MAX];
        struct rotor_gain gain[ROTORS_MAX]; /* the force per mass */
        struct airframe_gain drag;
        struct vibration_gain shake;
        double disks_m2; /* area of all rotors' disks */
        double hub_m; /* mean height of the hubs above the centre of mass */
        struct shape shape; /* from gear, hull and rotors */
        double blades_ratio[ROTORS_MAX]; /* what tolerances make of each rotor's blades */
};

/* Air density, linear in the height about a height not more than a metre away: the
 * standard atmosphere's own formula would cost more than the rest of the plant, and
 * differs by 1e-8. */
struct air {
        double down_m; /* z in NED about which it is linear */
        double density_kgpm3;
        double slope_kgpm4; /* per metre down */
};

/* What someone does to the vehicle from outside, on top of the world's: constant in a period. */
struct push {
        struct vec3 wind_ned_mps;
        struct vec3 force_ned_n; /* at the centre of mass */
        struct vec3 torque_body_nm;
};

struct vehicle {
        int64_t t_ns;
        struct body_state body;
        struct push push;
        struct battery battery;
        struct motor motor[ROTORS_MAX];
        double target_radps[ROTORS_MAX]; /* motor_aim_radps() of the last step */
        double inflow_mps[ROTORS_MAX]; /* induced velocity, with blades */
        double angle_turns[ROTORS_MAX]; /* how far each has turned */
        double speed_ratio; /* what the battery leaves of the motors' speed */
        double drive_nm; /* what the last command adds to the rotors' momentum */
        double thrust_n; /* of all rotors, at the last look */
        struct air air;
        struct surroundings around;
        /* The air at each hub beyond the mean of all, which is part of the wind: others' wash. */
        bool washed;
        struct vec3 hub_air_ned_mps[ROTORS_MAX];
        struct contact contact;
        struct contact_free free;
        /* Of the last period's hardest contact, as in struct contact: one that was over before the
         * period's end counts too. */
        double impact_mps;
        int obstacle;
        /* What another vehicle's impact changed, until the next step has felt it. */
        struct vec3 jolt_ned_mps, jolt_body_radps;
        bool held; /* in a jig: see vehicle_hold() */
        double real_range_m[SONARS_MAX]; /* real sonars' readings, INFINITY: nothing */
        struct sensors sensors;
};

/* Fixes the plant's step and, from (seed, index), what tolerances made of this vehicle. False: the
 * inertia cannot belong to a body. */
bool vehicle_params_prepare(struct vehicle_params *p, int64_t step_ns, uint64_t seed,
                            uint32_t index);

/* At rest at the given pose, motors stopped. index and seed choose the noise streams. */
void vehicle_init(struct vehicle *v, const struct vehicle_params *p,
                  const struct world *world, uint64_t seed, uint32_t index,
                  struct vec3 pos_ned_m, double yaw_rad);

/* The plant alone, one step of p->step_ns by RK4, in the surroundings and with the battery voltage of
 * the period's beginning. */
void vehicle_move(struct vehicle *v, const struct vehicle_params *p,
                  const struct world *world, const struct motor_command *command);

/* Fills accel_ned_mps2 and rate_dot_body_radps2 of v->body from the forces at this
 * instant. */
void vehicle_update_acceleration(struct vehicle *v, const struct vehicle_params *p);

/* One period: `steps` plant steps under one command, then what the sensors delivered in
 * it, which stays valid until the next. others may be NULL. */
const struct sensor_frame *vehicle_step(struct vehicle *v, const struct vehicle_params *p,
                                        const struct world *world,
                                        const struct neighbours *others,
                                        const struct motor_command *command, int steps);

/* Holds the vehicle still where it is, turned like this, as a jig on a bench does: forces have no
 * effect until it is released, and the accelerometer feels the jig. */
void vehicle_hold(struct vehicle *v, struct quat q_body_to_ned);
void vehicle_release(struct vehicle *v);

/* Whether everything that changes in a flight is a number, and no infinite one: a plant that is stepped too
 * coarsely is none after a while. What may be infinite by its meaning is not asked. */
bool vehicle_is_finite(const struct vehicle *v);
/* What is not, the first of it: "turn rate", " about y". */
struct infinite_state {
        const char *name, *part; /* part "": it has no parts with names */
};
struct infinite_state vehicle_find_infinite(const struct vehicle *v);

/* Where it truly is, after a step. */
struct pose_sample vehicle_pose(const struct vehicle *v);

/* Of all rotors together at the fastest that the motors go, standing at the world's origin. */
double vehicle_full_thrust_n(const struct vehicle_params *p, const struct world *world);
