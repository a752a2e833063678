/* The settings that INAV is asked for in its greeting: what is wrong is named with what to type, and one that is not
 * told is not blamed. */
#include <stdio.h>

#include "tests/boards/inav_pair.h"
#include "tests/suites.h"

static struct codec_setup placed(const uint8_t order[4])
{
        static const struct vec3 pos_m[4] = {
                { 0.2, 0.2, 0 }, { -0.2, -0.2, 0 }, { 0.2, -0.2, 0 }, { -0.2, 0.2, 0 }
        };
        struct codec_setup setup = setup_quad;

        for (int i = 0; i < 4; i++) {
                setup.rotor_pos_body_m[i] = pos_m[i];
                setup.motor_order[i] = order[i];
        }
        return setup;
}

static void expect_refusal(struct pair *p, const char *words)
{
        pair_ticks(p, 1000);
        ck_assert_int_eq(p->rig->ops->frame_every(p->rig), 0);
        ck_assert_int_eq(p->board.frames, 0);
        ck_assert(p->report.refused);
        ck_assert_str_eq(p->rig->ops->complaint(p->rig), words);
        pair_end(p);
}

TEST(receiver_that_takes_no_sticks_is_refused_with_what_to_type)
{
        struct codec_setup v2 = setup_quad, radio = setup_quad;
        struct pair p;

        pair_begin(&p, &setup_quad);
        p.board.receiver = 1;
        expect_refusal(&p, "receiver_type is SERIAL: type \"set receiver_type = SIM "
                           "(SITL)\" and \"save\"");
        v2.dialect = "v2";
        pair_begin(&p, &v2);
        p.board.receiver = 3;
        expect_refusal(&p, "receiver_type is SIM (SITL): type \"set receiver_type = "
                           "MSP\" and \"save\", or set fc.dialect to \"v3\"");
        /* The sticks come by a radio's receiver. */
        radio.receiver = true;
        pair_begin(&p, &radio);
        p.board.receiver = 1;
        pair_ticks(&p, 1000);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 4);
        pair_end(&p);
}

TEST(dialect_that_the_firmware_is_too_old_for_is_refused_before_it_has_started)
{
        struct codec_setup v2 = setup_quad;
        struct pair p;

        pair_begin(&p, &setup_quad);
        memcpy(p.board.version, (uint8_t[]){ 9, 0, 1 }, 3);
        p.board.uptime_s = 0;
        expect_refusal(&p, "INAV 9.0.1 has MSP_SIMULATOR version 2 alone: set fc.dialect "
                           "to \"v2\"");
        v2.dialect = "v2";
        pair_begin(&p, &v2);
        memcpy(p.board.version, (uint8_t[]){ 9, 0, 1 }, 3);
        p.board.receiver = 2;
        pair_ticks(&p, 1000);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 4);
        pair_end(&p);
}

TEST(platform_that_is_no_multirotor_is_refused)
{
        struct pair p;

        pair_begin(&p, &setup_quad);
        p.board.platform = 1;
        expect_refusal(&p, "platform_type is AIRPLANE: type \"set platform_type = "
                           "MULTIROTOR\" and \"save\"");
}

TEST(mixer_of_another_vehicle_is_refused)
{
        struct pair p;

        pair_begin(&p, &setup_quad);
        p.board.motors = 6;
        expect_refusal(&p, "its mixer has 6 motors, and the vehicle 4 rotors: set its "
                           "mixer with \"mmix\"");
}

TEST(lack_of_an_arm_switch_is_refused_with_what_to_type)
{
        struct pair p;

        pair_begin(&p, &setup_quad);
        p.board.arm_to = 32;
        expect_refusal(&p, "no switch arms it: type \"aux 0 0 0 1700 2100\" and "
                           "\"save\"");
}

TEST(motor_order_is_held_against_its_mixer)
{
        static const uint8_t wrong[2][4] = { { 0, 1, 2, 3 }, { 1, 0, 3, 2 } };
        struct codec_setup setup = placed((uint8_t[]){ 1, 2, 3, 0 });
        struct pair p;

        pair_ready(&p, &setup);
        ck_assert_int_eq(p.rig->settings, 2);
        ck_assert_str_eq(p.rig->setting[0].name, "platform_type");
        ck_assert_str_eq(p.rig->setting[0].value, "MULTIROTOR");
        ck_assert_str_eq(p.rig->setting[1].value, "SIM (SITL)");
        pair_end(&p);
        for (int i = 0; i < 2; i++) {
                char words[100];

                snprintf(words, sizeof words,
                         "fc.motor_order: must be [1, 2, 3, 0] by INAV's mixer, is "
                         "[%d, %d, %d, %d]",
                         wrong[i][0], wrong[i][1], wrong[i][2], wrong[i][3]);
                setup = placed(wrong[i]);
                pair_begin(&p, &setup);
                expect_refusal(&p, words);
        }
}

TEST(what_it_does_not_tell_is_not_blamed)
{
        struct codec_setup setup = placed((uint8_t[]){ 3, 2, 1, 0 });
        struct pair p;

        pair_begin(&p, &setup);
        p.board.knows_no_settings = true;
        p.board.receiver = p.board.platform = 1;
        pair_ticks(&p, 1000);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 4);
        ck_assert(!p.report.refused);
        pair_end(&p);

        /* It says nothing at all for a while, of one or two of them for ever. */
        pair_begin(&p, &setup_quad);
        pair_ticks(&p, 6);
        p.board.swallow = 7;
        pair_ticks(&p, 4000);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 4);
        pair_end(&p);
}
