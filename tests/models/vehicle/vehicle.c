#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/rng.h"
#include "tests/models/md4_200.h"
#include "tests/suites.h"

static const struct motor_command stopped;

/* Less damping than the md4-200 has: its roll rate is gone in 8 ms. */
static struct vehicle_params agile(void)
{
        struct vehicle_params p = md4_200();

        p.airframe.angular_nm_per_radps = (struct vec3){ 0.05, 0.06, 0.01 };
        p.airframe.quadratic_area_m2 = (struct vec3){ 0.02, 0.02, 0.05 };
        return p;
}

static struct motor_command uneven(void)
{
        struct motor_command c = all_at(md4_200_hover_radps());

        c.duty[0] *= 1.002;
        c.duty[1] *= 0.999;
        c.duty[3] *= 1.001;
        return c;
}

TEST(at_the_hover_command_it_holds_its_height)
{
        struct vehicle_params p = md4_200();
        struct world w = uniform_air();
        struct motor_command c = all_at(md4_200_hover_radps());
        struct vehicle v;

        put(&v, &p, &w, 1000000, 20.0, md4_200_hover_radps());
        fly(&v, &p, &w, &c, 20.0);
        ck_assert_double_eq_tol(v.body.pos_ned_m.z, -20.0, 1e-3);
        ck_assert_double_eq_tol(v.body.pos_ned_m.x, 0.0, 1e-9);
        ck_assert_double_eq_tol(v.body.rate_body_radps.z, 0.0, 1e-9);
}

/* z = 1/2 (g - T/m) t^2 without drag. */
TEST(constant_thrust_gives_constant_acceleration)
{
        struct vehicle_params p = md4_200();
        struct world w = uniform_air();
        const double speed = 1.1 * md4_200_hover_radps(), t = 3.0;
        struct motor_command c = all_at(speed);
        double a = 9.81 - 4.0 * MD4_T_F * speed * speed / MD4_MASS_KG;
        struct vehicle v;

        p.airframe = (struct airframe_params){ { 0.0, 0.0, 0.0 } };
        put(&v, &p, &w, 1000000, 20.0, speed);
        fly(&v, &p, &w, &c, t);
        ck_assert_double_eq_tol(v.body.pos_ned_m.z + 20.0, 0.5 * a * t * t, 1e-4);
        ck_assert_double_eq_tol(v.body.vel_ned_mps.z, a * t, 1e-4);
}

TEST(with_linear_drag_it_falls_at_g_over_b)
{
        struct vehicle_params p = md4_200();
        struct world w = uniform_air();
        struct vehicle v;

        put(&v, &p, &w, 1000000, 500.0, 0.0);
        fly(&v, &p, &w, &stopped, 15.0);
        ck_assert_double_eq_tol(v.body.vel_ned_mps.z, 9.81 / MD4_DRAG_PER_S, 1e-9);
}

TEST(with_quadratic_drag_it_falls_at_the_root_of_2mg_over_rho_area)
{
        struct vehicle_params p = md4_200();
        struct world w = uniform_air();
        const double area = 0.04;
        double rho = atmosphere_density_kgpm3(&w.atmosphere, 0.0);
        struct vehicle v;

        p.airframe =
                (struct airframe_params){ .quadratic_area_m2 = { area, area, area } };
        put(&v, &p, &w, 1000000, 2000.0, 0.0);
        fly(&v, &p, &w, &stopped, 40.0);
        ck_assert_double_eq_tol(v.body.vel_ned_mps.z,
                                sqrt(2.0 * MD4_MASS_KG * 9.81 / (rho * area)), 1e-6);
}

TEST(at_last_it_drifts_with_the_wind)
{
        struct vehicle_params p = md4_200();
        struct world w = uniform_air();
        struct motor_command c = all_at(md4_200_hover_radps());
        struct vehicle v;

        w.wind.steady_ned_mps = (struct vec3){ 4.0, -3.0, 0.5 };
        put(&v, &p, &w, 1000000, 100.0, md4_200_hover_radps());
        fly(&v, &p, &w, &c, 15.0);
        ck_assert_double_eq_tol(v.body.vel_ned_mps.x, 4.0, 1e-6);
        ck_assert_double_eq_tol(v.body.vel_ned_mps.y, -3.0, 1e-6);
        ck_assert_double_eq_tol(v.body.vel_ned_mps.z, 0.5, 1e-3);
}

