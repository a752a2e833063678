#include <math.h>
#include <stdlib.h>

#include "models/rng.h"
#include "tests/models/md4_200.h"
#include "tests/suites.h"

#define G 9.81

static const struct motor_command stopped;
static const int64_t steps_ns[] = { 100000, 500000, 1000000, 2500000, 5000000, 10000000 };
static const int step_counts = sizeof steps_ns / sizeof steps_ns[0];

/* Without drag: it hits as hard as it can, and energy has nowhere else to go. */
static struct vehicle_params without_drag(void)
{
        struct vehicle_params p = md4_200();

        p.airframe = (struct airframe_params){ { 0.0, 0.0, 0.0 } };
        return p;
}

/* Of the lowest point; negative in the ground. */
static double clearance_m(const struct vehicle *v, const struct vehicle_params *p,
                          const struct world *w)
{
        double lowest = INFINITY;

        for (int i = 0; i < p->contact.points; i++) {
                struct vec3 at = vec3_add(
                        v->body.pos_ned_m,
                        quat_rotate(v->body.q_body_to_ned, p->contact.point_body_m[i]));

                lowest = fmin(lowest, w->ground_down_m - at.z);
        }
        return lowest;
}

static double kinetic_j(const struct vehicle *v, const struct vehicle_params *p)
{
        struct vec3 rate = v->body.rate_body_radps, vel = v->body.vel_ned_mps;

        return 0.5 * p->body.mass_kg * vec3_dot(vel, vel) +
               0.5 * vec3_dot(rate, body_matrix_times(p->body.inertia_kgm2, rate));
}

static double energy_j(const struct vehicle *v, const struct vehicle_params *p)
{
        return kinetic_j(v, p) - p->body.mass_kg * G * v->body.pos_ned_m.z;
}

static void set_attitude(struct vehicle *v, double roll_deg, double pitch_deg)
{
        v->body.q_body_to_ned =
                quat_from_euler(roll_deg * M_PI / 180.0, pitch_deg * M_PI / 180.0, 0.4);
}

static void expect_at_rest(const struct vehicle *v, const struct vehicle_params *p,
                           const struct world *w)
{
        ck_assert(v->contact.touching);
        ck_assert_double_lt(vec3_norm(v->body.vel_ned_mps), 1e-6);
        ck_assert_double_lt(vec3_norm(v->body.rate_body_radps), 1e-6);
        ck_assert_double_gt(clearance_m(v, p, w), -1e-9);
        ck_assert_double_lt(clearance_m(v, p, w), 1e-4);
}

TEST_EACH(dropped_level_it_comes_to_rest_on_its_feet_whatever_the_step, step_counts)
{
        const double heights_m[2] = { 1.0, 3.0 };
        struct vehicle_params p = without_drag();
        struct world w = calm_world();
        struct vehicle v;

        for (int k = 0; k < 2; k++) {
                put(&v, &p, &w, steps_ns[_i], heights_m[k], 0.0);
                fly(&v, &p, &w, &stopped, 2.0);
                expect_at_rest(&v, &p, &w);
                ck_assert_double_eq_tol(v.body.pos_ned_m.z, -MD4_FOOT_M, 1e-9);
        }
}

TEST_EACH(dropped_tilted_it_comes_to_rest_whatever_the_step, step_counts)
{
        const double tilts_deg[][2] = {
                { 20.0, 0.0 }, { 0.0, -35.0 }, { 10.0, 15.0 }, { 30.0, 30.0 }
        };
        struct vehicle_params p = without_drag();
        struct world w = calm_world();
        struct vehicle v;

        for (int k = 0; k < 4; k++) {
                put(&v, &p, &w, steps_ns[_i], 1.0, 0.0);
                set_attitude(&v, tilts_deg[k][0], tilts_deg[k][1]);
                fly(&v, &p, &w, &stopped, 10.0);
                expect_at_rest(&v, &p, &w);
        }
}

TEST_EACH(dropped_upside_down_it_lies_on_its_back_whatever_the_step, step_counts)
{
        struct vehicle_params p = without_drag();
        struct world w = calm_world();
        struct vehicle v;

        put(&v, &p, &w, steps_ns[_i], 1.0, 0.0);
        set_attitude(&v, 175.0, 3.0);
        fly(&v, &p, &w, &stopped, 10.0);
        expect_at_rest(&v, &p, &w);
        ck_assert_double_lt(quat_to_mat3(v.body.q_body_to_ned).z.z, -0.999);
}

