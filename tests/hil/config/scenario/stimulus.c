/* The "stimulus" of a scenario's step. */
#include <stdio.h>
#include <string.h>

#include "hil/config/scenario/scenario.h"

#include "tests/suites.h"

#define PERIOD_NS 1000000 /* of the rig here */

static struct stimulus stimulus;
static struct config_error why;

static bool read(const char *text)
{
        struct json_error parse;
        struct json *node = json_parse(text, strlen(text), "s.json", &parse);
        struct stimulus_file file = { 0 };
        bool ok;

        ck_assert_msg(node != NULL, "%s", parse.text);
        stimulus = (struct stimulus){ 0 };
        config_error_clear(&why);
        ok = config_table_read(&config_stimulus_table, node, &file, NULL, &why) &&
             config_build_stimulus(&stimulus, &file, PERIOD_NS, node, &why);
        json_free(node);
        return ok;
}

static void expect(const char *text)
{
        bool ok = read(text);

        ck_assert_msg(ok, "%s", why.text);
}

static void refused(const char *text, const char *message)
{
        ck_assert_msg(!read(text), "was taken");
        ck_assert_str_eq(why.text, message);
}

#define STEP "\"shape\": \"step\", \"amplitude\": 1, \"for_s\": 2"

static void expect_input(const char *name, enum stimulus_input input, int index)
{
        char text[200];

        snprintf(text, sizeof(text), "{\"input\": \"%s\", " STEP "}", name);
        expect(text);
        ck_assert_int_eq(stimulus.input, input);
        ck_assert_int_eq(stimulus.index, index);
}

TEST(each_input_has_its_name)
{
        static const char *const axes = "xyz";
        static const char *const ways[] = { "north", "east", "down" };
        char name[40];

        for (int i = 0; i < 3; i++) {
                snprintf(name, sizeof(name), "gyro_%c_dps", axes[i]);
                expect_input(name, STIMULUS_GYRO, i);
                snprintf(name, sizeof(name), "accel_%c_mps2", axes[i]);
                expect_input(name, STIMULUS_ACCEL, i);
                snprintf(name, sizeof(name), "torque_%c_nm", axes[i]);
                expect_input(name, STIMULUS_TORQUE, i);
                snprintf(name, sizeof(name), "wind_%s_mps", ways[i]);
                expect_input(name, STIMULUS_WIND, i);
                snprintf(name, sizeof(name), "force_%s_n", ways[i]);
                expect_input(name, STIMULUS_FORCE, i);
        }
        expect_input("north_m", STIMULUS_NORTH, 0);
        expect_input("east_m", STIMULUS_EAST, 0);
        expect_input("up_m", STIMULUS_UP, 0);
        expect_input("yaw_deg", STIMULUS_YAW, 0);
        for (int i = 0; i < RC_CHANNELS_MAX; i++) {
                snprintf(name, sizeof(name), "rc_%d_us", i);
                expect_input(name, STIMULUS_RC, i);
        }
        for (int i = 0; i < ROTORS_MAX; i++) {
                snprintf(name, sizeof(name), "duty_%d", i);
                expect_input(name, STIMULUS_DUTY, i);
        }
        ck_assert(!read("{\"input\": \"rc_16_us\", " STEP "}"));
        ck_assert(!read("{\"input\": \"duty_8\", " STEP "}"));
}

TEST(the_amplitude_is_in_the_unit_of_the_inputs_name)
{
        expect("{\"input\": \"gyro_y_dps\", " STEP "}");
        ck_assert_double_eq(stimulus.amplitude, RAD_PER_DEG);
        expect("{\"input\": \"yaw_deg\", " STEP "}");
        ck_assert_double_eq(stimulus.amplitude, RAD_PER_DEG);
        expect("{\"input\": \"accel_y_mps2\", " STEP "}");
        ck_assert_double_eq(stimulus.amplitude, 1.0);
        refused("{\"input\": \"duty_0\", \"shape\": \"step\", \"amplitude\": -1.5, "
                "\"for_s\": "
                "1}",
                "s.json: amplitude: must be from -1 to 1 of duty_0, is -1.5");
}

