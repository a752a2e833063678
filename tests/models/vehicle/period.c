/* What is found once a period: battery, surroundings, the jig; and what the sensors are told of
 * them. */
#include <stdlib.h>

#include "models/plant/ground_effect.h"
#include "tests/models/md4_200.h"
#include "tests/suites.h"

#define STEP_NS 1000000

static void fit_battery(struct vehicle_params *p)
{
        p->battery = (struct battery_params){ .capacity_c = 2.3 * 3600.0,
                                              .charge_ratio = 1.0,
                                              .resistance_ohm = 0.05,
                                              .points = 2,
                                              .curve_ratio = { 0.0, 1.0 },
                                              .curve_v = { 13.2, 16.8 },
                                              .cutoff_v = 12.0,
                                              .idle_w = 5.0,
                                              .efficiency = 0.6,
                                              .reference_v = 16.8 };
}

static void fly_periods(struct vehicle *v, const struct vehicle_params *p,
                        const struct world *w, const struct motor_command *c, int periods)
{
        for (int i = 0; i < periods; i++)
                vehicle_step(v, p, w, NULL, c, 4);
}

TEST(under_load_the_voltage_sags_and_the_rotors_turn_slower)
{
        struct vehicle_params p = md4_200(), ideal = md4_200();
        struct world w = uniform_air();
        struct motor_command c = all_at(md4_200_hover_radps());
        struct vehicle v, u;

        fit_battery(&p);
        put(&v, &p, &w, STEP_NS, 50.0, md4_200_hover_radps());
        put(&u, &ideal, &w, STEP_NS, 50.0, md4_200_hover_radps());
        fly_periods(&v, &p, &w, &c, 500);
        fly_periods(&u, &ideal, &w, &c, 500);
        ck_assert_double_gt(v.battery.current_a, 1.0);
        ck_assert_double_lt(v.battery.voltage_v, 16.8);
        ck_assert_double_eq_tol(v.motor[0].speed_radps,
                                u.motor[0].speed_radps * v.battery.voltage_v / 16.8,
                                0.01);
        ck_assert_double_gt(v.body.vel_ned_mps.z, u.body.vel_ned_mps.z);
}

/* What the motors take follows the voltage, and the voltage what they take. */
TEST(a_weak_battery_does_not_swing_from_period_to_period)
{
        struct vehicle_params p = md4_200();
        struct world w = uniform_air();
        struct motor_command c = all_at(md4_200_hover_radps());
        struct vehicle v;
        double before_v;

        fit_battery(&p);
        p.battery.resistance_ohm = 0.4;
        for (int i = 0; i < p.rotors; i++)
                p.motor[i].tau_s = 0.02;
        put(&v, &p, &w, STEP_NS, 50.0, 0.5 * md4_200_hover_radps());
        for (int i = 0; i < 500; i++) {
                before_v = v.battery.voltage_v;
                fly_periods(&v, &p, &w, &c, 1);
                if (i > 100)
                        ck_assert_double_eq_tol(v.battery.voltage_v, before_v, 0.01);
        }
        ck_assert_double_gt(v.battery.voltage_v, 14.0);
}

TEST(an_empty_battery_stops_the_motors_for_good)
{
        struct vehicle_params p = md4_200();
        struct world w = uniform_air();
        struct motor_command c = all_at(md4_200_hover_radps());
        struct vehicle v;

        fit_battery(&p);
        p.battery.charge_ratio = 1e-4;
        p.battery.cutoff_v = 13.1;
        put(&v, &p, &w, STEP_NS, 50.0, md4_200_hover_radps());
        fly_periods(&v, &p, &w, &c, 1000);
        ck_assert_int_ne(v.battery.empty, 0);
        ck_assert_double_lt(v.motor[0].speed_radps, 1e-3);
}

/* Lift over what it is in the open, from the acceleration of a resting rotor disk. */
TEST(near_the_ground_it_lifts_more_as_cheeseman_and_bennett_say)
{
        struct vehicle_params p = md4_200();
        struct world w = uniform_air();
        double omega = md4_200_hover_radps();
        const double height_m = 0.2;
        struct vehicle near, far;

        p.rotor_radius_m = 0.18;
        p.surroundings.ground_effect_m = 4.0 * 0.18 + 0.5;
        put(&near, &p, &w, STEP_NS, height_m, omega);
        put(&far, &p, &w, STEP_NS, 50.0, omega);
        vehicle_update_acceleration(&near, &p);
        vehicle_update_acceleration(&far, &p);
        ck_assert_double_eq_tol((near.body.accel_ned_mps2.z - 9.81) /
                                        (far.body.accel_ned_mps2.z - 9.81),
                                ground_effect_ratio(0.18, height_m), 1e-9);
        ck_assert_double_gt(ground_effect_ratio(0.18, height_m), 1.04);
}