TEST_EACH(it_never_goes_deeper_than_a_hundredth_of_a_millimetre, step_counts)
{
        struct vehicle_params p = without_drag();
        struct world w = calm_world();
        struct vehicle v;

        put(&v, &p, &w, steps_ns[_i], 3.0, 0.0);
        set_attitude(&v, 25.0, 40.0);
        v.body.vel_ned_mps = (struct vec3){ 2.0, -1.0, 0.0 };
        v.body.rate_body_radps = (struct vec3){ 3.0, -5.0, 4.0 };
        while (v.t_ns < 8000000000) {
                vehicle_move(&v, &p, &w, &stopped);
                /* The points that the step has touched; rotation carries others in until
                 * the next one. */
                if (v.t_ns > 6000000000)
                        ck_assert_double_gt(clearance_m(&v, &p, &w), -1e-5);
        }
        expect_at_rest(&v, &p, &w);
}

/* A step's contact is found anew unless it was the same twice: with and without that, the same bits, through
 * standing, a wind that comes, a jolt, motors that start, and standing again. */
TEST(what_stands_still_is_not_asked_again_and_moves_to_the_same_bits)
{
        struct vehicle_params p = md4_200();
        struct world w = calm_world();
        struct motor_command command = { 0 };
        struct vehicle v, anew;
        struct body_state before;
        int spared = 0;

        put(&v, &p, &w, 1000000, 0.01, 0.0);
        anew = v;
        for (int n = 0; n < 12000; n++) {
                double duty = n >= 6000 && n < 7000 ? 0.3 : 0.0;

                v.push.wind_ned_mps.x = n >= 3000 && n < 4000 ? 0.01 * (n - 3000) : 0.0;
                v.body.vel_ned_mps.y += n == 5000 ? 0.02 : 0.0;
                anew.push = v.push;
                anew.body.vel_ned_mps = v.body.vel_ned_mps;
                anew.contact.still = false;
                for (int i = 0; i < p.rotors; i++)
                        command.duty[i] = duty;
                spared += v.contact.still;
                vehicle_step(&v, &p, &w, NULL, &command, 1);
                vehicle_step(&anew, &p, &w, NULL, &command, 1);
                ck_assert_mem_eq(&v.body, &anew.body, sizeof v.body);
                ck_assert_mem_eq(&v.contact.touch, &anew.contact.touch,
                                 sizeof v.contact.touch);
                ck_assert_mem_eq(&v.contact.mean_accel_ned_mps2,
                                 &anew.contact.mean_accel_ned_mps2,
                                 2 * sizeof(struct vec3));
                ck_assert_double_eq(v.impact_mps, anew.impact_mps);
        }
        ck_assert_int_gt(spared, 3000);
        ck_assert(v.contact.still);

        /* To the same place, but it was moving. */
        before = v.body;
        before.vel_ned_mps.x = 1.0;
        v.body = v.contact.still_free;
        contact_step(&v.contact, &p.contact, &p.body, &w, &before, &v.body, 0.001);
        ck_assert_double_lt(v.contact.mean_accel_ned_mps2.x, -999.0);
}

/* One draw after the other: C does not say in which order an initialiser's are made. */
static struct vec3 random_vec(struct rng *rng, double sigma)
{
        struct vec3 v;

        v.x = sigma * rng_normal(rng);
        v.y = sigma * rng_normal(rng);
        v.z = sigma * rng_normal(rng);
        return v;
}

/* A vehicle somewhere in or near the ground, moving anyhow. */
static void throw(struct vehicle * v, struct rng *rng)
{
        struct vec3 tilt_deg = random_vec(rng, 90.0);

        v->body.pos_ned_m.z = -0.3 * rng_uniform(rng);
        set_attitude(v, tilt_deg.x, tilt_deg.y);
        v->body.vel_ned_mps = random_vec(rng, 3.0);
        v->body.rate_body_radps = random_vec(rng, 4.0);
}

TEST(impulses_without_restitution_never_add_kinetic_energy)
{
        struct vehicle_params p = without_drag();
        struct world w = calm_world();
        struct body_state before;
        struct vehicle v;
        struct rng rng;
        int touched = 0;

        rng_init(&rng, 5, 0, 0, 0);
        put(&v, &p, &w, 1000000, 0.0, 0.0);
        for (int n = 0; n < DRAWN(5000); n++) {
                double before_j;

                throw(&v, &rng);
                before = v.body;
                v.contact = (struct contact){ 0 };
                w.ground.friction = 2.0 * rng_uniform(&rng);
                before_j = kinetic_j(&v, &p);
                contact_step(&v.contact, &p.contact, &p.body, &w, &before, &v.body,
                             0.001);
                ck_assert_double_le(kinetic_j(&v, &p), before_j * (1.0 + 1e-12));
                touched += v.contact.touching;
        }
        ck_assert_int_gt(touched, DRAWN(1000));
}

