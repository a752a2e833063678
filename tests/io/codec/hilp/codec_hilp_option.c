/* A board's own settings over HILP: before the first frame, in flight, lost, refused, unknown. */
#include <stdio.h>

#include "tests/boards/hilp_pair.h"
#include "tests/suites.h"

static void set(struct pair *p, const char *key, const char *value)
{
        ck_assert(p->rig->ops->option(p->rig, key, value));
}

static int frame_every(const struct pair *p)
{
        return p->rig->ops->frame_every(p->rig);
}

/* Hello, then so many polls 100 ms apart. */
static void greet(struct pair *p, int polls)
{
        ck_assert_uint_eq(poll_once(p), FC_HELLO);
        for (int i = 0; i < polls; i++) {
                poll_once(p);
                p->t_ns += 100 * MS;
        }
}

TEST(options_are_told_before_the_first_frame)
{
        struct pair p;

        pair_begin(&p, &setup_plain, 4);
        set(&p, "attitude_law", "dikmen");
        set(&p, "test_fault", "late_loop");
        ck_assert_uint_eq(poll_once(&p), FC_HELLO);
        ck_assert_int_eq(frame_every(&p), 0);
        ck_assert_uint_eq(tick(&p, 0, NULL), 0); /* no frame yet */
        ck_assert_int_eq(p.frames, 0);
        ck_assert_uint_eq(poll_once(&p), FC_OPTION);
        ck_assert_int_eq(p.options, 2);
        ck_assert_str_eq(p.option.key, "test_fault");
        ck_assert_str_eq(p.option.value, "late_loop");
        ck_assert_uint_eq(p.board.parts.sonars, 5);
        ck_assert_int_eq(frame_every(&p), 1);
        ck_assert(!p.report.option_refused);
        ck_assert_uint_eq(tick(&p, 1, NULL), FC_MOTORS | FC_ARMING);
        /* Acknowledged: never again. */
        for (uint32_t i = 2; i < 1000; i++)
                ck_assert_uint_eq(tick(&p, i, NULL), FC_MOTORS | FC_ARMING);
        ck_assert_int_eq(p.options, 2);
        ck_assert_ptr_null(p.rig->ops->option_unheard(p.rig));
        pair_end(&p);
}

TEST(a_refusal_names_key_and_value)
{
        struct pair p;

        pair_begin(&p, &setup_plain, 4);
        p.refuses = true;
        set(&p, "attitude_law", "dikmne");
        greet(&p, 1);
        ck_assert(p.report.option_refused);
        ck_assert_str_eq(p.report.option_key, "attitude_law");
        ck_assert_str_eq(p.report.option_value, "dikmne");
        ck_assert_str_eq(p.report.name, "test board");
        pair_end(&p);
}

TEST(a_board_that_knows_no_options_flies_and_is_asked_again)
{
        struct pair p;
        uint64_t malformed;

        pair_begin(&p, &setup_plain, 4);
        p.deaf = true;
        set(&p, "attitude_law", "dikmen");
        greet(&p, 1);
        ck_assert_str_ne(p.rig->ops->complaint(p.rig), "");
        /* Three times, 100 ms apart. */
        for (int i = 1; i < 3; i++) {
                ck_assert_int_eq(frame_every(&p), 0);
                poll_once(&p);
                p.t_ns += 100 * MS;
        }
        poll_once(&p);
        ck_assert_int_eq(frame_every(&p), 1);
        ck_assert_str_eq(p.rig->ops->complaint(p.rig), "");
        ck_assert_str_eq(p.rig->ops->option_unheard(p.rig), "attitude_law");
        malformed = p.rig->counts.malformed;
        for (uint32_t i = 0; i < 600; i++) {
                p.deaf = i < 300;
                ck_assert_uint_ne(tick(&p, i, NULL) & FC_MOTORS, 0);
        }
        ck_assert_int_eq(p.options, 1); /* with frame 500 or so, and no more */
        ck_assert_ptr_null(p.rig->ops->option_unheard(p.rig));
        ck_assert_uint_eq(p.rig->counts.malformed, malformed);
        pair_end(&p);
}

