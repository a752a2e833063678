/* The rig's codec and the board's side of HILP, joined in memory: whole conversations, and what
 * both do when the line or the other side misbehaves. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "io/codec.h"
#include "io/hilp_board.h"
#include "tests/hilp_random.h"

#define MS 1000000LL

static const struct codec_setup setup_plain = {
        .period_ns = 1 * MS,
        .sensor_period_ns = { 1 * MS, 100 * MS, 20 * MS, 10 * MS, 0 },
        .sensor_lsb = { 4.79e-3, 0.0, 0.01, 1.5e-7, 0.0 },
        .gyro_lsb_radps = 1.064e-3,
        .rotors = 4,
        .motor_order = { 1, 3, 0, 2 },
};

/* Both ends, and what each heard last. */
struct pair {
        struct codec *rig;
        struct hilp_board board;
        struct packets out;
        struct fc_report report;
        int64_t t_ns;
        int hellos, inputs, goodbyes;
        int frames; /* that the board answered */
        struct sensor_frame seen;
        struct pilot_input input;
        struct motor_command duty;
};

static void pair_begin(struct pair *p, const struct codec_setup *setup, int rotors)
{
        memset(p, 0, sizeof *p);
        p->rig = codec_create("hilp", setup);
        ck_assert_ptr_nonnull(p->rig);
        p->t_ns = 5000 * MS;
        hilp_board_init(&p->board, "test board", rotors, 1, 77);
        for (int i = 0; i < ROTORS_MAX; i++)
                p->duty.duty[i] = (i + 1) / 16.0;
}

static void pair_end(struct pair *p)
{
        p->rig->ops->destroy(p->rig);
}

/* Bytes to the rig; returns all the news that were in them. */
static uint32_t to_rig(struct pair *p, const uint8_t *bytes, size_t len)
{
        size_t used = 0;

        p->report.fresh = 0;
        while (used < len) {
                size_t n = p->rig->ops->decode(p->rig, 0, p->t_ns, bytes + used,
                                               len - used, &p->report);

                ck_assert_uint_gt(n, 0);
                used += n;
        }
        return p->report.fresh;
}

static uint32_t message_to_rig(struct pair *p, struct hilp_message *m)
{
        uint8_t frame[HILP_FRAME_MAX];
        size_t len;

        m->sequence = p->board.sequence++;
        len = hilp_write(m, frame);
        ck_assert_uint_gt(len, 0);
        return to_rig(p, frame, len);
}

/* One piece of news at the board; its answer goes to `back`. */
static void board_takes(struct pair *p, const struct hilp_board_news *news, uint8_t *back,
                        size_t *len)
{
        memcpy(back + *len, news->out, news->out_len);
        *len += news->out_len;
        p->hellos += news->event == HILP_BOARD_HELLO;
        p->goodbyes += news->event == HILP_BOARD_GOODBYE;
        if (news->event == HILP_BOARD_INPUT) {
                p->input = news->input;
                p->inputs++;
        }
        if (news->event == HILP_BOARD_SENSORS) {
                p->seen = news->sensors;
                p->frames++;
                *len += hilp_board_motors(&p->board, &p->duty, p->board.self.rotors, true,
                                          false, MODE_GOTO, back + *len);
        }
}

/* Everything in the outbox to the board, its answers to the rig. Returns the rig's news. */
static uint32_t exchange(struct pair *p)
{
        uint8_t back[4096];
        size_t len = 0;

        for (int i = 0; i < p->out.count; i++) {
                const struct packet *packet = &p->out.packet[i];
                size_t used = 0;

                ck_assert_uint_eq(packet->channel, 0);
                while (used < packet->len) {
                        struct hilp_board_news news;

                        used += hilp_board_receive(&p->board, packet->bytes + used,
                                                   packet->len - used,
                                                   (uint64_t)p->t_ns / 1000, &news);
                        board_takes(p, &news, back, &len);
                }
        }
        p->out.count = 0;
        return to_rig(p, back, len);
}

static uint32_t poll_once(struct pair *p)
{
        p->rig->ops->poll(p->rig, p->t_ns, &p->out);
        return exchange(p);
}

