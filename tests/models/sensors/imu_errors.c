/* What an IMU makes of the truth: the order of its errors, its bandwidth, and what
 * its noise, drift and temperature are in its samples. Statistics within four
 * standard errors. */
#include <string.h>

#include "models/sensors/imu.h"

#include "tests/suites.h"

#define G      9.80665
#define STEP_S 0.001

static struct imu_params params;
static struct imu imu;
static struct vibration shaking;
static struct body_state still;
static struct world world;
static struct exposure e;

static void set_up(void)
{
        world = (struct world){ .gravity_mps2 = G,
                                .atmosphere = { 101325.0, IMU_REFERENCE_K } };
        still = (struct body_state){ .q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 },
                                     .gravity_mps2 = G };
        shaking = (struct vibration){ .accel_body_mps2 = { 0.0, 0.0, 0.0 } };
        e = (struct exposure){ .world = &world, .body = &still, .vibration = &shaking };
        params = (struct imu_params){ .schedule.period_ns = 1000000,
                                      .q_body_to_sensor = { 1.0, 0.0, 0.0, 0.0 } };
        error_params_ideal(&params.accel);
        error_params_ideal(&params.gyro);
}

FIXTURE(set_up, NULL)

static void start(uint64_t seed)
{
        imu_params_prepare(&params, STEP_S);
        imu_init(&imu, &params, seed, 0);
}

static struct imu_sample measure(void)
{
        struct imu_sample sample;

        if (imu_follows(&params))
                imu_follow(&imu, &params, &e);
        imu_step(&imu, &params, &e, &sample);
        return sample;
}

static void fill(double axis[3], double value)
{
        axis[0] = axis[1] = axis[2] = value;
}

/* Every error of the x axis of the gyroscope that can be had exactly, one after the
 * other. */
TEST(errors_come_in_their_order)
{
        double x;

        still.rate_body_radps = (struct vec3){ 1.0, 2.0, 0.0 };
        params.gyro.scale[0][0] = 1.5;
        params.gyro.scale[0][1] = 0.25; /* 1.5 + 0.5 = 2 */
        params.gyro_axes.scale_per_k[0] = 0.01; /* of 10 K: 2.2 */
        params.g_sensitivity[0][2] = -0.01; /* of -g: 2.2 + 0.0980665 */
        params.gyro.bias[0] = 0.5;
        params.gyro_axes.bias_per_k[0] = 0.02; /* 0.2 */
        params.gyro.lsb = 0.25; /* 2.9980665: 3 */
        params.gyro.min = -2.75;
        params.gyro.max = 2.75;
        world.atmosphere.sea_level_temperature_k = IMU_REFERENCE_K + 10.0;
        start(1);
        ck_assert_double_eq(measure().gyro_body_radps.x, 2.75);
        params.gyro.max = 100.0;
        ck_assert_double_eq(measure().gyro_body_radps.x, 3.0);
        params.gyro.lsb = 0.0;
        x = measure().gyro_body_radps.x;
        ck_assert_double_eq_tol(x, 2.2 + 0.0980665 + 0.7, 1e-12);
}

/* The gyroscope's x at this turn rate. */
static double turned(double radps)
{
        still.rate_body_radps.x = radps;
        return measure().gyro_body_radps.x;
}

TEST(asymmetry_is_the_difference_of_the_scales_over_their_mean)
{
        params.gyro_axes.asymmetry[0] = 0.02;
        start(1);
        for (double w = 0.1; w < 40.0; w *= 1.3) {
                double above = turned(w) / w, below = turned(-w) / -w;

                ck_assert_double_eq_tol(above - below, 0.02, 1e-12);
                ck_assert_double_eq_tol(0.5 * (above + below), 1.0, 1e-12);
        }
}

/* An even and an odd part, each the share of the range at its end, and no slope at 0. */
TEST(nonlinearity_is_a_square_and_a_cube_of_the_range)
{
        const double range = 35.0;

        params.gyro.min = -range;
        params.gyro.max = INFINITY;
        params.gyro_axes.square[0] = 0.003;
        params.gyro_axes.cube[0] = -0.007;
        start(1);
        for (double share = 0.0; share <= 1.0; share += 0.05) {
                double up = turned(share * range) - share * range;
                double down = turned(-share * range) + share * range;
                double even = 0.5 * (up + down), odd = 0.5 * (up - down);

                ck_assert_double_eq_tol(even, 0.003 * range * pow(share, 2.0), 1e-12);
                ck_assert_double_eq_tol(odd, -0.007 * range * pow(share, 3.0), 1e-12);
        }
}

