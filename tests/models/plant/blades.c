/* Blade elements against their own integral, momentum theory against its formulas, and the
 * numbers that the documents print. */
#include <math.h>
#include <stdlib.h>

#include "models/plant/blades.h"
#include "models/plant/ground_effect.h"

#include "tests/suites.h"

#define DENSITY 1.2

/* Gruber 4.2.2. */
#define MD4_SPEED_RADPS 168.93

static struct blades_params md4(void)
{
        struct blades_params p = { .radius_m = 0.18,
                                   .blades = 2,
                                   .chord_m = 0.035,
                                   .pitch_rad = 20.0 * M_PI / 180.0,
                                   .lift_slope = 5.7,
                                   .drag_coefficient = 0.012,
                                   .thrust_factor = 1.0,
                                   .torque_factor = 1.0 };

        blades_params_prepare(&p);
        return p;
}

static struct blades_params twisted(void)
{
        struct blades_params p = md4();

        p.twist_rad = 0.15;
        p.thrust_factor = 0.9;
        p.torque_factor = 1.7;
        blades_params_prepare(&p);
        return p;
}

static struct blades_forces forces_at(const struct blades_params *p, double speed_radps,
                                      double spin, struct vec3 airspeed, double inflow)
{
        struct blades_forces f;

        blades_derive(&f, p, speed_radps, spin, airspeed, inflow, 1.0, DENSITY);
        return f;
}

static struct blades_forces at_rest(const struct blades_params *p, double speed_radps,
                                    struct vec3 airspeed, double *inflow)
{
        *inflow = blades_steady_inflow_mps(p, speed_radps, airspeed, DENSITY);
        return forces_at(p, speed_radps, 1.0, airspeed, *inflow);
}

/* The speed at which the rotor gives this thrust, where it rests in this airspeed. */
static double speed_for(const struct blades_params *p, double thrust_n,
                        struct vec3 airspeed)
{
        double low = 0.0, high = 5000.0, inflow;

        for (int i = 0; i < 100; i++) {
                double middle = 0.5 * (low + high);

                if (-at_rest(p, middle, airspeed, &inflow).force_body_n.z < thrust_n)
                        low = middle;
                else
                        high = middle;
        }
        return low;
}

/* The oracle: every element of every blade at every azimuth pushes where it is, in vectors. Small
 * angles and no reverse flow, as in the formulas; what falls along the blade does nothing. */
static struct blades_forces integrated(const struct blades_params *p, double speed,
                                       double spin, struct vec3 airspeed, double inflow)
{
        /* Gauss-Legendre of four points is exact up to the seventh power. */
        const double node[4] = { -0.8611363115940526, -0.3399810435848563,
                                 0.3399810435848563, 0.8611363115940526 };
        const double weight[4] = { 0.3478548451374538, 0.6521451548625461,
                                   0.6521451548625461, 0.3478548451374538 };
        const int azimuths = 16;
        struct blades_forces sum = { 0 };

        for (int k = 0; k < azimuths * 4; k++) {
                int azimuth = k / 4;
                double psi = 2.0 * M_PI * azimuth / azimuths, x = 0.5 + 0.5 * node[k % 4];
                struct vec3 out = { cos(psi), sin(psi), 0.0 };
                struct vec3 along = { -spin * out.y, spin * out.x, 0.0 };
                double u_t = speed * p->radius_m * x + vec3_dot(along, airspeed);
                double u_p = inflow - airspeed.z;
                double theta = p->pitch_rad - p->twist_rad * x;
                double share = p->blades * p->radius_m * 0.5 * weight[k % 4] / azimuths;
                double dynamic = 0.5 * DENSITY * p->chord_m * share;
                double lift = dynamic * p->lift_slope * p->thrust_factor *
                              (theta * u_t * u_t - u_p * u_t);
                /* The lift stands on the inflow, which leans it back by u_p/u_t. */
                double lean = dynamic * p->lift_slope * p->thrust_factor *
                              (theta * u_t * u_p - u_p * u_p);
                double drag =
                        dynamic * p->drag_coefficient * p->torque_factor * u_t * u_t;
                struct vec3 force = vec3_axpy((struct vec3){ 0.0, 0.0, -lift },
                                              -(lean + drag), along);

                sum.force_body_n = vec3_add(sum.force_body_n, force);
                sum.torque_body_nm =
                        vec3_add(sum.torque_body_nm,
                                 vec3_cross(vec3_scale(p->radius_m * x, out), force));
        }
        sum.shaft_nm = -spin * sum.torque_body_nm.z;
        return sum;
}

