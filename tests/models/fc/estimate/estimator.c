/* The estimator on motions that are known, without a vehicle: truth is written down, the
 * sensors measure it. */
#include <stdlib.h>

#include "models/fc/estimate/estimator.h"
#include "tests/models/fc/fc_flight.h"
#include "tests/suites.h"

/* Sensors on a body that is moved by hand. */
struct motion_rig {
        struct world world;
        struct sensors_params params;
        struct sensors sensors;
        struct fc_params fc;
        struct fc_estimator estimator;
        struct body_state truth;
        int64_t t_ns;
        bool on_ground;
        bool gps_stamps_delivery; /* instead of the time of its measurement */
};

static void rig_init(struct motion_rig *r, bool ideal, struct quat q)
{
        struct flight f;

        flight_init(&f, &md4_200, ideal, 1 * MS, 1, 0.0);
        memset(r, 0, sizeof *r);
        r->world = f.world;
        r->params = f.plant.sensors;
        r->fc = f.params;
        r->truth = (struct body_state){ .q_body_to_ned = q, .gravity_mps2 = 9.81 };
        r->on_ground = true;
        sensors_init(&r->sensors, &r->params, 1, 0);
        estimator_init(&r->estimator);
}

static void rig_fit_sonar(struct motion_rig *r)
{
        craft_sonar(&r->params);
        sensors_params_prepare(&r->params, 1 * MS);
        sensors_init(&r->sensors, &r->params, 1, 0);
}

static double rig_tick(struct motion_rig *r)
{
        static const struct vibration smooth;
        static const struct neighbours nobody;
        double nothing_m[SONARS_MAX];
        struct exposure e = { .t_ns = r->t_ns + 1 * MS,
                              .world = &r->world,
                              .others = &nobody,
                              .body = &r->truth,
                              .vibration = &smooth,
                              .real_range_m = nothing_m };

        for (int i = 0; i < SONARS_MAX; i++)
                nothing_m[i] = (double)INFINITY;
        r->t_ns = e.t_ns;
        r->sensors.latest.fresh = r->sensors.latest.fresh_sonars = 0;
        sensors_step(&r->sensors, &r->params, &e);
        if (r->gps_stamps_delivery && (r->sensors.latest.fresh & SENSOR_BIT(SENSOR_GPS)))
                r->sensors.latest.gps.t_ns = r->t_ns;
        return estimator_step(&r->estimator, &r->fc, &r->sensors.latest, r->on_ground);
}

static void rig_rest_until(struct motion_rig *r, double t_s)
{
        while ((double)r->t_ns * 1e-9 < t_s)
                rig_tick(r);
}

/* Angle of the rotation from one attitude to the other. */
static double apart_rad(struct quat a, struct quat b)
{
        struct quat d = quat_multiply(quat_conjugate(a), b);

        return 2.0 * asin(fmin(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), 1.0));
}

TEST_EACH(converges_from_a_tilted_and_rotated_start, 12)
{
        const double start_deg[][3] = { { 0, 0, 0 },       { 12, -9, 130 },
                                        { -25, 20, -170 }, { 40, 5, 91 },
                                        { -3, -45, -45 },  { 170, 10, 20 } };
        const double *a = start_deg[_i / 2];
        bool ideal = _i % 2 == 0;
        struct quat q = quat_from_euler(a[0] * DEG, a[1] * DEG, a[2] * DEG);
        struct motion_rig r;

        rig_init(&r, ideal, q);
        rig_rest_until(&r, 3.0);
        ck_assert(r.estimator.aligned);
        ck_assert_ptr_null(estimator_missing(&r.estimator));
        /* 0.17 m/s2 of accelerometer bias are a degree of tilt, and tilt turns the field's
         * steep part into heading. */
        ck_assert_double_lt(apart_rad(q, r.estimator.q_body_to_ned),
                            (ideal ? 0.01 : 4.0) * DEG);
}