/* Or hardly: the search for the impulses ends after so many rounds, converged or not. */
TEST(after_the_impulses_no_touching_point_goes_in)
{
        struct vehicle_params p = without_drag();
        struct world w = calm_world();
        struct body_state before;
        struct vehicle v;
        struct rng rng;

        rng_init(&rng, 6, 0, 0, 0);
        put(&v, &p, &w, 1000000, 0.0, 0.0);
        for (int n = 0; n < DRAWN(2000); n++) {
                throw(&v, &rng);
                before = v.body;
                v.contact = (struct contact){ 0 };
                contact_step(&v.contact, &p.contact, &p.body, &w, &before, &v.body,
                             0.001);
                for (int i = 0; i < v.contact.touches; i++) {
                        const struct contact_touch *t = &v.contact.touch[i];
                        struct vec3 swing = vec3_cross(v.body.rate_body_radps,
                                                       p.contact.point_body_m[t->point]);
                        /* With the arms that it had when the impulses were found. */
                        double down = v.body.vel_ned_mps.z +
                                      quat_rotate(before.q_body_to_ned, swing).z;

                        if (t->impulse_ns[0] > 0.0)
                                ck_assert_double_lt(down, 0.05);
                }
        }
}

/* Gravity's work is potential energy lost, so over a step the sum must not grow: by no more
 * than lifts the weight as far as gravity and rotation bend the path of a point in a step.
 */
TEST_EACH(a_step_in_contact_adds_no_energy, step_counts)
{
        struct vehicle_params p = without_drag();
        struct world w = calm_world();
        struct vehicle v;
        struct rng rng;
        double dt_s = (double)steps_ns[_i] * 1e-9;

        rng_init(&rng, 7, 0, 0, 0);
        for (int n = 0; n < DRAWN(20); n++) {
                put(&v, &p, &w, steps_ns[_i], 0.5, 0.0);
                throw(&v, &rng);
                v.body.pos_ned_m.z = -0.5;
                while (v.t_ns < 2000000000) {
                        double before_j = energy_j(&v, &p), gained_j, bend_m;
                        struct vec3 w_before = v.body.rate_body_radps;

                        vehicle_move(&v, &p, &w, &stopped);
                        gained_j = energy_j(&v, &p) - before_j;
                        bend_m = 0.5 * dt_s * dt_s *
                                 (G + p.contact.reach_m *
                                              fmax(vec3_dot(w_before, w_before),
                                                   vec3_dot(v.body.rate_body_radps,
                                                            v.body.rate_body_radps)));
                        if (v.contact.touching)
                                ck_assert_double_lt(gained_j,
                                                    p.body.mass_kg * G * bend_m);
                }
        }
}

TEST(at_rest_it_does_not_drift_in_ten_minutes)
{
        struct vehicle_params p = without_drag();
        struct world w = calm_world();
        struct motor_command uneven = { { 0.20, 0.25, 0.22, 0.18 } };
        struct body_state settled;
        struct vehicle v;

        put(&v, &p, &w, 1000000, 0.2, 0.0);
        fly(&v, &p, &w, &uneven, 5.0);
        settled = v.body;
        fly(&v, &p, &w, &uneven, 600.0);
        expect_at_rest(&v, &p, &w);
        ck_assert_double_lt(vec3_norm(vec3_sub(v.body.pos_ned_m, settled.pos_ned_m)),
                            1e-9);
        ck_assert_double_eq_tol(v.body.q_body_to_ned.x, settled.q_body_to_ned.x, 1e-9);
        ck_assert_double_eq_tol(v.body.q_body_to_ned.y, settled.q_body_to_ned.y, 1e-9);
        ck_assert_double_eq_tol(v.body.q_body_to_ned.z, settled.q_body_to_ned.z, 1e-9);
}

/* So that an accelerometer on it reads 0, 0, -g. */
TEST_EACH(at_rest_the_acceleration_is_zero_whatever_the_step, step_counts)
{
        struct vehicle_params p = md4_200();
        struct world w = calm_world();
        struct vehicle v;

        put(&v, &p, &w, steps_ns[_i], MD4_FOOT_M, 0.0);
        fly(&v, &p, &w, &stopped, 3.0);
        vehicle_update_acceleration(&v, &p);
        ck_assert_double_lt(vec3_norm(v.body.accel_ned_mps2), 1e-9);
        ck_assert_double_lt(vec3_norm(v.body.rate_dot_body_radps2), 1e-9);
}