/* Else a hard stop would show the wrong way round. */
TEST(past_the_range_the_curve_turns_nothing_back)
{
        double before = 0.0;

        params.gyro.min = -35.0;
        params.gyro.max = INFINITY;
        fill(params.gyro_axes.cube, -0.2);
        start(1);
        for (double w = 1.0; w < 1000.0; w += 1.0) {
                double now = turned(w);

                ck_assert_double_gt(now, before);
                before = now;
        }
}

TEST(in_the_dead_zone_it_says_nothing_and_outside_all_of_it)
{
        params.gyro_axes.dead_zone[0] = 0.0104;
        params.gyro.lsb = 0.001;
        start(1);
        ck_assert_double_eq(turned(0.0103), 0.0);
        ck_assert_double_eq(turned(-0.0103), 0.0);
        /* Before the rounding: 0.0103 and 0.0105 would both be 0.010. */
        ck_assert_double_eq_tol(turned(0.01045), 0.010, 1e-15);
        ck_assert_double_eq_tol(turned(-0.01045), -0.010, 1e-15);
        still.rate_body_radps.y = 0.002;
        ck_assert_double_eq_tol(measure().gyro_body_radps.y, 0.002, 1e-15);
        ck_assert_double_eq_tol(measure().accel_body_mps2.z, -G, 1e-12);
}

/* The accelerometer has its own. */
TEST(the_accelerometer_bends_by_itself)
{
        params.accel.min = -2.0 * G;
        params.accel_axes.square[2] = 0.01;
        params.accel_axes.asymmetry[2] = -0.1;
        params.accel_axes.dead_zone[2] = 0.5 * G;
        still.rate_body_radps.x = 0.01;
        start(1);
        /* -1 g, a half of the range: 5 % steeper below 0, and a quarter of 1 % of 2 g. */
        ck_assert_double_eq_tol(measure().accel_body_mps2.z, -1.05 * G + 0.005 * G,
                                1e-12);
        ck_assert_double_eq(measure().gyro_body_radps.x, 0.01);
        still.accel_ned_mps2.z = 0.6 * G;
        ck_assert_double_eq(measure().accel_body_mps2.z, 0.0);
}

TEST(specific_force_on_the_gyroscope_is_in_its_own_axes)
{
        struct imu_sample s;

        params.g_sensitivity[0][1] = 0.003;
        params.g_sensitivity[2][2] = 0.01;
        params.q_body_to_sensor = quat_conjugate(quat_from_euler(0.0, 0.0, M_PI / 2.0));
        still.accel_ned_mps2 = (struct vec3){ 2.0, 0.0, 0.0 }; /* along the sensor's -y */
        start(1);
        s = measure();
        ck_assert_double_eq_tol(s.gyro_body_radps.x, -0.006, 1e-12);
        ck_assert_double_eq_tol(s.gyro_body_radps.y, 0.0, 1e-12);
        ck_assert_double_eq_tol(s.gyro_body_radps.z, -0.01 * G, 1e-12);
}

/* A push is felt by the gyroscope as late as a turn is. */
TEST(specific_force_on_the_gyroscope_passes_its_bandwidth)
{
        struct imu_sample s;

        params.g_sensitivity[0][0] = 1.0;
        params.gyro_axes.bandwidth_hz = 20.0;
        start(1);
        measure();
        still.accel_ned_mps2.x = still.rate_body_radps.y = 1.0;
        for (int n = 0; n < 100; n++) {
                s = measure();
                ck_assert_double_eq_tol(s.accel_body_mps2.x, 1.0, 1e-12);
                ck_assert_double_eq_tol(s.gyro_body_radps.x, s.gyro_body_radps.y, 1e-12);
                if (n == 0)
                        ck_assert_double_lt(s.gyro_body_radps.x, 0.01);
        }
        ck_assert_double_gt(s.gyro_body_radps.x, 0.9);
}

