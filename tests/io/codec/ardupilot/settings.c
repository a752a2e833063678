/* The settings that ArduPilot is asked for: a frame that is not the vehicle's is refused with what to set, and
 * nothing else is. */
#include "tests/boards/ardupilot_talk.h"
#include "tests/suites.h"

#include <stdio.h>

/* An X quadrotor, its rotors front right, rear right, rear left, front left, and ArduPilot's outputs for them. */
static const struct codec_setup setup_x = {
        .period_ns = 1 * MS,
        .rotors = 4,
        .motor_order = { 0, 3, 1, 2 },
        .rotor_pos_body_m = { { 1, 1, 0 }, { -1, 1, 0 }, { -1, -1, 0 }, { 1, -1, 0 } },
        .rotor_spin = { -1, 1, -1, 1 },
};

static void tells(struct talk *t, const char *name, int value)
{
        struct mavlink_param_value m = { .param_value = (float)value };

        memcpy(m.param_id, name, strnlen(name, sizeof m.param_id));
        message_to_rig(t, MAVLINK_PARAM_VALUE, &m);
}

static void tells_outputs(struct talk *t, int first)
{
        char name[17];

        for (int i = 1; i <= 8; i++) {
                snprintf(name, sizeof name, "SERVO%d_FUNCTION", i);
                tells(t, name, first + i - 1);
        }
}

static void begin(struct talk *t, const struct codec_setup *setup)
{
        struct mavlink_heartbeat m = { .type = 2, .autopilot = 3 };

        talk_ready(t, setup);
        message_to_rig(t, MAVLINK_HEARTBEAT, &m);
}

/* What it says of a firmware with this frame; "": nothing. */
static const char *complaint_of(const struct codec_setup *setup, int class, int type)
{
        static char text[300];
        struct talk t;

        begin(&t, setup);
        tells(&t, "FRAME_CLASS", class);
        tells_outputs(&t, 33);
        ck_assert_msg(!t.report.refused, "judged before all was told");
        tells(&t, "FRAME_TYPE", type);
        snprintf(text, sizeof text, "%s", t.rig->ops->complaint(t.rig));
        ck_assert_int_eq(t.report.refused, text[0] != '\0');
        talk_end(&t);
        return text;
}

/* A chip at SPI or I2C counts as soon as both of its parameters say so, where a port gives what it measures. */
TEST(chips_that_count_beside_a_unit_at_a_port_are_named)
{
        static const struct {
                const char *id, *use;
                int number, value;
                uint32_t external;
                const char *said; /* NULL: nothing */
        } cases[] = {
                { "INS_ACC2_ID", "INS_USE2", 2753028 + 6, 1, SENSOR_BIT(SENSOR_IMU),
                  "its own IMU 2 counts (INS_ACC2_ID 2753034, on SPI) and knows "
                  "nothing of the flight: set INS_USE2 0" },
                { "INS_ACC2_ID", "INS_USE2", 2753034, 0, SENSOR_BIT(SENSOR_IMU), NULL },
                { "INS_ACC2_ID", "INS_USE2", 2753034, 1, SENSOR_BIT(SENSOR_MAG), NULL },
                { "INS_ACC_ID", "INS_USE", 38, 1, SENSOR_BIT(SENSOR_IMU), NULL },
                { "INS_ACC_ID", "INS_USE", 2753028, 1, SENSOR_BIT(SENSOR_IMU), NULL },
                { "COMPASS_DEV_ID3", "COMPASS_USE3", 73225, 1, SENSOR_BIT(SENSOR_MAG),
                  "its own compass 3 counts (COMPASS_DEV_ID3 73225, on I2C) and knows "
                  "nothing of the flight: set COMPASS_USE3 0" },
                { "BARO2_DEVID", "BARO_PRIMARY", 752657, 1, SENSOR_BIT(SENSOR_BARO),
                  "its own barometer 2 counts (BARO2_DEVID 752657, on I2C) and knows "
                  "nothing of the flight: set BARO_PRIMARY to the port's device" },
                { "BARO2_DEVID", "BARO_PRIMARY", 752657, 0, SENSOR_BIT(SENSOR_BARO),
                  NULL },
        };

        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
                struct codec_setup setup = setup_x;
                struct talk t;

                setup.external = cases[i].external;
                begin(&t, &setup);
                t.report.fresh = 0;
                tells(&t, cases[i].use, cases[i].value);
                ck_assert(!(t.report.fresh & FC_TEXT));
                tells(&t, cases[i].id, cases[i].number);
                ck_assert_int_eq((t.report.fresh & FC_TEXT) != 0, cases[i].said != NULL);
                if (cases[i].said != NULL)
                        ck_assert_str_eq(t.report.text, cases[i].said);
                talk_end(&t);
        }
}

