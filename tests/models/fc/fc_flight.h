/* The reference flight controller around the plant, without links and threads: the three
 * vehicles with their gains, the sensors' usual errors, and a flight that is stepped tick by
 * tick. */
#pragma once

#include <math.h>
#include <string.h>

#include "models/fc/fc.h"
#include "models/vehicle/vehicle.h"

#define DEG (M_PI / 180.0)
#define RPM (M_PI / 30.0)
#define MS  1000000LL

/* What a vehicle is made of, for plant and controller alike. */
struct craft {
        const char *name;
        double mass_kg;
        struct vec3 inertia_kgm2; /* principal */
        bool diagonal; /* rotors on the diagonals (X), otherwise on the axes (plus) */
        double arm_m;
        double thrust, torque; /* per squared speed */
        double rotor_inertia_kgm2;
        double motor_tau_s, speed_full_radps, speed_limit_radps;
        struct vec3 drag_n_per_mps, damping_nm_per_radps;
};

/* Gruber, with the corrected torque factor and inertias and the drag of its rotors, as in
 * rig_configs/vehicles. */
static const struct craft md4_200 = {
        .name = "md4_200",
        .mass_kg = 0.964,
        .inertia_kgm2 = { 8.173e-3, 8.173e-3, 0.014882 },
        .arm_m = 0.26,
        .thrust = 8.694e-5,
        .torque = 1.734e-6,
        .rotor_inertia_kgm2 = 1.188e-4,
        .motor_tau_s = 0.165,
        .speed_full_radps = 4590.0 * RPM,
        .speed_limit_radps = 2000.0 * RPM,
        .drag_n_per_mps = { 0.09, 0.09, 0.6 },
        .damping_nm_per_radps = { 0.02, 0.02, 0.0061 },
};

/* Gruber's table 4.2 as printed, but for the arm. */
static const struct craft md4_200_thesis = {
        .name = "md4_200_thesis",
        .mass_kg = 0.964,
        .inertia_kgm2 = { 9.428e-3, 9.428e-3, 0.7288 },
        .arm_m = 0.26,
        .thrust = 8.694e-5,
        .torque = 5.097e-5,
        .rotor_inertia_kgm2 = 1.188e-4,
        .motor_tau_s = 0.165,
        .speed_full_radps = 4590.0 * RPM,
        .speed_limit_radps = 2000.0 * RPM,
        .drag_n_per_mps = { 2.776, 2.776, 2.776 },
        .damping_nm_per_radps = { 1.0473, 1.0473, 0.94135 },
};

/* The FINken's weight and size; rotors that lift four times the weight. */
static const struct craft finken3 = {
        .name = "finken3",
        .mass_kg = 0.396,
        .inertia_kgm2 = { 1.6e-3, 1.6e-3, 3.0e-3 },
        .diagonal = true,
        .arm_m = 0.11,
        .thrust = 7.91e-7,
        .torque = 8.7e-9,
        .rotor_inertia_kgm2 = 3.0e-6,
        .motor_tau_s = 0.03,
        .speed_full_radps = 2216.0,
        .speed_limit_radps = 2216.0,
        .drag_n_per_mps = { 0.05, 0.05, 0.05 },
        .damping_nm_per_radps = { 1e-4, 1e-4, 1e-4 },
};

/* Front, right, back, left; or a quarter turn's half further. */
static inline void craft_rotor(const struct craft *c, int i, struct vec3 *pos,
                               double *spin)
{
        double d = c->arm_m * M_SQRT1_2;
        const struct vec3 plus[4] = { { c->arm_m, 0.0, 0.0 },
                                      { 0.0, c->arm_m, 0.0 },
                                      { -c->arm_m, 0.0, 0.0 },
                                      { 0.0, -c->arm_m, 0.0 } };
        const struct vec3 x[4] = {
                { d, d, 0.0 }, { -d, d, 0.0 }, { -d, -d, 0.0 }, { d, -d, 0.0 }
        };

        *pos = c->diagonal ? x[i] : plus[i];
        *spin = i % 2 == 0 ? 1.0 : -1.0;
}

static inline void sigma3(struct error_params *e, double sigma)
{
        for (int i = 0; i < 3; i++)
                e->sigma[i] = sigma;
}

static inline struct schedule_params every(int64_t period_ns, int64_t delay_ns)
{
        return (struct schedule_params){ period_ns, 0, delay_ns };
}

