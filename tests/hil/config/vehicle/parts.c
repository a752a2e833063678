/* Barometer, magnetometer, optical flow and power module of a vehicle file: what the keys
 * become, and that the shipped parts are what their data sheets say. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/rig/rig.h"

#include "tests/suites.h"

static struct sensors_params params;
static struct config_error why;

/* Reads the object "sensors" of a vehicle file. */
static bool read_sensors(const char *text)
{
        struct vehicle_file *file = calloc(1, sizeof(*file));
        struct json_error error;
        struct json *node = json_parse(text, strlen(text), "vehicle.json", &error);
        bool ok;

        ck_assert_ptr_nonnull(file);
        ck_assert_msg(node != NULL, "%s", error.text);
        memset(&params, 0, sizeof(params));
        config_error_clear(&why);
        ok = config_table_read(&config_sensors_table, node, file, NULL, &why) &&
             config_build_sensors(&params, &file->sensors, node, &why);
        json_free(node);
        free(file);
        return ok;
}

static void expect_read(const char *text)
{
        ck_assert_msg(read_sensors(text), "%s", why.text);
}

static void expect_refused(const char *text, const char *message)
{
        ck_assert_msg(!read_sensors(text), "was read: %s", text);
        ck_assert_msg(strstr(why.text, message) != NULL, "%s", why.text);
}

/* {"KEY": {"rate_hz": 50, "part": the file's content}} plus more keys. */
static void read_part(const char *key, const char *part, const char *more)
{
        char path[100], text[4000];
        size_t len;
        char *content;

        snprintf(path, sizeof(path), "rig_configs/parts/%s.json", part);
        content = config_load_text(path, &len, &why);
        ck_assert_msg(content != NULL, "%s", why.text);
        snprintf(text, sizeof(text), "{\"%s\": {\"rate_hz\": 50, \"part\": %s%s}}", key,
                 content, more);
        free(content);
        expect_read(text);
}

TEST(a_bare_barometer_is_ideal)
{
        expect_read("{\"baro\": {\"rate_hz\": 50}}");
        ck_assert_int_eq(params.baro.schedule.period_ns, 20000000);
        ck_assert_double_eq(params.baro.pressure.sigma[0], 0.0);
        ck_assert_double_eq(params.baro.pressure.lsb, 0.01);
        ck_assert_double_eq(params.baro.pressure.min, 1000.0);
        ck_assert_double_eq_tol(params.baro.pressure.max, 120000.0, 1e-6);
        ck_assert_double_eq(params.baro.drift_sigma_pa, 0.0);
        ck_assert(!params.baro.is_bmp180);
}

TEST(a_barometer_takes_its_own_keys)
{
        expect_read("{\"baro\": {\"rate_hz\": 50, \"bias_pa\": 30, \"sigma_pa\": 2,"
                    " \"lsb_pa\": 0.5, \"reported_min_pa\": 30000,"
                    " \"reported_max_pa\": 110000, \"at_m\": { \"forward\": 0.1, "
                    "\"down\": -0.2 },"
                    " \"wind_ratio\": [0.1, 0.2, -0.3], \"wash_ratio\": 0.05,"
                    " \"wash_ground_ratio\": 0.4, \"drift_pa\": 3, \"drift_tau_s\": 90,"
                    " \"temperature\": {\"bias_k\": 1, \"sigma_k\": 0.1,"
                    " \"lsb_k\": 0.1}}}");
        ck_assert_double_eq(params.baro.pressure.bias[0], 30.0);
        ck_assert_double_eq(params.baro.pressure.sigma[0], 2.0);
        ck_assert_double_eq(params.baro.pressure.lsb, 0.5);
        ck_assert_double_eq(params.baro.pressure.min, 30000.0);
        ck_assert_double_eq(params.baro.pressure.max, 110000.0);
        ck_assert_double_eq(params.baro.lever_arm_body_m.z, -0.2);
        ck_assert_double_eq(params.baro.wind_ratio.y, 0.2);
        ck_assert_double_eq(params.baro.wash_ratio, 0.05);
        ck_assert_double_eq(params.baro.wash_ground_ratio, 0.4);
        ck_assert_double_eq(params.baro.drift_sigma_pa, 3.0);
        ck_assert_double_eq(params.baro.drift_tau_s, 90.0);
        ck_assert_double_eq(params.baro.temperature.bias[0], 1.0);
        ck_assert_double_eq(params.baro.temperature.sigma[0], 0.1);
}

