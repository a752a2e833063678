#include <math.h>
#include <string.h>

#include "hil/judge/metrics.h"

#include "tests/suites.h"

#define PERIOD_NS INT64_C(2000000)

/* A vehicle whose every tick is made up. */
struct flight {
        struct vehicle truth;
        struct sensor_frame frame;
        struct motor_command command;
        struct fc_report report;
        struct pilot_input input;
        struct observation o;
        struct vehicle_params params;
        struct metrics m;
};

static void begin(struct flight *f)
{
        memset(f, 0, sizeof *f);
        f->truth.body.q_body_to_ned.w = 1.0;
        f->report.estimate.q_body_to_ned.w = 1.0;
        f->input.setpoint.mode = MODE_GOTO;
        f->o = (struct observation){ .truth = &f->truth,
                                     .frame = &f->frame,
                                     .command = &f->command,
                                     .report = &f->report,
                                     .input = &f->input };
        f->params.rotors = 4;
        metrics_init(&f->m, &f->params, NULL, PERIOD_NS);
}

static double value(const struct flight *f, enum metric which)
{
        return metrics_value(&f->m, which);
}

TEST(a_sine_has_the_rms_and_the_peak_of_a_sine)
{
        struct flight f;

        begin(&f);
        for (int i = 0; i < 1000; i++) {
                double s = sin(2.0 * M_PI * i / 1000.0);

                f.truth.body.pos_ned_m.x = 2.0 * s;
                f.truth.body.rate_body_radps.y = s;
                f.truth.body.q_body_to_ned = quat_from_euler(0.1 * s, 0.0, 0.0);
                metrics_observe(&f.m, &f.o);
        }
        ck_assert_double_eq_tol(value(&f, METRIC_POSITION_ERROR_RMS), sqrt(2.0), 1e-9);
        ck_assert_double_eq_tol(value(&f, METRIC_POSITION_ERROR_MAX), 2.0, 1e-9);
        ck_assert_double_eq_tol(value(&f, METRIC_BODY_RATE_RMS), 180.0 / M_PI / sqrt(2.0),
                                1e-9);
        ck_assert_double_eq_tol(value(&f, METRIC_TILT_MAX), 18.0 / M_PI, 1e-6);
        ck_assert_double_eq_tol(value(&f, METRIC_TILT_RMS), 18.0 / M_PI / sqrt(2.0),
                                1e-6);
        /* The estimate stays level. */
        ck_assert_double_eq_tol(value(&f, METRIC_ATTITUDE_ERROR_RMS),
                                18.0 / M_PI / sqrt(2.0), 1e-6);
        ck_assert_double_eq_tol(value(&f, METRIC_ROLL_ERROR_MEAN), 0.0, 1e-9);
        ck_assert_double_eq_tol(value(&f, METRIC_NORTH_ERROR_MEAN), 0.0, 1e-9);
}

TEST(a_bias_of_the_estimate_keeps_its_sign)
{
        struct flight f;

        begin(&f);
        f.report.estimate.q_body_to_ned = quat_from_euler(0.02, -0.01, 0.0);
        f.report.estimate.pos_ned_m = (struct vec3){ 1, -2, 3 };
        for (int i = 0; i < 10; i++)
                metrics_observe(&f.m, &f.o);
        ck_assert_double_eq_tol(value(&f, METRIC_ROLL_ERROR_MEAN), 3.6 / M_PI, 1e-9);
        ck_assert_double_eq_tol(value(&f, METRIC_PITCH_ERROR_MEAN), -1.8 / M_PI, 1e-9);
        ck_assert_double_eq_tol(value(&f, METRIC_NORTH_ERROR_MEAN), 1.0, 1e-12);
        ck_assert_double_eq_tol(value(&f, METRIC_EAST_ERROR_MEAN), -2.0, 1e-12);
        ck_assert_double_eq_tol(value(&f, METRIC_UP_ERROR_MEAN), -3.0, 1e-12);
}

TEST(motor_activity_is_the_rms_slope_of_the_duties)
{
        struct flight f;

        begin(&f);
        /* Rotor 0 rises by 0.5 a second, the others stand: RMS over four of them is a quarter. */
        for (int i = 0; i < 500; i++) {
                f.command.duty[0] = 0.5 * 0.002 * i;
                f.command.duty[4] = 1.0; /* there is no rotor 4 */
                metrics_observe(&f.m, &f.o);
        }
        ck_assert_double_eq_tol(value(&f, METRIC_MOTOR_ACTIVITY), 0.25, 1e-9);
        ck_assert_double_eq_tol(value(&f, METRIC_DUTY_SPREAD_MAX), 0.499, 1e-9);
        ck_assert_double_eq_tol(value(&f, METRIC_DUTY_SPREAD_MEAN), 0.2495, 1e-9);
        ck_assert_double_eq_tol(value(&f, METRIC_DUTY_MEAN), 0.2495 / 4, 1e-9);
}

/* A vehicle that bounces as it lands, the motors cut in between: not by what tick it does. */
TEST(duties_count_only_half_a_second_off_the_ground)
{
        struct flight f;

        begin(&f);
        for (int i = 0; i < 1500; i++) {
                f.o.t_ns = i * PERIOD_NS;
                f.truth.contact.touching = i < 100 || (i >= 1000 && i != 1200);
                f.command.duty[0] = i < 1200 ? 0.5 : 0.0;
                metrics_observe(&f.m, &f.o);
        }
        ck_assert_double_eq(value(&f, METRIC_MOTOR_ACTIVITY), 0.0);
        ck_assert_double_eq(value(&f, METRIC_DUTY_SPREAD_MAX), 0.5);
        ck_assert_double_eq(value(&f, METRIC_DUTY_SPREAD_MEAN), 0.5);
}

TEST(the_ground_counts_for_energy_impact_and_lateness_alone)
{
        struct flight f;

        begin(&f);
        f.truth.contact.touching = true;
        f.truth.battery.voltage_v = 12.0;
        f.truth.battery.current_a = 10.0;
        f.o.missed = true;
        for (int i = 0; i < 500; i++) {
                f.truth.impact_mps = i == 250 ? 1.25 : 0.0;
                f.truth.body.q_body_to_ned = quat_from_euler(1.0, 0.0, 0.0);
                metrics_observe(&f.m, &f.o);
        }
        ck_assert_double_eq_tol(value(&f, METRIC_ENERGY), 120.0, 1e-9);
        ck_assert_double_eq(value(&f, METRIC_IMPACT_MAX), 1.25);
        ck_assert_double_eq(value(&f, METRIC_MISSED), 500.0);
        ck_assert_double_eq(value(&f, METRIC_AIRBORNE), 0.0);
        ck_assert_double_nan(value(&f, METRIC_TILT_MAX));
        ck_assert_double_nan(value(&f, METRIC_MOTOR_ACTIVITY));
        ck_assert_double_nan(value(&f, METRIC_POSITION_ERROR_RMS));
}

TEST(every_metric_has_a_name_a_unit_and_a_better_way)
{
        for (int i = 0; i < METRIC_COUNT; i++) {
                const struct metric_info *a = &metric_info[i];

                ck_assert(a->name != NULL && a->unit != NULL && a->about != NULL);
                ck_assert(strcmp(a->better, "less") == 0 ||
                          strcmp(a->better, "more") == 0 ||
                          strcmp(a->better, "none") == 0);
                for (int j = 0; j < i; j++)
                        ck_assert_str_ne(a->name, metric_info[j].name);
        }
}