/* On the ground with the rotors spinning up: nothing moves, so nothing is felt but g. */
TEST(thrust_below_the_weight_leaves_it_where_it_stands)
{
        struct vehicle_params p = md4_200();
        struct world w = calm_world();
        struct motor_command c = all_at(0.95 * md4_200_hover_radps());
        struct vehicle v;

        put(&v, &p, &w, 1000000, MD4_FOOT_M, 0.0);
        for (int i = 0; i < 3000; i++) {
                vehicle_move(&v, &p, &w, &c);
                vehicle_update_acceleration(&v, &p);
                ck_assert_double_lt(vec3_norm(v.body.accel_ned_mps2), 1e-9);
        }
        ck_assert_double_eq_tol(v.body.pos_ned_m.z, -MD4_FOOT_M, 1e-9);
        ck_assert_double_gt(v.motor[0].speed_radps, 0.94 * md4_200_hover_radps());
}

TEST_EACH(thrust_above_the_weight_lifts_it_off, step_counts)
{
        struct vehicle_params p = md4_200();
        struct world w = calm_world();
        struct motor_command c = all_at(1.1 * md4_200_hover_radps());
        struct vehicle v;

        put(&v, &p, &w, steps_ns[_i], MD4_FOOT_M, 0.0);
        fly(&v, &p, &w, &c, 5.0);
        ck_assert(!v.contact.touching);
        ck_assert_double_lt(v.body.pos_ned_m.z, -1.0);
        ck_assert_double_eq_tol(quat_to_mat3(v.body.q_body_to_ned).z.z, 1.0, 1e-9);
}

TEST_EACH(landing_at_a_metre_per_second_it_stays_down, step_counts)
{
        struct vehicle_params p = md4_200();
        struct world w = calm_world();
        struct motor_command c = all_at(0.85 * md4_200_hover_radps());
        double hit_mps = 0.0;
        struct vehicle v;

        put(&v, &p, &w, steps_ns[_i], 0.5, md4_200_hover_radps());
        v.body.vel_ned_mps.z = 1.0;
        while (v.t_ns < 3000000000) {
                vehicle_move(&v, &p, &w, &c);
                hit_mps = fmax(hit_mps, v.contact.impact_mps);
        }
        expect_at_rest(&v, &p, &w);
        ck_assert_double_gt(hit_mps, 0.7);
        ck_assert_double_lt(hit_mps, 1.5);
}

/* Low, so that friction does not tip it over. */
static struct vehicle_params puck(void)
{
        struct vehicle_params p = without_drag();

        for (int i = 0; i < 4; i++)
                p.contact.point_body_m[i].z = 0.02;
        return p;
}

TEST_EACH(sliding_it_brakes_at_mu_g_in_every_direction, 8)
{
        const double mu = 0.3, heading = 2.0 * M_PI * _i / 8.0 + 0.1;
        struct vec3 start = { 3.0 * cos(heading), 3.0 * sin(heading), 0.0 };
        struct vehicle_params p = puck();
        struct world w = calm_world();
        struct vehicle v;

        w.ground.friction = mu;
        put(&v, &p, &w, 1000000, 0.02, 0.0);
        fly(&v, &p, &w, &stopped, 0.1);
        v.body.vel_ned_mps = start;
        fly(&v, &p, &w, &stopped, 0.5);
        ck_assert_double_eq_tol(v.body.vel_ned_mps.x,
                                start.x * (1.0 - 0.5 * mu * G / 3.0), 0.002);
        ck_assert_double_eq_tol(v.body.vel_ned_mps.y,
                                start.y * (1.0 - 0.5 * mu * G / 3.0), 0.002);
        fly(&v, &p, &w, &stopped, 2.0);
        expect_at_rest(&v, &p, &w);
        /* v^2/(2 mu g) */
        ck_assert_double_eq_tol(vec3_dot(v.body.pos_ned_m, start) / 3.0,
                                9.0 / (2.0 * mu * G), 0.01);
}