TEST(a_frame_that_is_the_vehicle_s_is_not_complained_of)
{
        struct codec_setup plus = setup_x, v = setup_x, hexa = setup_x;
        static const struct vec3 cross[4] = {
                { 1, 0, 0 }, { 0, 1, 0 }, { -1, 0, 0 }, { 0, -1, 0 }
        };

        ck_assert_str_eq(complaint_of(&setup_x, 1, 1), "");
        for (int i = 0; i < 4; i++)
                v.rotor_pos_body_m[i].y *= 1.7; /* 59 degrees from the nose */
        ck_assert_str_eq(complaint_of(&v, 1, 1), "");
        ck_assert_str_eq(complaint_of(&v, 1, 2), "");
        memcpy(plus.rotor_pos_body_m, cross, sizeof cross);
        for (int i = 0; i < 4; i++)
                plus.rotor_spin[i] = i % 2 == 0 ? 1 : -1;
        memcpy(plus.motor_order, (uint8_t[]){ 2, 0, 3, 1 }, 4);
        ck_assert_str_eq(complaint_of(&plus, 1, 0), "");
        hexa.rotors = 6;
        ck_assert_str_eq(complaint_of(&hexa, 2, 1), "");
        /* Of what is in no table nothing is known. */
        ck_assert_str_eq(complaint_of(&setup_x, 1, 4), "");
        ck_assert_str_eq(complaint_of(&setup_x, 15, 1), "");
}

TEST(another_frame_is_refused_with_what_to_set)
{
        struct codec_setup s = setup_x;

        ck_assert_ptr_nonnull(strstr(complaint_of(&s, 1, 3),
                                     "FRAME_TYPE is 3 (H, an X with the "
                                     "opposite senses of rotation)"));
        ck_assert_ptr_nonnull(strstr(complaint_of(&s, 1, 3), "needs FRAME_TYPE 1 (X)"));
        ck_assert_ptr_nonnull(strstr(complaint_of(&s, 1, 0), "needs FRAME_TYPE 1 (X)"));
        ck_assert_ptr_nonnull(strstr(complaint_of(&s, 2, 1), "FRAME_CLASS is 2 "
                                                             "(hexarotor), and the "
                                                             "vehicle has 4 rotors"));
        ck_assert_ptr_nonnull(strstr(complaint_of(&s, 2, 1), "needs FRAME_CLASS 1"));
        ck_assert_ptr_nonnull(strstr(complaint_of(&s, 0, 1), "undefined"));
        /* Another order of the motors that no frame has. */
        memcpy(s.motor_order, (uint8_t[]){ 3, 0, 1, 2 }, 4);
        ck_assert_ptr_nonnull(
                strstr(complaint_of(&s, 1, 1), "needs fc.motor_order [0, 3, 1, 2]"));
        /* Rotors that all turn one way: none. */
        for (int i = 0; i < 4; i++)
                s.rotor_spin[i] = 1;
        ck_assert_ptr_nonnull(strstr(complaint_of(&s, 1, 1), "another vehicle file"));
}

/* The functions of the outputs say which motor is which. */
TEST(outputs_may_be_assigned_anew)
{
        struct codec_setup s = setup_x;
        struct talk t;

        memcpy(s.motor_order, (uint8_t[]){ 4, 7, 5, 6 }, 4);
        begin(&t, &s);
        tells(&t, "FRAME_CLASS", 1);
        tells(&t, "FRAME_TYPE", 1);
        tells_outputs(&t, 33 - 4);
        ck_assert(!t.report.refused);
        talk_end(&t);
        /* An output that turns no motor, or whose number is nonsense: not known, not blamed. */
        begin(&t, &s);
        tells(&t, "FRAME_CLASS", 1);
        tells(&t, "FRAME_TYPE", 3);
        tells_outputs(&t, 0);
        ck_assert(!t.report.refused);
        talk_end(&t);
}

TEST(what_is_not_answered_is_not_blamed)
{
        struct talk t;

        begin(&t, &setup_x);
        tells(&t, "FRAME_CLASS", 2);
        tells(&t, "FRAME_TYPE", 3);
        for (int ms = 0; ms < 3000; ms++)
                exchange(&t, &t.input);
        ck_assert(!t.report.refused);
        ck_assert_str_eq(t.rig->ops->complaint(t.rig), "");
        talk_end(&t);
}

/* Each by its name, and no more once it has come. */
TEST(each_is_asked_for_until_it_comes)
{
        static const char *const names[] = { "LOG_BACKEND_TYPE", "SIM_SPEEDUP",
                                             "FRAME_CLASS",      "FRAME_TYPE",
                                             "SERVO1_FUNCTION",  "SERVO2_FUNCTION",
                                             "SERVO3_FUNCTION",  "SERVO4_FUNCTION" };
        struct talk t;
        int asked[8] = { 0 };

        begin(&t, &setup_x);
        tells(&t, "FRAME_TYPE", 1);
        for (int ms = 0; ms < 2000; ms++) {
                struct mavlink_param_request_read r;
                struct mavlink_frame f;

                exchange(&t, &t.input);
                for (int i = 0; message_said(&t, i, &f); i++)
                        for (int k = 0; k < 8; k++)
                                asked[k] += mavlink_unpack(&f, mavlink_message_find(20),
                                                           &r) &&
                                            strncmp(r.param_id, names[k], 16) == 0;
        }
        for (int k = 0; k < 8; k++)
                ck_assert_int_eq(asked[k] > 0, k != 3);
        talk_end(&t);
}