/* Amplitude of the accelerometer's x while the frame shakes at f, in m/s^2, sampled
 * at rate_hz: by correlation at the frequency where it shows. */
static double shaken(double f_hz, double at_hz, int rate_hz, int first_rate)
{
        double re = 0.0, im = 0.0;
        int n = 0, steps = 1000 / rate_hz;

        for (int k = 0; k < 6000; k++) {
                double t_s = k * STEP_S;
                struct imu_sample s;

                shaking.accel_body_mps2.x = cos(2.0 * M_PI * f_hz * t_s);
                if (imu_follows(&params))
                        imu_follow(&imu, &params, &e);
                if (k % steps != 0 || k < first_rate)
                        continue;
                imu_step(&imu, &params, &e, &s);
                re += s.accel_body_mps2.x * cos(2.0 * M_PI * at_hz * t_s);
                im += s.accel_body_mps2.x * sin(2.0 * M_PI * at_hz * t_s);
                n++;
        }
        return 2.0 * sqrt(re * re + im * im) / n;
}

TEST(vibration_shows_with_its_amplitude_and_frequency)
{
        start(1);
        ck_assert_double_eq_tol(shaken(80.0, 80.0, 1000, 1000), 1.0, 1e-9);
        ck_assert_double_lt(shaken(80.0, 90.0, 1000, 1000), 1e-9);
}

/* 83 Hz sampled at 100 Hz without a filter is 17 Hz. */
TEST(vibration_above_half_the_rate_is_folded)
{
        params.schedule.period_ns = 10000000;
        start(1);
        ck_assert_double_eq_tol(shaken(83.0, 17.0, 100, 1000), 1.0, 1e-9);
}

TEST(bandwidth_is_3_db_down_at_the_plants_rate)
{
        params.accel_axes.bandwidth_hz = 94.0;
        start(1);
        ck_assert_double_eq_tol(shaken(94.0, 94.0, 1000, 1000), M_SQRT1_2, 1e-9);
}

/* The filter is before the sampling: 83 Hz, 15 dB down, still folds. */
TEST(bandwidth_comes_before_the_folding)
{
        double w = tan(M_PI * 0.083) / tan(M_PI * 0.035);

        params.accel_axes.bandwidth_hz = 35.0;
        params.schedule.period_ns = 10000000;
        start(1);
        ck_assert_double_eq_tol(shaken(83.0, 17.0, 100, 1000),
                                1.0 / sqrt(1.0 + w * w * w * w), 1e-9);
}

TEST(a_sensor_without_bandwidth_follows_at_once_beside_one_with)
{
        struct imu_sample s;

        params.gyro_axes.bandwidth_hz = 20.0;
        start(1);
        measure();
        still.rate_body_radps.x = 1.0;
        still.accel_ned_mps2.x = 1.0;
        s = measure();
        ck_assert_double_eq_tol(s.accel_body_mps2.x, 1.0, 1e-12);
        ck_assert_double_lt(s.gyro_body_radps.x, 0.01);
        ck_assert_double_gt(s.gyro_body_radps.x, 0.0);
        for (int n = 0; n < 500; n++)
                s = measure();
        ck_assert_double_eq_tol(s.gyro_body_radps.x, 1.0, 1e-9);
}

TEST(standing_still_it_starts_without_a_transient)
{
        params.accel_axes.bandwidth_hz = params.gyro_axes.bandwidth_hz = 42.0;
        start(1);
        for (int n = 0; n < 200; n++)
                ck_assert_double_eq_tol(measure().accel_body_mps2.z, -G, 1e-12);
}

/* Mean square of the gyroscope's x over the expected one. */
static double noise_power(double expected, int samples)
{
        double sum = 0.0;

        for (int n = 0; n < samples; n++) {
                double x = measure().gyro_body_radps.x;

                sum += x * x;
        }
        return sum / samples / expected;
}

TEST(density_fills_half_the_rate_without_a_bandwidth)
{
        fill(params.gyro_axes.density, 3.0);
        start(4);
        ck_assert_double_eq_tol(noise_power(9.0 * 500.0, 200000), 1.0,
                                4.0 * sqrt(2.0 / 200000));
}