static void expect_vector(struct vec3 is, struct vec3 must, double scale)
{
        ck_assert_double_eq_tol(is.x, must.x, 1e-6 * scale);
        ck_assert_double_eq_tol(is.y, must.y, 1e-6 * scale);
        ck_assert_double_eq_tol(is.z, must.z, 1e-6 * scale);
}

/* Thrust, hub force, torque and rolling moment, in both senses of turning. */
TEST_EACH(the_coefficients_are_the_integral_over_radius_and_azimuth, 2)
{
        const struct vec3 air[] = { { 0.0, 0.0, 0.0 },
                                    { 5.0, 0.0, 0.0 },
                                    { -3.0, 4.0, 1.0 },
                                    { 0.0, -9.0, -2.0 },
                                    { 12.0, 7.0, 3.0 } };
        struct blades_params p = _i % 2 ? twisted() : md4();

        for (int i = 0; i < 5; i++) {
                for (int spin = -1; spin <= 1; spin += 2) {
                        struct blades_forces f = forces_at(&p, 170.0, spin, air[i], 2.5);
                        struct blades_forces o = integrated(&p, 170.0, spin, air[i], 2.5);

                        expect_vector(f.force_body_n, o.force_body_n, 1.0);
                        expect_vector(f.torque_body_nm, o.torque_body_nm, 0.1);
                        ck_assert_double_eq_tol(f.shaft_nm, o.shaft_nm, 1e-7);
                }
        }
}

/* Clockwise from above, the left blade runs ahead and lifts more: the rotor rolls right. */
TEST(the_advancing_side_lifts_more)
{
        struct blades_params p = md4();
        const struct vec3 ahead = { 6.0, 0.0, 0.0 };

        ck_assert_double_gt(forces_at(&p, 170.0, 1.0, ahead, 3.0).torque_body_nm.x, 0.01);
        ck_assert_double_lt(forces_at(&p, 170.0, -1.0, ahead, 3.0).torque_body_nm.x,
                            -0.01);
}

/* Gruber 4.2.1: 3.1109 m/s for 0.964 kg. */
TEST(the_hovering_md4_induces_the_velocity_that_the_thesis_prints)
{
        const double thrust_n = 0.964 * 9.81 / 4.0;
        struct blades_params p = md4();
        struct vec3 still = { 0 };
        double inflow;

        at_rest(&p, speed_for(&p, thrust_n, still), still, &inflow);
        ck_assert_double_eq_tol(inflow, 3.1109, 5e-5);
}

/* Gruber 4.6 and 4.7 put the induced velocity of hover into the blade elements: t_c = 0.18582
 * where the thrust would be 0.16912, and t_F is of their mean; q_c with the erratum. */
TEST(thrust_and_torque_factors_are_those_of_the_thesis)
{
        struct blades_params p = md4();
        const double tip = MD4_SPEED_RADPS * p.radius_m;
        const double unit = DENSITY * p.solidity * p.area_m2 * tip * tip;
        const double square = MD4_SPEED_RADPS * MD4_SPEED_RADPS;
        struct vec3 still = { 0 };
        struct blades_forces f = forces_at(&p, MD4_SPEED_RADPS, 1.0, still, 3.1109);
        double t_c = -f.force_body_n.z / unit, needed = 0.964 * 9.81 / 4.0 / unit;
        double lambda = 3.1109 / tip, mean = 0.5 * (t_c + needed);
        double q_c;

        ck_assert_double_eq_tol(t_c, 0.18582, 5e-6);
        ck_assert_double_eq_tol(needed, 0.16912, 1e-5);
        ck_assert_double_eq_tol(mean * unit / square, 8.694e-5, 5e-9);
        /* delta/8 + lambda t_c with the mean t_c is what the erratum computes. */
        p.thrust_factor = mean / t_c;
        blades_params_prepare(&p);
        f = forces_at(&p, MD4_SPEED_RADPS, 1.0, still, 3.1109);
        q_c = f.shaft_nm / (unit * p.radius_m);
        ck_assert_double_eq_tol(q_c, 0.012 / 8.0 + lambda * mean, 1e-9);
        ck_assert_double_eq_tol(q_c, 0.01966, 5e-6);
        ck_assert_double_eq_tol(f.shaft_nm / square, 1.734e-6, 1e-9);
}