/* TE's data sheet: 0.065 mbar at 256, 0.012 at 4096. */
TEST(oversampling_chooses_the_noise)
{
        read_part("baro", "baro_ms5611", "");
        ck_assert_double_eq(params.baro.pressure.sigma[0], 1.2);
        ck_assert_double_eq(params.baro.pressure.lsb, 1.0);
        read_part("baro", "baro_ms5611", ", \"oversampling\": 256");
        ck_assert_double_eq(params.baro.pressure.sigma[0], 6.5);
        read_part("baro", "baro_ms5611", ", \"oversampling\": 256, \"sigma_pa\": 9");
        ck_assert_double_eq(params.baro.pressure.sigma[0], 9.0);
        read_part("baro", "baro_bmp581", ", \"oversampling\": 128");
        ck_assert_double_eq(params.baro.pressure.sigma[0], 0.08);
        ck_assert_double_eq(params.baro.pressure.lsb, 1.0 / 64.0);
        expect_refused("{\"baro\": {\"rate_hz\": 50, \"oversampling\": 3}}",
                       "baro.oversampling: must be that of one of the part's modes");
        expect_refused("{\"baro\": {\"rate_hz\": 50, \"part\": {\"oversampling\": 3}}}",
                       "baro.part.oversampling: must be that of one");
}

TEST(a_bmp180_has_its_mode_and_words)
{
        read_part("baro", "baro_bmp180", "");
        ck_assert(params.baro.is_bmp180);
        ck_assert_int_eq(params.baro.bmp180.oversampling, 0);
        ck_assert_int_eq(params.baro.bmp180.ac3, -14383);
        ck_assert_int_eq(params.baro.bmp180.ac4, 32741);
        ck_assert_int_eq(params.baro.bmp180.mb, -32768);
        ck_assert_double_eq(params.baro.pressure.sigma[0], 6.0);
        ck_assert_double_eq(params.baro.pressure.lsb, 1.0);
        ck_assert_double_eq(params.baro.pressure.max, 110000.0);
        read_part("baro", "baro_bmp180", ", \"oversampling\": 3");
        ck_assert_int_eq(params.baro.bmp180.oversampling, 3);
        ck_assert_double_eq(params.baro.pressure.sigma[0], 3.0);
        expect_refused("{\"baro\": {\"rate_hz\": 50, \"oversampling\": 4,"
                       " \"part\": {\"bmp180\": {}}}}",
                       "baro.oversampling: must be 0 to 3 for a BMP180, is 4");
        expect_refused("{\"baro\": {\"rate_hz\": 50,"
                       " \"part\": {\"bmp180\": {\"AC4\": 0}}}}",
                       "baro.part.bmp180: has calibration words that no part has");
        expect_refused("{\"baro\": {\"rate_hz\": 50,"
                       " \"part\": {\"bmp180\": {\"AC1\": 40000}}}}",
                       "baro.part.bmp180.AC1: must be");
}

TEST(limits_in_the_wrong_order_are_refused)
{
        expect_refused("{\"baro\": {\"rate_hz\": 50, \"reported_min_pa\": 130000}}",
                       "baro.reported_min_pa: must be less than reported_max_pa");
        expect_refused("{\"flow\": {\"rate_hz\": 50, \"part\": {\"range_min_m\": 31}}}",
                       "flow.part.range_min_m: must be less than range_max_m");
        expect_refused("{\"flow\": {\"rate_hz\": 50, \"phase_us\": 20000}}",
                       "flow.phase_us: must be less than the period");
        expect_refused("{\"power\": {\"rate_hz\": 10, \"voltage\": {\"lsb_v\": 10,"
                       " \"reported_max_v\": 5}}}",
                       "power.voltage.reported_max_v: must be at least one LSB");
}

TEST(a_bare_magnetometer_is_ideal)
{
        expect_read("{\"mag\": {\"rate_hz\": 100}}");
        for (int i = 0; i < 3; i++) {
                ck_assert_double_eq(params.mag.field.sigma[i], 0.0);
                ck_assert_double_eq(params.mag.field.scale[i][i], 1.0);
        }
        ck_assert_double_eq(params.mag.field.lsb, 1e-9);
        ck_assert_double_eq(params.mag.induced_body.x.x, 0.0);
        ck_assert_double_eq(params.mag.induced_body.z.z, 0.0);
        ck_assert_double_eq(params.mag.hard_iron_body_t.x, 0.0);
}

TEST(iron_and_current_are_the_vehicles)
{
        expect_read("{\"mag\": {\"rate_hz\": 100, \"hard_iron_ut\": [10, -20, 5],"
                    " \"soft_iron\": {\"scale\": [1.1, 0.9, 1],"
                    " \"cross_axis\": {\"xy\": 0.02, \"zx\": -0.03}},"
                    " \"current_ut_per_a\": [0.1, 0.2, 0.3]}}");
        ck_assert_double_eq_tol(params.mag.hard_iron_body_t.y, -20e-6, 1e-18);
        ck_assert_double_eq_tol(params.mag.induced_body.x.x, 0.1, 1e-12);
        ck_assert_double_eq_tol(params.mag.induced_body.y.y, -0.1, 1e-12);
        ck_assert_double_eq(params.mag.induced_body.x.y, 0.02);
        ck_assert_double_eq(params.mag.induced_body.z.x, -0.03);
        ck_assert_double_eq_tol(params.mag.current_body_t_per_a.z, 0.3e-6, 1e-18);
}

