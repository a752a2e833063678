/* Sensor faults as scenarios have them: what is read, what is refused, and how they are described. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "hil/config/scenario/scenario.h"
#include "tests/models/faults/sensor_fault_stage.h"
#include "tests/suites.h"

static struct sensors_params fitted;
static struct sensor_fault fault;
static struct config_error why;

static void set_up(void)
{
        stage_sensors(&fitted);
        memset(&fault, 0, sizeof fault);
}

static bool read_for(const char *text, const struct sensors_params *vehicle)
{
        struct sensor_fault_file file = { .axes = "" };
        struct json_error parse_why;
        struct json *root = json_parse(text, strlen(text), "x", &parse_why);
        bool ok;

        config_error_clear(&why);
        ok = root != NULL &&
             config_table_read(&config_sensor_fault_table, root, &file, NULL, &why) &&
             config_build_sensor_fault(&fault, &file, vehicle, root, &why);
        json_free(root);
        return ok;
}

/* What is read, and what is said of it. */
static const struct {
        const char *text, *described;
} right[] = {
        { "{\"sensor\":\"gyro\",\"does\":\"bias\",\"axes\":\"xz\",\"amount_dps\":5}",
          "gyro x z bias 5 deg/s" },
        { "{\"sensor\":\"gyro\",\"does\":\"stuck\"}", "gyro stuck" },
        { "{\"sensor\":\"accel\",\"does\":\"spike\",\"amount_mps2\":-20,"
          "\"probability\":0.01}",
          "accel spike -20 m/s^2, 1 %" },
        { "{\"sensor\":\"accel\",\"does\":\"drift\",\"axes\":\"y\","
          "\"amount_mps2_per_s\":0.1}",
          "accel y drift 0.1 m/s^2/s" },
        { "{\"sensor\":\"imu\",\"does\":\"delay\",\"delay_ms\":20}", "imu delay 20 ms" },
        { "{\"sensor\":\"imu\",\"does\":\"swap_axes\",\"axes\":\"zx\"}",
          "imu x z swap axes" },
        { "{\"sensor\":\"mag\",\"does\":\"flip_axes\",\"axes\":\"zyx\"}",
          "mag flip axes" },
        { "{\"sensor\":\"mag\",\"does\":\"noise\",\"amount_ut\":3}", "mag noise 3 uT" },
        { "{\"sensor\":\"baro\",\"does\":\"bias\",\"amount_pa\":50}", "baro bias 50 Pa" },
        { "{\"sensor\":\"baro\",\"does\":\"scale\",\"amount_ratio\":1.01}",
          "baro scale 1.01" },
        { "{\"sensor\":\"gps\",\"does\":\"loss\"}", "gps loss" },
        { "{\"sensor\":\"gps\",\"does\":\"jump\",\"axes\":\"ne\",\"amount_m\":50}",
          "gps n e jump 50 m" },
        { "{\"sensor\":\"gps\",\"does\":\"spoof\",\"axes\":\"e\",\"amount_mps\":1.5}",
          "gps e spoof 1.5 m/s" },
        { "{\"sensor\":\"gps\",\"does\":\"few_satellites\",\"count\":5}",
          "gps few satellites, 5 left" },
        { "{\"sensor\":\"gps\",\"does\":\"time_jump\",\"offset_ms\":-500}",
          "gps time jump -500 ms" },
        { "{\"sensor\":\"sonar\",\"does\":\"ghost\",\"sonar\":2,\"amount_m\":0.5}",
          "sonar 2 ghost 0.5 m" },
        { "{\"sensor\":\"sonar\",\"does\":\"dropout\",\"probability\":0.3}",
          "sonar dropout 30 %" },
        { "{\"sensor\":\"flow\",\"does\":\"bias\",\"axes\":\"y\",\"amount_rad\":0.01}",
          "flow y bias 0.01 rad" },
        { "{\"sensor\":\"voltage\",\"does\":\"saturate\",\"amount_v\":12}",
          "voltage saturate 12 V" },
        { "{\"sensor\":\"current\",\"does\":\"drift\",\"amount_a_per_s\":2}",
          "current drift 2 A/s" },
        { "{\"sensor\":\"power\",\"does\":\"nan\"}", "power nan" },
};