/* Rates, delays and errors of the usual sensors; `ideal`: without the errors. */
static inline void craft_sensors(struct sensors_params *s, bool ideal, int64_t imu_ns)
{
        *s = (struct sensors_params){ 0 };
        s->imu.schedule = every(imu_ns, 0);
        s->gps.schedule = every(250 * MS, 200 * MS);
        s->baro.schedule = every(20 * MS, 0);
        s->mag.schedule = every(10 * MS, 0);
        s->imu.q_body_to_sensor = s->mag.q_body_to_sensor =
                (struct quat){ 1.0, 0.0, 0.0, 0.0 };
        error_params_ideal(&s->imu.accel);
        error_params_ideal(&s->imu.gyro);
        error_params_ideal(&s->gps.position);
        error_params_ideal(&s->gps.velocity);
        error_params_ideal(&s->baro.pressure);
        error_params_ideal(&s->baro.temperature);
        error_params_ideal(&s->mag.field);
        s->gps.satellites = 9;
        if (ideal)
                return;
        sigma3(&s->imu.gyro, 0.1 * DEG);
        sigma3(&s->imu.accel, 0.04);
        for (int i = 0; i < 3; i++) {
                s->imu.gyro.bias[i] = (i == 1 ? -1.0 : 1.0) * DEG;
                s->imu.accel.bias[i] = i == 1 ? -0.1 : 0.1;
        }
        s->imu.accel.min = -16.0 * 9.80665;
        s->imu.accel.max = 16.0 * 9.80665;
        sigma3(&s->gps.position, 0.4);
        s->gps.position.sigma[2] = 0.6;
        sigma3(&s->gps.velocity, 0.1);
        s->baro.pressure.sigma[0] = 2.0;
        sigma3(&s->mag.field, 0.3e-6);
}

static inline void craft_sonar(struct sensors_params *s)
{
        struct sonar_unit_params *down = &s->sonar.unit[0];

        s->sonar.count = 1;
        down->schedule = every(50 * MS, 0);
        down->axis_body = (struct vec3){ 0.0, 0.0, 1.0 };
        down->rays = 1;
        down->beam_max_m = 7.65;
        down->incidence_max_rad = 30.0 * DEG;
        error_params_ideal(&down->range);
        down->range.max = 2.65;
        down->range.sigma[0] = 0.01;
        sonar_params_prepare(&s->sonar);
}

static inline void craft_plant(struct vehicle_params *v, const struct craft *c)
{
        *v = (struct vehicle_params){ .rotors = 4 };
        v->body.mass_kg = c->mass_kg;
        v->body.inertia_kgm2[0][0] = c->inertia_kgm2.x;
        v->body.inertia_kgm2[1][1] = c->inertia_kgm2.y;
        v->body.inertia_kgm2[2][2] = c->inertia_kgm2.z;
        v->body.as_identified = c == &md4_200_thesis;
        v->airframe.linear_n_per_mps = c->drag_n_per_mps;
        v->airframe.angular_nm_per_radps = c->damping_nm_per_radps;
        v->contact.points = 4;
        for (int i = 0; i < 4; i++) {
                struct rotor_params *r = &v->rotor[i];

                v->motor[i] = (struct motor_params){ c->motor_tau_s, c->speed_full_radps,
                                                     c->speed_limit_radps };
                craft_rotor(c, i, &r->pos_body_m, &r->spin);
                r->thrust_n_per_radps2 = c->thrust;
                r->torque_nm_per_radps2 = c->torque;
                r->inertia_kgm2 = c->rotor_inertia_kgm2;
                r->air_density_ref_kgpm3 = 1.2;
                v->contact.point_body_m[i] = r->pos_body_m;
                v->contact.point_body_m[i].z = 0.1;
        }
}