static uint32_t tick(struct pair *p, uint32_t number, const struct pilot_input *input)
{
        struct sensor_frame frame = { .t_ns = number * MS,
                                      .fresh = SENSOR_BIT(SENSOR_IMU) };

        frame.imu.t_ns = frame.t_ns - 200000;
        frame.imu.accel_body_mps2.z = -2047 * 4.79e-3;
        p->rig->ops->encode(p->rig, number, &frame, input, &p->out);
        return exchange(p);
}

/* Past the hello. */
static void pair_ready(struct pair *p, const struct codec_setup *setup)
{
        pair_begin(p, setup, 4);
        ck_assert_uint_eq(poll_once(p), FC_HELLO);
        ck_assert_int_eq(p->rig->ops->frame_every(p->rig), 1);
}

START_TEST(every_codec_is_made_by_its_name)
{
        const char *const *names = codec_names();

        ck_assert_ptr_nonnull(names[0]);
        for (int i = 0; names[i] != NULL; i++) {
                struct codec *c = codec_create(names[i], &setup_plain);

                ck_assert_ptr_nonnull(c);
                ck_assert_str_eq(c->ops->name, names[i]);
                c->ops->destroy(c);
        }
        ck_assert_ptr_null(codec_create("hilp2", &setup_plain));
        ck_assert_ptr_null(codec_create("", &setup_plain));
}
END_TEST

START_TEST(hello_is_said_at_once_and_then_every_100_ms)
{
        struct pair p;
        int said = 0;

        pair_begin(&p, &setup_plain, 4);
        for (int ms = 0; ms < 1000; ms++) {
                p.rig->ops->poll(p.rig, p.t_ns + ms * MS, &p.out);
                ck_assert_int_eq(p.out.count, ms % 100 == 0);
                said += p.out.count;
        }
        ck_assert_int_eq(said, 10);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 0);
        ck_assert_str_ne(p.rig->ops->complaint(p.rig), "");
        pair_end(&p);
}
END_TEST

START_TEST(hello_carries_the_setup_and_brings_the_name)
{
        struct codec_setup lockstep = setup_plain;
        struct pair p;

        lockstep.lockstep = true;
        pair_ready(&p, &lockstep);
        ck_assert(hilp_board_lockstep(&p.board));
        ck_assert_uint_eq(p.board.hello.rotors, 4);
        ck_assert_uint_eq(p.board.hello.frame_period_us, 1000);
        ck_assert_uint_eq(p.board.hello.sensor_period_us[SENSOR_GPS], 100000);
        ck_assert_uint_eq(p.board.hello.sensor_period_us[SENSOR_SONAR], 0);
        ck_assert_uint_eq(p.board.hello.units.accel, 4790000);
        ck_assert_uint_eq(p.board.hello.units.gyro, 1064000);
        ck_assert_uint_eq(p.board.hello.units.mag, 150);
        ck_assert_str_eq(p.report.name, "test board");
        ck_assert_str_eq(p.rig->ops->complaint(p.rig), "");
        pair_end(&p);
}
END_TEST

START_TEST(each_frame_is_answered_once_with_its_number)
{
        struct pair p;

        pair_ready(&p, &setup_plain);
        for (uint32_t n = 0; n < 2000; n++) {
                ck_assert_uint_eq(tick(&p, n, NULL), FC_MOTORS);
                ck_assert(p.report.answers_frame);
                ck_assert_uint_eq(p.report.answered_frame, n);
                ck_assert_int_eq(p.frames, (int)n + 1);
        }
        ck_assert(p.report.armed && !p.report.failsafe);
        ck_assert_int_eq(p.report.mode, MODE_GOTO);
        ck_assert_double_eq_tol(p.seen.imu.accel_body_mps2.z, -2047 * 4.79e-3, 1e-14);
        ck_assert_int_eq(p.seen.imu.t_ns, 1999 * MS - 200000);
        ck_assert_uint_eq(p.rig->counts.lost + p.rig->counts.malformed, 0);
        ck_assert_uint_eq(p.rig->counts.frames_decoded, 2001);
        ck_assert_uint_eq(p.rig->counts.frames_encoded, 2001);
        ck_assert_uint_eq(p.board.heard.lost + p.board.malformed, 0);
        pair_end(&p);
}
END_TEST