START_TEST(a_fault_is_described_as_it_was_written)
{
        char text[100];

        ck_assert_msg(read_for(right[_i].text, &fitted), "%s", why.text);
        sensor_fault_describe(&fault, text, sizeof text);
        ck_assert_str_eq(text, right[_i].described);
        /* Cut where it does not fit. */
        sensor_fault_describe(&fault, text, 6);
        ck_assert_uint_eq(strlen(text), 5);
        ck_assert_mem_eq(text, right[_i].described, 5);
        ck_assert(read_for(right[_i].text, NULL));
}
END_TEST

START_TEST(amounts_become_si_units)
{
        ck_assert(read_for(right[0].text, &fitted));
        ck_assert_int_eq(fault.target, FAULT_GYRO);
        ck_assert_int_eq(fault.kind, SENSOR_BIAS);
        ck_assert_uint_eq(fault.axes, FAULT_AXIS_X | FAULT_AXIS_Z);
        ck_assert_double_eq_tol(fault.amount, 5 * M_PI / 180, 1e-15);
        ck_assert(
                read_for("{\"sensor\":\"mag\",\"does\":\"drift\",\"amount_ut_per_s\":3}",
                         &fitted));
        ck_assert_double_eq_tol(fault.amount, 3e-6, 1e-20);
        ck_assert(read_for("{\"sensor\":\"gps\",\"does\":\"time_jump\",\"offset_ms\":-2}",
                           &fitted));
        ck_assert_int_eq(fault.delay_ns, -2 * MS);
        ck_assert(read_for("{\"sensor\":\"sonar\",\"does\":\"zero\"}", &fitted));
        ck_assert_int_eq(fault.sonar, -1);
        ck_assert_uint_eq(fault.axes, FAULT_ALL_AXES);
}
END_TEST

static const struct {
        const char *text, *expected;
} wrong[] = {
        { "{\"sensor\":\"gyro\",\"does\":\"bias\"}",
          "x: amount_dps: is required, and missing, with \"sensor\": \"gyro\", "
          "\"does\": \"bias\"" },
        { "{\"sensor\":\"gyro\",\"does\":\"bias\",\"amount_mps2\":1}",
          "x: amount_mps2: must be amount_dps with \"sensor\": \"gyro\", \"does\": "
          "\"bias\"" },
        { "{\"sensor\":\"gyro\",\"does\":\"drift\",\"amount_dps\":1}",
          "x: amount_dps: must be amount_dps_per_s with \"sensor\": \"gyro\", \"does\": "
          "\"drift\"" },
        { "{\"sensor\":\"gyro\",\"does\":\"zero\",\"amount_dps\":1}",
          "x: amount_dps: means nothing with \"sensor\": \"gyro\", \"does\": "
          "\"zero\"" },
        { "{\"sensor\":\"gyro\",\"does\":\"bias\",\"amount_dps\":1,\"axes\":\"xw\"}",
          "x: axes: must be letters of \"xyz\", each once, is \"xw\"" },
        { "{\"sensor\":\"gyro\",\"does\":\"bias\",\"amount_dps\":1,\"axes\":\"xx\"}",
          "x: axes: must be letters of \"xyz\", each once, is \"xx\"" },
        { "{\"sensor\":\"flow\",\"does\":\"nan\",\"axes\":\"z\"}",
          "x: axes: must be letters of \"xy\", each once, is \"z\"" },
        { "{\"sensor\":\"gps\",\"does\":\"jump\",\"amount_m\":1,\"axes\":\"x\"}",
          "x: axes: must be letters of \"ned\", each once, is \"x\"" },
        { "{\"sensor\":\"gps\",\"does\":\"jump\",\"amount_m\":1}",
          "x: axes: is required, and missing, with \"sensor\": \"gps\", \"does\": "
          "\"jump\"" },
        { "{\"sensor\":\"mag\",\"does\":\"swap_axes\",\"axes\":\"xyz\"}",
          "x: axes: must be two axes, which are swapped, is \"xyz\"" },
        { "{\"sensor\":\"baro\",\"does\":\"zero\",\"axes\":\"x\"}",
          "x: axes: means nothing with \"sensor\": \"baro\", \"does\": \"zero\"" },
        { "{\"sensor\":\"baro\",\"does\":\"swap_axes\",\"axes\":\"xy\"}",
          "x: does: must be one of these with \"sensor\": \"baro\": stuck, zero, "
          "dropout, "
          "delay, spike, drift, bias, noise, scale, saturate, nan; is \"swap_axes\"" },
        { "{\"sensor\":\"gyro\",\"does\":\"dropout\",\"probability\":1}",
          "x: does: must be one of these with \"sensor\": \"gyro\": stuck, zero, spike, "
          "drift, bias, noise, scale, saturate, nan, swap_axes, flip_axes; is "
          "\"dropout\"" },
        { "{\"sensor\":\"gyro\",\"does\":\"noise\",\"amount_dps\":-1}",
          "x: amount_dps: must be at least 0 with \"does\": \"noise\", is -1" },
        { "{\"sensor\":\"imu\",\"does\":\"dropout\"}",
          "x: probability: is required, and missing, with \"does\": \"dropout\"" },
        { "{\"sensor\":\"imu\",\"does\":\"dropout\",\"probability\":0}",
          "x: probability: must be greater than 0, is 0" },
        { "{\"sensor\":\"imu\",\"does\":\"delay\",\"delay_ms\":1,\"count\":2}",
          "x: count: means nothing with \"does\": \"delay\"" },
        { "{\"sensor\":\"imu\",\"does\":\"delay\",\"delay_ms\":300}",
          "x: delay_ms: must be so short that at most 256 samples wait for it, at the "
          "sensor's rate it may be 302" },
        { "{\"sensor\":\"sonar\",\"does\":\"delay\",\"delay_ms\":800}",
          "x: delay_ms: must be so short that at most 256 samples wait for it, at the "
          "sensor's rate it may be 288" },
        { "{\"sensor\":\"sonar\",\"does\":\"ghost\",\"amount_m\":9}",
          "x: amount_m: must be at most 8, as far as sonar 0 hears, is 9" },
        { "{\"sensor\":\"sonar\",\"does\":\"nan\",\"sonar\":16}",
          "x: sonar: must be at most 15, is 16" },
        { "{\"sensor\":\"gyro\",\"does\":\"nan\",\"sonar\":1}",
          "x: sonar: means nothing with \"sensor\": \"gyro\"" },
        { "{\"sensor\":\"gps\",\"does\":\"few_satellites\",\"count\":2.5}",
          "x: count: must be a whole number, is 2.5" },
        { "{\"sensor\":\"gps\",\"does\":\"time_jump\",\"delay_ms\":5}",
          "x: delay_ms: means nothing with \"does\": \"time_jump\"" },
        { "{\"sensor\":\"gps\"}", "x: does: is required, and missing" },
};