/* Drag knows the motion through the air alone: in a wind, everything but the place is as
 * if it were thrown in calm air. */
TEST(a_steady_wind_is_a_moving_frame)
{
        struct vehicle_params p = agile();
        struct world calm = uniform_air(), windy = calm;
        struct motor_command c = uneven();
        const struct vec3 wind = { 3.0, 2.0, 0.0 };
        struct vehicle a, b;

        windy.wind.steady_ned_mps = wind;
        put(&a, &p, &calm, 1000000, 100.0, 160.0);
        put(&b, &p, &windy, 1000000, 100.0, 160.0);
        b.body.vel_ned_mps = wind;
        fly(&a, &p, &calm, &c, 2.0);
        fly(&b, &p, &windy, &c, 2.0);
        ck_assert_double_eq_tol(b.body.pos_ned_m.x, a.body.pos_ned_m.x + 6.0, 1e-9);
        ck_assert_double_eq_tol(b.body.pos_ned_m.y, a.body.pos_ned_m.y + 4.0, 1e-9);
        ck_assert_double_eq_tol(b.body.q_body_to_ned.x, a.body.q_body_to_ned.x, 1e-12);
        ck_assert_double_eq_tol(b.body.q_body_to_ned.y, a.body.q_body_to_ned.y, 1e-12);
}

/* y is its own negative, and so are roll, yaw and the spins. To the bit. */
TEST(mirrored_left_to_right_it_flies_the_mirrored_path)
{
        struct vehicle_params p = agile(), mirrored = agile();
        struct world w = calm_world();
        struct motor_command c = uneven();
        struct vehicle a, b;

        for (int i = 0; i < 4; i++) {
                mirrored.rotor[i].pos_body_m.y = -p.rotor[i].pos_body_m.y;
                mirrored.rotor[i].spin = -p.rotor[i].spin;
        }
        put(&a, &p, &w, 1000000, 100.0, 160.0);
        put(&b, &mirrored, &w, 1000000, 100.0, 160.0);
        fly(&a, &p, &w, &c, 3.0);
        fly(&b, &mirrored, &w, &c, 3.0);
        ck_assert_double_gt(fabs(a.body.pos_ned_m.y), 0.01);
        ck_assert_double_eq(b.body.pos_ned_m.x, a.body.pos_ned_m.x);
        ck_assert_double_eq(b.body.pos_ned_m.y, -a.body.pos_ned_m.y);
        ck_assert_double_eq(b.body.pos_ned_m.z, a.body.pos_ned_m.z);
        ck_assert_double_eq(b.body.q_body_to_ned.w, a.body.q_body_to_ned.w);
        ck_assert_double_eq(b.body.q_body_to_ned.x, -a.body.q_body_to_ned.x);
        ck_assert_double_eq(b.body.q_body_to_ned.y, a.body.q_body_to_ned.y);
        ck_assert_double_eq(b.body.q_body_to_ned.z, -a.body.q_body_to_ned.z);
}

/* Turned by yaw, everything turns with it: the world has no preferred direction. */
TEST(heading_elsewhere_it_flies_the_same_path_elsewhere)
{
        struct vehicle_params p = agile();
        struct world w = uniform_air();
        struct motor_command c = uneven();
        struct quat turn = quat_from_euler(0.0, 0.0, 2.0);
        struct vehicle a, b;
        struct vec3 there;

        put(&a, &p, &w, 1000000, 100.0, 160.0);
        b = a;
        b.body.q_body_to_ned = turn;
        fly(&a, &p, &w, &c, 2.0);
        fly(&b, &p, &w, &c, 2.0);
        there = quat_rotate(turn, a.body.pos_ned_m);
        ck_assert_double_eq_tol(b.body.pos_ned_m.x, there.x, 1e-10);
        ck_assert_double_eq_tol(b.body.pos_ned_m.y, there.y, 1e-10);
        ck_assert_double_eq_tol(b.body.pos_ned_m.z, there.z, 1e-10);
}

