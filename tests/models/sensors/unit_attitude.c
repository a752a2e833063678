/* What an inertial unit makes of its own samples about its attitude. */
#include "models/sensors/unit_attitude.h"
#include "tests/suites.h"

#define MS INT64_C(1000000)

static const struct vec3 field_t = { 21e-6, 0.0, 43e-6 }, up = { 0.0, 0.0, -9.80665 };

/* A millisecond in which it truly is q and turns at rate. */
static void measure(struct unit_attitude *a, struct sensor_frame *f, struct quat q,
                    struct vec3 rate)
{
        f->fresh = SENSOR_BIT(SENSOR_IMU) | SENSOR_BIT(SENSOR_MAG);
        f->imu.t_ns += MS;
        f->imu.accel_body_mps2 = quat_rotate_inverse(q, up);
        f->imu.gyro_body_radps = rate;
        f->mag.field_body_t = quat_rotate_inverse(q, field_t);
        unit_attitude_step(a, f);
}

static double apart_rad(struct quat a, struct quat b)
{
        return 2.0 * acos(fmin(fabs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z), 1.0));
}

TEST(the_first_sample_levels_it)
{
        struct quat q = quat_from_euler(0.35, -0.2, 1.1);
        struct unit_attitude a = { 0 };
        struct sensor_frame f = { 0 };

        f.fresh = SENSOR_BIT(SENSOR_MAG);
        unit_attitude_step(&a, &f);
        ck_assert(!a.set);
        measure(&a, &f, q, (struct vec3){ 0 });
        ck_assert(a.set);
        ck_assert_double_lt(apart_rad(a.q_body_to_ned, q), 1e-7);
}

TEST(it_turns_with_its_gyroscope_and_comes_back_to_gravity_and_north)
{
        struct quat q = { 1.0, 0.0, 0.0, 0.0 };
        struct vec3 rate = { 0.3, -0.2, 0.6 };
        struct unit_attitude a = { 0 };
        struct sensor_frame f = { 0 };
        double before;

        measure(&a, &f, q, (struct vec3){ 0 });
        for (int i = 0; i < 2000; i++) {
                q = quat_normalise(quat_axpy(q, 1e-3, quat_rate(q, rate)));
                measure(&a, &f, q, rate);
        }
        ck_assert_double_lt(apart_rad(a.q_body_to_ned, q), 2e-3);
        /* Turned while it did not look. */
        q = quat_multiply(q, quat_from_euler(0.1, 0.0, 0.0));
        before = apart_rad(a.q_body_to_ned, q);
        ck_assert_double_gt(before, 0.098);
        for (int i = 0; i < 20000; i++)
                measure(&a, &f, q, (struct vec3){ 0 });
        ck_assert_double_lt(apart_rad(a.q_body_to_ned, q), 0.01 * before);
}

TEST(what_is_no_number_adds_nothing)
{
        struct quat q = quat_from_euler(0.1, 0.2, -0.3);
        struct unit_attitude a = { 0 };
        struct sensor_frame f = { 0 };

        measure(&a, &f, q, (struct vec3){ 0 });
        measure(&a, &f, q, (struct vec3){ NAN, 0.0, 0.0 });
        f.imu.accel_body_mps2.x = INFINITY;
        f.imu.gyro_body_radps.x = 0.0;
        unit_attitude_step(&a, &f);
        ck_assert(a.set);
        ck_assert_double_lt(apart_rad(a.q_body_to_ned, q), 1e-7);
}
