/* HILP when the line or the other side misbehaves: stale, lost and repeated messages, restarts,
 * boards that cannot fly the vehicle, noise. */
#include "io/codec/hilp/codec_hilp.h"
#include "tests/boards/hilp_pair.h"
#include "tests/io/codec/hilp/hilp_random.h"
#include "tests/suites.h"

static struct hilp_message motors_for(uint32_t number, uint8_t count)
{
        return (struct hilp_message){ .type = HILP_MOTORS,
                                      .u.motors = { .answers = number, .count = count } };
}

TEST(stale_motors_are_dropped_and_impossible_ones_are_malformed)
{
        struct hilp_message m;
        struct pair p;

        pair_ready(&p, &setup_plain);
        m = motors_for(0, 4);
        ck_assert_uint_eq(message_to_rig(&p, &m), 0);
        for (uint32_t n = 100; n < 110; n++)
                tick(&p, n, NULL);
        m = motors_for(99, 4);
        ck_assert_uint_eq(message_to_rig(&p, &m), 0);
        m = motors_for(108, 4);
        ck_assert_uint_eq(message_to_rig(&p, &m), 0);
        ck_assert_uint_eq(p.rig->counts.malformed, 0);
        ck_assert_uint_eq(p.report.answered_frame, 109);

        m = motors_for(110, 4);
        ck_assert_uint_eq(message_to_rig(&p, &m), 0);
        m = motors_for(109, 3);
        ck_assert_uint_eq(message_to_rig(&p, &m), 0);
        ck_assert_uint_eq(p.rig->counts.malformed, 2);
        pair_end(&p);
}

TEST(lost_answers_are_counted_and_repeated_ones_dropped)
{
        uint8_t frame[HILP_FRAME_MAX];
        struct pair p;
        size_t len;

        pair_ready(&p, &setup_plain);
        tick(&p, 0, NULL);
        p.board.sequence = (uint8_t)(p.board.sequence + 5);
        ck_assert_uint_eq(tick(&p, 1, NULL), FC_MOTORS | FC_ARMING);
        ck_assert_uint_eq(p.rig->counts.lost, 5);

        len = hilp_board_motors(&p.board, &p.duty, 4, true, false, MODE_GOTO, frame);
        ck_assert_uint_eq(to_rig(&p, frame, len), FC_MOTORS | FC_ARMING);
        ck_assert_uint_eq(to_rig(&p, frame, len), 0);
        ck_assert_uint_eq(p.rig->counts.lost, 5);
        pair_end(&p);
}

TEST(the_board_drops_frames_that_are_not_newer)
{
        struct pair p;

        pair_ready(&p, &setup_plain);
        tick(&p, 10, NULL);
        ck_assert_uint_eq(tick(&p, 10, NULL), 0);
        ck_assert_uint_eq(tick(&p, 9, NULL), 0);
        ck_assert_int_eq(p.frames, 1);
        ck_assert_uint_eq(tick(&p, 11, NULL), FC_MOTORS | FC_ARMING);
        pair_end(&p);
}

TEST(a_board_that_restarts_is_noticed_and_greeted_again)
{
        struct pilot_input go = { .setpoint.mode = MODE_GOTO };
        struct pair p;

        pair_ready(&p, &setup_plain);
        for (uint32_t n = 0; n < 50; n++)
                tick(&p, n, n == 0 ? &go : NULL);
        ck_assert_int_eq(p.inputs, 1);

        hilp_board_init(&p.board, "test board", 4, 1, 78);
        p.board.sequence = 99;
        ck_assert_uint_eq(tick(&p, 50, NULL), FC_TEXT);
        ck_assert_str_eq(p.report.text, "flight controller restarted");
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 0);
        ck_assert_int_eq(p.frames, 50);

        ck_assert_uint_eq(poll_once(&p), FC_HELLO);
        ck_assert_uint_eq(tick(&p, 51, NULL), FC_MOTORS | FC_ARMING);
        ck_assert_int_eq(p.inputs, 2);
        ck_assert_uint_eq(p.rig->counts.lost, 0);
        pair_end(&p);
}

/* The rig's HELLO as a board would hear it that knows no version beyond. */
static void offer_at_most(struct pair *p, uint8_t version)
{
        struct hilp_receiver receiver = { .len = 0 };
        struct packet *packet = &p->out.packet[0];
        uint8_t payload[HILP_PAYLOAD_MAX];
        struct hilp_message m;
        size_t n = 0, used = 0;

        p->rig->ops->poll(p->rig, p->t_ns, &p->out);
        while (n == 0 && used < packet->len)
                used += hilp_receive(&receiver, packet->bytes + used, packet->len - used,
                                     payload, &n);
        ck_assert(hilp_decode(&m, payload, n) && m.type == HILP_HELLO);
        m.u.hello.version_max = version;
        packet->len = (uint16_t)hilp_write(&m, packet->bytes);
}