/* Honeywell: 2 milligauss, 1090 counts to the gauss, -0.3 %/K. */
TEST(a_magnetometer_has_its_parts_noise_unless_told_otherwise)
{
        read_part("mag", "mag_hmc5883l", "");
        ck_assert_double_eq_tol(params.mag.field.sigma[2], 2e-7, 1e-15);
        ck_assert_double_eq_tol(params.mag.field.lsb, 1e-4 / 1090.0, 0.5e-9);
        ck_assert_double_eq_tol(params.mag.field.max, 2047.0 * 92e-9, 1e-12);
        ck_assert_double_eq_tol(params.mag.gain_per_k, -0.003, 1e-12);
        ck_assert_double_eq(params.mag.reference_k, 298.15);
        read_part("mag", "mag_hmc5883l", ", \"sigma_ut\": [1, 1, 1], \"lsb_ut\": 0.5");
        ck_assert_double_eq_tol(params.mag.field.sigma[2], 1e-6, 1e-15);
        ck_assert_double_eq(params.mag.field.lsb, 5e-7);
        read_part("mag", "mag_lsm303d", "");
        ck_assert_double_eq_tol(params.mag.field.min, -200e-6 * 1.31072, 1e-9);
        read_part("mag", "mag_ist8310", "");
        ck_assert_double_eq_tol(params.mag.field.max, 1600e-6, 0.3e-6);
}

/* White noise of density n in half the rate's band: n sqrt(50). */
TEST(noise_density_becomes_noise_of_the_rate)
{
        expect_read("{\"mag\": {\"rate_hz\": 100, \"part\": {\"noise_ut_rthz\": 0.04,"
                    " \"sigma_ut\": [0, 0.3, 0]}}}");
        ck_assert_double_eq_tol(params.mag.field.sigma[0], 0.04e-6 * sqrt(50.0), 1e-15);
        ck_assert_double_eq_tol(params.mag.field.sigma[1],
                                1e-6 * sqrt(0.0016 * 50.0 + 0.09), 1e-15);
}

TEST(flow_sensors_are_what_their_parts_say)
{
        read_part("flow", "flow_pmw3901", ", \"at_m\": { \"down\": 0.05 }");
        ck_assert(!params.flow.has_gyro);
        ck_assert_double_eq(params.flow.range_min_m, 0.08);
        ck_assert_double_eq(params.flow.rate_max_radps, 7.4);
        ck_assert_double_eq_tol(params.flow.lsb_rad, 1.0 / 385.0, 1e-8);
        ck_assert_double_eq(params.flow.lever_arm_body_m.z, 0.05);
        ck_assert_double_eq(params.flow.scale[1], 1.0);
        read_part("flow", "flow_px4flow", ", \"mounting_deg\": {\"yaw\": 90}");
        ck_assert(params.flow.has_gyro);
        ck_assert_double_eq_tol(params.flow.gyro.lsb, 0.07 * M_PI / 180.0, 1e-9);
        ck_assert_double_eq_tol(params.flow.q_body_to_sensor.z, -sqrt(0.5), 1e-15);
        expect_read("{\"flow\": {\"rate_hz\": 50}}");
        ck_assert_int_eq(params.flow.quality_min, 1);
        ck_assert_double_eq(params.flow.sigma_rad, 0.0);
}

TEST(a_power_module_has_its_gains_and_ranges)
{
        expect_read("{\"power\": {\"rate_hz\": 10, \"voltage\": {\"gain\": 1.02,"
                    " \"bias_v\": 0.1, \"lsb_v\": 0.01}, \"current\": {\"gain\": 0.95,"
                    " \"sigma_a\": 0.2, \"lsb_a\": 0.5, \"reported_min_a\": -20.2}}}");
        ck_assert_double_eq(params.power.voltage.scale[0][0], 1.02);
        ck_assert_double_eq(params.power.voltage.bias[0], 0.1);
        ck_assert_double_eq(params.power.voltage.min, 0.0);
        ck_assert_double_eq_tol(params.power.voltage.max, 60.0, 1e-9);
        ck_assert_double_eq(params.power.current.scale[0][0], 0.95);
        ck_assert_double_eq(params.power.current.sigma[0], 0.2);
        ck_assert_double_eq(params.power.current.min, -20.0);
        ck_assert_double_eq(params.power.current.max, 200.0);
}

TEST(what_is_left_out_is_not_fitted)
{
        expect_read("{}");
        ck_assert_int_eq(params.baro.schedule.period_ns, 0);
        ck_assert_int_eq(params.mag.schedule.period_ns, 0);
        ck_assert_int_eq(params.flow.schedule.period_ns, 0);
        ck_assert_int_eq(params.power.schedule.period_ns, 0);
}