START_TEST(what_does_not_fit_is_refused_by_name)
{
        ck_assert(!read_for(wrong[_i].text, &fitted));
        ck_assert_str_eq(why.text, wrong[_i].expected);
}
END_TEST

START_TEST(a_vehicle_has_no_fault_of_what_it_does_not_carry)
{
        const char *ghost = "{\"sensor\":\"sonar\",\"does\":\"blind\",\"sonar\":3}";

        fitted.flow.schedule.period_ns = 0;
        ck_assert(!read_for("{\"sensor\":\"flow\",\"does\":\"zero\"}", &fitted));
        ck_assert_str_eq(why.text,
                         "x: sensor: must be a sensor that the vehicle carries, is "
                         "\"flow\"");
        ck_assert(read_for("{\"sensor\":\"flow\",\"does\":\"zero\"}", NULL));
        fitted.sonar.count = 3;
        ck_assert(!read_for(ghost, &fitted));
        ck_assert_str_eq(why.text,
                         "x: sonar: must be less than 3, the number of sonars of "
                         "the vehicle, is 3");
        fitted.sonar.count = 0;
        ck_assert(!read_for(ghost, &fitted));
}
END_TEST

static void __attribute__((constructor)) add_suite(void)
{
        Suite *suite = suite_create("config_sensor_fault");
        TCase *tests = tcase_create("reading");

        tcase_add_checked_fixture(tests, set_up, NULL);
        tcase_add_loop_test(tests, a_fault_is_described_as_it_was_written, 0,
                            (int)(sizeof right / sizeof right[0]));
        tcase_add_test(tests, amounts_become_si_units);
        tcase_add_loop_test(tests, what_does_not_fit_is_refused_by_name, 0,
                            (int)(sizeof wrong / sizeof wrong[0]));
        tcase_add_test(tests, a_vehicle_has_no_fault_of_what_it_does_not_carry);
        suite_add_tcase(suite, tests);
        suites_add(__FILE__, suite);
}
