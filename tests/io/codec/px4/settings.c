/* PX4's parameters: what it is asked for before it flies, and with what it is not flown. */
#include <stdlib.h>

#include "io/codec/mavlink_values.h"
#include "tests/boards/px4_pair.h"
#include "tests/suites.h"

/* Front right and rear left counter-clockwise, as PX4's quadrotor X has its motors 1 to 4. */
static const char *const parameters[][2] = {
        { "CA_AIRFRAME", "0" },      { "CA_ROTOR_COUNT", "4" },
        { "COM_RC_IN_MODE", "1" },   { "MC_ROLLRATE_P", "0.15" },
        { "CA_ROTOR0_PX", "0.15" },  { "CA_ROTOR0_PY", "0.24" },
        { "CA_ROTOR0_KM", "0.05" },  { "CA_ROTOR1_PX", "-0.15" },
        { "CA_ROTOR1_PY", "-0.19" }, { "CA_ROTOR1_KM", "0.05" },
        { "CA_ROTOR2_PX", "0.15" },  { "CA_ROTOR2_PY", "-0.24" },
        { "CA_ROTOR2_KM", "-0.05" }, { "CA_ROTOR3_PX", "-0.15" },
        { "CA_ROTOR3_PY", "0.19" },  { "CA_ROTOR3_KM", "-0.05" },
        { "PWM_MAIN_FUNC1", "101" }, { "PWM_MAIN_FUNC2", "102" },
        { "PWM_MAIN_FUNC3", "103" }, { "PWM_MAIN_FUNC4", "104" },
};

#define PARAMETERS (int)(sizeof parameters / sizeof parameters[0])

static struct px4_pair pair;

static void begin(const uint8_t order[4])
{
        struct codec_setup setup = setup_sitl;
        static const double north[4] = { 1, -1, -1, 1 }, east[4] = { 1, 1, -1, -1 };

        for (int i = 0; i < 4; i++) {
                setup.rotor_pos_body_m[i] =
                        (struct vec3){ 0.2 * north[i], 0.2 * east[i], 0 };
                setup.rotor_spin[i] = i % 2 == 0 ? -1.0 : 1.0;
                setup.motor_order[i] = order[i];
        }
        pair_ready(&pair, &setup);
}

static const uint8_t usual[4] = {
        0, 3, 1, 2
}; /* rotors: front right, rear right, rear left, front left */

static void tell(const char *name, const char *text)
{
        struct mavlink_param_value m = { .param_index = 1,
                                         .param_type = MAV_PARAM_TYPE_REAL32 };
        int32_t whole = atoi(text);

        m.param_value = (float)atof(text);
        if (strchr(text, '.') == NULL) {
                m.param_type = MAV_PARAM_TYPE_INT32;
                memcpy(&m.param_value, &whole, sizeof whole);
        }
        memcpy(m.param_id, name, strnlen(name, sizeof m.param_id));
        pair_say(&pair, 1, MAVLINK_PARAM_VALUE, &m);
}

/* All of them, and `name` with another value. */
static void tell_all(const char *name, const char *other)
{
        for (int i = 0; i < PARAMETERS; i++)
                tell(parameters[i][0],
                     strcmp(parameters[i][0], name) == 0 ? other : parameters[i][1]);
}

static bool was_asked_for(const char *name)
{
        struct mavlink_param_request_read m;

        for (int i = 0; i < pair.heard_count; i++)
                if (pair.heard[i].id == MAVLINK_PARAM_REQUEST_READ &&
                    mavlink_unpack(&pair.heard[i].frame,
                                   mavlink_message_find(MAVLINK_PARAM_REQUEST_READ),
                                   &m) &&
                    strncmp(m.param_id, name, sizeof m.param_id) == 0)
                        return m.param_index == -1 && pair.heard[i].channel == 1;
        return false;
}

TEST(every_parameter_is_asked_for_until_it_is_known)
{
        begin(usual);
        pair_ticks(&pair, 1000);
        for (int i = 0; i < PARAMETERS; i++)
                ck_assert_msg(was_asked_for(parameters[i][0]), "%s", parameters[i][0]);
        ck_assert(was_asked_for("NAV_RCL_ACT"));
        /* One that PX4 does not have is not asked for without end. */
        for (int i = 0; i < 4; i++) {
                pair.heard_count = 0;
                pair_ticks(&pair, 1000);
        }
        ck_assert_int_eq(pair_count(&pair, MAVLINK_PARAM_REQUEST_READ), 0);
        pair_end(&pair);
}

TEST(what_fits_flies_and_is_listed)
{
        begin(usual);
        tell_all("", "");
        pair_tick(&pair, NULL);
        ck_assert_str_eq(pair.rig->ops->complaint(pair.rig), "");
        ck_assert(!pair.report.refused);
        ck_assert_int_eq(pair.rig->settings, PARAMETERS);
        for (int i = 0; i < PARAMETERS; i++) {
                ck_assert_str_eq(pair.rig->setting[i].name, parameters[i][0]);
                ck_assert_str_eq(pair.rig->setting[i].value, parameters[i][1]);
        }
        pair_end(&pair);
}