TEST(gyro_bias_is_found_at_rest)
{
        struct motion_rig r;
        const double *bias = r.params.imu.gyro.bias;
        struct vec3 found;

        rig_init(&r, false, quat_from_euler(0.1, -0.05, 2.0));
        rig_rest_until(&r, 2.5);
        found = r.estimator.ahrs.gyro_bias_radps;
        ck_assert_double_eq_tol(found.x, bias[0], 0.02 * DEG);
        ck_assert_double_eq_tol(found.y, bias[1], 0.02 * DEG);
        ck_assert_double_eq_tol(found.z, bias[2], 0.02 * DEG);
}

TEST(gyro_bias_that_changes_later_is_followed)
{
        struct motion_rig r;
        struct vec3 found;

        rig_init(&r, true, quat_from_euler(0.0, 0.0, 0.5));
        rig_rest_until(&r, 3.0);
        for (int i = 0; i < 3; i++)
                r.params.imu.gyro.bias[i] = 0.3 * DEG;
        rig_rest_until(&r, 150.0);
        found = r.estimator.ahrs.gyro_bias_radps;
        ck_assert_double_eq_tol(found.x, 0.3 * DEG, 0.05 * DEG);
        ck_assert_double_eq_tol(found.y, 0.3 * DEG, 0.05 * DEG);
        ck_assert_double_eq_tol(found.z, 0.3 * DEG, 0.05 * DEG);
        ck_assert_double_lt(apart_rad(r.truth.q_body_to_ned, r.estimator.q_body_to_ned),
                            0.5 * DEG);
}

TEST(does_not_align_while_it_is_turned)
{
        struct motion_rig r;

        rig_init(&r, true, quat_from_euler(0.0, 0.0, 0.0));
        r.truth.rate_body_radps.z = 0.5;
        rig_rest_until(&r, 4.0);
        ck_assert(!r.estimator.aligned);
        ck_assert_str_eq(estimator_missing(&r.estimator), "waiting to stand still");
        r.truth.rate_body_radps.z = 0.0;
        rig_rest_until(&r, 7.0);
        ck_assert(r.estimator.aligned);
}

/* A second of 3 m/s2 north and 2 m/s2 up, then on at that speed. Returns the largest errors
 * of velocity and position on the way. */
static void fly_step(struct motion_rig *r, double *vel_mps, double *pos_m)
{
        const struct vec3 push = { 3.0, 0.0, -2.0 };

        *vel_mps = *pos_m = 0.0;
        r->on_ground = false;
        for (int i = 0; i < 5000; i++) {
                struct body_state *b = &r->truth;

                b->accel_ned_mps2 = i < 1000 ? push : (struct vec3){ 0.0, 0.0, 0.0 };
                b->pos_ned_m = vec3_axpy(b->pos_ned_m, 1e-3, b->vel_ned_mps);
                b->pos_ned_m = vec3_axpy(b->pos_ned_m, 0.5e-6, b->accel_ned_mps2);
                b->vel_ned_mps = vec3_axpy(b->vel_ned_mps, 1e-3, b->accel_ned_mps2);
                rig_tick(r);
                *vel_mps = fmax(*vel_mps, vec3_norm(vec3_sub(r->estimator.vel_ned_mps,
                                                             b->vel_ned_mps)));
                *pos_m = fmax(*pos_m,
                              vec3_norm(vec3_sub(r->estimator.pos_ned_m, b->pos_ned_m)));
        }
}

