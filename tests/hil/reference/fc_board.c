#include <stdlib.h>
#include <string.h>

#include "hil/config/config.h"
#include "hil/reference/fc_board.h"

#include "tests/suites.h"

#define MS INT64_C(1000000)

static struct fc_params params;
static struct fc_board board;
static uint8_t sequence;
static uint8_t out[FC_BOARD_OUT_MAX];
/* How many of each type the board has said to the last message, and the last motors and text. */
static int said[HILP_TYPE_MAX + 1];
static struct hilp_message motors, text, acknowledged;

static void begin(void)
{
        struct config_error why;

        ck_assert_msg(config_read_fc(&params,
                                     "rig_configs/flight_controllers/md4_200.json", &why),
                      "%s", why.text);
        fc_board_init(&board, &params, "test board", 7);
        sequence = 0;
}

static void hear(size_t len)
{
        struct hilp_receiver receiver = { 0 };
        size_t used = 0;

        memset(said, 0, sizeof said);
        while (used < len) {
                uint8_t payload[HILP_PAYLOAD_MAX];
                struct hilp_message m;
                size_t n;

                used += hilp_receive(&receiver, out + used, len - used, payload, &n);
                ck_assert(n > 0 && hilp_decode(&m, payload, n));
                said[m.type]++;
                if (m.type == HILP_MOTORS)
                        motors = m;
                if (m.type == HILP_TEXT)
                        text = m;
                if (m.type == HILP_OPTION_ACK)
                        acknowledged = m;
        }
}

static void tell(struct hilp_message *m, int64_t now_ns)
{
        uint8_t frame[HILP_FRAME_MAX];
        size_t len, out_len;

        m->sequence = sequence++;
        len = hilp_write(m, frame);
        ck_assert_uint_gt(len, 0);
        ck_assert_uint_eq(fc_board_receive(&board, frame, len, now_ns, out, &out_len),
                          len);
        hear(out_len);
}

static void hello(uint8_t flags)
{
        struct hilp_message m = { .type = HILP_HELLO };

        m.u.hello = (struct hilp_hello){ .version_min = HILP_VERSION_MIN,
                                         .version_max = HILP_VERSION_MAX,
                                         .flags = flags,
                                         .rotors = 4,
                                         .frame_period_us = 1000,
                                         .sensor_period_us = { 1000 },
                                         .units = { 4790000, 1064000, 10000000, 150,
                                                    1000000 },
                                         .name = "test rig" };
        sequence = 0;
        tell(&m, 0);
        ck_assert_int_eq(said[HILP_HELLO_ACK], 1);
}

static void frame(uint32_t number, int64_t now_ns)
{
        struct hilp_message m = { .type = HILP_SENSORS };

        m.u.sensors.number = number;
        m.u.sensors.time_us = number * 1000;
        m.u.sensors.fresh = HILP_IMU;
        m.u.sensors.imu.accel[2] = -2047;
        tell(&m, now_ns);
}

static void option(const char *key, const char *value)
{
        struct hilp_message m = { .type = HILP_OPTION };

        strcpy(m.u.option.key, key);
        strcpy(m.u.option.value, value);
        tell(&m, 0);
        ck_assert_int_eq(said[HILP_OPTION_ACK], 1);
}

TEST(every_sensor_frame_is_answered_once)
{
        begin();
        hello(HILP_FLAG_LOCKSTEP);
        for (uint32_t n = 1; n <= 20; n++) {
                frame(n, n * MS);
                ck_assert_int_eq(said[HILP_MOTORS], 1);
                ck_assert_uint_eq(motors.u.motors.answers, n);
                ck_assert_uint_eq(motors.u.motors.count, 4);
        }
        frame(20, 21 * MS);
        ck_assert_int_eq(said[HILP_MOTORS], 0);
}

TEST(the_firmwares_own_words_go_out_with_the_next_answer_once)
{
        begin();
        hello(HILP_FLAG_LOCKSTEP);
        fc_board_tell(&board, "stack 1 of 2 bytes");
        frame(1, 1 * MS);
        ck_assert_str_eq(text.u.text.text, "stack 1 of 2 bytes");
        memset(&text, 0, sizeof text);
        frame(2, 2 * MS);
        ck_assert_str_ne(text.u.text.text, "stack 1 of 2 bytes");
}

TEST(an_option_holds_until_the_next_hello)
{
        begin();
        hello(0);
        option("test_fault", "late_loop");
        ck_assert_uint_eq(acknowledged.u.option_ack.accepted, 1);
        ck_assert_int_eq(board.params.planted.test, PLANTED_LATE_LOOP);
        option("test_fault", "no such fault");
        ck_assert_uint_eq(acknowledged.u.option_ack.accepted, 0);
        ck_assert_int_eq(board.params.planted.test, PLANTED_LATE_LOOP);
        hello(0);
        ck_assert_int_eq(board.params.planted.test, PLANTED_NONE);
}

TEST(silence_counts_in_real_time_and_not_in_lockstep)
{
        begin();
        hello(0);
        ck_assert_uint_eq(fc_board_silence(&board, 1000 * MS, out), 0);
        ck_assert_int_eq(board.silence_ns, 0); /* nothing has come yet */
        frame(1, 1000 * MS);
        fc_board_silence(&board, 1010 * MS, out);
        ck_assert_int_eq(board.silence_ns, 1000 * MS);
        fc_board_silence(&board, 1030 * MS, out);
        ck_assert_int_eq(board.silence_ns, 1030 * MS);

        hello(HILP_FLAG_LOCKSTEP);
        frame(1, 2000 * MS);
        fc_board_silence(&board, 5000 * MS, out);
        ck_assert_int_eq(board.silence_ns, 2000 * MS);
}

TEST(a_goodbye_forgets_the_flight)
{
        struct hilp_message m = { .type = HILP_GOODBYE };

        begin();
        hello(0);
        option("test_fault", "stuck_task");
        frame(1, 1 * MS);
        ck_assert(!board.goodbye);
        tell(&m, 2 * MS);
        ck_assert(board.goodbye);
        ck_assert(!board.flown);
        ck_assert_int_eq(board.params.planted.test, PLANTED_NONE);
}