START_TEST(frame_numbers_may_wrap_and_skip)
{
        struct pair p;
        uint32_t n = UINT32_MAX - 20;

        pair_ready(&p, &setup_plain);
        for (int i = 0; i < 40; i++, n += (uint32_t)(1 + i % 3)) {
                ck_assert_uint_eq(tick(&p, n, NULL), FC_MOTORS);
                ck_assert_uint_eq(p.report.answered_frame, n);
        }
        pair_end(&p);
}
END_TEST

START_TEST(motors_come_in_the_order_of_the_rotors)
{
        struct pair p;

        pair_ready(&p, &setup_plain);
        tick(&p, 0, NULL);
        for (int i = 0; i < 4; i++)
                ck_assert_double_eq_tol(p.report.motors.duty[i],
                                        p.duty.duty[setup_plain.motor_order[i]],
                                        0.5 / 65535);
        for (int i = 4; i < ROTORS_MAX; i++)
                ck_assert_double_eq(p.report.motors.duty[i], 0.0);
        pair_end(&p);
}
END_TEST

START_TEST(input_given_before_the_hello_arrives_with_the_first_frame)
{
        struct pilot_input input = { .setpoint = { MODE_GOTO, { 1.0, 2.0, -3.0 }, 0.5 },
                                     .rc_us = { 1500, 1600 } };
        struct pair p;

        pair_begin(&p, &setup_plain, 4);
        tick(&p, 0, &input);
        ck_assert_int_eq(p.frames + p.inputs, 0);
        poll_once(&p);
        tick(&p, 1, NULL);
        ck_assert_int_eq(p.inputs, 1);
        ck_assert_int_eq(p.frames, 1);
        ck_assert_int_eq(p.input.setpoint.mode, MODE_GOTO);
        ck_assert_double_eq(p.input.setpoint.pos_ned_m.z, -3.0);
        ck_assert_uint_eq(p.input.rc_us[1], 1600);
        pair_end(&p);
}
END_TEST

START_TEST(input_stands_before_the_frame_in_the_same_packet)
{
        struct sensor_frame frame = { .fresh = 0x1F };
        struct pilot_input input = { .rc_us[RC_CHANNELS_MAX - 1] = 1000 };
        struct hilp_board_news news;
        struct pair p;
        size_t used;

        pair_ready(&p, &setup_plain);
        p.rig->ops->encode(p.rig, 0, &frame, &input, &p.out);
        ck_assert_int_eq(p.out.count, 1);
        used = hilp_board_receive(&p.board, p.out.packet[0].bytes, p.out.packet[0].len, 0,
                                  &news);
        ck_assert_int_eq(news.event, HILP_BOARD_INPUT);
        used += hilp_board_receive(&p.board, p.out.packet[0].bytes + used,
                                   p.out.packet[0].len - used, 0, &news);
        ck_assert_int_eq(news.event, HILP_BOARD_SENSORS);
        ck_assert_uint_eq(used, p.out.packet[0].len);
        pair_end(&p);
}
END_TEST

START_TEST(input_is_repeated_every_250_frames)
{
        struct pilot_input land = { .setpoint.mode = MODE_LAND };
        struct pair p;

        pair_ready(&p, &setup_plain);
        for (uint32_t n = 0; n < 100; n++)
                tick(&p, n, NULL);
        ck_assert_int_eq(p.inputs, 0);
        for (uint32_t n = 100; n < 1100; n++) {
                tick(&p, n, n == 100 ? &land : NULL);
                ck_assert_int_eq(p.inputs, 1 + (int)(n - 100) / 250);
        }
        pair_end(&p);
}
END_TEST

