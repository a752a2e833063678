/* A vehicle: motors, rotors, airframe, body, contact and sensors in the order in which
 * the signal travels. Copying struct vehicle is a snapshot. */
#ifndef MODELS_VEHICLE_H
#define MODELS_VEHICLE_H

#include "models/airframe.h"
#include "models/body.h"
#include "models/contact.h"
#include "models/motor.h"
#include "models/rotor.h"
#include "models/sensors/sensors.h"
#include "models/signals.h"
#include "models/world.h"

struct vehicle_params {
        struct body_params body;
        int rotors;
        struct motor_params motor[ROTORS_MAX];
        struct rotor_params rotor[ROTORS_MAX];
        struct airframe_params airframe;
        struct contact_params contact;
        struct sensors_params sensors;

        /* Filled by vehicle_params_prepare(). */
        int64_t step_ns;
        double step_s; /* step_ns in seconds */
        double reach_half[ROTORS_MAX], reach_full[ROTORS_MAX]; /* motor_reach() */
        struct rotor_gain gain[ROTORS_MAX]; /* the force per mass */
        struct airframe_gain drag;
};

/* Air density, linear in the height about a height not more than a metre away: the
 * standard atmosphere's own formula would cost more than the rest of the plant, and
 * differs by 1e-8. */
struct air {
        double down_m; /* z in NED about which it is linear */
        double density_kgpm3;
        double slope_kgpm4; /* per metre down */
};

struct vehicle {
        int64_t t_ns;
        struct body_state body;
        struct motor motor[ROTORS_MAX];
        double drive_nm; /* what the last command adds to the rotors' momentum */
        struct air air;
        struct contact contact;
        struct sensors sensors;
};

/* Fixes the plant's step. False: the inertia cannot belong to a body. */
bool vehicle_params_prepare(struct vehicle_params *p, int64_t step_ns);

/* At rest at the given pose, motors stopped. index and seed choose the noise streams. */
void vehicle_init(struct vehicle *v, const struct vehicle_params *p,
                  const struct world *world, uint64_t seed, uint32_t index,
                  struct vec3 pos_ned_m, double yaw_rad);

/* The plant alone, one step of p->step_ns by RK4. */
void vehicle_move(struct vehicle *v, const struct vehicle_params *p,
                  const struct world *world, const struct motor_command *command);

/* Fills accel_ned_mps2 and rate_dot_body_radps2 of v->body from the forces at this
 * instant. */
void vehicle_update_acceleration(struct vehicle *v, const struct vehicle_params *p,
                                 const struct world *world);

/* One period: `steps` plant steps under one command, then what the sensors delivered in
 * it. */
void vehicle_step(struct vehicle *v, const struct vehicle_params *p,
                  const struct world *world, const struct motor_command *command,
                  int steps, struct sensor_frame *out);

#endif