static struct body_state flown(int64_t step_ns)
{
        struct vehicle_params p = agile();
        struct world w = uniform_air();
        struct motor_command c = { { 0.37, 0.35, 0.36, 0.34 } };
        struct vehicle v;

        p.airframe.quadratic_area_m2 = (struct vec3){ 0.0, 0.0, 0.0 };
        w.wind.steady_ned_mps = (struct vec3){ 3.0, -2.0, 1.0 };
        put(&v, &p, &w, step_ns, 100.0, 120.0);
        v.body.rate_body_radps = (struct vec3){ 2.0, -3.0, 4.0 };
        fly(&v, &p, &w, &c, 1.0);
        return v.body;
}

static double distance(const struct body_state *a, const struct body_state *b)
{
        return vec3_norm(vec3_sub(a->pos_ned_m, b->pos_ned_m)) +
               vec3_norm(vec3_sub(a->vel_ned_mps, b->vel_ned_mps)) +
               vec3_norm(vec3_sub(a->rate_body_radps, b->rate_body_radps));
}

/* With motors spinning up, drag, wind and gyroscopic torque; without quadratic drag, whose
 * kink at standstill costs an order whenever an axis passes through it. */
TEST(halving_the_step_divides_the_error_by_sixteen)
{
        struct body_state exact = flown(100000);
        struct body_state coarse = flown(4000000), fine = flown(2000000);
        double ratio = distance(&coarse, &exact) / distance(&fine, &exact);

        ck_assert_double_gt(ratio, 13.0);
        ck_assert_double_lt(ratio, 19.0);
}

/* Rotors in a vacuum, nearly: what they gain the body must lose. The propellers' own spin
 * counts, with their sign, about the body's z. Rotors that slow down do so by a lag of their own. */
TEST_EACH(what_rotors_gain_and_lose_keeps_the_total_angular_momentum, 2)
{
        struct vehicle_params p = agile();
        struct world w = uniform_air();
        struct motor_command c = { { 0.40, 0.10, 0.30, 0.05 } };
        struct vec3 before, after;
        double shares = 0.0;
        struct vehicle v;

        w.gravity_mps2 = 0.0;
        p.airframe = (struct airframe_params){ { 0.0, 0.0, 0.0 } };
        for (int i = 0; i < 4; i++) {
                p.rotor[i].thrust_n_per_radps2 = 0.0;
                p.rotor[i].torque_nm_per_radps2 = 0.0;
                p.motor[i].tau_down_s = 1.7 * _i * p.motor[i].tau_s;
        }
        put(&v, &p, &w, 1000000, 100.0, 50.0);
        v.body.rate_body_radps = (struct vec3){ 3.0, -2.0, 1.0 };
        before = body_matrix_times(p.body.inertia_kgm2, v.body.rate_body_radps);
        fly(&v, &p, &w, &c, 1.0);
        c.duty[0] = c.duty[2] = 0.2;
        fly(&v, &p, &w, &c, 0.1);
        after = body_matrix_times(p.body.inertia_kgm2, v.body.rate_body_radps);
        for (int i = 0; i < 4; i++)
                shares += p.rotor[i].spin * p.rotor[i].inertia_kgm2 *
                          v.motor[i].speed_radps;
        ck_assert_double_gt(fabs(shares), 0.005);
        after.z += shares;
        after = quat_rotate(v.body.q_body_to_ned, after);
        ck_assert_double_lt(vec3_norm(vec3_sub(after, before)), 1e-9 * vec3_norm(before));
}

TEST(what_is_not_a_number_stops_the_motors)
{
        struct vehicle_params p = md4_200();
        struct world w = calm_world();
        struct motor_command c;
        struct vehicle v;

        for (int i = 0; i < ROTORS_MAX; i++)
                c.duty[i] = i % 2 == 0 ? (double)NAN : (double)-INFINITY;
        put(&v, &p, &w, 1000000, 10.0, 150.0);
        fly(&v, &p, &w, &c, 8.0);
        ck_assert(isfinite(v.body.pos_ned_m.z));
        ck_assert_double_lt(v.motor[0].speed_radps, 1e-9);
        ck_assert_double_eq_tol(v.body.pos_ned_m.z, -MD4_FOOT_M, 1e-6);
}

