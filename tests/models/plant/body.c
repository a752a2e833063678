#include <math.h>
#include <stdlib.h>

#include "tests/models/md4_200.h"
#include "tests/suites.h"

/* A body and nothing else: no rotors, no drag, no weight. */
static struct vehicle_params bare(double jx, double jy, double jz)
{
        return (struct vehicle_params){
                .body = { .mass_kg = 1.5,
                          .inertia_kgm2 = { { jx, 0.0, 0.0 },
                                            { 0.0, jy, 0.0 },
                                            { 0.0, 0.0, jz } } },
        };
}

static bool possible(double jx, double jy, double jz)
{
        struct vehicle_params p = bare(jx, jy, jz);

        return body_params_prepare(&p.body);
}

static struct world weightless(void)
{
        struct world w = uniform_air();

        w.gravity_mps2 = 0.0;
        return w;
}

static double spin_energy_j(const struct body_params *p, struct vec3 rate)
{
        return 0.5 * vec3_dot(rate, body_matrix_times(p->inertia_kgm2, rate));
}

static struct vec3 momentum_ned(const struct body_params *p, const struct body_state *s)
{
        return quat_rotate(s->q_body_to_ned,
                           body_matrix_times(p->inertia_kgm2, s->rate_body_radps));
}

static struct body_state tumbled(struct vehicle_params *p, struct vec3 rate,
                                 int64_t step_ns, double duration_s)
{
        const struct motor_command none = { { 0.0 } };
        struct world w = weightless();
        struct vehicle v;

        put(&v, p, &w, step_ns, 100.0, 0.0);
        v.body.rate_body_radps = rate;
        fly(&v, p, &w, &none, duration_s);
        return v.body;
}

TEST(inertia_that_no_body_can_have_is_refused)
{
        ck_assert(possible(1.0, 2.0, 2.5));
        ck_assert(!possible(1.0, 2.0, 3.5));
        ck_assert(!possible(3.5, 2.0, 1.0));
        ck_assert(!possible(1.0, -2.0, 1.5));
        ck_assert(!possible(0.0, 1.0, 1.0));
        ck_assert(!possible((double)NAN, 1.0, 1.0));
        ck_assert(!possible((double)INFINITY, 1.0, 1.0));
}

TEST(a_flat_plate_is_a_body)
{
        ck_assert(possible(1.0, 2.0, 3.0));
        ck_assert(possible(8.173e-3, 8.173e-3, 16.346e-3));
}

/* The thesis's own J_zz of table 4.2, which it says makes no sense as a moment of inertia.
 */
TEST(moments_that_a_fit_gave_are_taken_when_said_to_be_so)
{
        struct vehicle_params p = bare(9.428e-3, 9.428e-3, 0.7288);

        ck_assert(!body_params_prepare(&p.body));
        p.body.as_identified = true;
        ck_assert(body_params_prepare(&p.body));
        p.body.inertia_kgm2[2][2] = -0.7288;
        ck_assert(!body_params_prepare(&p.body));
}

TEST(inertia_must_be_symmetric_and_positive_definite)
{
        struct vehicle_params p = bare(1.0, 1.1, 1.2);

        p.body.inertia_kgm2[0][1] = 0.1;
        ck_assert(!body_params_prepare(&p.body));
        p.body.inertia_kgm2[1][0] = 0.1;
        ck_assert(body_params_prepare(&p.body));
        p.body.inertia_kgm2[0][1] = p.body.inertia_kgm2[1][0] = 1.2;
        ck_assert(!body_params_prepare(&p.body));
}

TEST(mass_must_be_positive)
{
        struct vehicle_params p = bare(1.0, 1.1, 1.2);

        p.body.mass_kg = 0.0;
        ck_assert(!body_params_prepare(&p.body));
        p.body.mass_kg = -1.0;
        ck_assert(!body_params_prepare(&p.body));
        p.body.mass_kg = (double)NAN;
        ck_assert(!body_params_prepare(&p.body));
}

TEST(inertia_times_its_inverse_is_one)
{
        struct vehicle_params p = bare(1.0, 1.1, 1.2);
        double(*j)[3] = p.body.inertia_kgm2;

        j[0][1] = j[1][0] = 0.1;
        j[0][2] = j[2][0] = -0.2;
        j[1][2] = j[2][1] = 0.3;
        ck_assert(body_params_prepare(&p.body));
        for (int i = 0; i < 3; i++) {
                for (int k = 0; k < 3; k++) {
                        double sum = 0.0;

                        for (int n = 0; n < 3; n++)
                                sum += j[i][n] * p.body.inverse_kgm2[n][k];
                        ck_assert_double_eq_tol(sum, i == k ? 1.0 : 0.0, 1e-14);
                }
        }
}

/* Gruber 3.15 is Euler's equation for principal axes. */
TEST(on_principal_axes_the_short_form_is_the_general_one)
{
        struct vehicle_params p = bare(0.01, 0.014, 0.02), general;
        struct vec3 w = { 3.0, -4.0, 5.0 }, torque = { 0.1, 0.2, -0.3 }, a, b;

        ck_assert(body_params_prepare(&p.body));
        ck_assert(p.body.principal);
        general = p;
        general.body.principal = false;
        a = body_spin_up(&p.body, w, torque);
        b = body_spin_up(&general.body, w, torque);
        ck_assert_double_eq_tol(a.x, b.x, 1e-12);
        ck_assert_double_eq_tol(a.y, b.y, 1e-12);
        ck_assert_double_eq_tol(a.z, b.z, 1e-12);
}

