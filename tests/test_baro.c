/* The barometer: the height above sea level as pressure and temperature. */
#include <check.h>
#include <math.h>

#include "models/sensors/baro.h"

static struct baro_params params;
static struct baro baro;
static const struct world world = { .origin = { .height_m = 430.0 },
                                    .atmosphere = { 101325.0, 288.15 } };

static void set_up(void)
{
        params = (struct baro_params){ 0 };
        error_params_ideal(&params.pressure);
        error_params_ideal(&params.temperature);
        baro_init(&baro, 1, 0);
}

static struct baro_sample measure_at(const struct world *w, double height_m)
{
        struct body_state s = { .pos_ned_m = { 0.0, 0.0, -height_m } };
        struct baro_sample sample;

        baro_step(&baro, &params, w, &s, &sample);
        return sample;
}

/* ISO 2533: 89874.6 Pa and 281.65 K at 1000 m. */
START_TEST(altitude_counts_from_sea_level)
{
        struct baro_sample s = measure_at(&world, 570.0);

        ck_assert_double_eq_tol(s.pressure_pa, 89874.6, 0.1);
        ck_assert_double_eq_tol(s.temperature_k, 281.65, 1e-9);
}
END_TEST

START_TEST(pressure_tells_the_height)
{
        double ground_m = atmosphere_altitude_m(&world.atmosphere,
                                                measure_at(&world, 0.0).pressure_pa);

        for (double h = 0.0; h < 500.0; h += 7.0) {
                double pa = measure_at(&world, h).pressure_pa;

                ck_assert_double_eq_tol(
                        atmosphere_altitude_m(&world.atmosphere, pa) - ground_m, h, 1e-8);
        }
}
END_TEST

/* Near the ground of the standard atmosphere, 12 Pa to the metre. */
START_TEST(climbing_a_metre_takes_12_pascal_off)
{
        struct world sea = world;

        sea.origin.height_m = 0.0;
        ck_assert_double_eq_tol(measure_at(&sea, 0.0).pressure_pa -
                                        measure_at(&sea, 1.0).pressure_pa,
                                1.225 * 9.80665, 0.01);
}
END_TEST

START_TEST(weather_is_the_worlds)
{
        struct world low = world;

        low.atmosphere = (struct atmosphere){ 97000.0, 273.15 };
        low.origin.height_m = 0.0;
        ck_assert_double_eq(measure_at(&low, 0.0).pressure_pa, 97000.0);
        ck_assert_double_eq(measure_at(&low, 0.0).temperature_k, 273.15);
}
END_TEST

START_TEST(errors_are_applied_to_each_quantity)
{
        params.pressure.bias[0] = 50.0;
        params.temperature.scale[0][0] = 2.0;
        params.pressure.lsb = 0.25;

        struct baro_sample s = measure_at(&world, 0.0);
        double true_pa = atmosphere_pressure_pa(&world.atmosphere, 430.0);

        ck_assert_double_eq(s.pressure_pa, 0.25 * rint((true_pa + 50.0) / 0.25));
        ck_assert_double_eq_tol(s.temperature_k, 2.0 * (288.15 - 0.0065 * 430.0), 1e-9);
}
END_TEST

START_TEST(noise_of_the_two_is_independent)
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
END_TEST

START_TEST(a_noisy_thermometer_leaves_the_pressure_alone)
{
        struct baro other = baro;
        struct baro_params calm;
        struct body_state s = { .pos_ned_m = { 0.0, 0.0, 0.0 } };

        params.pressure.sigma[0] = 3.0;
        calm = params;
        params.temperature.sigma[0] = 0.2;
        for (int i = 0; i < 100; i++) {
                struct baro_sample sample;

                baro_step(&other, &calm, &world, &s, &sample);
                ck_assert_double_eq(measure_at(&world, 0.0).pressure_pa,
                                    sample.pressure_pa);
        }
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("baro");
        TCase *tc = tcase_create("baro");
        SRunner *sr = srunner_create(suite);
        int failures;

        tcase_add_checked_fixture(tc, set_up, NULL);
        tcase_add_test(tc, altitude_counts_from_sea_level);
        tcase_add_test(tc, pressure_tells_the_height);
        tcase_add_test(tc, climbing_a_metre_takes_12_pascal_off);
        tcase_add_test(tc, weather_is_the_worlds);
        tcase_add_test(tc, errors_are_applied_to_each_quantity);
        tcase_add_test(tc, noise_of_the_two_is_independent);
        tcase_add_test(tc, a_noisy_thermometer_leaves_the_pressure_alone);
        suite_add_tcase(suite, tc);
        srunner_run_all(sr, CK_NORMAL);
        failures = srunner_ntests_failed(sr);
        srunner_free(sr);
        return failures != 0;
}