TEST(gps_delay_neither_tilts_nor_lags_the_estimate_in_a_step)
{
        struct motion_rig prompt, late;
        double vel_mps[2], pos_m[2];

        rig_init(&prompt, true, quat_from_euler(0.0, 0.0, 0.7));
        rig_init(&late, true, quat_from_euler(0.0, 0.0, 0.7));
        prompt.params.gps.schedule.delay_ns = 0;
        rig_rest_until(&prompt, 4.0);
        rig_rest_until(&late, 4.0);
        fly_step(&prompt, &vel_mps[0], &pos_m[0]);
        fly_step(&late, &vel_mps[1], &pos_m[1]);

        ck_assert_mem_eq(&prompt.estimator.q_body_to_ned, &late.estimator.q_body_to_ned,
                         sizeof late.estimator.q_body_to_ned);
        ck_assert_double_lt(
                apart_rad(late.truth.q_body_to_ned, late.estimator.q_body_to_ned),
                2.0 * DEG);
        /* Uncompensated, 0.2 s at 3 m/s would be 0.6 m, and 3 m/s2 would be 0.6 m/s. The
         * accelerometer's pull on the tilt costs the rest. */
        ck_assert_double_lt(vel_mps[0], 0.3);
        ck_assert_double_lt(vel_mps[1], 0.35);
        ck_assert_double_lt(fabs(pos_m[1] - pos_m[0]), 0.05);
        ck_assert_double_lt(pos_m[1], 0.4);
}

TEST(delay_that_the_sample_does_not_state_is_made_up_for)
{
        double vel_mps[2], pos_m[2];

        for (int known = 0; known < 2; known++) {
                struct motion_rig r;

                rig_init(&r, true, quat_from_euler(0.0, 0.0, 0.0));
                r.fc.accel_gain_per_s = 0.0; /* nothing but the delay errs */
                r.fc.gps_delay_s = known ? 0.2 : 0.0;
                r.gps_stamps_delivery = true;
                rig_rest_until(&r, 4.0);
                fly_step(&r, &vel_mps[known], &pos_m[known]);
        }
        ck_assert_double_gt(pos_m[0], 0.2);
        ck_assert_double_lt(pos_m[1], 0.02);
        ck_assert_double_lt(vel_mps[1], 0.02);
}

TEST(repeated_and_older_samples_change_nothing)
{
        struct motion_rig r;
        struct sensor_frame old, now;
        struct fc_estimator before;

        rig_init(&r, false, quat_from_euler(0.1, 0.1, 0.1));
        rig_rest_until(&r, 2.9);
        old = r.sensors.latest;
        rig_rest_until(&r, 3.25);
        now = r.sensors.latest;
        old.fresh = now.fresh = (1U << SENSOR_COUNT) - 1U;
        estimator_step(&r.estimator, &r.fc, &now, false);
        before = r.estimator;
        ck_assert_double_eq(estimator_step(&r.estimator, &r.fc, &now, false), 0.0);
        ck_assert_double_eq(estimator_step(&r.estimator, &r.fc, &old, false), 0.0);
        ck_assert_mem_eq(&r.estimator, &before, sizeof before);
}

TEST(samples_that_are_not_numbers_change_nothing)
{
        struct motion_rig r;
        struct sensor_frame bad;
        struct fc_estimator before;

        rig_init(&r, false, quat_from_euler(0.1, 0.1, 0.1));
        rig_rest_until(&r, 3.0);
        before = r.estimator;
        bad = r.sensors.latest;
        bad.fresh = (1U << SENSOR_COUNT) - 1U;
        bad.imu.t_ns = bad.gps.t_ns = bad.baro.t_ns = bad.mag.t_ns = bad.sonar[0].t_ns =
                r.t_ns + MS;
        bad.imu.gyro_body_radps.y = NAN;
        bad.gps.lon_rad = INFINITY;
        bad.baro.pressure_pa = NAN;
        bad.mag.field_body_t.z = -INFINITY;
        bad.sonar[0].range_m = NAN;
        bad.sonar[0].echo = true;
        bad.fresh_sonars = 1;
        estimator_step(&r.estimator, &r.fc, &bad, false);
        ck_assert_mem_eq(&r.estimator, &before, sizeof before);
}

