/* The barometer: the height above sea level as pressure and temperature, and what flying
 * adds. */
#include <math.h>

#include "models/sensors/baro.h"

#include "tests/suites.h"

#define SECOND INT64_C(1000000000)

static struct baro_params params;
static struct baro baro;
static struct exposure exposure;
static struct body_state body;
static const struct world world = { .origin = { .height_m = 430.0 },
                                    .atmosphere = { 101325.0, 288.15 } };
static const struct world sea = { .atmosphere = { 101325.0, 288.15 } };

/* Of the data sheet's example. */
static const struct bmp180_params bmp180 = { 408,  -72, -14383, 32741, 32757, 23153,
                                             6190, 4,   -32768, -8711, 2868,  0 };

static void start(uint64_t seed, uint32_t vehicle)
{
        baro_init(&baro, &params, seed, vehicle);
}

static void set_up(void)
{
        params = (struct baro_params){ .schedule.period_ns = SECOND / 50,
                                       .drift_tau_s = 100.0 };
        error_params_ideal(&params.pressure);
        error_params_ideal(&params.temperature);
        body = (struct body_state){ .q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 } };
        exposure = (struct exposure){ .world = &world, .body = &body };
        start(1, 0);
}

FIXTURE(set_up, NULL)

static struct baro_sample measure(void)
{
        struct baro_sample sample;

        baro_step(&baro, &params, &exposure, &sample);
        return sample;
}

static struct baro_sample measure_at(const struct world *w, double height_m)
{
        struct baro_sample sample;

        exposure.world = w;
        body.pos_ned_m.z = -height_m;
        sample = measure();
        exposure.world = &world;
        return sample;
}

/* ISO 2533: 89874.6 Pa and 281.65 K at 1000 m. */
TEST(altitude_counts_from_sea_level)
{
        struct baro_sample s = measure_at(&world, 570.0);

        ck_assert_double_eq_tol(s.pressure_pa, 89874.6, 0.1);
        ck_assert_double_eq_tol(s.temperature_k, 281.65, 1e-9);
        ck_assert_int_eq(s.raw_pressure, 0);
        ck_assert_int_eq(s.raw_temperature, 0);
}

TEST(pressure_tells_the_height)
{
        double ground_m = atmosphere_altitude_m(&world.atmosphere,
                                                measure_at(&world, 0.0).pressure_pa);

        for (double h = 0.0; h < 500.0; h += 7.0) {
                double pa = measure_at(&world, h).pressure_pa;

                ck_assert_double_eq_tol(
                        atmosphere_altitude_m(&world.atmosphere, pa) - ground_m, h, 1e-8);
        }
}

/* Near the ground of the standard atmosphere, 12 Pa to the metre. */
TEST(climbing_a_metre_takes_12_pascal_off)
{
        ck_assert_double_eq_tol(measure_at(&sea, 0.0).pressure_pa -
                                        measure_at(&sea, 1.0).pressure_pa,
                                1.225 * 9.80665, 0.01);
}

TEST(weather_is_the_worlds)
{
        struct world low = sea;

        low.atmosphere = (struct atmosphere){ 97000.0, 273.15 };
        ck_assert_double_eq(measure_at(&low, 0.0).pressure_pa, 97000.0);
        ck_assert_double_eq(measure_at(&low, 0.0).temperature_k, 273.15);
}

TEST(a_port_on_a_mast_is_higher_until_the_vehicle_lies_on_its_side)
{
        double centre_pa = measure_at(&world, 50.0).pressure_pa;

        params.lever_arm_body_m = (struct vec3){ 0.0, 0.0, -2.0 };
        ck_assert_double_eq_tol(measure_at(&world, 48.0).pressure_pa, centre_pa, 1e-9);
        body.q_body_to_ned = quat_from_euler(M_PI / 2.0, 0.0, 0.0);
        ck_assert_double_eq_tol(measure_at(&world, 50.0).pressure_pa, centre_pa, 1e-9);
        body.q_body_to_ned = quat_from_euler(M_PI, 0.0, 0.0);
        ck_assert_double_eq_tol(measure_at(&world, 52.0).pressure_pa, centre_pa, 1e-9);
}

