/* PX4 as shipped: nothing but its MAVLink, on the one link that there is. */
#include "tests/boards/px4_pair.h"
#include "tests/suites.h"

#include <stdio.h>

#include "io/codec/mavlink_values.h"

static struct codec_setup setup_shipped(void)
{
        struct codec_setup setup = in_dialect("shipped", false);

        setup.rotor_pos_body_m[0] = (struct vec3){ 0.1, 0.1, 0.0 };
        setup.rotor_pos_body_m[1] = (struct vec3){ -0.1, 0.1, 0.0 };
        setup.rotor_pos_body_m[2] = (struct vec3){ -0.1, -0.1, 0.0 };
        setup.rotor_pos_body_m[3] = (struct vec3){ 0.1, -0.1, 0.0 };
        for (int i = 0; i < 4; i++)
                setup.rotor_spin[i] = i % 2 == 0 ? -1.0 : 1.0;
        return setup;
}

static void begin(struct px4_pair *p)
{
        struct codec_setup setup = setup_shipped();

        pair_begin(p, &setup);
        pair_poll(p, 1000 * MS);
        ck_assert_int_eq(pair_count(p, MAVLINK_HEARTBEAT), 1);
        ck_assert_ptr_nonnull(strstr(p->rig->ops->complaint(p->rig), "nothing is heard"));
        pair_heartbeat(p, 0, 0, 4, 3);
}

static uint32_t param(struct px4_pair *p, const char *name, int32_t value)
{
        struct mavlink_param_value m = { .param_type = MAV_PARAM_TYPE_INT32 };

        memcpy(m.param_id, name, strnlen(name, sizeof m.param_id));
        memcpy(&m.param_value, &value, sizeof value);
        return pair_say(p, 0, MAVLINK_PARAM_VALUE, &m);
}

static uint32_t outputs(struct px4_pair *p, uint16_t a, uint16_t b, uint16_t c,
                        uint16_t d)
{
        struct mavlink_servo_output_raw m = { .servo_raw = { a, b, c, d } };

        return pair_say(p, 0, MAVLINK_SERVO_OUTPUT_RAW, &m);
}

/* It is asked for its parameters as often as it is asked, and answers none. */
static void ask_all(struct px4_pair *p)
{
        for (int i = 0; i < 15000; i++) {
                p->heard_count = 0;
                pair_frame(p, NULL);
        }
}

TEST(its_heartbeat_is_its_hello)
{
        struct px4_pair p;

        begin(&p);
        ck_assert_uint_eq(p.report.fresh, FC_HELLO | FC_ARMING);
        ck_assert_int_gt(p.rig->ops->frame_every(p.rig), 0);
        pair_heartbeat(&p, 0, MAV_MODE_FLAG_SAFETY_ARMED, 4, 3);
        ck_assert_uint_eq(p.report.fresh, FC_ARMING);
        ck_assert(p.report.armed);
        pair_end(&p);
}

TEST(what_is_in_hil_mode_is_not_as_shipped)
{
        struct codec_setup setup = setup_shipped();
        struct px4_pair p;

        pair_begin(&p, &setup);
        pair_heartbeat(&p, 0, MAV_MODE_FLAG_HIL_ENABLED, 4, 3);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 0);
        ck_assert_ptr_nonnull(strstr(p.rig->ops->complaint(p.rig), "SYS_HITL to 0"));
        pair_end(&p);
}

TEST(it_is_asked_and_told_on_its_one_link_and_given_no_samples)
{
        struct pilot_input input = wanting(MODE_ARMED, 0.0);
        struct mavlink_command_long c;
        bool outputs_asked = false, armed = false;
        struct px4_pair p;

        begin(&p);
        for (int i = 0; i < 1000; i++) {
                p.heard_count = 0;
                p.frame.fresh = SENSOR_BIT(SENSOR_GPS) | SENSOR_BIT(SENSOR_BARO);
                pair_frame(&p, &input);
                for (int k = 0; k < p.heard_count; k++) {
                        ck_assert_int_eq(p.heard[k].channel, 0);
                        if (!mavlink_unpack(&p.heard[k].frame, mavlink_message_find(76),
                                            &c))
                                continue;
                        outputs_asked |= c.command == 511 && c.param1 == 36.0F;
                        armed |= c.command == 400 && c.param1 == 1.0F;
                }
                ck_assert_int_eq(pair_count(&p, MAVLINK_HIL_SENSOR), 0);
                ck_assert_int_eq(pair_count(&p, MAVLINK_HIL_GPS), 0);
        }
        ck_assert(outputs_asked && armed);
        pair_end(&p);
}

static void check_duties(const struct px4_pair *p, double a, double b, double c, double d)
{
        const double wanted[4] = { a, b, c, d };

        ck_assert(!p->report.answers_frame);
        for (int i = 0; i < 4; i++)
                ck_assert_double_eq_tol(p->report.motors.duty[i], wanted[i], 1e-3);
}

/* SERVO_OUTPUT_RAW has the numbers of whatever drives the outputs. */
TEST(its_outputs_are_pulses_unless_it_has_said_otherwise)
{
        struct px4_pair p;

        begin(&p);
        ck_assert_uint_eq(outputs(&p, 1100, 1200, 1300, 1400), 0); /* not said yet */
        ask_all(&p);
        ck_assert_uint_eq(outputs(&p, 1100, 1200, 900, 2100), FC_MOTORS);
        check_duties(&p, 0.1, 1.0, 0.2, 0.0);
        pair_end(&p);
}