TEST(upside_down_over_the_ground_it_lifts_as_in_the_open)
{
        struct vehicle_params p = md4_200();
        struct world w = uniform_air();
        double omega = md4_200_hover_radps();
        struct vehicle near, far;

        p.rotor_radius_m = 0.18;
        p.surroundings.ground_effect_m = 4.0 * 0.18 + 0.5;
        put(&near, &p, &w, STEP_NS, 0.2, omega);
        put(&far, &p, &w, STEP_NS, 50.0, omega);
        near.body.q_body_to_ned = far.body.q_body_to_ned =
                quat_from_euler(M_PI, 0.0, 0.0);
        vehicle_update_acceleration(&near, &p);
        vehicle_update_acceleration(&far, &p);
        ck_assert_double_gt(far.body.accel_ned_mps2.z, 19.0);
        ck_assert_double_eq_tol(near.body.accel_ned_mps2.z, far.body.accel_ned_mps2.z,
                                1e-9);
}

TEST(over_a_platform_the_ground_is_its_top)
{
        struct vehicle_params p = md4_200();
        struct world w = uniform_air();
        const struct surface wood = { 0.6, 0.0, 1.0, 1.0 };
        struct solid box = { .shape = SOLID_BOX,
                             .pos_ned_m = { 0.0, 0.0, -2.5 },
                             .axes_to_ned = { { 1.0, 0.0, 0.0 },
                                              { 0.0, 1.0, 0.0 },
                                              { 0.0, 0.0, 1.0 } },
                             .size_m = { 1.0, 1.0, 2.5 } };
        struct scene_node node[SCENE_NODES(1)];
        struct scene scene;
        struct vehicle v;

        ck_assert(scene_build(&scene, &box, 1, node, &wood, 1));
        w.scene = &scene;
        p.rotor_radius_m = 0.18;
        p.surroundings.ground_effect_m = 1.2;
        put(&v, &p, &w, STEP_NS, 5.4, md4_200_hover_radps());
        ck_assert_double_eq_tol(v.around.surface_down_m, -5.0, 1e-12);
        v.body.pos_ned_m.x = 3.0;
        surroundings_step(&v.around, &p.surroundings, &w, &v.body, 0, 0.004);
        ck_assert(isinf(v.around.surface_down_m));
}

static void fit_imu(struct vehicle_params *p)
{
        error_params_ideal(&p->sensors.imu.accel);
        error_params_ideal(&p->sensors.imu.gyro);
        p->sensors.imu.schedule.period_ns = STEP_NS;
        p->sensors.imu.q_body_to_sensor.w = 1.0;
}

TEST(in_a_jig_it_stays_and_feels_the_jig)
{
        struct vehicle_params p = md4_200();
        struct world w = uniform_air();
        struct motor_command c = all_at(0.0);
        const struct sensor_frame *frame = NULL;
        struct vehicle v;

        fit_imu(&p);
        put(&v, &p, &w, STEP_NS, 1.0, 0.0);
        v.body.vel_ned_mps.x = 2.0;
        vehicle_hold(&v, quat_from_euler(M_PI / 2.0, 0.0, 0.3));
        for (int i = 0; i < 100; i++)
                frame = vehicle_step(&v, &p, &w, NULL, &c, 2);
        /* Right side down: the right axis points down, so it feels -g along it. */
        ck_assert_double_eq_tol(frame->imu.accel_body_mps2.y, -9.81, 1e-9);
        ck_assert_double_eq_tol(frame->imu.accel_body_mps2.z, 0.0, 1e-9);
        ck_assert_double_eq(v.body.pos_ned_m.z, -1.0);
        ck_assert_int_eq(v.t_ns, 200 * STEP_NS);
        vehicle_release(&v);
        for (int i = 0; i < 50; i++)
                vehicle_step(&v, &p, &w, NULL, &c, 2);
        ck_assert_double_gt(v.body.vel_ned_mps.z, 0.5);
}