TEST(each_shape_needs_its_keys)
{
        expect("{\"input\": \"up_m\", \"shape\": \"chirp\", \"amplitude\": 1, \"for_s\": "
               "30, "
               "\"from_hz\": 0.1, \"to_hz\": 10}");
        ck_assert_int_eq(stimulus.shape, STIMULUS_CHIRP);
        ck_assert_int_eq(stimulus.for_ns, 30000000000);
        ck_assert_double_eq(stimulus.from_hz, 0.1);
        ck_assert_double_eq(stimulus.to_hz, 10.0);
        expect("{\"input\": \"up_m\", \"shape\": \"prbs\", \"amplitude\": 1, \"for_s\": "
               "30, "
               "\"bits\": 9, \"chip_us\": 8000}");
        ck_assert_int_eq(stimulus.bits, 9);
        ck_assert_int_eq(stimulus.chip_ns, 8000000);
        refused("{\"input\": \"up_m\", \"shape\": \"chirp\", \"amplitude\": 1, "
                "\"for_s\": 30, "
                "\"from_hz\": 1}",
                "s.json: to_hz: is required, and missing, with \"shape\": \"chirp\"");
        refused("{\"input\": \"up_m\", \"shape\": \"sine\", \"amplitude\": 1, \"for_s\": "
                "30}",
                "s.json: from_hz: is required, and missing, with \"shape\": \"sine\"");
        refused("{\"input\": \"up_m\", \"shape\": \"prbs\", \"amplitude\": 1, \"for_s\": "
                "30, "
                "\"bits\": 4}",
                "s.json: chip_us: is required, and missing, with \"shape\": \"prbs\"");
        refused("{\"input\": \"up_m\", \"bits\": 4, " STEP "}",
                "s.json: bits: means nothing with \"shape\": \"step\"");
}

TEST(times_fit_the_rigs_period)
{
        refused("{\"input\": \"up_m\", \"shape\": \"prbs\", \"amplitude\": 1, \"for_s\": "
                "30, "
                "\"bits\": 4, \"chip_us\": 1500}",
                "s.json: chip_us: must be a multiple of the rig's period in us, 1000, is "
                "1500");
        refused("{\"input\": \"up_m\", \"shape\": \"sine\", \"amplitude\": 1, \"for_s\": "
                "30, "
                "\"from_hz\": 500}",
                "s.json: from_hz: must be less than half the loop's rate, 500 Hz, is "
                "500");
        refused("{\"input\": \"up_m\", \"shape\": \"chirp\", \"amplitude\": 1, "
                "\"for_s\": 30, "
                "\"from_hz\": 5, \"to_hz\": 600}",
                "s.json: to_hz: must be less than half the loop's rate, 500 Hz, is 600");
        refused("{\"input\": \"up_m\", \"shape\": \"doublet\", \"amplitude\": 1, "
                "\"for_s\": 0.003}",
                "s.json: for_s: must be a multiple of twice the rig's period in s, so "
                "that both "
                "halves are equal, 0.002, is 0.003");
        refused("{\"input\": \"up_m\", \"shape\": \"step\", \"amplitude\": 1, \"for_s\": "
                "1e-6}",
                "s.json: for_s: must be at least the rig's period, 0.001, is 1e-06");
        refused("{\"input\": \"up_m\", \"shape\": \"step\", \"amplitude\": 1, \"for_s\": "
                "0}",
                "s.json: for_s: must be greater than 0, is 0");
        refused("{\"input\": \"up_m\", \"shape\": \"prbs\", \"amplitude\": 1, \"for_s\": "
                "30, "
                "\"bits\": 21, \"chip_us\": 1000}",
                "s.json: bits: must be at most 20, is 21");
}