TEST(sonars_other_than_the_first_are_not_used)
{
        struct motion_rig r;
        struct sensor_frame frame;
        struct fc_estimator before;

        rig_init(&r, false, quat_from_euler(0.0, 0.0, 0.0));
        rig_fit_sonar(&r);
        rig_rest_until(&r, 3.0);
        before = r.estimator;
        frame = r.sensors.latest;
        frame.fresh = SENSOR_BIT(SENSOR_SONAR);
        frame.fresh_sonars = 0xFFFE;
        for (int i = 0; i < SONARS_MAX; i++)
                frame.sonar[i] = (struct sonar_sample){ r.t_ns + MS, 0.3, true };
        estimator_step(&r.estimator, &r.fc, &frame, false);
        ck_assert_mem_eq(&r.estimator, &before, sizeof before);
        frame.fresh_sonars = 1;
        estimator_step(&r.estimator, &r.fc, &frame, false);
        ck_assert_mem_ne(&r.estimator, &before, sizeof before);
}

TEST(time_step_comes_from_the_imu_samples)
{
        struct motion_rig r;
        struct sensor_frame frame;

        rig_init(&r, true, quat_from_euler(0.0, 0.0, 0.0));
        rig_rest_until(&r, 3.0);
        frame = r.sensors.latest;
        frame.fresh = SENSOR_BIT(SENSOR_IMU);
        frame.imu.t_ns += 37 * MS;
        frame.t_ns += 1 * MS;
        ck_assert_double_eq_tol(estimator_step(&r.estimator, &r.fc, &frame, false), 0.037,
                                1e-12);
}

TEST(past_is_remembered_and_moves_with_a_correction)
{
        struct motion m = { 0 };
        struct motion_point then, now;

        m.now.vel_ned_mps.x = 2.0;
        for (int64_t t_ns = 1 * MS; t_ns <= 1000 * MS; t_ns += 1 * MS)
                motion_predict(&m, (struct vec3){ 0.0, 0.0, 0.0 }, t_ns);
        ck_assert(motion_at(&m, 703 * MS + 250000, &then));
        ck_assert_double_eq_tol(then.pos_ned_m.x, 2.0 * 0.70325, 1e-12);

        motion_correct(&m, 703 * MS + 250000, (struct vec3){ 0.1, 0.0, 0.0 },
                       (struct vec3){ 0.5, 0.0, 0.0 });
        ck_assert(motion_at(&m, 1000 * MS, &now));
        ck_assert_double_eq_tol(now.pos_ned_m.x, 2.1 + 0.5 * (1.0 - 0.70325), 1e-12);
        ck_assert_double_eq_tol(now.vel_ned_mps.x, 2.5, 1e-12);
        ck_assert(motion_at(&m, 900 * MS, &then));
        ck_assert_double_eq_tol(then.pos_ned_m.x, 1.9 + 0.5 * (0.9 - 0.70325), 1e-12);
        for (int64_t t_ns = 1001 * MS; t_ns <= 4000 * MS; t_ns += 1 * MS)
                motion_predict(&m, (struct vec3){ 0.0, 0.0, 0.0 }, t_ns);
        ck_assert(!motion_at(&m, 1000 * MS, &then));
}

TEST(sonar_tells_the_height_where_the_ground_is_higher)
{
        struct motion_rig r;

        rig_init(&r, true, quat_from_euler(0.0, 0.0, 0.0));
        rig_fit_sonar(&r);
        rig_rest_until(&r, 4.0);
        ck_assert_double_eq_tol(r.estimator.sonar_zero_m, 0.1, 0.02);
        r.on_ground = false;
        /* A metre up in two seconds, then the terrain rises by more than half of it. */
        for (int i = 0; i < 2000; i++) {
                struct body_state *b = &r.truth;

                b->accel_ned_mps2.z = i < 1000 ? -1.0 : 1.0;
                b->pos_ned_m.z += 1e-3 * b->vel_ned_mps.z;
                b->vel_ned_mps.z += 1e-3 * b->accel_ned_mps2.z;
                rig_tick(&r);
        }
        r.truth.accel_ned_mps2.z = 0.0;
        r.world.ground_down_m -= 0.6;
        rig_rest_until(&r, 14.0);
        ck_assert_double_eq_tol(estimator_height_m(&r.estimator, 0.0), 0.4, 0.05);
        ck_assert_double_eq_tol(r.estimator.pos_ned_m.z, -1.0, 0.1);
}
