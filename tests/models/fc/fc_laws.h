/* The quadrotor of 1 kg and the gains of the documents' laws for it, as in rig_configs; a question to an
 * attitude law; and a stiff body that turns as the torque says, for closed loops without a vehicle. */
#pragma once

#include "models/fc/laws/attitude_law.h"
#include "tests/models/fc/fc_flight.h"

static const struct craft quad_x_1kg = {
        .name = "quad_x_1kg",
        .mass_kg = 1.0,
        .inertia_kgm2 = { 0.008, 0.008, 0.014 },
        .diagonal = true,
        .arm_m = 0.12,
        .thrust = 1.848e-6,
        .torque = 2.96e-8,
        .rotor_inertia_kgm2 = 8e-6,
        .motor_tau_s = 0.03,
        .speed_full_radps = 22000.0 * RPM,
        .speed_limit_radps = 22000.0 * RPM,
        .drag_n_per_mps = { 0.1, 0.1, 0.1 },
        .damping_nm_per_radps = { 0.002, 0.002, 0.002 },
};

/* Gains of every law, on top of craft_gains(). */
static inline void law_gains(struct fc_params *p)
{
        p->rate_p_nm_per_radps = (struct vec3){ 0.2, 0.2, 0.1 };
        p->rate_i_nm_per_rad = (struct vec3){ 0.25, 0.25, 0.1 };
        p->torque_max_nm = (struct vec3){ 0.8, 0.8, 0.1 };
        p->kemper = (struct kemper_params){ .p_nm_per_rad = { 0.768, 0.768, 0.336 },
                                            .i_nm_per_rads = { 1.024, 1.024, 0.224 },
                                            .d_nm_per_radps = { 0.144, 0.144, 0.126 } };
        p->hoffmann = (struct hoffmann_params){ .p_nm_per_rad = { 1.361, 1.361, 0.336 },
                                                .i_nm_per_rads = { 1.944, 1.944, 0.224 },
                                                .d_nm_per_radps = { 0.218, 0.218, 0.126 },
                                                .a_kgm2 = { 0.004, 0.004, 0.0 },
                                                .accel_tau_s = 0.005,
                                                .pid_below_mps = 1.0,
                                                .pd_above_mps = 2.0 };
        p->dikmen = (struct dikmen_params){
                .inertia_kgm2 = { 0.008, 0.008, 0.014 },
                .surface_per_s = { 7.0, 7.0, 3.0 },
                .reach_radps2 = { 200.0 * DEG, 200.0 * DEG, 50.0 * DEG },
                .reach_per_s = { 10.0, 10.0, 4.0 },
                .width_radps = { 40.0 * DEG, 40.0 * DEG, 20.0 * DEG }
        };
        p->finken = (struct finken_params){ .roll_pitch = { 0.2, 2.0, 0.075 },
                                            .yaw = { 0.2, 2.0, 0.075 },
                                            .d_tau_s = 0.005,
                                            .stream_full_mps = 22.175,
                                            .stream_hover_mps = 11.0774,
                                            .curve_below = 1.0,
                                            .curve_above = 1.0,
                                            .height_p_per_s = 2.0,
                                            .climb_p = 2.0,
                                            .horizontal = { 4.0 * DEG, 0.0, 8.0 * DEG },
                                            .vertical = { 6.0, 0.0, 0.4 },
                                            .target_tau_s = 0.05 };
        p->sticks = (struct sticks_params){ .angle_full_rad = 30.0 * DEG,
                                            .yaw_full_radps = 90.0 * DEG,
                                            .takeoff_percent = 5.0,
                                            .arm_channel = 4,
                                            .hold_channel = 5 };
}

static inline struct fc_params law_params(enum attitude_law law)
{
        struct fc_params p;

        craft_gains(&p, &quad_x_1kg);
        law_gains(&p);
        p.law.attitude = law;
        return p;
}

/* Level and at rest, everything got, hovering. */
static inline struct attitude_ask law_ask(void)
{
        return (struct attitude_ask){ .is = { 1.0, 0.0, 0.0, 0.0 },
                                      .wanted = { 1.0, 0.0, 0.0, 0.0 },
                                      .thrust_n = 9.80665,
                                      .got = { 9.80665, 1.0, 1.0 },
                                      .dt_s = 0.001 };
}

static inline double axis_of(struct vec3 v, int axis)
{
        return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static inline struct quat turned_about(int axis, double rad)
{
        return quat_from_euler(axis == 0 ? rad : 0.0, axis == 1 ? rad : 0.0,
                               axis == 2 ? rad : 0.0);
}

/* A rigid body of the quadrotor's inertia under a law's torque and a constant one from outside. */
struct turning {
        struct fc_params p;
        struct attitude_law_state law;
        struct attitude_ask ask;
        struct vec3 disturbance_nm, torque_nm;
};

static inline void turning_init(struct turning *t, enum attitude_law law)
{
        *t = (struct turning){ .p = law_params(law), .ask = law_ask() };
}

static inline void turning_step(struct turning *t)
{
        const struct vec3 j = quad_x_1kg.inertia_kgm2;
        double dt_s = t->ask.dt_s;
        struct vec3 w = t->ask.rate_body_radps, moment;

        t->torque_nm = attitude_law_torque(&t->law, &t->p, &t->ask);
        moment = vec3_add(t->torque_nm, t->disturbance_nm);
        moment = vec3_sub(moment, vec3_cross(w, vec3_times(j, w)));
        w = vec3_axpy(w, dt_s,
                      (struct vec3){ moment.x / j.x, moment.y / j.y, moment.z / j.z });
        t->ask.rate_body_radps = w;
        t->ask.is = quat_normalise(quat_axpy(t->ask.is, dt_s, quat_rate(t->ask.is, w)));
}

static inline void turning_run(struct turning *t, double for_s)
{
        for (double s = 0.0; s < for_s; s += t->ask.dt_s)
                turning_step(t);
}

/* What is still missing, rad. */
static inline double turning_error_rad(const struct turning *t)
{
        return vec3_norm(attitude_error(t->ask.is, t->ask.wanted));
}
