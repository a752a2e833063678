/* Accelerometer and gyroscope: what they feel in flight, on the ground and on a
 * lever arm; that their noise belongs to them alone. */
#include <string.h>

#include "models/sensors/sensors.h"

#include "tests/models/near.h"
#include "tests/suites.h"

#define G 9.80665

static struct imu_params params;
static struct imu imu;
static struct vibration shaking;
static const struct world world = { .gravity_mps2 = G,
                                    .atmosphere = { 101325.0, 288.15 },
                                    .ground_down_m = 2.0 };
static const struct body_state level_at_rest = { .q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 },
                                                 .gravity_mps2 = G };

static void set_up(void)
{
        params = (struct imu_params){ .q_body_to_sensor = { 1.0, 0.0, 0.0, 0.0 } };
        error_params_ideal(&params.accel);
        error_params_ideal(&params.gyro);
        shaking = (struct vibration){ .accel_body_mps2 = { 0.0, 0.0, 0.0 } };
        imu_params_prepare(&params, 0.001);
        imu_init(&imu, &params, 1, 0);
}

FIXTURE(set_up, NULL)

static struct imu_sample measure(const struct body_state *truth)
{
        const struct exposure e = { .world = &world,
                                    .body = truth,
                                    .vibration = &shaking };
        struct imu_sample sample;

        imu_step(&imu, &params, &e, &sample);
        return sample;
}

TEST(imu_in_free_fall_reads_zero)
{
        struct body_state falling = level_at_rest;

        falling.q_body_to_ned = quat_from_euler(0.3, -0.7, 2.0);
        falling.accel_ned_mps2.z = G;
        assert_near(measure(&falling).accel_body_mps2, (struct vec3){ 0.0, 0.0, 0.0 },
                    1e-12);
}

TEST(imu_at_rest_reads_g_upwards)
{
        assert_near(measure(&level_at_rest).accel_body_mps2,
                    (struct vec3){ 0.0, 0.0, -G }, 1e-15);
        assert_near(measure(&level_at_rest).gyro_body_radps,
                    (struct vec3){ 0.0, 0.0, 0.0 }, 1e-15);
}

/* Nose up by 30 degrees, the x axis points above the horizon and feels half of g. */
TEST(tilted_imu_at_rest_shows_the_tilt)
{
        struct body_state tilted = level_at_rest;

        tilted.q_body_to_ned = quat_from_euler(0.0, M_PI / 6.0, 1.0);
        assert_near(measure(&tilted).accel_body_mps2,
                    (struct vec3){ 0.5 * G, 0.0, -G * sqrt(0.75) }, 1e-12);
        tilted.q_body_to_ned = quat_from_euler(M_PI / 6.0, 0.0, 1.0);
        assert_near(measure(&tilted).accel_body_mps2,
                    (struct vec3){ 0.0, -0.5 * G, -G * sqrt(0.75) }, 1e-12);
}

TEST(accelerating_north_is_felt_along_the_nose)
{
        struct body_state s = level_at_rest;

        s.accel_ned_mps2.x = 3.0;
        assert_near(measure(&s).accel_body_mps2, (struct vec3){ 3.0, 0.0, -G }, 1e-12);
        s.q_body_to_ned = quat_from_euler(0.0, 0.0, M_PI / 2.0); /* nose to the east */
        assert_near(measure(&s).accel_body_mps2, (struct vec3){ 0.0, -3.0, -G }, 1e-12);
}

TEST(spinning_lever_arm_feels_w_squared_r_inwards)
{
        struct body_state s = level_at_rest;

        params.lever_arm_body_m = (struct vec3){ 0.2, 0.0, 0.1 };
        s.rate_body_radps.z = 12.0;
        assert_near(measure(&s).accel_body_mps2,
                    (struct vec3){ -12.0 * 12.0 * 0.2, 0.0, -G }, 1e-9);
}