/* The gains of each vehicle, as in rig_configs/flight_controllers. */
static inline void craft_gains(struct fc_params *p, const struct craft *c)
{
        bool small = c->motor_tau_s < 0.1;
        bool thesis = c->torque > md4_200.torque;

        *p = (struct fc_params){
                .mass_kg = c->mass_kg,
                .rotors = 4,
                .thrust_n_per_radps2 = c->thrust,
                .torque_nm_per_radps2 = c->torque,
                .speed_full_radps = c->speed_full_radps,
                .speed_limit_radps = c->speed_limit_radps,
                .motor_tau_s = c->motor_tau_s,
                .motor_tau_wanted_s = small    ? 0.015
                                      : thesis ? 0.04
                                               : 0.03,
                .idle_duty = small ? 0.1 : 0.08,
                .magnetic_declination_rad = 4.0 * DEG,
                .linear_drag_per_s =
                        c == &md4_200 ? 0.3 : c->drag_n_per_mps.x / c->mass_kg,
                .accel_gain_per_s = 0.1,
                .mag_gain_per_s = 0.5,
                .gyro_bias_gain_per_s2 = 0.01,
                .baro_tau_s = 1.0,
                .sonar_tau_s = 0.3,
                .sonar_max_m = 2.6,
                .gps_pos_tau_s = 3.0,
                .gps_vel_tau_s = 0.6,
                .attitude_p_per_s = small ? (struct vec3){ 8.0, 8.0, 3.0 }
                                          : (struct vec3){ 4.0, 4.0, 1.5 },
                .rate_max_radps = small    ? (struct vec3){ 4.0, 4.0, 1.5 }
                                  : thesis ? (struct vec3){ 0.6, 0.6, 0.8 }
                                           : (struct vec3){ 1.05, 1.05, 0.8 },
                .rate_p_nm_per_radps = small    ? (struct vec3){ 0.04, 0.04, 0.02 }
                                       : thesis ? (struct vec3){ 0.4, 0.4, 3.0 }
                                                : (struct vec3){ 0.2, 0.2, 0.08 },
                .rate_i_nm_per_rad = small    ? (struct vec3){ 0.05, 0.05, 0.02 }
                                     : thesis ? (struct vec3){ 1.0, 1.0, 2.0 }
                                              : (struct vec3){ 0.2, 0.2, 0.04 },
                .rate_damping_nm_per_radps = c->damping_nm_per_radps,
                .torque_max_nm = small    ? (struct vec3){ 0.2, 0.2, 0.03 }
                                 : thesis ? (struct vec3){ 0.7, 0.7, 1.5 }
                                          : (struct vec3){ 0.7, 0.7, 0.08 },
                .tilt_max_rad = (small ? 25.0 : 28.0) * DEG,
                .position_p_per_s = small ? 1.0 : 0.7,
                .speed_max_mps = small ? 1.5 : 1.0,
                .velocity_p_per_s = small ? 2.5 : 1.5,
                .velocity_i_per_s2 = small || thesis ? 0.6 : 0.3,
                .altitude_p_per_s = 1.0,
                .climb_max_mps = small ? 1.5 : 1.0,
                .descend_max_mps = 1.0,
                .land_mps = 0.7,
                .climb_p_per_s = thesis ? 3.0 : 5.0,
                .climb_i_per_s2 = small ? 3.0 : 1.5,
                .failsafe_after_s = 0.5,
                .failsafe_descend_s = 4.0,
                .planted = { .gain_ratio = 1.0 },
        };
        for (int i = 0; i < 4; i++)
                craft_rotor(c, i, &p->rotor_pos_body_m[i], &p->rotor_spin[i]);
}

struct flight {
        struct world world;
        struct vehicle_params plant;
        struct vehicle vehicle;
        struct fc_params params;
        struct fc fc;
        struct sensor_frame frame;
        struct motor_command command;
        int64_t period_ns, t_ns;
        struct rng loss; /* of frames, on their way */
        double loss_ratio;
        const struct neighbours *others; /* NULL: it is alone */
};

/* On the ground at the origin, heading `yaw_rad`, before the first tick. */
static inline void flight_init(struct flight *f, const struct craft *c, bool ideal,
                               int64_t period_ns, uint64_t seed, double yaw_rad)
{
        memset(f, 0, sizeof *f);
        f->period_ns = period_ns;
        f->world = (struct world){
                .origin = { 50.7 * DEG, 10.9 * DEG, 480.0 },
                .gravity_mps2 = 9.81,
                .atmosphere = { 101325.0, 288.15 },
                .magnetic_field_ned_t = { 20.0e-6 * cos(4.0 * DEG),
                                          20.0e-6 * sin(4.0 * DEG), 44.0e-6 },
                .ground_down_m = 0.1,
                .ground = { .friction = 0.6 },
        };
        craft_plant(&f->plant, c);
        craft_sensors(&f->plant.sensors, ideal, period_ns);
        craft_gains(&f->params, c);
        rng_init(&f->loss, seed, 0, 77, 0);
        vehicle_params_prepare(&f->plant, MS / 2, seed, 0);
        vehicle_init(&f->vehicle, &f->plant, &f->world, seed, 0,
                     (struct vec3){ 0.0, 0.0, 0.0 }, yaw_rad);
        fc_init(&f->fc, &f->params);
}

static inline void flight_ask(struct flight *f, enum flight_mode mode, double north_m,
                              double east_m, double down_m, double yaw_rad)
{
        struct pilot_input input = {
                .setpoint = { mode, { north_m, east_m, down_m }, yaw_rad }
        };

        fc_input(&f->fc, &input);
}

static inline double flight_s(const struct flight *f)
{
        return (double)f->t_ns * 1e-9;
}

/* One period: the plant under the last command, then the controller, unless the frame is
 * lost. */
static inline void flight_tick(struct flight *f)
{
        f->t_ns += f->period_ns;
        f->frame = *vehicle_step(&f->vehicle, &f->plant, &f->world, f->others,
                                 &f->command, (int)(f->period_ns / f->plant.step_ns));
        if (f->loss_ratio > 0.0 && rng_uniform(&f->loss) < f->loss_ratio)
                return;
        fc_step(&f->fc, &f->params, &f->frame, &f->command);
}

static inline double flight_tilt_rad(const struct flight *f)
{
        struct vec3 up = { 0.0, 0.0, 1.0 };

        return acos(fmin(quat_rotate(f->vehicle.body.q_body_to_ned, up).z, 1.0));
}