TEST(errors_are_applied_to_each_quantity)
{
        params.pressure.bias[0] = 50.0;
        params.temperature.scale[0][0] = 2.0;
        params.pressure.lsb = 0.25;

        struct baro_sample s = measure_at(&world, 0.0);
        double true_pa = atmosphere_pressure_pa(&world.atmosphere, 430.0);

        ck_assert_double_eq(s.pressure_pa, 0.25 * rint((true_pa + 50.0) / 0.25));
        ck_assert_double_eq_tol(s.temperature_k, 2.0 * (288.15 - 0.0065 * 430.0), 1e-9);
}

static double wind_error_pa(double x, double y, double z)
{
        double calm_pa, windy_pa;

        exposure.airspeed_body_mps = (struct vec3){ 0.0, 0.0, 0.0 };
        calm_pa = measure_at(&sea, 0.0).pressure_pa;
        exposure.airspeed_body_mps = (struct vec3){ x, y, z };
        windy_pa = measure_at(&sea, 0.0).pressure_pa;
        return windy_pa - calm_pa;
}

/* A pitot tube: its ratio is 1, and 10 m/s at sea level are 61.25 Pa. */
TEST(an_open_port_feels_the_dynamic_pressure)
{
        params.wind_ratio.x = 1.0;
        ck_assert_double_eq_tol(wind_error_pa(10.0, 0.0, 0.0), 61.25, 1e-3);
        ck_assert_double_eq_tol(wind_error_pa(20.0, 0.0, 0.0), 4.0 * 61.25, 4e-3);
        ck_assert_double_eq_tol(wind_error_pa(0.0, 10.0, 10.0), 0.0, 1e-9);
}

TEST(wind_from_behind_pulls_where_wind_from_ahead_pushes)
{
        params.wind_ratio = (struct vec3){ 0.3, -0.2, 0.1 };
        for (double v = 0.5; v < 20.0; v += 1.7)
                ck_assert_double_eq_tol(wind_error_pa(v, 2.0 * v, -v),
                                        -wind_error_pa(-v, -2.0 * v, v), 1e-9);
        ck_assert_double_lt(wind_error_pa(0.0, 3.0, 0.0), 0.0);
        ck_assert_double_lt(wind_error_pa(0.0, 0.0, -3.0), 0.0);
}

/* 60 N/m^2 of disk loading, a tenth of it in the wash, and more near the ground. */
TEST(rotor_wash_goes_with_disk_loading_and_ground_effect)
{
        double still_pa = measure_at(&sea, 0.0).pressure_pa, free_pa;

        params.wash_ratio = 0.1;
        params.wash_ground_ratio = 0.5;
        ck_assert_double_eq(measure_at(&sea, 0.0).pressure_pa, still_pa);
        exposure.disk_loading_pa = 60.0;
        free_pa = measure_at(&sea, 0.0).pressure_pa - still_pa;
        ck_assert_double_eq_tol(free_pa, 6.0, 1e-9);
        exposure.ground_effect = 0.08;
        ck_assert_double_eq_tol(measure_at(&sea, 0.0).pressure_pa - still_pa,
                                6.0 + 60.0 * 0.5 * 0.08, 1e-9);
}

/* The offset's variance and its memory, over many vehicles, at a rate. */
static void drift_statistics(int64_t period_ns, int64_t at_ns, double *now, double *later)
{
        const int n = 20000;
        int first = (int)(at_ns / period_ns), more = (int)(20 * SECOND / period_ns);
        double true_pa = atmosphere_pressure_pa(&world.atmosphere, 430.0);

        params.schedule.period_ns = period_ns;
        *now = *later = 0.0;
        for (int i = 0; i < n; i++) {
                double a = 0.0, b = 0.0;

                start(11, (uint32_t)i);
                for (int k = 0; k <= first; k++)
                        a = measure().pressure_pa - true_pa;
                for (int k = 0; k < more; k++)
                        b = measure().pressure_pa - true_pa;
                *now += a * a / n;
                *later += a * b / n;
        }
}