/* What is no pulse once is none later, where it might look like one. */
TEST(outputs_that_are_no_pulses_and_that_it_said_nothing_of_are_not_compared)
{
        struct px4_pair p;

        begin(&p);
        ask_all(&p);
        ck_assert_uint_eq(outputs(&p, 110, 110, 110, 110), 0);
        ck_assert_uint_eq(outputs(&p, 1100, 1200, 1300, 1400), 0);
        pair_end(&p);
}

TEST(on_a_bus_its_outputs_go_to_8191_and_off_is_65535)
{
        struct px4_pair p;

        begin(&p);
        param(&p, "UAVCAN_ENABLE", 3);
        param(&p, "PWM_MAIN_TIM0", 400);
        ck_assert_uint_eq(outputs(&p, 819, 8191, 65535, 0), FC_MOTORS);
        check_duties(&p, 0.1, 0.0, 1.0, 0.0);
        pair_end(&p);
}

TEST(by_dshot_its_outputs_go_to_1999)
{
        struct px4_pair p;

        begin(&p);
        param(&p, "UAVCAN_ENABLE", 2);
        param(&p, "PWM_MAIN_TIM0", -3);
        ck_assert_uint_eq(outputs(&p, 200, 0, 1999, 0), FC_MOTORS);
        check_duties(&p, 0.1, 0.0, 0.0, 1.0);
        pair_end(&p);
}

static void frame_of_px4(struct px4_pair *p, const int function[4])
{
        static const float at[4][3] = {
                { 1, 1, 0.05F }, { -1, -1, 0.05F }, { 1, -1, -0.05F }, { -1, 1, -0.05F }
        };
        static const char *const what[] = { "PX", "PY", "KM" };
        char name[24];

        for (int i = 0; i < 4; i++) {
                for (int k = 0; k < 3; k++) {
                        struct mavlink_param_value m = { .param_type =
                                                                 MAV_PARAM_TYPE_REAL32,
                                                         .param_value = at[i][k] };

                        snprintf(name, sizeof name, "CA_ROTOR%d_%s", i, what[k]);
                        memcpy(m.param_id, name, strlen(name));
                        pair_say(p, 0, MAVLINK_PARAM_VALUE, &m);
                }
                snprintf(name, sizeof name, "PWM_MAIN_FUNC%d", i + 1);
                param(p, name, function[i]);
        }
}

/* Which timer or bus drives its motors is the board's affair. */
TEST(outputs_that_are_no_motors_are_not_blamed)
{
        struct px4_pair p;

        begin(&p);
        frame_of_px4(&p, (const int[]){ 0, 0, 0, 0 });
        ck_assert_ptr_null(strstr(p.rig->ops->complaint(p.rig), "PWM_MAIN"));
        ck_assert(!p.report.refused);
        pair_end(&p);
}

TEST(motors_at_its_outputs_are_where_the_vehicle_has_them)
{
        struct px4_pair p;

        begin(&p);
        frame_of_px4(&p, (const int[]){ 101, 102, 103, 104 });
        ck_assert(!p.report.refused);
        pair_end(&p);
        begin(&p);
        frame_of_px4(&p, (const int[]){ 102, 101, 103, 104 });
        ck_assert(p.report.refused);
        ck_assert_ptr_nonnull(strstr(p.rig->ops->complaint(p.rig), "stands elsewhere"));
        pair_end(&p);
}

TEST(a_clock_that_went_back_is_a_restart)
{
        struct mavlink_attitude_quaternion m = { .time_boot_ms = 50000, .q1 = 1.0F };
        struct px4_pair p;

        begin(&p);
        pair_say(&p, 0, MAVLINK_ATTITUDE_QUATERNION, &m);
        m.time_boot_ms = 3000;
        ck_assert_uint_eq(pair_say(&p, 0, MAVLINK_ATTITUDE_QUATERNION, &m), FC_TEXT);
        ck_assert_str_eq(p.report.text, "flight controller restarted");
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 0);
        pair_heartbeat(&p, 0, 0, 4, 3);
        ck_assert_int_gt(p.rig->ops->frame_every(p.rig), 0);
        pair_end(&p);
}

/* Sticks come by the radio where there is one at a port, and by MAVLink where there is none. */
TEST(sticks_go_where_its_receiver_is)
{
        for (int radio = 0; radio < 2; radio++) {
                struct codec_setup setup = setup_shipped();
                struct pilot_input input = wanting(MODE_ARMED, 0.0);
                struct px4_pair p;

                for (int i = 0; i < 4; i++)
                        input.rc_us[i] = 1500;
                setup.receiver = radio == 1;
                pair_begin(&p, &setup);
                pair_heartbeat(&p, 0, 0, 4, 3);
                for (int i = 0; i < 100; i++)
                        pair_frame(&p, &input);
                ck_assert_int_eq(pair_count(&p, MAVLINK_MANUAL_CONTROL) > 0, radio == 0);
                pair_end(&p);
        }
}

TEST(at_the_end_it_is_told_to_disarm_on_its_one_link)
{
        struct mavlink_command_long c;
        struct px4_pair p;

        begin(&p);
        p.heard_count = 0;
        p.rig->ops->goodbye(p.rig, &p.out);
        pair_listen(&p);
        ck_assert_int_eq(pair_newest(&p, MAVLINK_COMMAND_LONG, &c), 0);
        ck_assert_int_eq(c.command, 400);
        ck_assert(c.param1 == 0.0F);
        pair_end(&p);
}
