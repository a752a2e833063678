/* The motor pads of a rig's vehicle: what they become, and what is said of those that cannot be. */
#include <stdlib.h>
#include <string.h>

#include "hil/config/rig/rig.h"

#include "tests/suites.h"

#define MS     INT64_C(1000000)
#define ROTORS 4

static struct vehicle_config vehicle;

static struct config_error why;

/* `text` is a vehicle of a rig file, with nothing but its vehicle.pads. */
static bool read_pads(const char *text, enum pace pace)
{
        struct pads_file file;
        struct json_error parse_why;
        struct json *root = json_parse(text, strlen(text), "x", &parse_why);
        const struct json *node = json_member(root, "pads");
        bool ok = root != NULL;

        memset(&file, 0, sizeof file);
        config_error_clear(&why);
        if (ok && node != NULL) {
                file.pads.used = true;
                ok = config_table_read(&config_pads_table, node, &file, NULL, &why);
        }
        vehicle.params.rotors = ROTORS;
        ok = ok && config_build_pads(&vehicle.pads, &file, &vehicle, pace, root, &why);
        json_free(root);
        return ok;
}

TEST(a_source_alone_drives_rotor_i_by_input_i_at_24_mhz)
{
        ck_assert_msg(read_pads("{\"pads\":{\"source\":\"fx2\"}}", PACE_REALTIME), "%s",
                      why.text);
        ck_assert(vehicle.pads.used);
        ck_assert(vehicle.pads.drives);
        ck_assert(!vehicle.pads.simulated_clock);
        ck_assert_int_eq(vehicle.pads.source.kind, CAPTURE_FX2);
        ck_assert_double_eq(vehicle.pads.source.rate_hz, 24e6);
        ck_assert(!vehicle.pads.source.simulated);
        ck_assert_str_eq(vehicle.pads.source_text, "fx2");
        ck_assert_int_eq(vehicle.pads.rotors, ROTORS);
        for (int i = 0; i < ROTORS; i++)
                ck_assert_int_eq(vehicle.pads.pad_of_rotor[i], i);
        ck_assert_int_eq(vehicle.pads.protocol, MOTOR_UNKNOWN);
        ck_assert_int_eq(vehicle.pads.polarity, MOTOR_POLARITY_AUTO);
        ck_assert_double_eq(vehicle.pads.range.low, 1000.0);
        ck_assert_double_eq(vehicle.pads.range.high, 2000.0);
        ck_assert(!vehicle.pads.range.three_d);
        ck_assert_double_eq(vehicle.pads.glitch_s, 0.0);
        ck_assert_int_eq(vehicle.pads.silence_ns, 100 * MS);
        ck_assert_int_eq(vehicle.pads.gaps_max, 0);
}

TEST(everything_that_is_said_is_taken)
{
        ck_assert_msg(
                read_pads(
                        "{\"pads\":{\"source\":\"board:uart:/dev/ttyACM1@921600\",\"rate_"
                        "mhz\":12,\"use\":\"watch\",\"rotors\":[7,2,0,5],\"protocol\":"
                        "\"DSHOT300\",\"polarity\":\"inverted\",\"low_us\":1040,\"high_"
                        "us\":1960,\"three_d\":true,"
                        "\"glitch_ns\":80,\"silence_ms\":20,\"clock\":\"simulated\","
                        "\"gaps_max\":3}}",
                        PACE_LOCKSTEP),
                "%s", why.text);
        ck_assert(!vehicle.pads.drives);
        ck_assert(vehicle.pads.simulated_clock);
        ck_assert(vehicle.pads.source.simulated);
        ck_assert_int_eq(vehicle.pads.source.kind, CAPTURE_BOARD);
        ck_assert_double_eq(vehicle.pads.source.rate_hz, 12e6);
        ck_assert_uint_eq(vehicle.pads.pad_of_rotor[0], 7);
        ck_assert_uint_eq(vehicle.pads.pad_of_rotor[3], 5);
        ck_assert_int_eq(vehicle.pads.protocol, MOTOR_DSHOT300);
        ck_assert_int_eq(vehicle.pads.polarity, MOTOR_POLARITY_INVERTED);
        ck_assert_double_eq(vehicle.pads.range.low, 1040.0);
        ck_assert_double_eq(vehicle.pads.range.high, 1960.0);
        ck_assert(vehicle.pads.range.three_d);
        ck_assert_double_eq_tol(vehicle.pads.glitch_s, 80e-9, 1e-18);
        ck_assert_int_eq(vehicle.pads.silence_ns, 20 * MS);
        ck_assert_int_eq(vehicle.pads.gaps_max, 3);
}

/* The names stand in the order of enum motor_protocol. */
TEST(every_protocol_is_the_one_of_its_name)
{
        for (int i = MOTOR_PWM; i < MOTOR_PROTOCOLS; i++) {
                const char *name = motor_protocol_name((enum motor_protocol)i);
                char text[120];

                snprintf(text, sizeof text,
                         "{\"pads\":{\"source\":\"fx2\",\"protocol\":\"%s\"}}", name);
                ck_assert_msg(read_pads(text, PACE_REALTIME), "%s", why.text);
                ck_assert_int_eq(vehicle.pads.protocol, i);
        }
}