TEST(speeding_up_is_felt_along_the_circle)
{
        struct body_state s = level_at_rest;

        params.lever_arm_body_m = (struct vec3){ 0.2, 0.0, 0.1 };
        s.rate_dot_body_radps2.z = 5.0;
        assert_near(measure(&s).accel_body_mps2, (struct vec3){ 0.0, 5.0 * 0.2, -G },
                    1e-12);
}

/* A body that spins up about a tilted axis while it flies a parabola of its own. */
static struct body_state tumbling(double t_s)
{
        const struct vec3 axis = { 2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0 };
        const struct vec3 vel_mps = { 4.0, -2.0, 1.0 }, accel_mps2 = { 1.0, 7.0, -3.0 };
        double rate_radps = 3.0 + 8.0 * t_s, half = 0.5 * (3.0 * t_s + 4.0 * t_s * t_s);
        struct quat spin = { cos(half), sin(half) * axis.x, sin(half) * axis.y,
                             sin(half) * axis.z };
        struct body_state s = level_at_rest;

        s.pos_ned_m = vec3_axpy(vec3_scale(t_s, vel_mps), 0.5 * t_s * t_s, accel_mps2);
        s.accel_ned_mps2 = accel_mps2;
        s.q_body_to_ned = quat_multiply(quat_from_euler(0.4, 0.2, -1.0), spin);
        s.rate_body_radps = vec3_scale(rate_radps, axis);
        s.rate_dot_body_radps2 = vec3_scale(8.0, axis);
        return s;
}

static struct vec3 sensor_pos(double t_s)
{
        struct body_state s = tumbling(t_s);

        return vec3_add(s.pos_ned_m,
                        quat_rotate(s.q_body_to_ned, params.lever_arm_body_m));
}

/* The other route: differentiate the sensor's own path twice. */
TEST(lever_arm_agrees_with_the_path_of_the_sensor)
{
        const double h = 1e-4;

        params.lever_arm_body_m = (struct vec3){ 0.13, -0.07, 0.21 };
        for (double t_s = 0.0; t_s < 2.0; t_s += 0.05) {
                struct body_state s = tumbling(t_s);
                struct vec3 felt = vec3_add(sensor_pos(t_s - h), sensor_pos(t_s + h));

                felt = vec3_scale(1.0 / (h * h), vec3_axpy(felt, -2.0, sensor_pos(t_s)));
                felt.z -= G;
                assert_near(measure(&s).accel_body_mps2,
                            quat_rotate_inverse(s.q_body_to_ned, felt), 2e-5);
        }
}

/* As if the body moved so: on the frame nothing tells one from the other. */
TEST(vibration_is_felt_as_motion_is)
{
        struct body_state still = level_at_rest, moving = level_at_rest;
        struct imu_sample a, b;

        params.lever_arm_body_m = (struct vec3){ 0.13, -0.07, 0.21 };
        still.rate_body_radps = (struct vec3){ 1.0, -2.0, 0.5 };
        still.q_body_to_ned = moving.q_body_to_ned = quat_from_euler(0.3, -0.2, 1.0);
        shaking = (struct vibration){ { 3.0, -4.0, 5.0 },
                                      { 0.2, 0.1, -0.3 },
                                      { 30.0, -60.0, 90.0 } };
        a = measure(&still);
        moving.rate_body_radps = vec3_add(still.rate_body_radps, shaking.rate_body_radps);
        moving.rate_dot_body_radps2 = shaking.rate_dot_body_radps2;
        moving.accel_ned_mps2 =
                quat_rotate(moving.q_body_to_ned, shaking.accel_body_mps2);
        shaking = (struct vibration){ .accel_body_mps2 = { 0.0, 0.0, 0.0 } };
        b = measure(&moving);
        assert_near(a.accel_body_mps2, b.accel_body_mps2, 1e-12);
        assert_near(a.gyro_body_radps, b.gyro_body_radps, 1e-15);
        b = measure(&still);
        ck_assert_double_gt(vec3_norm(vec3_sub(a.accel_body_mps2, b.accel_body_mps2)),
                            5.0);
}