/* The type of the last message in the outbox. */
static int last_type(const struct pair *p)
{
        const struct packet *packet = &p->out.packet[p->out.count - 1];
        struct hilp_receiver receiver = { .len = 0 };
        uint8_t payload[HILP_PAYLOAD_MAX] = { 0 };
        size_t n, used = 0;

        while (used < packet->len)
                used += hilp_receive(&receiver, packet->bytes + used, packet->len - used,
                                     payload, &n);
        return payload[0];
}

TEST(a_board_is_sent_sensors_as_its_version_has_them)
{
        const struct sensor_frame frame = { .t_ns = MS,
                                            .fresh = SENSOR_BIT(SENSOR_INS),
                                            .ins.euler_rad.z = 0.5 };

        for (uint8_t version = HILP_VERSION_MIN; version <= HILP_VERSION_MAX; version++) {
                struct pair p;

                pair_begin(&p, &setup_plain, 4);
                offer_at_most(&p, version);
                ck_assert_uint_eq(exchange(&p), FC_HELLO);
                p.rig->ops->encode(p.rig, 1, 0, &frame, NULL, &p.out);
                ck_assert_int_eq(last_type(&p), version == 2 ? 3 : 15);
                ck_assert_uint_eq(exchange(&p), FC_MOTORS | FC_ARMING);
                ck_assert_uint_eq(p.seen.fresh, SENSOR_BIT(SENSOR_INS));
                ck_assert_double_eq_tol(p.seen.ins.euler_rad.z, 0.5, 1e-6);
                pair_end(&p);
        }
}

TEST(another_unique_means_a_restart)
{
        struct hilp_message ack = { .type = HILP_HELLO_ACK };
        struct pair p;

        pair_ready(&p, &setup_plain);
        ack.u.hello_ack = p.board.self;
        ack.u.hello_ack.version = HILP_VERSION_MAX;
        ck_assert_uint_eq(message_to_rig(&p, &ack), 0);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 1);
        ack.u.hello_ack.unique++;
        ck_assert_uint_eq(message_to_rig(&p, &ack), FC_TEXT);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 0);
        pair_end(&p);
}

/* A hello of another version, where there is one, is answered, and changes nothing. */
TEST_EACH(a_board_without_hello_asks_at_most_every_100_ms, 2)
{
        struct hilp_board board;
        struct hilp_message m = { .type = HILP_SENSORS };
        struct hilp_message strange = {
                .type = HILP_HELLO,
                .u.hello = { .version_min = 200,
                             .version_max = 201,
                             .rotors = 4,
                             .frame_period_us = 1000,
                             .units = { 1000, 1000, 100000, 20000, 10000 } },
        };
        int asked = 0;

        hilp_board_init(&board, "b", 4, 1, 1);
        for (uint64_t ms = 0; ms < 1000; ms++) {
                uint8_t frame[HILP_FRAME_MAX];
                struct hilp_board_news news;
                struct motor_command duty = { { 0 } };

                if (_i == 1 && ms % 30 == 0) {
                        hilp_board_receive(&board, frame, hilp_write(&strange, frame),
                                           ms * 1000, &news);
                        ck_assert_uint_gt(news.out_len, 0);
                }
                m.sequence++;
                m.u.sensors.number++;
                hilp_board_receive(&board, frame, hilp_write(&m, frame), ms * 1000,
                                   &news);
                ck_assert_int_eq(news.event, HILP_BOARD_NOTHING);
                asked += news.out_len > 0;
                ck_assert_uint_eq(hilp_board_motors(&board, &duty, 4, false, false,
                                                    MODE_DISARMED, frame),
                                  0);
        }
        ck_assert_int_eq(asked, 10);
}

/* What the codec says when the board answers like this. */
static const char *answered(struct pair *p, uint8_t version, uint8_t rotors)
{
        struct hilp_message ack = {
                .type = HILP_HELLO_ACK,
                .u.hello_ack = { .version = version, .frame_every = 1, .rotors = rotors }
        };

        ck_assert_uint_eq(message_to_rig(p, &ack), 0);
        ck_assert_int_eq(p->rig->ops->frame_every(p->rig), 0);
        return p->rig->ops->complaint(p->rig);
}