/* Four points in a circle of radius r: J dw/dt = -mu m g r. */
TEST(spinning_on_its_feet_it_is_braked_by_friction)
{
        const double mu = 0.3, r = 0.15 * sqrt(2.0);
        struct vehicle_params p = puck();
        struct world w = calm_world();
        double stops_in_s = 10.0 * MD4_J_ZZ / (mu * MD4_MASS_KG * G * r);
        struct vehicle v;

        w.ground.friction = mu;
        put(&v, &p, &w, 1000000, 0.02, 0.0);
        fly(&v, &p, &w, &stopped, 0.1);
        v.body.rate_body_radps.z = 10.0;
        fly(&v, &p, &w, &stopped, 0.5 * stops_in_s);
        ck_assert_double_eq_tol(v.body.rate_body_radps.z, 5.0, 0.1);
        fly(&v, &p, &w, &stopped, 0.6 * stops_in_s);
        ck_assert_double_eq_tol(v.body.rate_body_radps.z, 0.0, 1e-6);
}

TEST(without_friction_it_slides_on)
{
        struct vehicle_params p = puck();
        struct world w = calm_world();
        struct vehicle v;

        w.ground.friction = 0.0;
        put(&v, &p, &w, 1000000, 0.02, 0.0);
        v.body.vel_ned_mps.x = 2.0;
        fly(&v, &p, &w, &stopped, 5.0);
        ck_assert_double_eq_tol(v.body.vel_ned_mps.x, 2.0, 1e-9);
        ck_assert_double_eq_tol(v.body.pos_ned_m.x, 10.0, 1e-8);
}

/* Dropped level, it meets the ground with all feet: the rebound is e of the speed. */
TEST_EACH(restitution_is_the_share_of_the_speed_that_comes_back, 5)
{
        const double e = 0.1 + 0.2 * _i;
        struct vehicle_params p = without_drag();
        struct world w = calm_world();
        struct vehicle v;

        w.ground.restitution = e;
        put(&v, &p, &w, 100000, 1.0 + MD4_FOOT_M, 0.0);
        while (!v.contact.touching)
                vehicle_move(&v, &p, &w, &stopped);
        ck_assert_double_eq_tol(v.contact.impact_mps, sqrt(2.0 * G), 0.001);
        ck_assert_double_eq_tol(v.body.vel_ned_mps.z, -e * sqrt(2.0 * G), 0.001);
        /* It rises to e^2 of the height. */
        while (v.body.vel_ned_mps.z < 0.0)
                vehicle_move(&v, &p, &w, &stopped);
        ck_assert_double_eq_tol(-v.body.pos_ned_m.z - MD4_FOOT_M, e * e, 0.002);
        fly(&v, &p, &w, &stopped, 10.0);
        expect_at_rest(&v, &p, &w);
}

static const double masses_kg[] = { 0.05, 0.5, 5.0, 50.0 };

TEST_EACH(light_and_heavy_and_lopsided_vehicles_come_to_rest_too, 4)
{
        struct vehicle_params p = without_drag();
        struct world w = calm_world();
        double m = masses_kg[_i];
        /* A rod along a slanted axis, nearly: the largest ratio that a body can have. */
        const double j[3][3] = { { 0.0104, -0.0095, 0.0010 },
                                 { -0.0095, 0.0104, 0.0010 },
                                 { 0.0010, 0.0010, 0.0200 } };
        struct vehicle v;

        p.body.mass_kg = m;
        for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                        p.body.inertia_kgm2[a][b] = m * j[a][b];
        /* Feet at different heights, none under the centre of mass. */
        p.contact.point_body_m[0].z += 0.02;
        p.contact.point_body_m[1].x += 0.10;
        ck_assert(vehicle_params_prepare(&p, 1000000, 1, 0));
        put(&v, &p, &w, 1000000, 2.0, 0.0);
        set_attitude(&v, 20.0, -15.0);
        fly(&v, &p, &w, &stopped, 12.0);
        expect_at_rest(&v, &p, &w);
}

TEST(in_the_air_nothing_touches_and_nothing_is_left_of_the_last_contact)
{
        struct vehicle_params p = md4_200();
        struct world w = calm_world();
        struct motor_command c = all_at(1.3 * md4_200_hover_radps());
        struct vehicle v;

        put(&v, &p, &w, 1000000, MD4_FOOT_M, 0.0);
        fly(&v, &p, &w, &stopped, 0.1);
        ck_assert(v.contact.touching);
        fly(&v, &p, &w, &c, 3.0);
        ck_assert(!v.contact.touching);
        ck_assert_double_eq(v.contact.impact_mps, 0.0);
        ck_assert_int_eq(v.contact.touches, 0);
        ck_assert_int_eq(v.contact.obstacle, -2);
}
