/* Calibration of an accelerometer: what was put in comes out, with honest standard errors, and what
 * cannot be told is refused. */
#include <stdlib.h>
#include <string.h>

#include "hil/calibrate/calibrate.h"
#include "hil/text/json.h"
#include "models/rng.h"

#include "tests/suites.h"

#define G          9.80665
#define PERIOD_US  5000
#define HOLD_TICKS 1000 /* 5 s */

struct errors {
        double scale[3], bias_mps2[3], sigma_mps2, lsb_mps2;
};

/* As an MPU-6000's data sheet allows. */
static const struct errors usual = {
        { 1.02, 0.985, 1.01 }, { 0.35, -0.2, 0.6 }, 0.04, 0.0047884
};

/* What is felt: up, in body axes. */
static const struct vec3 six[6] = { { 0, 0, -1 }, { 0, 0, 1 }, { 0, 1, 0 },
                                    { 0, -1, 0 }, { 1, 0, 0 }, { -1, 0, 0 } };

static struct calibration_data data;
static struct calibration fit;
static struct rng noise[3];
static uint64_t now_us;

static void set_up(void)
{
        memset(&data, 0, sizeof data);
        now_us = 0;
        for (uint32_t i = 0; i < 3; i++)
                rng_init(&noise[i], 1, 0, 0, i);
}

static void tear_down(void)
{
        calibration_free(&data);
}

FIXTURE(set_up, tear_down)

static double read_axis(const struct errors *e, int i, double truth)
{
        double r = e->scale[i] * truth + e->bias_mps2[i];

        r += e->sigma_mps2 * rng_normal(&noise[i]);
        return e->lsb_mps2 > 0.0 ? e->lsb_mps2 * rint(r / e->lsb_mps2) : r;
}

static void feel(const struct errors *e, struct vec3 up, int ticks)
{
        double s = G / vec3_norm(up);

        for (int n = 0; n < ticks; n++, now_us += PERIOD_US)
                ck_assert(calibration_add(&data, now_us,
                                          (struct vec3){ read_axis(e, 0, s * up.x),
                                                         read_axis(e, 1, s * up.y),
                                                         read_axis(e, 2, s * up.z) }));
}

static void hold_all(const struct errors *e)
{
        for (int i = 0; i < 6; i++)
                feel(e, six[i], HOLD_TICKS);
        feel(e, (struct vec3){ 1, 1, -1 }, HOLD_TICKS);
        feel(e, (struct vec3){ -1, 1, 1 }, HOLD_TICKS);
        feel(e, six[0], 1); /* ends the last window */
}

TEST(scale_and_bias_that_were_put_in_come_out)
{
        hold_all(&usual);
        ck_assert_int_eq(calibration_find_positions(&data), 8);
        ck_assert_uint_eq(calibration_missing(&data), 0);
        ck_assert(calibration_fit(&data, G, &fit));
        ck_assert_int_ge(fit.windows, 8 * 9);
        for (int i = 0; i < 3; i++) {
                ck_assert_double_eq_tol(fit.bias_mps2[i], usual.bias_mps2[i], 5e-3);
                ck_assert_double_eq_tol(fit.scale[i], usual.scale[i], 5e-4);
                ck_assert_double_lt(fabs(fit.bias_mps2[i] - usual.bias_mps2[i]),
                                    5.0 * fit.bias_se_mps2[i]);
                ck_assert_double_lt(fabs(fit.scale[i] - usual.scale[i]),
                                    5.0 * fit.scale_se[i]);
        }
        ck_assert_double_gt(fit.before_mps2, 0.3);
        ck_assert_double_lt(fit.after_mps2, 0.008);
}

TEST(without_noise_it_is_exact)
{
        struct errors e = usual;

        e.sigma_mps2 = e.lsb_mps2 = 0.0;
        hold_all(&e);
        calibration_find_positions(&data);
        ck_assert(calibration_fit(&data, G, &fit));
        for (int i = 0; i < 3; i++) {
                ck_assert_double_eq_tol(fit.bias_mps2[i], e.bias_mps2[i], 1e-9);
                ck_assert_double_eq_tol(fit.scale[i], e.scale[i], 1e-10);
        }
        ck_assert_double_lt(fit.after_mps2, 1e-9);
}

/* Errors over standard errors of many calibrations have a mean square of 1. */
TEST(standard_errors_are_those_of_many_calibrations)
{
        struct errors e = usual;
        double square = 0.0;
        int n = 0;

        for (uint32_t run = 0; run < 60; run++) {
                set_up();
                for (uint32_t i = 0; i < 3; i++)
                        rng_init(&noise[i], 7, run, 0, i);
                hold_all(&e);
                calibration_find_positions(&data);
                ck_assert(calibration_fit(&data, G, &fit));
                for (int i = 0; i < 3; i++, n += 2) {
                        double b =
                                (fit.bias_mps2[i] - e.bias_mps2[i]) / fit.bias_se_mps2[i];
                        double s = (fit.scale[i] - e.scale[i]) / fit.scale_se[i];

                        square += b * b + s * s;
                }
                calibration_free(&data);
        }
        /* 360 squares of normals: mean 1, four times sqrt(2/360). */
        ck_assert_double_eq_tol(square / n, 1.0, 0.3);
}