/* The hardest contact of a fall, seen once every so many steps. */
static double fall_and_hit_mps(int steps)
{
        struct vehicle_params p = md4_200();
        struct world w = uniform_air();
        struct motor_command c = all_at(0.0);
        double hit_mps = 0.0;
        struct vehicle v;

        put(&v, &p, &w, STEP_NS, 1.0, 0.0);
        while (v.t_ns < 1000 * STEP_NS) {
                vehicle_step(&v, &p, &w, NULL, &c, steps);
                hit_mps = fmax(hit_mps, v.impact_mps);
                ck_assert_int_eq(v.obstacle, v.impact_mps > 0.0 ? -1 : v.obstacle);
        }
        return hit_mps;
}

TEST(an_impact_within_a_period_counts_like_one_at_its_end)
{
        double hit_mps = fall_and_hit_mps(1);

        ck_assert_double_gt(hit_mps, 2.0);
        ck_assert_double_eq_tol(fall_and_hit_mps(8), hit_mps, 1e-9);
        ck_assert_double_eq_tol(fall_and_hit_mps(10), hit_mps, 1e-9);
}

TEST(a_gust_carries_it_along_while_it_lasts)
{
        struct vehicle_params p = md4_200();
        struct world w = uniform_air();
        struct motor_command c = all_at(md4_200_hover_radps());
        struct vehicle v;

        w.wind.gusts = 1;
        w.wind.gust[0] = (struct gust){ 1000000000, 2000000000, { 5.0, 0.0, 0.0 } };
        put(&v, &p, &w, STEP_NS, 50.0, md4_200_hover_radps());
        fly_periods(&v, &p, &w, &c, 250);
        ck_assert_double_eq(v.body.vel_ned_mps.x, 0.0);
        fly_periods(&v, &p, &w, &c, 350);
        ck_assert_double_gt(v.body.vel_ned_mps.x, 1.0);
        ck_assert_double_lt(v.body.vel_ned_mps.x, 5.0);
        fly_periods(&v, &p, &w, &c, 1500);
        ck_assert_double_eq_tol(v.body.vel_ned_mps.x, 0.0, 0.05);
}

TEST(a_force_region_pushes_with_its_force_and_turns_what_is_half_inside)
{
        struct vehicle_params p = md4_200();
        struct world w = uniform_air();
        struct vehicle v;

        p.airframe = (struct airframe_params){ { 0.0, 0.0, 0.0 } };
        p.surroundings.box_half_m = (struct vec3){ 0.3, 0.3, 0.1 };
        w.regions = 1;
        w.region[0] = (struct region){ .centre_ned_m = { 0.0, 0.0, -50.0 },
                                       .half_m = { 5.0, 5.0, 5.0 },
                                       .q_region_to_ned = { 1.0, 0.0, 0.0, 0.0 },
                                       .force_ned_n = { 0.0, 2.0, 0.0 } };
        put(&v, &p, &w, STEP_NS, 50.0, 0.0);
        vehicle_update_acceleration(&v, &p);
        ck_assert_double_eq_tol(v.body.accel_ned_mps2.y, 2.0 / MD4_MASS_KG, 1e-9);
        ck_assert_double_eq_tol(vec3_norm(v.body.rate_dot_body_radps2), 0.0, 1e-9);
        /* Its forward half outside: half the force, 0.15 m behind the middle. */
        v.body.pos_ned_m.x = 5.0;
        surroundings_step(&v.around, &p.surroundings, &w, &v.body, 0, 0.001);
        vehicle_update_acceleration(&v, &p);
        ck_assert_double_eq_tol(v.body.accel_ned_mps2.y, 1.0 / MD4_MASS_KG, 1e-9);
        ck_assert_double_eq_tol(v.body.rate_dot_body_radps2.z, -0.15 / MD4_J_ZZ, 1e-6);
}

/* Two vehicles made from one file are not the same, and preparing again draws nothing again. */
TEST(tolerances_are_drawn_once_for_each_vehicle)
{
        struct vehicle_params a = md4_200(), b, again;

        a.tolerance = (struct tolerance_params){ 0.02, 0.02, 0.02, 0.02 };
        b = a;
        ck_assert(vehicle_params_prepare(&a, STEP_NS, 1, 0));
        ck_assert(vehicle_params_prepare(&b, STEP_NS, 1, 1));
        again = a;
        ck_assert(vehicle_params_prepare(&again, STEP_NS, 1, 0));
        ck_assert_double_ne(a.motor[0].speed_full_radps, b.motor[0].speed_full_radps);
        ck_assert_double_ne(a.rotor[0].thrust_n_per_radps2,
                            a.rotor[1].thrust_n_per_radps2);
        ck_assert_double_eq(again.motor[0].speed_full_radps, a.motor[0].speed_full_radps);
}