START_TEST(time_sync_measures_planted_delays)
{
        struct dice d = { 1 };
        struct pair p;

        pair_ready(&p, &setup_plain);
        for (int i = 0; i < 1000; i++) {
                int64_t there = dice_below(&d, 5000) * 1000,
                        held = dice_below(&d, 900) * 1000;
                int64_t ahead = ((int64_t)dice_u32(&d) - INT32_MAX) * 1000;
                int64_t start = (p.t_ns += 100 * MS);
                struct hilp_message m;
                struct hilp_receiver r = { .len = 0 };
                uint8_t payload[HILP_PAYLOAD_MAX];
                size_t n;

                if (start + ahead < 0)
                        ahead = -ahead;
                p.rig->ops->poll(p.rig, start, &p.out);
                ck_assert_int_eq(p.out.count, 1);
                hilp_receive(&r, p.out.packet[0].bytes, p.out.packet[0].len, payload, &n);
                ck_assert_int_eq(hilp_decode(&m, payload, n), 1);
                ck_assert_uint_eq(m.type, HILP_TIME_SYNC);

                /* The same time there and back. */
                m.u.time_sync.reply = 1;
                m.u.time_sync.board_receive_us = (uint64_t)(start + ahead + there) / 1000;
                m.u.time_sync.board_transmit_us =
                        m.u.time_sync.board_receive_us + (uint64_t)held / 1000;
                p.t_ns = start + 2 * there + held;
                ck_assert_uint_eq(message_to_rig(&p, &m), FC_TIME_SYNC);
                ck_assert_int_eq(p.report.sync_round_trip_ns, 2 * there);
                ck_assert_int_eq(p.report.sync_offset_ns, ahead);

                /* The same answer again says nothing. */
                ck_assert_uint_eq(message_to_rig(&p, &m), 0);
        }
        ck_assert_uint_eq(p.rig->counts.malformed, 0);
        pair_end(&p);
}
END_TEST

START_TEST(time_sync_runs_every_100_ms_but_not_in_lockstep)
{
        struct codec_setup lockstep = setup_plain;
        struct pair p;
        int syncs = 0;

        pair_ready(&p, &setup_plain);
        for (int ms = 0; ms < 1000; ms++, p.t_ns += MS)
                syncs += poll_once(&p) == FC_TIME_SYNC;
        ck_assert_int_eq(syncs, 9);
        ck_assert_int_eq(p.report.sync_round_trip_ns, 0);
        pair_end(&p);

        lockstep.lockstep = true;
        pair_ready(&p, &lockstep);
        for (int ms = 0; ms < 1000; ms++, p.t_ns += MS)
                ck_assert_uint_eq(poll_once(&p), 0);
        pair_end(&p);
}
END_TEST

START_TEST(an_impossible_time_sync_is_malformed)
{
        struct hilp_message m = { .type = HILP_TIME_SYNC, .u.time_sync = { .reply = 1 } };
        struct pair p;

        pair_ready(&p, &setup_plain);
        p.t_ns += 200 * MS;
        p.rig->ops->poll(p.rig, p.t_ns, &p.out);
        m.u.time_sync.id = 1;
        m.u.time_sync.rig_transmit_us = (uint64_t)p.t_ns / 1000;
        m.u.time_sync.board_receive_us = HILP_TIME_MAX_US - 5000;
        m.u.time_sync.board_transmit_us = HILP_TIME_MAX_US;
        ck_assert_uint_eq(message_to_rig(&p, &m), 0);
        ck_assert_uint_eq(p.rig->counts.malformed, 1);
        pair_end(&p);
}
END_TEST

static struct hilp_message motors_for(uint32_t number, uint8_t count)
{
        return (struct hilp_message){ .type = HILP_MOTORS,
                                      .u.motors = { .answers = number, .count = count } };
}

START_TEST(stale_motors_are_dropped_and_impossible_ones_are_malformed)
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
END_TEST

START_TEST(lost_answers_are_counted_and_repeated_ones_dropped)
{
        uint8_t frame[HILP_FRAME_MAX];
        struct pair p;
        size_t len;

        pair_ready(&p, &setup_plain);
        tick(&p, 0, NULL);
        p.board.sequence = (uint8_t)(p.board.sequence + 5);
        ck_assert_uint_eq(tick(&p, 1, NULL), FC_MOTORS);
        ck_assert_uint_eq(p.rig->counts.lost, 5);

        len = hilp_board_motors(&p.board, &p.duty, 4, true, false, MODE_GOTO, frame);
        ck_assert_uint_eq(to_rig(&p, frame, len), FC_MOTORS);
        ck_assert_uint_eq(to_rig(&p, frame, len), 0);
        ck_assert_uint_eq(p.rig->counts.lost, 5);
        pair_end(&p);
}
END_TEST

