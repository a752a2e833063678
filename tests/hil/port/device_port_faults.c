/* Faults of the wire between a device at a port and its board. */
#include "hil/port/device_port.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/suites.h"

#define MS         INT64_C(1000000)
#define SBUS_BYTES 25

static struct device_port port;
static struct link *board;
static char address[80];
static uint8_t got[8192];
static size_t got_len;

static struct link *connect_board(void)
{
        struct link_spec spec;
        struct link_error why;
        struct link *l;

        ck_assert(link_spec_parse(&spec, address, &why));
        l = link_open(&spec, &why);
        ck_assert_msg(l != NULL, "%s", why.text);
        return l;
}

static void open_port(const char *device)
{
        static struct port_config config;
        const struct device_setup setup = { .period_ns = MS };
        struct link_error why;
        char text[80];

        config = (struct port_config){ 0 };
        snprintf(config.device, sizeof config.device, "%s", device);
        snprintf(text, sizeof text, "unix-listen:/tmp/test_device_port_faults-%d.sock",
                 getpid());
        snprintf(address, sizeof address, "unix:/tmp/test_device_port_faults-%d.sock",
                 getpid());
        ck_assert(link_spec_parse(&config.link, text, &why));
        ck_assert_msg(device_port_open(&port, &config, &setup, 0, 0, &why), "%s",
                      why.text);
        ck_assert(device_port_make_faulty(&port, 4));
        board = connect_board();
}

static void close_port(void)
{
        link_close(board);
        device_port_close(&port);
}

/* Ticks [from, to); what the board then has in `got`. */
static void run(int64_t from, int64_t to)
{
        static const struct sensor_frame frame;
        static const struct fc_report report;
        static const struct motor_command command;
        const struct pilot_input input = { .rc_us = { 1500, 1500, 1000, 1500 } };
        int n;

        got_len = 0;
        for (; from < to; from++) {
                struct device_feed feed = { from * MS, &frame, &input, &report,
                                            &command };

                while (device_port_fault_end_due(&port, feed.t_ns) >= 0)
                        ;
                device_port_tick(&port, &feed, feed.t_ns, NULL, 0);
                while ((n = link_read(board, got + got_len, sizeof got - got_len)) > 0)
                        got_len += (size_t)n;
        }
}

static void begin(const struct wire_fault *fault, int id, int64_t end_ms)
{
        ck_assert(device_port_fault_begin(&port, fault, id, 1, end_ms * MS));
}

static const struct wire_fault to_board = {
        .directions = WIRE_BIT(WIRE_TO_FC), .probability = 1.0, .frame = -1, .channel = -1
};

/* Bits in which frames of SBUS differ, which are all alike. */
static int bits_apart(const uint8_t *a, const uint8_t *b)
{
        int bits = 0;

        for (int i = 0; i < SBUS_BYTES; i++)
                bits += __builtin_popcount(a[i] ^ b[i]);
        return bits;
}

TEST(a_fault_acts_on_packets_of_the_device)
{
        struct wire_fault fault = to_board;
        uint8_t clean[SBUS_BYTES];
        size_t frames;

        open_port("sbus");
        run(0, 500);
        frames = got_len / SBUS_BYTES;
        ck_assert_uint_gt(frames, 20);
        ck_assert_uint_eq(got_len % SBUS_BYTES, 0);
        memcpy(clean, got, sizeof clean);

        fault.kind = WIRE_DROP;
        begin(&fault, 0, 1000);
        run(500, 1000);
        ck_assert_uint_eq(got_len, 0);
        ck_assert_uint_ge(fc_faults_counts(&port.faults, 0).frames, frames - 1);

        fault.kind = WIRE_BIT_FLIPS;
        fault.bits = 3;
        begin(&fault, 1, 1500);
        run(1000, 1500);
        ck_assert_uint_ge(got_len, (frames - 1) * SBUS_BYTES);
        for (size_t at = 0; at < got_len; at += SBUS_BYTES)
                ck_assert_int_eq(bits_apart(got + at, clean), 3);

        run(1500, 2000);
        ck_assert_uint_gt(got_len, 0);
        for (size_t at = 0; at < got_len; at += SBUS_BYTES)
                ck_assert_int_eq(bits_apart(got + at, clean), 0);
        close_port();
}

/* The tick at which the board has the next byte. */
static int64_t next_byte(int64_t from)
{
        for (;; from++) {
                run(from, from + 1);
                if (got_len > 0)
                        return from;
                ck_assert_int_lt(from, 5000);
        }
}

TEST(what_is_late_comes_so_many_ticks_later)
{
        struct wire_fault fault = to_board;
        int64_t first, period;

        open_port("sbus");
        first = next_byte(0);
        period = next_byte(first + 1) - first;
        first += period;
        fault.kind = WIRE_DELAY;
        fault.ticks = 5;
        begin(&fault, 0, 4000);
        ck_assert_int_eq(next_byte(first + 1), first + period + 5);
        close_port();
}

static void ask(const char *text)
{
        ck_assert_int_eq(link_write(board, text, strlen(text)), (int)strlen(text));
}

TEST(what_the_board_says_can_be_lost)
{
        struct wire_fault fault = to_board;

        open_port("vectornav_vn100");
        fault.kind = WIRE_DROP;
        fault.directions = WIRE_BIT(WIRE_FROM_FC);
        begin(&fault, 0, 500);
        ask("$VNRRG,01*72\r\n");
        run(0, 500);
        ck_assert_uint_eq(got_len, 0);
        ck_assert_uint_eq(port.device->counts.messages_in, 0);
        ask("$VNRRG,01*72\r\n");
        run(500, 1000);
        got[got_len] = '\0';
        ck_assert_ptr_nonnull(strstr((char *)got, "VN-100T-CR"));
        close_port();
}

/* It has lost its settings: a board that does not ask again hears nothing of them. */
TEST(an_unplugged_device_begins_anew)
{
        struct wire_fault fault = to_board;
        uint64_t asked;

        open_port("vectornav_vn100");
        ask("$VNWRG,75,1,2,01,0721*XX\r\n");
        run(0, 500);
        asked = port.device->counts.messages_in;
        ck_assert_uint_gt(asked, 0);
        fault.kind = WIRE_UNPLUG;
        fault.directions = WIRE_BOTH;
        begin(&fault, 0, 1000);
        run(500, 1000);
        ck_assert_int_eq(link_read(board, got, 1), LINK_GONE);
        run(1000, 1001);
        link_close(board);
        board = connect_board();
        run(1001, 1500);
        ask("$VNRRG,75*XX\r\n");
        run(1500, 2000);
        got[got_len] = '\0';
        ck_assert_msg(strstr((char *)got, "$VNRRG,75,0,") != NULL, "%s", got);
        ck_assert_uint_eq(port.device->counts.messages_in, asked + 1);
        ck_assert_uint_eq(port.losses, 0);
        close_port();
}
