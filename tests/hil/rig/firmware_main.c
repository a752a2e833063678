/* The firmware's main loop (tests/firmware/main.c) on a board whose line and clock are played. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/config.h"

/* In core.h's stead: its instructions are another processor's. */
#define TESTS_FIRMWARE_CORE_H

/* Of the board's clock; its stamps are microseconds too. */
static uint32_t now_us;

static int64_t core_now_ns(void)
{
        return (int64_t)now_us * 1000;
}

static uint64_t core_cycles(void)
{
        return now_us;
}

static int64_t core_since_ns(uint32_t stamp)
{
        return (int64_t)(now_us - stamp) * 1000;
}

static uint32_t core_starts(void)
{
        return 1;
}

static void core_clock_start(uint32_t core_hz)
{
        (void)core_hz;
}

static void core_interrupts_off(void)
{
}

static void core_interrupts_on(void)
{
}

static void core_sleep(void)
{
}

static size_t core_stack_used(void)
{
        return 0;
}

static size_t core_stack_size(void)
{
        return 0;
}

/* Names that others have, too. */
#define main  firmware_main
#define sleep firmware_sleep
#define load  firmware_load
#include "tests/firmware/load.c" /* NOLINT(bugprone-suspicious-include) */
#include "tests/firmware/main.c" /* NOLINT(bugprone-suspicious-include) */
#undef main
#undef sleep
#undef load

#include "tests/firmware/stamped_ring.h"
#include "tests/suites.h"

PROCESS_EACH

const union firmware_params_image firmware_params_image = { { 0 } };
const char board_name[] = "played";
const int board_frame_every = 1;

static struct stamped_ring line;
static int64_t queue_ns;
static struct hilp_message said;
static int answers;
static struct fc_params params;
static struct firmware_load load;

uint32_t board_start(void)
{
        return 1000000;
}

void board_uart_start(void)
{
}

size_t board_uart_read(uint8_t *bytes, size_t cap, uint32_t *stamp)
{
        return stamped_ring_read(&line, bytes, cap, stamp);
}

bool board_uart_idle(void)
{
        return byte_ring_used(&line.bytes) == 0;
}

bool board_uart_write(const uint8_t *bytes, size_t len)
{
        struct hilp_receiver receiver = { 0 };
        uint8_t payload[HILP_PAYLOAD_MAX];
        size_t n;

        hilp_receive(&receiver, bytes, len, payload, &n);
        ck_assert(hilp_decode(&said, payload, n));
        answers++;
        return true;
}

int64_t board_uart_queue_ns(void)
{
        return queue_ns;
}

uint32_t board_uart_lost(void)
{
        return 0;
}

/* Its last byte comes in at that time. */
static void arrives(struct hilp_message *m, uint32_t at_us)
{
        static uint8_t sequence;
        uint8_t frame[HILP_FRAME_MAX];
        size_t len;

        m->sequence = sequence++;
        len = hilp_write(m, frame);
        ck_assert_uint_gt(len, 0);
        for (size_t i = 0; i < len; i++)
                ck_assert(stamped_ring_push(&line, frame[i], at_us));
}

static void ask(uint16_t id, uint32_t at_us)
{
        struct hilp_message m = { .type = HILP_TIME_SYNC };

        m.u.time_sync.id = id;
        m.u.time_sync.rig_transmit_us = 5;
        arrives(&m, at_us);
}

/* One turn of the main loop. */
static void turn(uint32_t at_us)
{
        uint8_t bytes[256];
        uint32_t stamp = 0;
        size_t len;

        now_us = at_us;
        len = board_uart_read(bytes, sizeof bytes, &stamp);
        ck_assert_uint_gt(len, 0);
        receive(bytes, len, stamp, &load);
}

static void begin(void)
{
        struct hilp_message m = { .type = HILP_HELLO };
        struct config_error why;

        ck_assert_msg(config_read_fc(&params,
                                     "rig_configs/flight_controllers/md4_200.json", &why),
                      "%s", why.text);
        fc_board_init(&fc, &params, board_name, 7);
        m.u.hello = (struct hilp_hello){ .version_min = HILP_VERSION_MIN,
                                         .version_max = HILP_VERSION_MAX,
                                         .rotors = 4,
                                         .frame_period_us = 1000,
                                         .sensor_period_us = { 1000 },
                                         .units = { 4790000, 1064000, 10000000, 150,
                                                    1000000 },
                                         .name = "test rig" };
        arrives(&m, 1000);
        turn(1010);
        if (!board_uart_idle()) /* a zero goes before a hello */
                turn(1010);
        ck_assert_int_eq(said.type, HILP_HELLO_ACK);
}

TEST(a_time_sync_behind_a_frame_came_in_when_its_last_byte_did)
{
        struct hilp_message frame = { .type = HILP_SENSORS };

        begin();
        frame.u.sensors =
                (struct hilp_sensors){ .number = 1, .time_us = 1000, .fresh = HILP_IMU };
        arrives(&frame, 2000);
        ask(3, 2100);
        ask(4, 2500);
        turn(2010);
        ck_assert_int_eq(said.type, HILP_MOTORS);
        /* The arithmetic took 800 us. */
        turn(2810);
        ck_assert_int_eq(said.type, HILP_TIME_SYNC);
        ck_assert_uint_eq(said.u.time_sync.id, 3);
        ck_assert_uint_eq(said.u.time_sync.board_receive_us, 2100);
        ck_assert_uint_eq(said.u.time_sync.board_transmit_us, 2810);
        /* The motors and the first answer are still on their way out. */
        queue_ns = 430000;
        turn(2830);
        ck_assert_uint_eq(said.u.time_sync.id, 4);
        ck_assert_uint_eq(said.u.time_sync.board_receive_us, 2500);
        ck_assert_uint_eq(said.u.time_sync.board_transmit_us, 3260);
        ck_assert_int_eq(answers, 4);
}

TEST(a_message_in_two_pieces_came_in_with_the_second)
{
        uint8_t bytes[8];
        uint32_t stamp = 0;

        begin();
        ask(9, 3000);
        now_us = 2900;
        receive(bytes, board_uart_read(bytes, sizeof bytes, &stamp), stamp, &load);
        ck_assert_uint_eq(stamp, 0);
        turn(3050);
        ck_assert_uint_eq(said.u.time_sync.id, 9);
        ck_assert_uint_eq(said.u.time_sync.board_receive_us, 3000);
        ck_assert_uint_eq(said.u.time_sync.board_transmit_us, 3050);
}