TEST(a_vehicle_without_pads_has_none)
{
        ck_assert(read_pads("{}", PACE_LOCKSTEP));
        ck_assert(!vehicle.pads.used);
}

/* What is read, and what is said of it. */
static const struct {
        const char *keys;
        enum pace pace;
        const char *said;
} wrong[] = {
        { "\"use\":\"watch\"", PACE_REALTIME,
          "x: pads.source: is required, and missing" },
        { "\"source\":\"fx3\"", PACE_REALTIME,
          "x: pads.source: kind: must be fx2, board or sr" },
        { "\"source\":\"fx2:1234:5678\"", PACE_REALTIME,
          "x: pads.source: USB ids: must be "
          "0925:3881, "
          "08a9:0014, 04b4:8613 or 1d50:608c" },
        { "\"source\":\"sr:flight.sr\"", PACE_REALTIME,
          "x: pads.source: must be an analyzer or a capture board, is "
          "\"sr:flight.sr\": "
          "a "
          "recording does not follow the flight; hilrig capture reads it" },
        { "\"source\":\"fx2\",\"rate_mhz\":0", PACE_REALTIME,
          "x: pads.rate_mhz: must be greater than 0, is 0" },
        { "\"source\":\"fx2\",\"rate_mhz\":25", PACE_REALTIME,
          "x: pads.rate_mhz: must be 48 MHz or 30 MHz divided by a whole number of 2 to "
          "1536, 24 MHz at most, is 25; the nearest is 24" },
        { "\"source\":\"fx2\",\"clock\":\"simulated\",\"rate_mhz\":7", PACE_LOCKSTEP,
          "x: pads.rate_mhz: must be 48 MHz or 30 MHz divided by a whole number of 2 to "
          "1536, 24 MHz at most, is 7; the nearest is 6.857142857" },
        { "\"source\":\"fx2\",\"rotors\":[0,1,1,3]", PACE_REALTIME,
          "x: pads.rotors: has input 1 twice" },
        { "\"source\":\"fx2\",\"rotors\":[0,1,2]", PACE_REALTIME,
          "x: pads.rotors: must have 4 entries, one for each rotor, has 3" },
        { "\"source\":\"fx2\",\"rotors\":[0,1,2,8]", PACE_REALTIME,
          "x: pads.rotors.3: must be at most 7, is 8" },
        { "\"source\":\"fx2\",\"low_us\":1500,\"high_us\":1500", PACE_REALTIME,
          "x: pads.high_us: must be above low_us, 1500, is 1500" },
        { "\"source\":\"fx2\",\"protocol\":\"DSHOT900\"", PACE_REALTIME,
          "x: pads.protocol: must be \"auto\", \"PWM\", " },
        { "\"source\":\"fx2\"", PACE_LOCKSTEP,
          "x: pads.clock: must be \"simulated\" in lockstep: the signals of a "
          "real board "
          "run on while simulated time waits; fly it with \"pace\": \"realtime\"" },
        { "\"source\":\"fx2\",\"clock\":\"simulated\"", PACE_REALTIME,
          "x: pads.clock: must be \"device\" in real time, is \"simulated\"" },
        { "\"source\":\"fx2\",\"silence_ms\":0", PACE_REALTIME,
          "x: pads.silence_ms: must be at least 1, is 0" },
        { "\"source\":\"fx2\",\"gaps_max\":-1", PACE_REALTIME,
          "x: pads.gaps_max: must be at least 0, is -1" },
        { "\"source\":\"fx2\",\"rotor\":[0,1,2,3]", PACE_REALTIME,
          "x: pads.rotor: unknown key, did you mean \"rotors\"?" },
};

TEST_EACH(what_is_wrong_is_said_with_its_key, sizeof wrong / sizeof wrong[0])
{
        char text[300];

        snprintf(text, sizeof text, "{\"pads\":{%s}}", wrong[_i].keys);
        ck_assert(!read_pads(text, wrong[_i].pace));
        ck_assert_msg(strncmp(why.text, wrong[_i].said, strlen(wrong[_i].said)) == 0,
                      "said \"%s\"\nnot  \"%s\"", why.text, wrong[_i].said);
}

TEST(a_capture_board_on_the_flight_controllers_own_port_is_refused)
{
        vehicle.fc.links = 1;
        strcpy(vehicle.fc.link_text[0], "uart:/dev/ttyACM0@921600");
        ck_assert(!read_pads("{\"pads\":{\"source\":\"board:uart:/dev/ttyACM0@921600\"}}",
                             PACE_REALTIME));
        ck_assert_ptr_nonnull(strstr(why.text, "is the flight controller's own link"));
        ck_assert_msg(
                read_pads("{\"pads\":{\"source\":\"board:uart:/dev/ttyACM1@921600\"}}",
                          PACE_REALTIME),
                "%s", why.text);
}