/* 1.1107 f_c; samples within 1/(2 f_c) of each other are not independent. */
TEST(density_fills_the_noise_bandwidth_of_a_bandwidth)
{
        fill(params.gyro_axes.density, 3.0);
        params.gyro_axes.bandwidth_hz = 20.0;
        start(4);
        ck_assert_double_eq_tol(noise_power(9.0 * 1.1107 * 20.0, 400000), 1.0,
                                4.0 * sqrt(2.0 / (400000 * 0.04)) + 0.003);
}

/* An MPU-6000's 188 Hz read at 100 Hz: 209 Hz of noise, folded, and white. */
TEST(density_beyond_half_the_rate_is_folded)
{
        double before = 0.0, product = 0.0, variance = 9.0 * 1.1107 * 188.0;

        fill(params.gyro_axes.density, 3.0);
        params.gyro_axes.bandwidth_hz = 188.0;
        params.schedule.period_ns = 10000000;
        start(4);
        ck_assert_double_eq_tol(noise_power(variance, 100000), 1.0,
                                4.0 * sqrt(2.0 / 100000));
        for (int n = 0; n < 100000; n++) {
                double x = measure().gyro_body_radps.x;

                product += x * before;
                before = x;
        }
        ck_assert_double_lt(fabs(product) / 100000 / variance, 4.0 / sqrt(100000));
}

TEST(sigma_adds_to_the_density_in_square_whatever_the_bandwidth)
{
        fill(params.gyro_axes.density, 0.1);
        fill(params.gyro.sigma, 2.0);
        start(4);
        ck_assert_double_eq_tol(noise_power(4.0 + 0.01 * 500.0, 200000), 1.0,
                                4.0 * sqrt(2.0 / 200000));
        params.gyro_axes.bandwidth_hz = 50.0;
        start(4);
        ck_assert_double_eq_tol(noise_power(4.0 + 0.01 * 1.1107 * 50.0, 200000), 1.0,
                                4.0 * sqrt(2.0 / 200000) + 0.002);
}

/* Angle random walk N = density/sqrt(2): Allan deviation N/sqrt(tau), with and
 * without a bandwidth. */
TEST(density_is_sqrt_2_times_the_angle_random_walk)
{
        for (int limited = 0; limited < 2; limited++) {
                double square = 0.0, before = 0.0;

                fill(params.gyro_axes.density, 0.005);
                params.gyro_axes.bandwidth_hz = limited ? 98.0 : 0.0;
                start(2);
                for (int cluster = 0; cluster < 4000; cluster++) {
                        double sum = 0.0;

                        for (int n = 0; n < 200; n++)
                                sum += measure().gyro_body_radps.x / 200.0;
                        if (cluster > 0)
                                square += 0.5 * (sum - before) * (sum - before);
                        before = sum;
                }
                ck_assert_double_eq_tol(sqrt(square / 3999.0) /
                                                (0.005 / M_SQRT2 / sqrt(0.2)),
                                        1.0, 4.0 * 0.5 * sqrt(3.0 / 4000) + 0.005);
        }
}

TEST(every_start_draws_its_bias)
{
        enum { RUNS = 4000 };
        double sum[2] = { 0.0 }, square[2] = { 0.0 }, product = 0.0;

        fill(params.accel_axes.turn_on, 0.2);
        fill(params.gyro_axes.turn_on, 3.0);
        for (uint64_t seed = 0; seed < RUNS; seed++) {
                struct imu_sample s;
                double x, z;

                start(seed);
                s = measure();
                x = s.accel_body_mps2.x / 0.2;
                z = s.gyro_body_radps.z / 3.0;
                ck_assert_double_eq(measure().gyro_body_radps.z, s.gyro_body_radps.z);
                sum[0] += x;
                sum[1] += z;
                square[0] += x * x;
                square[1] += z * z;
                product += x * z;
        }
        for (int i = 0; i < 2; i++) {
                ck_assert_double_lt(fabs(sum[i]) / RUNS, 4.0 / sqrt(RUNS));
                ck_assert_double_eq_tol(square[i] / RUNS, 1.0, 4.0 * sqrt(2.0 / RUNS));
        }
        ck_assert_double_lt(fabs(product) / RUNS, 4.0 / sqrt(RUNS));
}