/* The density is linearised about a point up to a metre away. */
TEST(climbing_through_the_air_its_density_is_the_atmospheres)
{
        struct vehicle_params p = md4_200();
        struct world w = calm_world();
        struct motor_command c = all_at(2.0 * md4_200_hover_radps());
        struct vehicle v;

        put(&v, &p, &w, 1000000, 10.0, 100.0);
        for (int i = 0; i < 20000; i++) {
                double z, rho;

                vehicle_move(&v, &p, &w, &c);
                z = v.body.pos_ned_m.z;
                rho = v.air.density_kgpm3 + v.air.slope_kgpm4 * (z - v.air.down_m);
                ck_assert_double_eq_tol(rho / atmosphere_density_kgpm3(&w.atmosphere, -z),
                                        1.0, 2e-8);
        }
        ck_assert_double_lt(v.body.pos_ned_m.z, -50.0);
}

TEST(in_thinner_air_the_rotors_lift_less)
{
        struct vehicle_params p = md4_200();
        struct world low = calm_world(), high = calm_world();
        double ratio;
        struct vehicle v;

        high.origin.height_m = 3000.0;
        ratio = atmosphere_density_kgpm3(&high.atmosphere, 3000.0) /
                atmosphere_density_kgpm3(&low.atmosphere, 0.0);
        put(&v, &p, &high, 1000000, 0.0, md4_200_hover_radps());
        vehicle_update_acceleration(&v, &p);
        ck_assert_double_eq_tol(v.body.accel_ned_mps2.z, 9.81 * (1.0 - ratio), 1e-9);
}

/* The truth that an accelerometer gets, against the change of velocity. */
TEST(the_acceleration_is_the_derivative_of_the_velocity)
{
        struct vehicle_params p = agile();
        struct world w = calm_world();
        struct motor_command c = uneven();
        const double dt_s = 1e-4;
        struct vec3 before, after, rate_before, rate_after, accel, rate_dot;
        struct vehicle v;

        put(&v, &p, &w, 100000, 100.0, 150.0);
        v.body.rate_body_radps = (struct vec3){ 1.0, 2.0, 3.0 };
        fly(&v, &p, &w, &c, 0.5);
        before = v.body.vel_ned_mps;
        rate_before = v.body.rate_body_radps;
        vehicle_move(&v, &p, &w, &c);
        vehicle_update_acceleration(&v, &p);
        accel = v.body.accel_ned_mps2;
        rate_dot = v.body.rate_dot_body_radps2;
        vehicle_move(&v, &p, &w, &c);
        after = v.body.vel_ned_mps;
        rate_after = v.body.rate_body_radps;

        after = vec3_scale(0.5 / dt_s, vec3_sub(after, before));
        ck_assert_double_lt(vec3_norm(vec3_sub(after, accel)), 1e-5);
        rate_after = vec3_scale(0.5 / dt_s, vec3_sub(rate_after, rate_before));
        ck_assert_double_lt(vec3_norm(vec3_sub(rate_after, rate_dot)), 1e-4);
}

TEST(falling_freely_its_acceleration_is_g)
{
        struct vehicle_params p = md4_200();
        struct world w = calm_world();
        struct vehicle v;

        put(&v, &p, &w, 1000000, 100.0, 0.0);
        vehicle_update_acceleration(&v, &p);
        ck_assert_double_eq(v.body.accel_ned_mps2.z, 9.81);
        ck_assert_double_eq(vec3_norm(v.body.rate_dot_body_radps2), 0.0);
}

TEST(a_copy_is_a_snapshot)
{
        struct vehicle_params p = agile();
        struct world w = calm_world();
        struct motor_command c = uneven();
        struct vehicle v, copy;

        put(&v, &p, &w, 1000000, 1.0, 150.0);
        fly(&v, &p, &w, &c, 0.5);
        copy = v;
        fly(&v, &p, &w, &c, 3.0);
        fly(&copy, &p, &w, &c, 3.0);
        ck_assert_mem_eq(&v.body, &copy.body, sizeof v.body);
}

static void fit_imu(struct vehicle_params *p)
{
        p->sensors.imu.schedule.period_ns = 1000000;
        p->sensors.imu.q_body_to_sensor.w = 1.0;
        error_params_ideal(&p->sensors.imu.accel);
        error_params_ideal(&p->sensors.imu.gyro);
        for (int i = 0; i < 3; i++)
                p->sensors.imu.accel.sigma[i] = 0.1;
}