TEST(drift_is_a_gauss_markov_process_at_every_rate)
{
        static const int64_t period_ns[] = { SECOND / 2, 10 * SECOND };
        static const int64_t at_ns[] = { 0, 30 * SECOND };

        params.drift_sigma_pa = 5.0;
        params.drift_tau_s = 20.0;
        for (int i = 0; i < 2; i++)
                for (int k = 0; k < 2; k++) {
                        double now, later;

                        drift_statistics(period_ns[i], at_ns[k], &now, &later);
                        /* Four sigma of a variance of 20000: 4 %. */
                        ck_assert_double_eq_tol(now, 25.0, 1.0);
                        ck_assert_double_eq_tol(later, 25.0 * exp(-1.0), 1.1);
                }
}

TEST(drift_with_temperature_is_zero_at_its_reference)
{
        double true_pa = atmosphere_pressure_pa(&sea.atmosphere, 0.0);

        params.drift_pa_per_k = -1.5;
        params.drift_reference_k = 288.15;
        ck_assert_double_eq_tol(measure_at(&sea, 0.0).pressure_pa, true_pa, 1e-9);
        params.drift_reference_k = 298.15;
        ck_assert_double_eq_tol(measure_at(&sea, 0.0).pressure_pa, true_pa + 15.0, 1e-9);
}

TEST(the_part_warms_up_alike_at_every_rate)
{
        static const int64_t period_ns[] = { SECOND / 100, SECOND / 7, SECOND };

        params.heating_k = 8.0;
        params.heating_tau_s = 60.0;
        params.drift_pa_per_k = 0.5;
        params.drift_reference_k = 288.15;
        for (int i = 0; i < 3; i++) {
                struct baro_sample s = { 0 };
                double t_s = 0.0;

                params.schedule.period_ns = period_ns[i];
                start(1, 0);
                for (int k = 0; t_s < 60.0; k++) {
                        s = measure_at(&sea, 0.0);
                        t_s = (double)k * (double)period_ns[i] * 1e-9;
                        ck_assert_double_eq_tol(s.temperature_k - 288.15,
                                                8.0 * (1.0 - exp(-t_s / 60.0)), 1e-9);
                }
                ck_assert_double_eq_tol(s.pressure_pa - 101325.0,
                                        0.5 * (s.temperature_k - 288.15), 1e-6);
        }
}

TEST(noise_of_the_two_is_independent)
{
        const int n = 100000;
        double p0 = atmosphere_pressure_pa(&world.atmosphere, 430.0);
        double t0 = atmosphere_temperature_k(&world.atmosphere, 430.0);
        double pp = 0.0, tt = 0.0, pt = 0.0;

        params.pressure.sigma[0] = 3.0;
        params.temperature.sigma[0] = 0.2;
        for (int i = 0; i < n; i++) {
                struct baro_sample s = measure_at(&world, 0.0);
                double p = (s.pressure_pa - p0) / 3.0, t = (s.temperature_k - t0) / 0.2;

                pp += p * p;
                tt += t * t;
                pt += p * t;
        }
        ck_assert_double_eq_tol(pp / n, 1.0, 4.0 * sqrt(2.0 / n));
        ck_assert_double_eq_tol(tt / n, 1.0, 4.0 * sqrt(2.0 / n));
        ck_assert_double_lt(fabs(pt / n), 4.0 / sqrt(n));
}

TEST(other_noises_leave_the_white_one_alone)
{
        struct baro_params noisy, calm;
        struct baro other;
        double drift_pa;

        params.pressure.sigma[0] = 3.0;
        calm = noisy = params;
        noisy.temperature.sigma[0] = 0.2;
        noisy.drift_sigma_pa = 4.0;
        baro_init(&baro, &calm, 1, 0);
        baro_init(&other, &noisy, 1, 0);
        for (int i = 0; i < 100; i++) {
                struct baro_sample a, b;

                drift_pa = other.drift_pa;
                baro_step(&baro, &calm, &exposure, &a);
                baro_step(&other, &noisy, &exposure, &b);
                ck_assert_double_eq_tol(a.pressure_pa, b.pressure_pa - drift_pa, 1e-9);
        }
}

