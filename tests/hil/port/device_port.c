/* A device on a port of a rig: whether board and device hear each other. */
#include "hil/port/device_port.h"

#include <asm/termbits.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "io/codec/mavlink_messages.h"
#include "tests/suites.h"

static struct device_port port;
static int board;

/* Of both ends: they share their settings. */
static void set_pty_speed(uint32_t baud)
{
        struct termios2 t;

        ck_assert_int_eq(ioctl(board, TCGETS2, &t), 0);
        t.c_cflag = (t.c_cflag & ~(tcflag_t)CBAUD) | BOTHER;
        t.c_ispeed = t.c_ospeed = baud;
        ck_assert_int_eq(ioctl(board, TCSETS2, &t), 0);
}

static void open_device(const char *device, const char *link)
{
        static struct port_config config;
        struct device_setup setup = { .period_ns = 1000000 };
        struct link_error why;

        config = (struct port_config){ 0 };
        snprintf(config.device, sizeof config.device, "%s", device);
        ck_assert(link_spec_parse(&config.link, link, &why));
        ck_assert_msg(device_port_open(&port, &config, &setup, 0, 0, &why), "%s",
                      why.text);
}

static void open_port(const char *device)
{
        open_device(device, "pty");
        board = open(port.link->name, O_RDWR | O_NOCTTY | O_NONBLOCK);
        ck_assert_int_ge(board, 0);
}

static void run_from(int64_t tick, int64_t end)
{
        static const struct sensor_frame frame;
        static const struct fc_report report;
        static const struct motor_command command;
        const struct pilot_input input = { .rc_us = { 1500, 1500, 1000, 1500 } };

        for (; tick < end; tick++) {
                struct device_feed feed = { tick * 1000000, &frame, &input, &report,
                                            &command };

                device_port_tick(&port, &feed, feed.t_ns, NULL, 0);
        }
}

static void run(int64_t ticks)
{
        run_from(0, ticks);
}

static const struct {
        uint32_t board, heard;
} speeds[] = { { 420000, true },  { 416666, true }, { 400000, false },
               { 115200, false }, { 425000, true }, { 440000, false } };

TEST_EACH(a_board_hears_a_receiver_at_nearly_its_speed, sizeof speeds / sizeof speeds[0])
{
        open_port("crsf");
        set_pty_speed(speeds[_i].board);
        run(200);
        if (speeds[_i].heard) {
                ck_assert_uint_gt(port.bytes_sent, 700);
                ck_assert_uint_eq(port.bytes_misheard, 0);
        } else {
                ck_assert_uint_eq(port.bytes_sent, 0);
                ck_assert_uint_gt(port.bytes_misheard, 700);
        }
        close(board);
        device_port_close(&port);
}

static struct link *connect_board(const char *text)
{
        struct link_spec spec;
        struct link_error why;
        struct link *l;

        ck_assert(link_spec_parse(&spec, text, &why));
        l = link_open(&spec, &why);
        ck_assert_msg(l != NULL, "%s", why.text);
        return l;
}

/* A GPS's reader may never say a word, and nobody takes its place; a receiver's board answers, and a ground
 * station may have nothing to say but that it is there. */
static const struct {
        const char *device;
        bool beats, first_stays;
} listeners[] = { { "nmea", false, true },
                  { "crsf", false, false },
                  { "telemetry", true, true } };

static void send_heartbeat(struct link *l)
{
        const struct mavlink_heartbeat m = { .type = 6, .autopilot = 8 };
        struct mavlink_sender station = { .version = 2, .system = 255 };
        uint8_t bytes[MAVLINK_FRAME_MAX];

        link_write(l, bytes, mavlink_send(&station, MAVLINK_HEARTBEAT, &m, bytes));
}

TEST_EACH(a_port_that_listens_keeps_to_one_board_and_counts_the_others,
          sizeof listeners / sizeof listeners[0])
{
        struct link *first, *second;
        char text[80], bytes[4096];

        snprintf(text, sizeof text, "unix-listen:/tmp/test_device_port-%d.sock",
                 getpid());
        open_device(listeners[_i].device, text);
        snprintf(text, sizeof text, "unix:/tmp/test_device_port-%d.sock", getpid());
        first = connect_board(text);
        if (listeners[_i].beats)
                send_heartbeat(first);
        run(3000);
        second = connect_board(text);
        run_from(3000, 6000);
        ck_assert_uint_eq(port.strangers.count, 1);
        while (link_read(first, bytes, sizeof bytes) > 0)
                ;
        while (link_read(second, bytes, sizeof bytes) > 0)
                ;
        ck_assert_int_eq(link_read(first, bytes, 1),
                         listeners[_i].first_stays ? 0 : LINK_GONE);
        ck_assert_int_eq(link_read(second, bytes, 1),
                         listeners[_i].first_stays ? LINK_GONE : 0);
        ck_assert_uint_eq(port.losses, 0);
        link_close(first);
        link_close(second);
        device_port_close(&port);
}
