/* Sensor faults as scenarios have them: what is read, what is refused, and how they are described. */
#include <math.h>
#include <string.h>

#include "hil/config/scenario/scenario.h"
#include "tests/models/faults/sensor_fault_stage.h"
#include "tests/suites.h"

static struct vehicle_config carrier;
static struct sensors_params *const fitted = &carrier.params.sensors;
static struct sensor_fault fault;
static struct config_error why;

static void set_up(void)
{
        carrier = (struct vehicle_config){ .name = "quad", .fc = { .codec = "hilp" } };
        stage_sensors(fitted);
        memset(&fault, 0, sizeof fault);
}

FIXTURE(set_up, NULL)

static bool read_fault(const char *text)
{
        struct sensor_fault_file file = { .axes = "" };
        struct json_error parse_why;
        struct json *root = json_parse(text, strlen(text), "x", &parse_why);
        bool ok;

        config_error_clear(&why);
        ok = root != NULL &&
             config_table_read(&config_sensor_fault_table, root, &file, NULL, &why) &&
             config_build_sensor_fault(&fault, &file, &carrier, root, &why);
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

TEST_EACH(a_fault_is_described_as_it_was_written, sizeof right / sizeof right[0])
{
        char text[100];

        ck_assert_msg(read_fault(right[_i].text), "%s", why.text);
        sensor_fault_describe(&fault, text, sizeof text);
        ck_assert_str_eq(text, right[_i].described);
        /* Cut where it does not fit. */
        sensor_fault_describe(&fault, text, 6);
        ck_assert_uint_eq(strlen(text), 5);
        ck_assert_mem_eq(text, right[_i].described, 5);
        ck_assert(read_fault(right[_i].text));
}

TEST(amounts_become_si_units)
{
        ck_assert(read_fault(right[0].text));
        ck_assert_int_eq(fault.target, FAULT_GYRO);
        ck_assert_int_eq(fault.kind, SENSOR_BIAS);
        ck_assert_uint_eq(fault.axes, FAULT_AXIS_X | FAULT_AXIS_Z);
        ck_assert_double_eq_tol(fault.amount, 5 * M_PI / 180, 1e-15);
        ck_assert(read_fault(
                "{\"sensor\":\"mag\",\"does\":\"drift\",\"amount_ut_per_s\":3}"));
        ck_assert_double_eq_tol(fault.amount, 3e-6, 1e-20);
        ck_assert(read_fault(
                "{\"sensor\":\"gps\",\"does\":\"time_jump\",\"offset_ms\":-2}"));
        ck_assert_int_eq(fault.delay_ns, -2 * MS);
        ck_assert(read_fault("{\"sensor\":\"sonar\",\"does\":\"zero\"}"));
        ck_assert_int_eq(fault.sonar, -1);
        ck_assert_uint_eq(fault.axes, FAULT_ALL_AXES);
}

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

TEST_EACH(what_does_not_fit_is_refused_by_name, sizeof wrong / sizeof wrong[0])
{
        ck_assert(!read_fault(wrong[_i].text));
        ck_assert_str_eq(why.text, wrong[_i].expected);
}

TEST(a_vehicle_has_no_fault_of_what_it_does_not_carry)
{
        const char *ghost = "{\"sensor\":\"sonar\",\"does\":\"blind\",\"sonar\":3}";

        fitted->flow.schedule.period_ns = 0;
        ck_assert(!read_fault("{\"sensor\":\"flow\",\"does\":\"zero\"}"));
        ck_assert_str_eq(why.text,
                         "x: sensor: must be a sensor that the vehicle carries, is "
                         "\"flow\"");
        fitted->sonar.count = 3;
        ck_assert(!read_fault(ghost));
        ck_assert_str_eq(why.text,
                         "x: sonar: must be less than 3, the number of sonars of "
                         "the vehicle, is 3");
        fitted->sonar.count = 0;
        ck_assert(!read_fault(ghost));
}

static void fly_with(const char *codec, const char *dialect, const char *device)
{
        set_up();
        snprintf(carrier.fc.codec, sizeof carrier.fc.codec, "%s", codec);
        snprintf(carrier.fc.dialect, sizeof carrier.fc.dialect, "%s", dialect);
        carrier.ports = device != NULL;
        snprintf(carrier.port[0].device, sizeof carrier.port[0].device, "%s",
                 device != NULL ? device : "");
}

#define LOSS "{\"sensor\":\"gps\",\"does\":\"loss\"}"

TEST(a_fault_that_cannot_reach_the_firmware_is_refused_with_what_could)
{
        fly_with("ardupilot", "guided", NULL);
        ck_assert(!read_fault(LOSS));
        ck_assert_str_eq(
                why.text,
                "x: does: cannot reach the firmware of quad: the frames of the "
                "codec \"ardupilot\", dialect \"guided\", have no field for it, and no "
                "device at its ports carries it; what could: ublox_m8, ublox_m10, "
                "nmea, msp_sensors, vectornav_vn300, inertiallabs, dronecan_slcan, "
                "dronecan_mcast, dronecan_socketcan; is "
                "\"loss\" of \"gps\"");
        ck_assert(!read_fault("{\"sensor\":\"baro\",\"does\":\"bias\",\"amount_pa\":9}"));
        ck_assert(!read_fault("{\"sensor\":\"gyro\",\"does\":\"nan\"}"));
        ck_assert_ptr_nonnull(strstr(why.text,
                                     "what could: vectornav_vn100, vectornav_vn300, "
                                     "dronecan_slcan, dronecan_mcast, "
                                     "dronecan_socketcan;"));
        ck_assert(!read_fault("{\"sensor\":\"current\",\"does\":\"nan\"}"));
        ck_assert_ptr_nonnull(strstr(
                why.text,
                "what could: dronecan_slcan, dronecan_mcast, dronecan_socketcan;"));
        ck_assert(!read_fault("{\"sensor\":\"gps\",\"does\":\"nan\"}"));
        ck_assert_ptr_nonnull(strstr(why.text, "nothing else could"));
        ck_assert(read_fault("{\"sensor\":\"gyro\",\"does\":\"zero\"}"));
        ck_assert(read_fault("{\"sensor\":\"power\",\"does\":\"stuck\"}"));
        fly_with("inav", "v2", NULL);
        ck_assert(!read_fault("{\"sensor\":\"current\",\"does\":\"zero\"}"));
        ck_assert_ptr_nonnull(strstr(why.text,
                                     "what could: fc.dialect v3, dronecan_slcan, "
                                     "dronecan_mcast, dronecan_socketcan;"));
        ck_assert(read_fault("{\"sensor\":\"power\",\"does\":\"zero\"}"));
        ck_assert(!read_fault(
                "{\"sensor\":\"mag\",\"does\":\"scale\",\"amount_ratio\":2}"));
        ck_assert(read_fault("{\"sensor\":\"mag\",\"does\":\"bias\",\"amount_ut\":2}"));
        fly_with("px4", "", NULL);
        ck_assert(read_fault("{\"sensor\":\"sonar\",\"does\":\"zero\",\"sonar\":0}"));
        ck_assert(!read_fault("{\"sensor\":\"sonar\",\"does\":\"zero\",\"sonar\":1}"));
}

TEST(a_device_at_a_port_carries_what_the_codec_cannot)
{
        fly_with("ardupilot", "guided", "ublox_m8");
        ck_assert(read_fault(LOSS));
        ck_assert(!read_fault("{\"sensor\":\"gps\",\"does\":\"nan\"}"));
        fly_with("px4", "", "tfmini");
        carrier.port[0].sonar = 1;
        ck_assert(read_fault("{\"sensor\":\"sonar\",\"does\":\"zero\",\"sonar\":1}"));
        ck_assert(!read_fault("{\"sensor\":\"sonar\",\"does\":\"zero\",\"sonar\":2}"));
        fly_with("ardupilot", "guided", "telemetry");
        ck_assert(!read_fault(LOSS));
        fly_with("ardupilot", "guided", "vectornav_vn100");
        ck_assert(read_fault("{\"sensor\":\"baro\",\"does\":\"bias\",\"amount_pa\":9}"));
        ck_assert(read_fault("{\"sensor\":\"mag\",\"does\":\"nan\"}"));
        ck_assert(read_fault("{\"sensor\":\"imu\",\"does\":\"nan\"}"));
        ck_assert(!read_fault(LOSS));
        fly_with("ardupilot", "guided", "vectornav_vn300");
        ck_assert(read_fault(LOSS));
        ck_assert(!read_fault(
                "{\"sensor\":\"gps\",\"does\":\"time_jump\",\"offset_ms\":5}"));
}
