/* The simulated INS: right without noise, off by a share of the way with it, and in what way. */
#include "models/sensors/ins.h"

#include "tests/models/near.h"
#include "tests/suites.h"

static struct ins_params params;
static struct ins ins;
static struct body_state body;

static void set_up(void)
{
        params = (struct ins_params){ .precision = 1000.0 };
        body = (struct body_state){ .q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 } };
        ins_init(&ins, &params, 1, 0);
}

FIXTURE(set_up, NULL)

static struct ins_sample measure(void)
{
        struct exposure e = { .body = &body };
        struct ins_sample s;

        ins_step(&ins, &params, &e, &s);
        return s;
}

/* A tumbling flight: turns about all axes at once, where differences of Euler angles are no
 * body rates. */
static void fly_to(double t)
{
        struct quat a = quat_from_euler(1.3 * sin(t), 0.9 * sin(1.7 * t), 0.7 * t);

        body.q_body_to_ned = a;
        body.pos_ned_m = (struct vec3){ 3.0 * t, 10.0 * sin(0.3 * t), -5.0 - cos(t) };
}

TEST(first_sample_is_the_truth)
{
        params.sigma = 0.5;
        fly_to(2.0);
        assert_near(measure().pos_ned_m, body.pos_ned_m, 1e-15);
        assert_near(measure().euler_rad, quat_to_euler(body.q_body_to_ned), 1e-15);
}

/* Gruber's note 19: with differences of Euler angles for rates this would fail at once. */
TEST(without_noise_it_is_the_truth_for_ever)
{
        for (int k = 0; k < 20000; k++) {
                struct ins_sample s;

                fly_to(0.01 * k);
                s = measure();
                assert_near(s.pos_ned_m, body.pos_ned_m, 1e-9);
                assert_near(s.euler_rad, quat_to_euler(body.q_body_to_ned), 1e-9);
        }
}

TEST(at_rest_it_does_not_drift)
{
        struct ins_sample first, s;

        params.sigma = 0.1;
        params.drifting = true;
        fly_to(1.0);
        first = measure();
        for (int k = 0; k < 1000; k++)
                s = measure();
        assert_near(s.pos_ned_m, first.pos_ned_m, 1e-15);
        assert_near(s.euler_rad, first.euler_rad, 1e-12);
}

/* 100 steps of a metre: each adds sigma metres to each axis, so sigma times 10. The turn: 100
 * steps of 0.01 rad about one axis, sigma times 0.01 times 10. */
TEST(error_grows_with_the_root_of_the_steps)
{
        const int n = 4000;
        double north = 0.0, down = 0.0, yaw = 0.0;

        params.sigma = 0.01;
        for (int k = 0; k < n; k++) {
                struct ins_sample s = { 0 };

                ins_init(&ins, &params, (uint64_t)k, 0);
                for (int i = 0; i <= 100; i++) {
                        body.pos_ned_m.x = i;
                        body.q_body_to_ned = quat_from_euler(0.0, 0.0, 0.01 * i);
                        s = measure();
                }
                north += (s.pos_ned_m.x - 100.0) * (s.pos_ned_m.x - 100.0) / n;
                down += s.pos_ned_m.z * s.pos_ned_m.z / n;
                yaw += (s.euler_rad.z - 1.0) * (s.euler_rad.z - 1.0) / n;
                ck_assert_double_eq_tol(s.euler_rad.x, 0.0, 1e-15);
        }
        ck_assert_double_eq_tol(sqrt(north) / 0.1, 1.0, 4.0 * sqrt(0.5 / n));
        ck_assert_double_eq_tol(sqrt(down) / 0.1, 1.0, 4.0 * sqrt(0.5 / n));
        ck_assert_double_eq_tol(sqrt(yaw) / 0.001, 1.0, 4.0 * sqrt(0.5 / n));
}

/* The document's a/p of the way, and a/p^2 of the turn. */
TEST(drift_is_a_constant_share_of_the_way)
{
        struct ins_sample s = { 0 };

        params.drifting = true;
        params.precision = 20.0;
        ins_init(&ins, &params, 3, 0);
        ck_assert_double_ne(ins.a, 0.0);
        for (int i = 0; i <= 1000; i++) {
                body.pos_ned_m.y = 0.1 * i;
                body.q_body_to_ned = quat_from_euler(0.0, 0.0, 0.001 * i);
                s = measure();
        }
        assert_near(s.pos_ned_m,
                    (struct vec3){ 100.0 * ins.a / 20.0, 100.0 + 100.0 * ins.a / 20.0,
                                   100.0 * ins.a / 20.0 },
                    1e-9);
        ck_assert_double_eq_tol(s.euler_rad.z, 1.0 + ins.a / 400.0, 1e-6);
}

TEST(a_is_uniform_within_a_half)
{
        double sum = 0.0, square = 0.0;
        const int n = 4000;

        for (int k = 0; k < n; k++) {
                ins_init(&ins, &params, (uint64_t)k, 0);
                ck_assert_double_lt(fabs(ins.a), 0.5);
                sum += ins.a / n;
                square += ins.a * ins.a / n;
        }
        ck_assert_double_eq_tol(sum, 0.0, 4.0 * sqrt(1.0 / 12.0 / n));
        ck_assert_double_eq_tol(square, 1.0 / 12.0, 0.004);
}

/* Through a half turn in a step the square root has nothing left. */
TEST(a_whirl_stays_finite)
{
        params.sigma = 1.0;
        for (int k = 0; k < 1000; k++) {
                struct ins_sample s;

                body.q_body_to_ned = quat_from_euler(3.0 * k, 1.0 * k, 2.0 * k);
                s = measure();
                ck_assert(isfinite(s.euler_rad.x) && isfinite(s.euler_rad.y) &&
                          isfinite(s.euler_rad.z));
        }
}
