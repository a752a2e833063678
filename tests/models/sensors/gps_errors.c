/* Errors of the receiver that sees satellites: how large, how correlated in time, of which geometry. */
#include "tests/models/sensors/gps_receiver.h"
#include "tests/suites.h"

FIXTURE(set_up, NULL)

/* Variance over many receivers at one instant against dilution times range error. */
TEST(satellites_spread_is_dilution_times_range_error)
{
        const int n = 20000;
        double square[6] = { 0.0 };
        const struct sky *sky = &gps.tracking.used;
        struct gps_sample s;

        params.errors.range_m = 3.0;
        params.errors.range_tau_s = 1100.0;
        params.errors.range_jitter_m = 4.0;
        params.errors.rate_mps = 0.2;
        params.model = GPS_SATELLITES;
        gps_params_prepare(&params);
        for (int k = 0; k < n; k++) {
                struct vec3 pos;

                gps_init(&gps, &params, (uint64_t)k, 0);
                s = measure();
                pos = error_of(&s);
                square[0] += (pos.x * pos.x + pos.y * pos.y) / n;
                square[1] += pos.z * pos.z / n;
                square[2] += vec3_dot(s.vel_ned_mps, s.vel_ned_mps) / n;
        }
        ck_assert_double_eq_tol(sqrt(square[0]) / (5.0 * sky->hdop), 1.0, 0.02);
        ck_assert_double_eq_tol(sqrt(square[1]) / (5.0 * sky->vdop), 1.0, 0.02);
        ck_assert_double_eq_tol(sqrt(square[2]) / (0.2 * sky->pdop), 1.0, 0.02);
        ck_assert_double_eq_tol(s.h_acc_m, 5.0 * sky->hdop, 1e-9);
        ck_assert_double_eq_tol(s.v_acc_m, 5.0 * sky->vdop, 1e-9);
        ck_assert_double_eq_tol(s.s_acc_mps, 0.2 * sky->pdop, 1e-9);
}

/* The sky held still: exp(-t/tau) at lags of a third, one and two time constants. The estimate's
 * standard error is about sqrt(2 tau/T). */
TEST(satellites_errors_forget_exponentially)
{
        enum { N = 400000, TAU = 100 };
        static double north[N];
        const int lag[4] = { 0, 33, 100, 200 };
        double power = 0.0;

        params.errors.range_m = 3.0;
        params.errors.range_tau_s = 25.0; /* TAU periods */
        use(GPS_SATELLITES);
        for (int k = 0; k < N; k++) {
                struct gps_sample s = measure();

                north[k] = error_of(&s).x;
        }
        for (int j = 0; j < 4; j++) {
                double sum = 0.0;

                for (int k = 0; k + lag[j] < N; k++)
                        sum += north[k] * north[k + lag[j]] / (N - lag[j]);
                if (j == 0)
                        power = sum;
                ck_assert_double_eq_tol(sum / power, exp(-(double)lag[j] / TAU),
                                        4.0 * sqrt(2.0 * TAU / (double)N));
        }
        ck_assert_double_eq_tol(power / (9.0 * gps.tracking.used.spread[0][0] *
                                         gps.tracking.used.spread[0][0]),
                                1.0, 4.0 * sqrt(2.0 * TAU / (double)N));
}

/* Variance after 20 s does not depend on how often it is asked in between. */
TEST(errors_do_not_depend_on_the_rate)
{
        for (int rate = 1; rate <= 20; rate += 19) {
                double square = 0.0, product = 0.0;
                const int n = 4000;

                params.schedule.period_ns = S / rate;
                params.errors.range_tau_s = 20.0;
                gps_params_prepare(&params);
                for (int k = 0; k < n; k++) {
                        struct gps_errors e;
                        double first;

                        gps_errors_init(&e, (uint64_t)k, 0);
                        first = e.range[0];
                        for (int i = 0; i < 20 * rate; i++)
                                gps_errors_step(&e, &params.errors);
                        square += e.range[0] * e.range[0] / n;
                        product += e.range[0] * first / n;
                }
                ck_assert_double_eq_tol(square, 1.0, 4.0 * sqrt(2.0 / n));
                ck_assert_double_eq_tol(product, exp(-1.0), 4.0 / sqrt(n));
        }
}

/* Brown and Hwang: var drift = g t, var bias = f t + g t^3/3 after t. */
TEST(clock_walks_as_its_densities_say)
{
        const int n = 4000, steps = 40;
        double bias = 0.0, drift = 0.0, both = 0.0;
        const double t = 10.0, f = 4.0, g = 0.25;

        params.errors.clock_white_m_rts = 2.0;
        params.errors.clock_walk_mps_rts = 0.5;
        gps_params_prepare(&params);
        for (int k = 0; k < n; k++) {
                struct gps_errors e;

                gps_errors_init(&e, (uint64_t)k, 0);
                ck_assert_double_le(fabs(e.clock_bias_m), 149897.0);
                e.clock_bias_m = 0.0;
                for (int i = 0; i < steps; i++)
                        gps_errors_step(&e, &params.errors);
                bias += e.clock_bias_m * e.clock_bias_m / n;
                drift += e.clock_drift_mps * e.clock_drift_mps / n;
                both += e.clock_bias_m * e.clock_drift_mps / n;
        }
        ck_assert_double_eq_tol(drift / (g * t), 1.0, 4.0 * sqrt(2.0 / n));
        ck_assert_double_eq_tol(bias / (f * t + g * t * t * t / 3.0), 1.0,
                                4.0 * sqrt(2.0 / n));
        ck_assert_double_eq_tol(both / (g * t * t / 2.0), 1.0, 0.15);
}

/* Data sheet of the NEO-M8N: half of the fixes of a day within 2.5 m. The part's numbers, one
 * receiver for each five minutes. */
TEST(part_has_the_circular_error_of_its_data_sheet)
{
        const double part[2][3] = { { 3.4, 0.6, 2.5 }, { 2.0, 0.5, 1.5 } };

        params.model = GPS_SATELLITES;
        for (int k = 0; k < 2; k++) {
                int within = 0;
                const int n = 288 * 20;

                set_up();
                params.model = GPS_SATELLITES;
                params.errors.range_m = part[k][0];
                params.errors.range_jitter_m = part[k][1];
                gps_params_prepare(&params);
                for (int i = 0; i < n; i++) {
                        struct gps_sample s;
                        struct vec3 error;

                        world.gps_time_s = almanac_shipped.reference_gps_s + 15.0 * i;
                        gps_init(&gps, &params, (uint64_t)i, 0);
                        s = measure();
                        error = error_of(&s);
                        within += hypot(error.x, error.y) < part[k][2];
                }
                ck_assert_double_eq_tol((double)within / n, 0.5, 0.03);
        }
}