TEST(mounting_turns_both_sensors)
{
        struct body_state s = level_at_rest;

        /* Turned by 90 degrees about down: the sensor's x lies along the body's y. */
        params.q_body_to_sensor = quat_conjugate(quat_from_euler(0.0, 0.0, M_PI / 2.0));
        s.accel_ned_mps2 = (struct vec3){ 1.0, 2.0, 0.0 };
        s.rate_body_radps = (struct vec3){ 0.1, 0.2, 0.3 };
        assert_near(measure(&s).accel_body_mps2, (struct vec3){ 2.0, -1.0, -G }, 1e-12);
        assert_near(measure(&s).gyro_body_radps, (struct vec3){ 0.2, -0.1, 0.3 }, 1e-12);
}

TEST(upside_down_mounting_reads_g_downwards)
{
        params.q_body_to_sensor = quat_from_euler(M_PI, 0.0, 0.0);
        assert_near(measure(&level_at_rest).accel_body_mps2, (struct vec3){ 0.0, 0.0, G },
                    1e-12);
}

/* Errors are the chip's: they act in its own axes. */
TEST(errors_come_after_the_mounting)
{
        struct body_state s = level_at_rest;

        params.q_body_to_sensor = quat_conjugate(quat_from_euler(0.0, 0.0, M_PI / 2.0));
        params.gyro.bias[0] = 1.0;
        params.gyro.scale[0][0] = 2.0;
        imu_params_prepare(&params, 0.001);
        s.rate_body_radps = (struct vec3){ 0.1, 0.2, 0.3 };
        assert_near(measure(&s).gyro_body_radps, (struct vec3){ 1.4, -0.1, 0.3 }, 1e-12);
}

TEST(accelerometer_saturates_at_its_range)
{
        struct body_state s = level_at_rest;

        params.accel.min = -16.0 * G;
        params.accel.max = 16.0 * G;
        s.accel_ned_mps2 = (struct vec3){ 500.0, -500.0, 0.0 };
        assert_near(measure(&s).accel_body_mps2, (struct vec3){ 16.0 * G, -16.0 * G, -G },
                    1e-15);
}

TEST(every_axis_has_noise_of_its_own)
{
        struct imu_sample s;

        for (int i = 0; i < 3; i++)
                params.accel.sigma[i] = params.gyro.sigma[i] = 1.0;
        imu_params_prepare(&params, 0.001);
        s = measure(&level_at_rest);

        double noise[6] = { s.accel_body_mps2.x,     s.accel_body_mps2.y,
                            s.accel_body_mps2.z + G, s.gyro_body_radps.x,
                            s.gyro_body_radps.y,     s.gyro_body_radps.z };

        for (int i = 0; i < 6; i++)
                for (int j = 0; j < i; j++)
                        ck_assert_double_gt(fabs(noise[i] - noise[j]), 1e-6);
}

static struct error_params noisy(double sigma)
{
        struct error_params p;

        error_params_ideal(&p);
        p.sigma[0] = p.sigma[1] = p.sigma[2] = sigma;
        return p;
}

static struct sensors_params all_fitted(void)
{
        const struct schedule_params every_ms = { .period_ns = 1000000 };
        const struct quat straight = { 1.0, 0.0, 0.0, 0.0 };
        struct sensors_params p = {
                .imu = { .schedule = every_ms,
                         .q_body_to_sensor = straight,
                         .accel = noisy(0.1),
                         .gyro = noisy(0.01) },
                .gps = { .schedule = every_ms,
                         .position = noisy(1.0),
                         .velocity = noisy(0.1),
                         .satellites = 9 },
                .baro = { .schedule = every_ms,
                          .pressure = noisy(3.0),
                          .temperature = noisy(0.1) },
                .mag = { .schedule = every_ms,
                         .q_body_to_sensor = straight,
                         .field = noisy(1e-7) },
                .sonar = { .count = 1,
                           .unit = { { .schedule = every_ms,
                                       .axis_body = { 0.0, 0.0, 1.0 },
                                       .rays = 1,
                                       .beam_max_m = 5.0,
                                       .range = noisy(0.01) } } },
                .flow = { .schedule = every_ms,
                          .q_body_to_sensor = straight,
                          .range_max_m = 10.0,
                          .rate_max_radps = 5.0,
                          .scale = { 1.0, 1.0 },
                          .sigma_rad = 0.01 },
                .power = { .schedule = every_ms,
                           .voltage = noisy(0.1),
                           .current = noisy(0.1) },
                .ins = { .schedule = every_ms, .sigma = 0.1, .precision = 10.0 },
                .relative = { .schedule = every_ms,
                              .ranging = true,
                              .range = noisy(0.1) },
        };