/* Micklisch, v1 in forward flight; W the load of one rotor. */
TEST(in_forward_flight_the_inflow_is_that_of_the_paper)
{
        struct blades_params p = md4();

        for (double v = 0.0; v <= 15.0; v += 2.5) {
                struct vec3 air = { 0.6 * v, -0.8 * v, 0.0 };
                double inflow, w = -at_rest(&p, 170.0, air, &inflow).force_body_n.z;
                double half = 0.5 * v * v, load = w / (2.0 * DENSITY * p.area_m2);
                double v1 = sqrt(-half + sqrt(half * half + load * load));

                ck_assert_double_eq_tol(inflow, v1, 1e-9);
        }
}

/* FINken report 3.1: the air behind the rotor, twice as fast as in it, at 11.0774 m/s. */
TEST(the_finken_rotor_drives_its_air_to_the_printed_speed)
{
        struct blades_params p = { .radius_m = 0.0637,
                                   .blades = 2,
                                   .chord_m = 0.012,
                                   .pitch_rad = 0.2,
                                   .lift_slope = 5.7,
                                   .drag_coefficient = 0.02,
                                   .thrust_factor = 1.2041 / DENSITY,
                                   .torque_factor = 1.0 };
        struct vec3 still = { 0 };
        double inflow;

        blades_params_prepare(&p);
        /* Thrust over density is what counts. */
        at_rest(&p, speed_for(&p, 0.096 * 9.81 * DENSITY / 1.2041, still), still,
                &inflow);
        ck_assert_double_eq_tol(2.0 * inflow, 11.0774, 1e-4);
}

TEST(climb_lowers_the_thrust_and_descent_raises_it)
{
        struct blades_params p = md4();
        double before = INFINITY, inflow;

        for (double climb = -9.0; climb <= 9.0; climb += 0.25) {
                struct vec3 air = { 0.0, 0.0, -climb };
                double thrust = -forces_at(&p, 170.0, 1.0, air, 3.0).force_body_n.z;

                ck_assert_double_lt(thrust, before);
                before = thrust;
        }
        ck_assert_double_lt(
                -at_rest(&p, 170.0, (struct vec3){ 0, 0, -1.0 }, &inflow).force_body_n.z,
                -at_rest(&p, 170.0, (struct vec3){ 0, 0, 0.0 }, &inflow).force_body_n.z);
}

/* Leishman 2.96 with the last coefficient that closes the gap to the windmill brake. */
TEST(in_the_vortex_ring_the_inflow_follows_the_measured_curve)
{
        struct blades_params p = md4();

        for (double climb = -0.05; climb > -8.0; climb -= 0.05) {
                struct vec3 air = { 0.0, 0.0, -climb };
                double inflow, w = -at_rest(&p, 170.0, air, &inflow).force_body_n.z;
                double hover = sqrt(w / (2.0 * DENSITY * p.area_m2)), r = climb / hover;
                double must = 1.0 - 1.125 * r - 1.372 * r * r - 1.718 * r * r * r -
                              0.656625 * r * r * r * r;

                if (r <= -2.0)
                        must = -0.5 * r - sqrt(0.25 * r * r - 1.0);
                ck_assert_double_eq_tol(inflow / hover, must, 2e-3);
        }
}

TEST(climbing_it_is_the_formula_of_momentum_theory)
{
        struct blades_params p = md4();

        for (double climb = 0.0; climb < 8.0; climb += 0.5) {
                struct vec3 air = { 0.0, 0.0, -climb };
                double inflow, w = -at_rest(&p, 170.0, air, &inflow).force_body_n.z;

                /* Gruber 4.4. */
                ck_assert_double_eq_tol(
                        w, 2.0 * DENSITY * p.area_m2 * (climb + inflow) * inflow, 1e-9);
        }
}