TEST(an_option_that_changes_in_flight_is_told_with_the_next_frame)
{
        struct pair p;

        pair_ready(&p, &setup_plain);
        ck_assert_uint_eq(tick(&p, 0, NULL), FC_MOTORS | FC_ARMING);
        ck_assert_int_eq(p.options, 0);
        set(&p, "attitude_law", "kemper_pd");
        ck_assert_uint_eq(tick(&p, 1, NULL), FC_OPTION | FC_MOTORS | FC_ARMING);
        ck_assert_str_eq(p.option.value, "kemper_pd");
        set(&p, "attitude_law", "");
        tick(&p, 2, NULL);
        ck_assert_int_eq(p.options, 2);
        ck_assert_str_eq(p.option.value, "");
        /* The same again is no news. */
        set(&p, "attitude_law", "");
        ck_assert_uint_eq(tick(&p, 3, NULL), FC_MOTORS | FC_ARMING);
        pair_end(&p);
}

TEST(a_late_answer_to_an_older_value_does_not_count_for_the_newer)
{
        struct hilp_message ack = { .type = HILP_OPTION_ACK };
        struct pair p;

        pair_ready(&p, &setup_plain);
        tick(&p, 0, NULL);
        p.deaf = true;
        snprintf(ack.u.option_ack.key, sizeof ack.u.option_ack.key, "law");
        set(&p, "law", "a");
        tick(&p, 1, NULL);
        set(&p, "law", "b");
        tick(&p, 2, NULL);
        ack.u.option_ack.accepted = 0; /* of "a" */
        ck_assert_uint_eq(message_to_rig(&p, &ack), 0);
        ck_assert(!p.report.option_refused);
        ack.u.option_ack.accepted = 1;
        ck_assert_uint_eq(message_to_rig(&p, &ack), FC_OPTION);
        /* Nobody was asked any more. */
        ck_assert_uint_eq(message_to_rig(&p, &ack), 0);
        ck_assert_uint_eq(p.rig->counts.malformed, 1);
        pair_end(&p);
}

TEST(a_new_hello_tells_all_of_them_anew)
{
        struct pair p;

        pair_begin(&p, &setup_plain, 4);
        set(&p, "one", "1");
        greet(&p, 1);
        tick(&p, 0, NULL);
        set(&p, "two", "2");
        tick(&p, 1, NULL);
        ck_assert_int_eq(p.options, 2);
        p.rig->ops->restart(p.rig);
        p.t_ns += 100 * MS;
        ck_assert_uint_eq(poll_once(&p), FC_HELLO);
        ck_assert_int_eq(frame_every(&p), 0);
        poll_once(&p);
        ck_assert_int_eq(p.options, 4);
        ck_assert_int_eq(frame_every(&p), 1);
        pair_end(&p);
}

TEST(as_many_options_as_there_may_be_fit_beside_the_largest_frame)
{
        struct sensor_frame frame = { .fresh = ~0U, .fresh_sonars = 0xFFFF };
        struct codec_setup setup = setup_plain;
        struct pilot_input input = { .setpoint.mode = MODE_GOTO };
        struct pair p;
        char key[CODEC_OPTION_MAX + 1];

        setup.sonars = SONARS_MAX;
        pair_ready(&p, &setup);
        for (int i = 0; i < CODEC_OPTIONS_MAX; i++) {
                snprintf(key, sizeof key, "key_%d", i);
                set(&p, key, "12345678901234567890");
        }
        ck_assert(!p.rig->ops->option(p.rig, "one_more", "x"));
        for (int i = 0; i < RC_CHANNELS_MAX; i++)
                input.rc_us[i] = 1500;
        p.rig->ops->encode(p.rig, 0, 0, &frame, &input, &p.out);
        ck_assert_int_gt(p.out.count, 1);
        exchange(&p);
        ck_assert_int_eq(p.options, CODEC_OPTIONS_MAX);
        ck_assert_int_eq(p.inputs, 1);
        ck_assert_int_eq(p.frames, 1);
        ck_assert_uint_eq(p.rig->counts.lost, 0);
        pair_end(&p);
}

TEST(a_board_before_its_hello_asks_for_one_instead)
{
        struct pair p;
        struct hilp_message m = { .type = HILP_OPTION, .u.option = { "law", "a" } };
        uint8_t frame[HILP_FRAME_MAX], out[HILP_FRAME_MAX];
        struct hilp_board_news news;

        pair_begin(&p, &setup_plain, 4);
        ck_assert_uint_eq(hilp_board_option_ack(&p.board, "law", true, out), 0);
        hilp_board_receive(&p.board, frame, hilp_write(&m, frame), 1000000, &news);
        ck_assert_int_eq(news.event, HILP_BOARD_NOTHING);
        ck_assert_uint_gt(news.out_len, 0);
        pair_end(&p);
}