START_TEST(the_board_drops_frames_that_are_not_newer)
{
        struct pair p;

        pair_ready(&p, &setup_plain);
        tick(&p, 10, NULL);
        ck_assert_uint_eq(tick(&p, 10, NULL), 0);
        ck_assert_uint_eq(tick(&p, 9, NULL), 0);
        ck_assert_int_eq(p.frames, 1);
        ck_assert_uint_eq(tick(&p, 11, NULL), FC_MOTORS);
        pair_end(&p);
}
END_TEST

START_TEST(a_board_that_restarts_is_noticed_and_greeted_again)
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
        ck_assert_uint_eq(tick(&p, 51, NULL), FC_MOTORS);
        ck_assert_int_eq(p.inputs, 2);
        ck_assert_uint_eq(p.rig->counts.lost, 0);
        pair_end(&p);
}
END_TEST

START_TEST(another_unique_means_a_restart)
{
        struct hilp_message ack = { .type = HILP_HELLO_ACK };
        struct pair p;

        pair_ready(&p, &setup_plain);
        ack.u.hello_ack = p.board.self;
        ack.u.hello_ack.version = 1;
        ck_assert_uint_eq(message_to_rig(&p, &ack), 0);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 1);
        ack.u.hello_ack.unique++;
        ck_assert_uint_eq(message_to_rig(&p, &ack), FC_TEXT);
        ck_assert_int_eq(p.rig->ops->frame_every(p.rig), 0);
        pair_end(&p);
}
END_TEST