        for (int i = 0; i < 3; i++) {
                p.imu.accel_axes.turn_on[i] = p.imu.gyro_axes.turn_on[i] = 0.01;
                p.imu.accel_axes.density[i] = p.imu.gyro_axes.density[i] = 1e-3;
                p.imu.accel_axes.instability[i] = p.imu.gyro_axes.walk[i] = 1e-3;
        }
        p.imu.gyro_axes.bandwidth_hz = 100.0;
        return p;
}

static struct sensors_params imu_alone(void)
{
        struct sensors_params p = all_fitted(), lone = { .imu = p.imu };

        return lone;
}

TEST(other_sensors_do_not_change_the_noise)
{
        static const double nothing_m[SONARS_MAX] = { INFINITY };
        static struct sensors_params full, lone;
        static struct sensors together, alone;
        struct exposure e = { .world = &world,
                              .body = &level_at_rest,
                              .vibration = &shaking,
                              .real_range_m = nothing_m };

        full = all_fitted();
        lone = imu_alone();
        sensors_params_prepare(&full, 1000000);
        sensors_params_prepare(&lone, 1000000);
        sensors_init(&together, &full, 8, 3);
        sensors_init(&alone, &lone, 8, 3);
        for (; e.t_ns < 200000000; e.t_ns += 1000000) {
                together.latest.fresh = alone.latest.fresh = 0;
                sensors_step(&together, &full, &e);
                sensors_step(&alone, &lone, &e);
                ck_assert_uint_eq(together.latest.fresh, SENSOR_BIT(SENSOR_COUNT) - 1);
                ck_assert_uint_eq(alone.latest.fresh, SENSOR_BIT(SENSOR_IMU));
                ck_assert_mem_eq(&together.latest.imu, &alone.latest.imu,
                                 sizeof alone.latest.imu);
        }
}

/* FNV-1a over the bits of 2000 samples of a tumbling body, from gcc 12 at -O0. Any
 * other compiler or level must agree. */
TEST(samples_are_the_same_bits_from_every_compiler)
{
        uint64_t hash = 0xcbf29ce484222325U;

        params.accel = noisy(0.02);
        params.gyro = noisy(0.001);
        params.accel.lsb = G / 2048.0;
        params.accel.scale[0][1] = 0.003;
        params.gyro.bias[2] = 0.01;
        params.lever_arm_body_m = (struct vec3){ 0.01, -0.02, 0.03 };
        imu_params_prepare(&params, 0.001);
        for (int n = 0; n < 2000; n++) {
                struct body_state s = level_at_rest;
                uint64_t bits[6];
                struct imu_sample sample;

                s.q_body_to_ned =
                        quat_normalise((struct quat){ 1.0, n * 1e-3, -n * 2e-3, 0.5 });
                s.rate_body_radps = (struct vec3){ n * 0.01, 1.0 / (n + 3), -2.0 };
                s.rate_dot_body_radps2 = (struct vec3){ 1.0, -n / 7.0, 3.0 };
                sample = measure(&s);
                memcpy(&bits[0], &sample.accel_body_mps2, 24);
                memcpy(&bits[3], &sample.gyro_body_radps, 24);
                for (int i = 0; i < 6; i++)
                        hash = (hash ^ bits[i]) * 0x100000001b3U;
        }
        ck_assert_uint_eq(hash, 0xb9768616a6d68cb3U);
}