/* At hover, at the windmill brake's beginning, and wherever the fade begins. */
TEST(the_steady_inflow_has_no_jump)
{
        struct blades_params p = md4();

        for (double across = 0.0; across < 8.0; across += 0.5) {
                double before = NAN;

                for (double sink = -3.0; sink < 12.0; sink += 0.01) {
                        struct vec3 air = { across, 0.0, sink };
                        double inflow = blades_steady_inflow_mps(&p, 170.0, air, DENSITY);

                        if (!isnan(before))
                                ck_assert_double_lt(fabs(inflow - before), 0.1);
                        before = inflow;
                }
        }
}

/* One resting point, approached from both sides: so it is stable. */
TEST(the_inflow_falls_above_its_resting_point_and_rises_below)
{
        struct blades_params p = md4();

        for (double across = 0.0; across <= 6.0; across += 0.25) {
                for (double sink = -8.0; sink <= 12.0; sink += 0.25) {
                        struct vec3 air = { across, 0.0, sink };
                        double rest = blades_steady_inflow_mps(&p, 170.0, air, DENSITY);

                        for (double v = -12.0; v <= 12.0; v += 0.05) {
                                double dot =
                                        forces_at(&p, 170.0, 1.0, air, v).inflow_dot_mps2;

                                if (v > rest + 1e-9)
                                        ck_assert_double_lt(dot, 0.0);
                                else if (v < rest - 1e-9)
                                        ck_assert_double_gt(dot, 0.0);
                        }
                }
        }
}

static double inflow_after(const struct blades_params *p, double speed, double inflow,
                           double time_s)
{
        const double dt_s = 1e-5;

        for (double t = 0.0; t < time_s; t += dt_s)
                inflow += dt_s * forces_at(p, speed, 1.0, (struct vec3){ 0 }, inflow)
                                         .inflow_dot_mps2;
        return inflow;
}

TEST(hover_forgets_the_initial_inflow_in_a_second)
{
        struct blades_params p = md4();
        double rest = blades_steady_inflow_mps(&p, 170.0, (struct vec3){ 0 }, DENSITY);

        for (double v = -10.0; v <= 10.0; v += 2.5)
                ck_assert_double_eq_tol(inflow_after(&p, 170.0, v, 1.0), rest, 1e-9);
}

/* 8/3 rho R^3 against 4 rho A v of momentum and rho A sigma a Omega R/4 of the blades: with the
 * first alone, 0.212 R/vh. */
TEST(its_time_constant_in_hover_is_that_of_the_apparent_mass)
{
        struct blades_params p = md4();
        double rest = blades_steady_inflow_mps(&p, 170.0, (struct vec3){ 0 }, DENSITY);
        double blades = p.solidity * p.lift_slope * 170.0 * p.radius_m / 4.0;
        double tau_s = 8.0 / (3.0 * M_PI) * p.radius_m / (4.0 * rest + blades);
        double moved = inflow_after(&p, 170.0, 1.001 * rest, tau_s);

        ck_assert_double_eq_tol((moved / rest - 1.0) / 0.001, exp(-1.0), 5e-3);
        ck_assert_double_lt(tau_s, 0.2122 * p.radius_m / rest);
        ck_assert_double_gt(tau_s, 0.1 * p.radius_m / rest);
}

/* In axial flight the shaft's power is what the air and the blades' drag take. */
TEST(shaft_power_is_induced_and_profile_power)
{
        struct blades_params p = twisted();
        const double speed = 170.0, tip = speed * p.radius_m;
        double profile_w = DENSITY * p.solidity * p.area_m2 * tip * tip * tip *
                           p.drag_coefficient * p.torque_factor / 8.0;

        for (double climb = -9.0; climb <= 9.0; climb += 0.5) {
                struct vec3 air = { 0.0, 0.0, -climb };
                double inflow;
                struct blades_forces f = at_rest(&p, speed, air, &inflow);

                ck_assert_double_eq_tol(f.shaft_nm * speed,
                                        -f.force_body_n.z * (climb + inflow) + profile_w,
                                        1e-9);
        }
}

