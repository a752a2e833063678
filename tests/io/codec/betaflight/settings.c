/* The settings that Betaflight is asked for before a flight: what is wrong is named with what to type, and one that is
 * not told is not blamed. */
#include "tests/boards/betaflight_stage.h"
#include "tests/suites.h"

static struct codec_setup placed(const uint8_t order[4])
{
        static const struct vec3 pos_m[4] = {
                { 0.2, 0.2, 0 }, { -0.2, -0.2, 0 }, { 0.2, -0.2, 0 }, { -0.2, 0.2, 0 }
        };
        struct codec_setup setup = setup_4_5;

        for (int i = 0; i < 4; i++) {
                setup.rotor_pos_body_m[i] = pos_m[i];
                setup.motor_order[i] = order[i];
        }
        return setup;
}

static void expect_refusal(struct stage *s, const char *words)
{
        run_for(s, 1000, true);
        ck_assert_int_eq(s->codec->ops->frame_every(s->codec), 0);
        ck_assert_int_eq(s->count[SENSORS], 0);
        ck_assert(s->report.refused);
        ck_assert_str_eq(s->codec->ops->complaint(s->codec), words);
        stage_end(s);
}

TEST(protocol_without_outputs_is_refused_with_what_to_type)
{
        struct stage s;

        stage_begin(&s, &setup_4_5);
        s.protocol = 9;
        expect_refusal(&s, "motor_pwm_protocol is DISABLED, with which SITL drives no "
                           "motor: type \"set motor_pwm_protocol = PWM\" and \"save\"");
        stage_begin(&s, &setup_4_5);
        s.protocol = 7;
        expect_refusal(&s, "motor_pwm_protocol is DSHOT600, with which SITL drives no "
                           "motor: type \"set motor_pwm_protocol = PWM\" and \"save\"");
}

TEST(mixer_of_another_vehicle_is_refused)
{
        struct stage s;

        stage_begin(&s, &setup_4_5);
        s.motors = 6;
        expect_refusal(&s, "its mixer has 6 motors, and the vehicle 4 rotors: type "
                           "\"mixer QUADX\" and \"save\"");
}

TEST(lack_of_an_arm_switch_is_refused_with_what_to_type)
{
        struct stage s;

        stage_begin(&s, &setup_4_5);
        s.arm_to = 32;
        expect_refusal(&s, "no switch arms it: type \"aux 0 0 0 1700 2100 0 0\" and "
                           "\"save\"");
}

TEST(motor_order_is_held_against_its_mixer)
{
        struct codec_setup setup = placed((uint8_t[]){ 0, 1, 2, 3 });
        struct stage s;

        stage_begin(&s, &setup);
        run_for(&s, 1000, true);
        ck_assert_int_eq(s.codec->ops->frame_every(s.codec), 1);
        stage_end(&s);

        setup = placed((uint8_t[]){ 1, 0, 3, 2 });
        stage_begin(&s, &setup);
        expect_refusal(&s, "fc.motor_order: must be [0, 1, 2, 3] by Betaflight's mixer, "
                           "is [1, 0, 3, 2]");
}

TEST(receiver_of_another_kind_is_named_when_it_keeps_it_from_arming)
{
        struct codec_setup setup = setup_4_5;
        struct stage s;

        setup.dialect = "2026.6";
        stage_begin(&s, &setup);
        memcpy(s.version, (uint8_t[]){ 26, 6, 2 }, 3);
        s.flags_count = 30;
        s.features = 1U << 14;
        run_for(&s, 1000, true);
        ck_assert_int_eq(s.codec->ops->frame_every(s.codec), 1);
        s.flags = 1U << 2;
        ask_mode(&s, MODE_ARMED);
        run_for(&s, 300, true);
        ck_assert_str_eq(s.text,
                         "cannot arm: no receiver signal (type \"feature RX_UDP\")");
        stage_end(&s);
}

TEST(what_it_does_not_tell_is_not_blamed)
{
        struct codec_setup setup = placed((uint8_t[]){ 3, 2, 1, 0 });
        struct stage s;

        stage_begin(&s, &setup);
        s.secretive = true;
        s.protocol = 9;
        s.motors = 6;
        s.arm_to = 32;
        run_for(&s, 12000, true);
        ck_assert_int_eq(s.codec->ops->frame_every(s.codec), 1);
        ck_assert(!s.report.refused);
        ck_assert_str_eq(s.codec->ops->complaint(s.codec), "");
        stage_end(&s);

        /* A mixer whose motors nobody knows. */
        stage_begin(&s, &setup);
        s.mixer = 23;
        run_for(&s, 1000, true);
        ck_assert_int_eq(s.codec->ops->frame_every(s.codec), 1);
        stage_end(&s);
}

TEST(ports_where_nobody_listens_are_no_hung_scheduler)
{
        struct stage s;

        stage_begin(&s, &setup_4_5);
        for (int i = 0; i < 5000; i++) {
                s.t_ns += MS;
                s.codec->ops->poll(s.codec, s.t_ns, &s.out);
                for (int k = 0; k < s.out.count; k++) {
                        struct msp_frame m;
                        enum msp_found found;

                        msp_find(s.out.packet[k].bytes, s.out.packet[k].len, &m, &found);
                        if (s.out.packet[k].channel == MSP)
                                answer_msp(&s, m.command);
                }
        }
        ck_assert_ptr_nonnull(strstr(s.codec->ops->complaint(s.codec),
                                     "no motors came from Betaflight"));
        stage_end(&s);
}