/* A period of four steps is four periods of one, for plant and noise alike. */
TEST(several_steps_in_a_period_are_as_many_periods)
{
        struct vehicle_params p = agile();
        struct world w = calm_world();
        struct motor_command c = uneven();
        struct sensor_frame together, apart;
        struct vehicle a, b;

        fit_imu(&p);
        put(&a, &p, &w, 1000000, 50.0, 150.0);
        b = a;
        for (int i = 0; i < 100; i++) {
                together = *vehicle_step(&a, &p, &w, NULL, &c, 4);
                for (int k = 0; k < 4; k++)
                        apart = *vehicle_step(&b, &p, &w, NULL, &c, 1);
                ck_assert_uint_eq(together.fresh, SENSOR_BIT(SENSOR_IMU));
                ck_assert_mem_eq(&together.imu, &apart.imu, sizeof apart.imu);
                ck_assert_mem_eq(&a.body, &b.body, sizeof a.body);
        }
}

TEST(on_the_ground_the_accelerometer_reads_minus_g)
{
        struct vehicle_params p = md4_200();
        struct world w = calm_world();
        struct sensor_frame frame;
        struct vehicle v;

        fit_imu(&p);
        for (int i = 0; i < 3; i++)
                p.sensors.imu.accel.sigma[i] = 0.0;
        put(&v, &p, &w, 1000000, MD4_FOOT_M, 0.0);
        for (int i = 0; i < 1000; i++)
                frame = *vehicle_step(&v, &p, &w, NULL, &stopped, 1);
        ck_assert_double_eq_tol(frame.imu.accel_body_mps2.x, 0.0, 1e-9);
        ck_assert_double_eq_tol(frame.imu.accel_body_mps2.y, 0.0, 1e-9);
        ck_assert_double_eq_tol(frame.imu.accel_body_mps2.z, -9.81, 1e-9);
}

TEST(inertia_that_no_body_can_have_is_refused)
{
        struct vehicle_params p = md4_200();

        ck_assert(vehicle_params_prepare(&p, 1000000, 1, 0));
        p.body.inertia_kgm2[2][2] = 1.0;
        ck_assert(!vehicle_params_prepare(&p, 1000000, 1, 0));
}

/* The log has it, and the IMU, which may be slow or absent, only looks at it. */
TEST(at_a_periods_end_its_acceleration_is_of_that_moment_without_an_imu_too)
{
        struct vehicle_params p = agile(), with_imu = agile();
        struct motor_command c = uneven();
        struct world w = uniform_air();
        struct vehicle a, b;

        with_imu.sensors.imu.schedule.period_ns = 1000000;
        put(&a, &p, &w, 1000000, 20.0, 0.9 * md4_200_hover_radps());
        put(&b, &with_imu, &w, 1000000, 20.0, 0.9 * md4_200_hover_radps());
        for (int i = 0; i < 100; i++) {
                vehicle_step(&a, &p, &w, NULL, &c, 3);
                vehicle_step(&b, &with_imu, &w, NULL, &c, 3);
                ck_assert(memcmp(&a.body, &b.body, sizeof a.body) == 0);
        }
        ck_assert_double_ne(a.body.accel_ned_mps2.z, 0.0);
}

/* 20 m/s in air of 1.225 kg/m3, the standard atmosphere's at sea level: 245 Pa. */
TEST(dynamic_pressure_is_that_of_the_air_that_comes_from_ahead)
{
        struct vehicle v = { .body = { .vel_ned_mps = { 0, 25, 3 },
                                       .q_body_to_ned = quat_from_euler(0, 0, M_PI / 2) },
                             .around = { .wind_ned_mps = { 4, 5, 0 } },
                             .air = { .density_kgpm3 = 1.225 } };

        ck_assert_double_eq_tol(vehicle_pose(&v).dynamic_pressure_pa, 245.0, 1e-9);
        v.body.vel_ned_mps.y = -25.0; /* backwards */
        ck_assert_double_eq(vehicle_pose(&v).dynamic_pressure_pa, 0.0);
}