static const struct {
        const char *name, *value, *says;
} wrong[] = {
        { "CA_AIRFRAME", "2", "its CA_AIRFRAME is 2, and the vehicle is a multirotor" },
        { "CA_ROTOR_COUNT", "6",
          "its CA_ROTOR_COUNT is 6, and the vehicle has 4 rotors: it needs another "
          "airframe (SYS_AUTOSTART), or type \"param set CA_ROTOR_COUNT 4\"" },
        { "PWM_MAIN_FUNC4", "0",
          "its PWM_MAIN_FUNC4 is 0, which is no motor (101 to 104), and rotor 1 is "
          "driven by that output: type \"param set PWM_MAIN_FUNC4 104\"" },
        { "PWM_MAIN_FUNC4", "-2147483648", "" }, /* no such function: not known */
        { "CA_ROTOR0_KM", "-0.05",
          "its motor 1 (CA_ROTOR0_PX, _PY, _KM), which drives rotor 0, stands elsewhere "
          "or turns the other way: it needs another airframe" },
        { "CA_ROTOR3_PX", "nan.", "" },
};

TEST_EACH(what_does_not_fit_is_refused_with_what_to_type, sizeof wrong / sizeof wrong[0])
{
        const char *says = wrong[_i].says;

        begin(usual);
        tell_all(wrong[_i].name, wrong[_i].value);
        pair_tick(&pair, NULL);
        ck_assert_int_eq(pair.report.refused, says[0] != '\0');
        ck_assert_msg(strncmp(pair.rig->ops->complaint(pair.rig), says, strlen(says)) ==
                              0,
                      "%s", pair.rig->ops->complaint(pair.rig));
        /* A heartbeat takes nothing back. */
        pair_heartbeat(&pair, 1, 0, 4, 3);
        ck_assert_int_eq(pair.report.refused, says[0] != '\0');
        pair_end(&pair);
}

TEST(another_order_of_the_motors_is_named)
{
        const uint8_t mixed[4] = { 0, 1, 2, 3 };

        begin(mixed);
        tell_all("", "");
        ck_assert(pair.report.refused);
        ck_assert_ptr_nonnull(strstr(pair.rig->ops->complaint(pair.rig),
                                     "it needs fc.motor_order [0, 3, 1, 2]"));
        pair_end(&pair);
}

/* 0: a radio's alone; 1: a joystick's; 4: none. */
TEST_EACH(sticks_that_it_ignores_are_refused_when_the_scenario_moves_them, 3)
{
        const struct pilot_input sticks = { .rc_us = { 1500, 1500, 1500, 1500 } };
        bool heeds = _i == 1;

        begin(usual);
        tell_all("COM_RC_IN_MODE", _i == 0 ? "0" : _i == 1 ? "1" : "4");
        pair_ticks(&pair, 100);
        ck_assert(!pair.report.refused);
        pair_tick(&pair, &sticks);
        pair_ticks(&pair, 100);
        ck_assert_int_eq(pair.report.refused, !heeds);
        if (!heeds)
                ck_assert_ptr_nonnull(strstr(pair.rig->ops->complaint(pair.rig),
                                             "type \"param set COM_RC_IN_MODE 1\""));
        pair_end(&pair);
}

/* A chip at SPI or I2C, where a port gives what it measures; PX4 asks of it only then. */
TEST_EACH(a_chip_that_counts_beside_a_unit_at_a_port_is_named, 7)
{
        static const struct {
                uint32_t external;
                const char *id, *priority;
                bool said;
        } cases[] = {
                { SENSOR_BIT(SENSOR_IMU), "2753034", "50", true },
                { SENSOR_BIT(SENSOR_IMU), "2753034", "-1", true }, /* not chosen yet */
                { SENSOR_BIT(SENSOR_IMU), "2753034", "0", false },
                { SENSOR_BIT(SENSOR_IMU), "2753036", "50", false }, /* a simulator's */
                { SENSOR_BIT(SENSOR_IMU), "0", "50", false },
                { SENSOR_BIT(SENSOR_MAG), "2753034", "50", false },
                { 0, "2753034", "50", false },
        };
        struct codec_setup setup = setup_sitl;

        setup.external = cases[_i].external;
        pair_ready(&pair, &setup);
        pair_ticks(&pair, 2000);
        ck_assert_int_eq(was_asked_for("CAL_ACC1_PRIO"), cases[_i].external != 0);
        pair.report.fresh = 0;
        tell("CAL_ACC1_ID", cases[_i].id);
        ck_assert(!(pair.report.fresh & FC_TEXT));
        tell("CAL_ACC1_PRIO", cases[_i].priority);
        ck_assert_int_eq((pair.report.fresh & FC_TEXT) != 0, cases[_i].said);
        if (cases[_i].said)
                ck_assert_str_eq(pair.report.text,
                                 "its own accelerometer 1 counts (CAL_ACC1_ID 2753034, "
                                 "on SPI) and "
                                 "knows nothing of the flight: set CAL_ACC1_PRIO 0");
        pair_end(&pair);
}