TEST(windows_in_which_it_was_turned_are_left_out)
{
        struct errors e = usual;
        int still = 0;

        hold_all(&usual);
        /* Two seconds of turning over. */
        e.sigma_mps2 = 0.04;
        for (int n = 0; n < 400; n++)
                feel(&e, (struct vec3){ sin(0.015 * n), 0.0, -cos(0.015 * n) }, 1);
        feel(&usual, six[0], HOLD_TICKS);
        feel(&usual, six[0], 1);
        calibration_find_positions(&data);
        for (int i = 0; i < data.count; i++)
                still += data.window[i].position >= 0;
        ck_assert_int_ge(data.count, 93);
        ck_assert_int_le(still, data.count - 4);
        ck_assert(calibration_fit(&data, G, &fit));
        ck_assert_double_eq_tol(fit.bias_mps2[0], usual.bias_mps2[0], 5e-3);
}

TEST(a_side_that_is_missing_is_named)
{
        for (int left_out = 0; left_out < 6; left_out++) {
                static const unsigned bit[6] = { 1U << 5, 1U << 4, 1U << 2,
                                                 1U << 3, 1U << 0, 1U << 1 };

                set_up();
                for (int i = 0; i < 6; i++)
                        if (i != left_out)
                                feel(&usual, six[i], HOLD_TICKS);
                feel(&usual, six[(left_out + 1) % 6], 1);
                calibration_find_positions(&data);
                ck_assert_uint_eq(calibration_missing(&data), bit[left_out]);
                calibration_free(&data);
        }
}

TEST(one_position_determines_nothing)
{
        feel(&usual, six[0], 60 * 200);
        ck_assert_int_eq(calibration_find_positions(&data), 1);
        ck_assert_uint_eq(calibration_missing(&data), 0x1f);
        ck_assert(!calibration_fit(&data, G, &fit));
}

TEST(nothing_at_all_is_no_calibration)
{
        ck_assert_int_eq(calibration_find_positions(&data), 0);
        ck_assert_uint_eq(calibration_missing(&data), 0x3f);
        ck_assert(!calibration_fit(&data, G, &fit));
        feel(&usual, six[0], 9);
        now_us += 1000000;
        feel(&usual, six[0], 1);
        ck_assert_int_eq(data.count, 0);
}

TEST(what_is_not_a_number_spoils_its_window_alone)
{
        static const double senseless[] = { NAN, INFINITY, -INFINITY, 1e300 };

        for (int i = 0; i < 4; i++) {
                feel(&usual, six[i], HOLD_TICKS);
                ck_assert(calibration_add(
                        &data, now_us,
                        (struct vec3){ senseless[i], 0, senseless[3 - i] }));
        }
        hold_all(&usual);
        ck_assert_int_gt(calibration_find_positions(&data), 8);
        ck_assert(calibration_fit(&data, G, &fit));
        for (int i = 0; i < 3; i++)
                ck_assert_double_eq_tol(fit.bias_mps2[i], usual.bias_mps2[i], 5e-3);
}

TEST(time_that_jumps_begins_a_new_window)
{
        feel(&usual, six[0], 100);
        now_us = 5000000;
        feel(&usual, six[1], 100);
        now_us = 0;
        feel(&usual, six[2], 100);
        now_us = UINT64_MAX - 50;
        feel(&usual, six[2], 1);
        ck_assert_int_eq(data.count, 3);
        for (int i = 0; i < 3; i++)
                ck_assert_double_lt(data.window[i].sigma_mps2[2], 0.1);
}

static void print(bool json, char *text, size_t cap)
{
        struct calibration_result r = { .vehicle = 1,
                                        .name = "v",
                                        .gravity_mps2 = G,
                                        .lsb_mps2 = 0.005,
                                        .positions = 6,
                                        .fit = { .windows = 60,
                                                 .bias_mps2 = { 0.35, -0.2, 0.6 },
                                                 .scale = { 1.25, 1.0, 0.8 } } };
        FILE *out = fmemopen(text, cap, "w");

        ck_assert(calibrate_print(out, &r, json));
        fclose(out);
}

/* Paparazzi: 1024 sens = 1024 LSB / scale; (raw - neutral) sens / 1024 is m/s^2. */
TEST(it_prints_what_goes_into_an_airframe_file)
{
        char text[4096] = "";

        print(false, text, sizeof text);
        ck_assert_ptr_nonnull(strstr(text, "\"ACCEL_X_NEUTRAL\" value=\"70\"/>"));
        ck_assert_ptr_nonnull(strstr(text, "\"ACCEL_Y_NEUTRAL\" value=\"-40\"/>"));
        ck_assert_ptr_nonnull(
                strstr(text, "\"ACCEL_X_SENS\" value=\"4.096000\" integer=\"16\"/>"));
        ck_assert_ptr_nonnull(strstr(text, "\"ACCEL_Z_SENS\" value=\"6.400000\""));
}

TEST(it_prints_json)
{
        char text[4096] = "";
        struct json_error why;
        struct json *root;

        print(true, text, sizeof text);
        root = json_parse(text, strlen(text), "x", &why);
        ck_assert_msg(root != NULL, "%s", why.text);
        ck_assert_double_eq(json_number(root, "axes.2.scale"), 0.8);
        ck_assert_double_eq(json_number(root, "axes.1.neutral_lsb"), -40.0);
        ck_assert_str_eq(json_string(root, "axes.0.axis"), "x");
        json_free(root);
}