/* The drift over 10 s at 10 rad/s shrinks with the step; both are conserved exactly by the
 * equations, whatever the attitude passes through. */
TEST_EACH(a_torque_free_top_keeps_its_energy_and_momentum, 3)
{
        const int64_t step_ns[3] = { 1000000, 2500000, 5000000 };
        const double tol[3] = { 1e-10, 1e-8, 1e-6 };
        const struct vec3 rate = { 0.3, 10.0, 0.2 }; /* about the middle axis: it flips */
        struct vehicle_params p = bare(0.008, 0.012, 0.017);
        struct body_state start = { .q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 },
                                    .rate_body_radps = rate };
        struct body_state end = tumbled(&p, rate, step_ns[_i], 10.0);
        double energy = spin_energy_j(&p.body, rate);
        struct vec3 before = momentum_ned(&p.body, &start);
        struct vec3 after = momentum_ned(&p.body, &end);

        ck_assert_double_eq_tol(spin_energy_j(&p.body, end.rate_body_radps) / energy, 1.0,
                                tol[_i]);
        ck_assert_double_lt(vec3_norm(vec3_sub(after, before)),
                            tol[_i] * vec3_norm(before));
}

TEST(tumbling_over_the_vertical_is_nothing_special)
{
        struct vehicle_params p = bare(0.01, 0.01, 0.01);
        const struct motor_command none = { { 0.0 } };
        const double rate = 2.0;
        struct world w = weightless();
        bool steep = false;
        struct vehicle v;

        /* Pure pitch: the angle is rate times time, through 90 degrees and round. */
        put(&v, &p, &w, 1000000, 100.0, 0.0);
        v.body.rate_body_radps.y = rate;
        for (int i = 0; i < 10000; i++) {
                double angle, s;

                vehicle_move(&v, &p, &w, &none);
                angle = rate * (double)v.t_ns * 1e-9;
                s = quat_rotate(v.body.q_body_to_ned, (struct vec3){ 1.0, 0.0, 0.0 }).z;
                ck_assert_double_eq_tol(s, -sin(angle), 1e-9);
                steep |= fabs(s) > 0.999999;
        }
        ck_assert(steep);
}

/* A symmetric top precesses about z at (Jz - Jx)/Jx w_z, exactly. */
TEST(a_symmetric_top_precesses_at_the_textbook_rate)
{
        struct vehicle_params p = bare(0.01, 0.01, 0.016);
        const double wz = 8.0, wx = 1.5, t = 5.0, turn = 0.6 * wz * t;
        struct body_state s = tumbled(&p, (struct vec3){ wx, 0.0, wz }, 1000000, t);

        ck_assert_double_eq_tol(s.rate_body_radps.x, wx * cos(turn), 1e-8);
        ck_assert_double_eq_tol(s.rate_body_radps.y, wx * sin(turn), 1e-8);
        ck_assert_double_eq(s.rate_body_radps.z, wz);
}

static double state_distance(const struct body_state *a, const struct body_state *b)
{
        struct vec3 x = { 1.0, 0.0, 0.0 };

        return vec3_norm(vec3_sub(a->rate_body_radps, b->rate_body_radps)) +
               vec3_norm(vec3_sub(quat_rotate(a->q_body_to_ned, x),
                                  quat_rotate(b->q_body_to_ned, x)));
}

TEST(halving_the_step_divides_the_error_by_sixteen)
{
        const struct vec3 rate = { 3.0, 6.0, -4.0 };
        struct vehicle_params p = bare(0.008, 0.012, 0.017);
        struct body_state exact = tumbled(&p, rate, 100000, 1.0);
        struct body_state coarse = tumbled(&p, rate, 10000000, 1.0);
        struct body_state fine = tumbled(&p, rate, 5000000, 1.0);
        double ratio = state_distance(&coarse, &exact) / state_distance(&fine, &exact);

        ck_assert_double_gt(ratio, 14.0);
        ck_assert_double_lt(ratio, 18.0);
}

TEST(the_attitude_stays_of_unit_length)
{
        struct vehicle_params p = bare(0.008, 0.012, 0.017);
        struct body_state s =
                tumbled(&p, (struct vec3){ 30.0, -20.0, 25.0 }, 10000000, 20.0);
        struct quat q = s.q_body_to_ned;
        double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;

        ck_assert_double_eq_tol(square, 1.0, 1e-10);
}

TEST_EACH(a_thrown_body_flies_a_parabola_whatever_the_step, 4)
{
        const int64_t step_ns[4] = { 100000, 1000000, 5000000, 10000000 };
        const struct motor_command none = { { 0.0 } };
        struct vehicle_params p = bare(0.008, 0.012, 0.017);
        struct world w = calm_world();
        struct vehicle v;

        put(&v, &p, &w, step_ns[_i], 100.0, 0.0);
        v.body.vel_ned_mps = (struct vec3){ 5.0, -3.0, -8.0 };
        v.body.rate_body_radps = (struct vec3){ 7.0, 1.0, 3.0 };
        fly(&v, &p, &w, &none, 2.0);
        ck_assert_double_eq_tol(v.body.pos_ned_m.x, 10.0, 1e-9);
        ck_assert_double_eq_tol(v.body.pos_ned_m.y, -6.0, 1e-9);
        ck_assert_double_eq_tol(v.body.pos_ned_m.z, -100.0 - 16.0 + 0.5 * 9.81 * 4.0,
                                1e-9);
        ck_assert_double_eq_tol(v.body.vel_ned_mps.z, -8.0 + 9.81 * 2.0, 1e-10);
}