TEST(the_forces_turn_with_the_flow)
{
        struct blades_params p = twisted();
        struct blades_forces x = forces_at(&p, 170.0, 1.0, (struct vec3){ 7, 0, 1 }, 3.0);
        double before = x.force_body_n.x;

        ck_assert_double_lt(before, 0.0);
        for (double a = 0.0; a < 6.3; a += 0.1) {
                struct vec3 air = { 7.0 * cos(a), 7.0 * sin(a), 1.0 };
                struct blades_forces f = forces_at(&p, 170.0, 1.0, air, 3.0);

                ck_assert_double_eq_tol(f.force_body_n.x, before * cos(a), 1e-12);
                ck_assert_double_eq_tol(f.force_body_n.y, before * sin(a), 1e-12);
                ck_assert_double_eq_tol(f.torque_body_nm.y, x.torque_body_nm.x * sin(a),
                                        1e-12);
        }
}

TEST(a_rotor_that_stops_ends_without_forces)
{
        struct blades_params p = md4();
        const struct vec3 air = { 8.0, -3.0, 5.0 };
        double thrust = INFINITY;

        for (double speed = 100.0; speed > 1e-6; speed *= 0.5) {
                struct blades_forces f = forces_at(&p, speed, 1.0, air, 1.0);

                ck_assert_double_le(fabs(f.force_body_n.z), thrust);
                thrust = fabs(f.force_body_n.z) + 1e-12;
        }
        for (double v = -3.0; v <= 3.0; v += 1.0) {
                struct blades_forces f = forces_at(&p, 0.0, 1.0, air, v);

                ck_assert_double_eq(vec3_norm(f.force_body_n), 0.0);
                ck_assert_double_eq(vec3_norm(f.torque_body_nm), 0.0);
                ck_assert(isfinite(f.inflow_dot_mps2));
                ck_assert_double_le(f.inflow_dot_mps2 * v, 0.0);
        }
        ck_assert_double_eq(
                forces_at(&p, 0.0, 1.0, (struct vec3){ 0 }, 0.0).inflow_dot_mps2, 0.0);
}

/* The same power carries ground_effect_ratio() times as much, Cheeseman and Bennett's claim. */
TEST(near_the_ground_the_same_induced_power_gives_the_thrust_ratio)
{
        struct blades_params p = md4();
        const double thrust_n = 2.4, ratio = ground_effect_ratio(p.radius_m, 0.18);
        const double factor = ground_effect_inflow_ratio(ratio);
        struct vec3 still = { 0 };
        double far, near;

        ck_assert_double_gt(ratio, 1.05);
        at_rest(&p, speed_for(&p, thrust_n, still), still, &far);
        near = factor * far * sqrt(ratio);
        ck_assert_double_eq_tol(ratio * thrust_n * near, thrust_n * far, 1e-9);
}

TEST(near_the_ground_the_disk_feels_less_and_lifts_more)
{
        struct blades_params p = md4();
        struct blades_forces open, near;
        struct vec3 still = { 0 };

        blades_derive(&open, &p, 170.0, 1.0, still, 3.0, 1.0, DENSITY);
        blades_derive(&near, &p, 170.0, 1.0, still, 3.0, 0.8, DENSITY);
        ck_assert_double_eq(near.force_body_n.z,
                            forces_at(&p, 170.0, 1.0, still, 0.8 * 3.0).force_body_n.z);
        ck_assert_double_lt(near.force_body_n.z, open.force_body_n.z);
}

TEST(forces_go_with_the_density_and_the_inflow_does_not)
{
        struct blades_params p = twisted();
        const struct vec3 air = { 4.0, 1.0, 2.0 };
        struct blades_forces a, b;

        blades_derive(&a, &p, 170.0, -1.0, air, 3.0, 1.0, 1.0);
        blades_derive(&b, &p, 170.0, -1.0, air, 3.0, 1.0, 0.7);
        expect_vector(b.force_body_n, vec3_scale(0.7, a.force_body_n), 1e-6);
        expect_vector(b.torque_body_nm, vec3_scale(0.7, a.torque_body_nm), 1e-6);
        ck_assert_double_eq(a.inflow_dot_mps2, b.inflow_dot_mps2);
}