TEST(a_seed_repeats_and_vehicles_differ)
{
        struct baro again, second;

        params.pressure.sigma[0] = 3.0;
        params.drift_sigma_pa = 4.0;
        baro_init(&baro, &params, 5, 1);
        baro_init(&again, &params, 5, 1);
        baro_init(&second, &params, 5, 2);
        for (int i = 0; i < 100; i++) {
                struct baro_sample a, b, c;

                baro_step(&baro, &params, &exposure, &a);
                baro_step(&again, &params, &exposure, &b);
                baro_step(&second, &params, &exposure, &c);
                ck_assert(a.pressure_pa == b.pressure_pa);
                ck_assert(a.pressure_pa != c.pressure_pa);
        }
}

static void fit_bmp180(int oversampling)
{
        params.is_bmp180 = true;
        params.bmp180 = bmp180;
        params.bmp180.oversampling = oversampling;
        params.pressure.lsb = 1.0;
}

TEST(a_bmp180_says_what_its_words_say)
{
        fit_bmp180(2);
        params.pressure.sigma[0] = bmp180_sigma_pa(2);
        for (double h = 0.0; h < 4000.0; h += 3.3) {
                struct baro_sample s = measure_at(&world, h);
                struct bmp180_reading r = bmp180_compensate(
                        &params.bmp180,
                        (struct bmp180_words){ s.raw_temperature, s.raw_pressure });

                ck_assert_double_eq(s.pressure_pa, r.pressure_pa);
                ck_assert_double_eq_tol(s.temperature_k, 273.15 + 0.1 * r.temperature_dc,
                                        1e-12);
        }
}

/* Within half a word, which is 3 Pa at the lowest oversampling and at most 1 Pa above,
 * but for the arithmetic's own jumps of 3 Pa. */
TEST(a_bmp180_without_noise_follows_the_pressure)
{
        for (int oss = 0; oss <= 3; oss++) {
                double sum = 0.0;
                int n = 0;

                fit_bmp180(oss);
                for (double h = 0.0; h < 4000.0; h += 0.77, n++) {
                        double error =
                                measure_at(&world, h).pressure_pa -
                                atmosphere_pressure_pa(&world.atmosphere, 430.0 + h);

                        ck_assert_double_le(fabs(error), 2.5);
                        sum += error;
                }
                ck_assert_double_eq_tol(sum / n, 0.0, 0.1);
        }
}

TEST(a_bmp180_has_the_noise_of_its_mode)
{
        const int n = 20000;
        double true_pa = atmosphere_pressure_pa(&world.atmosphere, 430.0);

        for (int oss = 0; oss <= 3; oss++) {
                double sigma_pa = bmp180_sigma_pa(oss), sum = 0.0;

                fit_bmp180(oss);
                params.pressure.sigma[0] = sigma_pa;
                for (int i = 0; i < n; i++) {
                        double error = measure_at(&world, 0.0).pressure_pa - true_pa;

                        sum += error * error;
                }
                /* Rounding adds up to a twelfth of a word's square, 0.75 Pa^2. */
                ck_assert_double_ge(sqrt(sum / n), 0.98 * sigma_pa);
                ck_assert_double_le(sqrt(sum / n),
                                    1.02 * sqrt(sigma_pa * sigma_pa + 0.8));
        }
}

TEST(nan_stays_nan)
{
        fit_bmp180(1);
        body.pos_ned_m.z = NAN;
        ck_assert(isnan(measure().pressure_pa));
        ck_assert_int_eq(measure().raw_pressure, 0);
        params.is_bmp180 = false;
        ck_assert(isnan(measure().pressure_pa));
}