TEST(bias_follows_the_air_as_it_climbs)
{
        params.accel_axes.bias_per_k[1] = 0.01;
        start(1);
        ck_assert_double_eq_tol(measure().accel_body_mps2.y, 0.0, 1e-12);
        still.pos_ned_m.z = -1000.0; /* 6.5 K colder */
        ck_assert_double_eq_tol(measure().accel_body_mps2.y, -0.065, 1e-6);
}

TEST(it_warms_itself_up_with_its_time_constant)
{
        struct imu_sample s;

        params.gyro_axes.bias_per_k[0] = 1.0;
        params.self_heating_k = 20.0;
        params.warm_up_s = 2.0;
        start(1);
        ck_assert_double_eq_tol(measure().gyro_body_radps.x, 0.0, 1e-9);
        for (int n = 0; n < 2000; n++)
                s = measure();
        ck_assert_double_eq_tol(s.gyro_body_radps.x, 20.0 * (1.0 - exp(-1.0)), 1e-9);
        params.warm_up_s = 0.0;
        start(1);
        ck_assert_double_eq_tol(measure().gyro_body_radps.x, 20.0, 1e-9);
}

TEST(drift_is_in_the_samples)
{
        struct imu_sample s;
        double first;

        fill(params.gyro_axes.instability, 1.0);
        fill(params.accel_axes.walk, 1.0);
        start(3);
        first = measure().gyro_body_radps.x;
        ck_assert_double_gt(fabs(first), 1e-3);
        for (int n = 0; n < 1000; n++) {
                s = measure();
                ck_assert_double_eq(s.gyro_body_radps.x - imu.drift.sum[3], 0.0);
                ck_assert_double_eq(s.accel_body_mps2.x - imu.drift.sum[0], 0.0);
        }
        ck_assert_double_gt(fabs(s.gyro_body_radps.x - first), 1e-3);
        ck_assert_double_gt(fabs(s.accel_body_mps2.x), 1e-3);
}

TEST(saturated_axes_are_flat_under_noise)
{
        fill(params.accel.sigma, 0.01);
        params.accel.lsb = G / 2048.0;
        params.accel.min = -16.0 * G;
        params.accel.max = 32767.0 * G / 2048.0;
        still.accel_ned_mps2 = (struct vec3){ 500.0, -500.0, 0.0 };
        start(1);
        for (int n = 0; n < 1000; n++) {
                struct imu_sample s = measure();

                ck_assert_double_eq(s.accel_body_mps2.x, params.accel.max);
                ck_assert_double_eq(s.accel_body_mps2.y, params.accel.min);
        }
}

/* One kind of noise must not move another's: each has streams of its own. */
TEST(kinds_of_noise_are_independent)
{
        static double white[1000];

        fill(params.gyro.sigma, 1.0);
        start(9);
        for (int n = 0; n < 1000; n++)
                white[n] = measure().gyro_body_radps.y;
        fill(params.gyro_axes.instability, 1e-3);
        fill(params.gyro_axes.walk, 1e-3);
        fill(params.gyro_axes.turn_on, 1.0);
        fill(params.gyro_axes.density, 1e-4);
        params.gyro_axes.bandwidth_hz = 30.0;
        start(9);
        for (int n = 0; n < 1000; n++)
                ck_assert_double_eq_tol(measure().gyro_body_radps.y - imu.turn_on[4] -
                                                imu.drift.sum[4],
                                        white[n], 0.01);
}

TEST(a_copy_measures_the_same)
{
        struct imu copy;

        fill(params.gyro_axes.density, 0.1);
        fill(params.accel_axes.instability, 0.1);
        fill(params.gyro_axes.walk, 0.1);
        params.gyro_axes.bandwidth_hz = 30.0;
        start(9);
        for (int n = 0; n < 100; n++)
                measure();
        copy = imu;
        for (int n = 0; n < 100; n++) {
                struct imu_sample a = measure(), b;

                imu_follow(&copy, &params, &e);
                imu_step(&copy, &params, &e, &b);
                ck_assert_mem_eq(&a.accel_body_mps2, &b.accel_body_mps2,
                                 sizeof(struct vec3));
                ck_assert_mem_eq(&a.gyro_body_radps, &b.gyro_body_radps,
                                 sizeof(struct vec3));
        }
}