TEST(a_sensor_that_an_old_version_cannot_name_is_refused_in_words)
{
        struct pair p;

        pair_begin(&p, &setup_plain, 4);
        codec_hilp_self(p.rig)->fitted |= HILP_RELATIVE;
        ck_assert_str_eq(answered(&p, 2, 4),
                         "board speaks version 2, which ends at sensor 7, and this "
                         "vehicle has more: bring the board to version 4 or take them "
                         "out of the vehicle file");
        ck_assert_ptr_nonnull(strstr(answered(&p, 3, 4), "which ends at sensor 7"));
        ck_assert_uint_eq(poll_once(&p), FC_HELLO);
        ck_assert_str_eq(p.rig->ops->complaint(p.rig), "");
        pair_end(&p);
}

TEST(a_board_that_cannot_fly_this_is_refused_in_words)
{
        struct pair p;

        pair_begin(&p, &setup_plain, 4);
        ck_assert_str_eq(answered(&p, 0, 4), "board speaks none of versions 2 to 4");
        ck_assert_str_eq(answered(&p, 1, 4),
                         "board answered with version 1, not one of 2 to 4");
        ck_assert_str_eq(answered(&p, 2, 3),
                         "board has 3 motor outputs, this vehicle needs 4");
        ck_assert_uint_eq(poll_once(&p), FC_HELLO);
        ck_assert_str_eq(p.rig->ops->complaint(p.rig), "");
        pair_end(&p);
}

TEST(complaints_tell_silence_noise_and_echo_apart)
{
        const uint8_t noise[] = { 0xC0, 0xFF, 0xEE, 0 };
        struct hilp_message text = { .type = HILP_TEXT };
        struct pair p;

        pair_begin(&p, &setup_plain, 4);
        ck_assert_ptr_nonnull(strstr(p.rig->ops->complaint(p.rig), "sends nothing"));
        to_rig(&p, noise, sizeof noise);
        ck_assert_ptr_nonnull(strstr(p.rig->ops->complaint(p.rig), "no HILP messages"));
        message_to_rig(&p, &text);
        ck_assert_ptr_nonnull(strstr(p.rig->ops->complaint(p.rig), "does not answer"));
        p.rig->ops->poll(p.rig, p.t_ns, &p.out);
        to_rig(&p, p.out.packet[0].bytes, p.out.packet[0].len);
        ck_assert_ptr_nonnull(strstr(p.rig->ops->complaint(p.rig), "hears itself"));
        pair_end(&p);
}

TEST(a_link_that_came_back_begins_with_hello_and_keeps_the_counts)
{
        const uint8_t half[] = { 9, 9, 9 };
        struct codec_counts before;
        struct pair p;

        pair_ready(&p, &setup_plain);
        tick(&p, 0, NULL);
        to_rig(&p, half, sizeof half);
        before = p.rig->counts;
        p.rig->ops->restart(p.rig);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 0);
        ck_assert_mem_eq(&before, &p.rig->counts, sizeof before);
        ck_assert_uint_eq(poll_once(&p), FC_HELLO);
        ck_assert_uint_eq(tick(&p, 1, NULL), FC_MOTORS | FC_ARMING);
        ck_assert_uint_eq(p.rig->counts.crc_errors, 0);
        pair_end(&p);
}

TEST(a_conversation_survives_a_line_that_loses_and_garbles)
{
        struct pilot_input land = { .setpoint.mode = MODE_LAND };
        struct dice d = { 6 };
        struct pair p;
        int answered = 0;

        pair_begin(&p, &setup_plain, 4);
        for (uint32_t n = 0; n < 5000; n++, p.t_ns += MS) {
                struct sensor_frame frame = { .t_ns = n * MS, .fresh = 1 };

                p.rig->ops->poll(p.rig, p.t_ns, &p.out);
                if (p.out.count > 0 && dice_below(&d, 10) == 0)
                        p.out.packet[0].len /= 2;
                exchange(&p);
                if (p.rig->ops->frame_every(p.rig) == 0)
                        continue;
                p.rig->ops->encode(p.rig, n, 0, &frame, n == 1000 ? &land : NULL, &p.out);
                if (dice_below(&d, 10) == 0)
                        p.out.packet[0].bytes[dice_below(&d, p.out.packet[0].len)] ^=
                                0x10;
                answered += exchange(&p) == (FC_MOTORS | FC_ARMING);
        }
        ck_assert_int_gt(answered, 4000);
        ck_assert_int_eq(p.input.setpoint.mode, MODE_LAND);
        ck_assert_uint_gt(p.board.heard.lost, 100);
        ck_assert_uint_gt(p.board.receiver.crc_errors, 100);
        pair_end(&p);
}