START_TEST(a_board_without_hello_asks_at_most_every_100_ms)
{
        struct hilp_board board;
        struct hilp_message m = { .type = HILP_SENSORS };
        int asked = 0;

        hilp_board_init(&board, "b", 4, 1, 1);
        for (uint64_t ms = 0; ms < 1000; ms++) {
                uint8_t frame[HILP_FRAME_MAX];
                struct hilp_board_news news;
                struct motor_command duty = { { 0 } };

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
END_TEST

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

START_TEST(a_board_that_cannot_fly_this_is_refused_in_words)
{
        struct pair p;

        pair_begin(&p, &setup_plain, 4);
        ck_assert_str_eq(answered(&p, 0, 4), "board speaks none of versions 1 to 1");
        ck_assert_str_eq(answered(&p, 2, 4),
                         "board answered with version 2, not one of 1 to 1");
        ck_assert_str_eq(answered(&p, 1, 3),
                         "board has 3 motor outputs, this vehicle needs 4");
        ck_assert_uint_eq(poll_once(&p), FC_HELLO);
        ck_assert_str_eq(p.rig->ops->complaint(p.rig), "");
        pair_end(&p);
}
END_TEST

START_TEST(the_board_takes_the_highest_common_version_or_none)
{
        static const struct {
                uint8_t min, max, version;
        } offers[] = { { 1, 1, 1 }, { 1, 9, 1 }, { 2, 9, 0 } };

        for (size_t i = 0; i < sizeof offers / sizeof offers[0]; i++) {
                struct dice d = { 3 };
                struct hilp_message m = { .type = HILP_HELLO };
                struct hilp_receiver r = { .len = 0 };
                struct hilp_board board;
                struct hilp_board_news news;
                uint8_t frame[HILP_FRAME_MAX], payload[HILP_PAYLOAD_MAX];
                size_t n;

                random_hello(&d, &m.u.hello);
                m.u.hello.version_min = offers[i].min;
                m.u.hello.version_max = offers[i].max;
                hilp_board_init(&board, "b", 4, 1, 1);
                hilp_board_receive(&board, frame, hilp_write(&m, frame), 0, &news);
                hilp_receive(&r, news.out, news.out_len, payload, &n);
                ck_assert_int_eq(hilp_decode(&m, payload, n), 1);
                ck_assert_uint_eq(m.u.hello_ack.version, offers[i].version);
                ck_assert_int_eq(news.event == HILP_BOARD_HELLO, offers[i].version != 0);
        }
}
END_TEST

START_TEST(complaints_tell_silence_noise_and_echo_apart)
{
        const uint8_t noise[] = { 0xC0, 0xFF, 0xEE, 0 };
        struct hilp_message text = { .type = HILP_TEXT };
        struct pair p;

        pair_begin(&p, &setup_plain, 4);
        ck_assert_ptr_nonnull(strstr(p.rig->ops->complaint(p.rig), "sends nothing"));
        to_rig(&p, noise, sizeof noise);
        ck_assert_ptr_nonnull(strstr(p.rig->ops->complaint(p.rig), "baud rate"));
        message_to_rig(&p, &text);
        ck_assert_ptr_nonnull(strstr(p.rig->ops->complaint(p.rig), "does not answer"));
        p.rig->ops->poll(p.rig, p.t_ns, &p.out);
        to_rig(&p, p.out.packet[0].bytes, p.out.packet[0].len);
        ck_assert_ptr_nonnull(strstr(p.rig->ops->complaint(p.rig), "hears itself"));
        pair_end(&p);
}
END_TEST

START_TEST(state_and_text_arrive_and_text_is_made_printable)
{
        struct fc_estimate estimate = { { 0.6, 0.0, 0.8, 0.0 },
                                        { 1.0, 2.0, -3.0 },
                                        { 0 } };
        uint8_t frame[HILP_FRAME_MAX];
        char longest[300];
        struct pair p;

        pair_ready(&p, &setup_plain);
        ck_assert_uint_eq(to_rig(&p, frame, hilp_board_state(&p.board, &estimate, frame)),
                          FC_STATE);
        ck_assert_double_eq_tol(p.report.estimate.q_body_to_ned.y, 0.8, 1e-12);
        ck_assert_double_eq(p.report.estimate.pos_ned_m.z, -3.0);
        estimate.q_body_to_ned.w = NAN;
        ck_assert_uint_eq(hilp_board_state(&p.board, &estimate, frame), 0);

        ck_assert_uint_eq(
                to_rig(&p, frame, hilp_board_text(&p.board, 2, "a\x1b[2J\xff\n", frame)),
                FC_TEXT);
        ck_assert_str_eq(p.report.text, "a?[2J??");
        memset(longest, 'x', sizeof longest);
        longest[sizeof longest - 1] = '\0';
        to_rig(&p, frame, hilp_board_text(&p.board, 0, longest, frame));
        ck_assert_uint_eq(strlen(p.report.text), HILP_TEXT_MAX);
        pair_end(&p);
}
END_TEST

START_TEST(goodbye_is_said_in_three_packets)
{
        struct pair p;

        pair_ready(&p, &setup_plain);
        p.rig->ops->goodbye(p.rig, &p.out);
        ck_assert_int_eq(p.out.count, 3);
        exchange(&p);
        ck_assert_int_eq(p.goodbyes, 3);
        pair_end(&p);
}
END_TEST

START_TEST(a_link_that_came_back_begins_with_hello_and_keeps_the_counts)
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
        ck_assert_uint_eq(tick(&p, 1, NULL), FC_MOTORS);
        ck_assert_uint_eq(p.rig->counts.crc_errors, 0);
        pair_end(&p);
}
END_TEST

START_TEST(decode_stops_behind_each_piece_of_news_however_the_bytes_are_split)
{
        struct dice d = { 5 };
        uint8_t bytes[3 * HILP_FRAME_MAX];
        struct pair p;

        for (int round = 0; round < 300; round++) {
                uint32_t news[3] = { FC_MOTORS, FC_STATE, FC_TEXT };
                struct fc_estimate level = { .q_body_to_ned = { 1, 0, 0, 0 } };
                size_t len, at = 0;
                int heard = 0;

                pair_ready(&p, &setup_plain);
                tick(&p, 0, NULL);
                len = hilp_board_motors(&p.board, &p.duty, 4, true, false, MODE_GOTO,
                                        bytes);
                len += hilp_board_state(&p.board, &level, bytes + len);
                len += hilp_board_text(&p.board, 0, "hi", bytes + len);
                while (at < len) {
                        size_t piece = 1 + dice_below(&d, (uint32_t)(len - at));

                        p.report.fresh = 0;
                        at += p.rig->ops->decode(p.rig, 0, p.t_ns, bytes + at, piece,
                                                 &p.report);
                        if (p.report.fresh != 0)
                                ck_assert_uint_eq(p.report.fresh, news[heard++]);
                }
                ck_assert_int_eq(heard, 3);
                pair_end(&p);
        }
}
END_TEST

START_TEST(a_conversation_survives_a_line_that_loses_and_garbles)
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
                p.rig->ops->encode(p.rig, n, &frame, n == 1000 ? &land : NULL, &p.out);
                if (dice_below(&d, 10) == 0)
                        p.out.packet[0].bytes[dice_below(&d, p.out.packet[0].len)] ^=
                                0x10;
                answered += exchange(&p) == FC_MOTORS;
        }
        ck_assert_int_gt(answered, 4000);
        ck_assert_int_eq(p.input.setpoint.mode, MODE_LAND);
        ck_assert_uint_gt(p.board.heard.lost, 100);
        ck_assert_uint_gt(p.board.receiver.crc_errors, 100);
        pair_end(&p);
}
END_TEST

int main(void)
{
        Suite *suite = suite_create("codec_hilp");
        TCase *tc = tcase_create("codec_hilp");
        SRunner *sr;
        int failures;

        tcase_set_timeout(tc, 60);
        tcase_add_test(tc, every_codec_is_made_by_its_name);
        tcase_add_test(tc, hello_is_said_at_once_and_then_every_100_ms);
        tcase_add_test(tc, hello_carries_the_setup_and_brings_the_name);
        tcase_add_test(tc, each_frame_is_answered_once_with_its_number);
        tcase_add_test(tc, frame_numbers_may_wrap_and_skip);
        tcase_add_test(tc, motors_come_in_the_order_of_the_rotors);
        tcase_add_test(tc, input_given_before_the_hello_arrives_with_the_first_frame);
        tcase_add_test(tc, input_stands_before_the_frame_in_the_same_packet);
        tcase_add_test(tc, input_is_repeated_every_250_frames);
        tcase_add_test(tc, time_sync_measures_planted_delays);
        tcase_add_test(tc, time_sync_runs_every_100_ms_but_not_in_lockstep);
        tcase_add_test(tc, an_impossible_time_sync_is_malformed);
        tcase_add_test(tc, stale_motors_are_dropped_and_impossible_ones_are_malformed);
        tcase_add_test(tc, lost_answers_are_counted_and_repeated_ones_dropped);
        tcase_add_test(tc, the_board_drops_frames_that_are_not_newer);
        tcase_add_test(tc, a_board_that_restarts_is_noticed_and_greeted_again);
        tcase_add_test(tc, another_unique_means_a_restart);
        tcase_add_test(tc, a_board_without_hello_asks_at_most_every_100_ms);
        tcase_add_test(tc, a_board_that_cannot_fly_this_is_refused_in_words);
        tcase_add_test(tc, the_board_takes_the_highest_common_version_or_none);
        tcase_add_test(tc, complaints_tell_silence_noise_and_echo_apart);
        tcase_add_test(tc, state_and_text_arrive_and_text_is_made_printable);
        tcase_add_test(tc, goodbye_is_said_in_three_packets);
        tcase_add_test(tc, a_link_that_came_back_begins_with_hello_and_keeps_the_counts);
        tcase_add_test(
                tc, decode_stops_behind_each_piece_of_news_however_the_bytes_are_split);
        tcase_add_test(tc, a_conversation_survives_a_line_that_loses_and_garbles);
        suite_add_tcase(suite, tc);
        sr = srunner_create(suite);
        srunner_run_all(sr, CK_NORMAL);
        failures = srunner_ntests_failed(sr);
        srunner_free(sr);
        return failures != 0;
}
