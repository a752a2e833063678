/* The USB link on the stage of usb_stage.h: the machine's own libusb, and a board that this program
 * plays. */
#include "tests/staged/usb_stage.h"

#include <pthread.h>

#include "io/link/link_usb.h"
#include "tests/io/link/link_ends.h"
#include "tests/suites.h"

PROCESS_EACH

/* What a board does with its two endpoints. */
struct board {
        struct usb_model model;
        const uint8_t *say; /* what it has to say */
        size_t to_say;
        size_t piece; /* bytes a transfer; 0: as many as there is room for */
        uint8_t heard[1 << 16];
        size_t heard_len;
        size_t takes; /* bytes that it takes before it is full */
        bool stall_in, stall_out;
        int break_in;
        bool echo;
};

static int board_out(struct usb_model *m, unsigned endpoint, const uint8_t *data,
                     size_t len)
{
        struct board *b = (struct board *)m;
        size_t n = len < b->takes ? len : b->takes;

        (void)endpoint;
        if (b->stall_out) {
                b->stall_out = false;
                return USB_STALL;
        }
        if (n == 0)
                return USB_NAK;
        memcpy(b->heard + b->heard_len, data, n);
        b->heard_len += n;
        b->takes -= n;
        return (int)n;
}

static int board_in(struct usb_model *m, unsigned endpoint, uint8_t *data, size_t cap)
{
        struct board *b = (struct board *)m;
        size_t n = b->piece != 0 && b->piece < cap ? b->piece : cap;

        (void)endpoint;
        if (b->stall_in) {
                b->stall_in = false;
                return USB_STALL;
        }
        if (b->to_say == 0)
                return USB_NAK;
        if (b->break_in > 0) {
                b->break_in--;
                return USB_BROKEN;
        }
        n = n < b->to_say ? n : b->to_say;
        memcpy(data, b->say, n);
        b->say += n;
        b->to_say -= n;
        return (int)n;
}

static const struct usb_model_ops board_ops = { .control = usb_no_requests,
                                                .out = board_out,
                                                .in = board_in };

static const uint8_t device[] = { 18,   1,    0,    2, 0, 0, 0, 64, 0x09,
                                  0x12, 0x41, 0x57, 0, 1, 1, 2, 3,  1 };

/* Of a class of the maker's own, 64 bytes each way. */
static const uint8_t vendor[] = { 9,  2, 32, 0,    1, 1,    0, 0x80, 50, 9,    4,
                                  0,  0, 2,  0xFF, 0, 0,    0, 7,    5,  0x81, 2,
                                  64, 0, 0,  7,    5, 0x02, 2, 64,   0,  0 };

static struct board board, second;
static struct stage_device *port;

static void build(struct board *b, const char *serial)
{
        memset(b, 0, sizeof *b);
        b->model = (struct usb_model){ .ops = &board_ops,
                                       .speed = USB_FULL_SPEED,
                                       .device = device,
                                       .configuration = vendor,
                                       .strings = { NULL, "ACME", "Board", serial } };
        b->takes = sizeof b->heard;
}

static void set_up(void)
{
        build(&board, "A1");
        port = stage_plug(&board.model, "1-4");
}

FIXTURE(set_up, NULL)

static void refused(const char *text, const char *reason)
{
        struct link_error why = { "" };
        struct link_spec spec;

        ck_assert_msg(link_spec_parse(&spec, text, &why), "%s", why.text);
        ck_assert_ptr_null(link_open(&spec, &why));
        ck_assert_str_eq(why.text, reason);
}

static void say(struct board *b, const void *bytes, size_t len)
{
        b->say = bytes;
        b->to_say = len;
        stage_run();
}

static int readable(const struct link *l)
{
        struct pollfd p = { .fd = l->fd, .events = POLLIN };

        return poll(&p, 1, 0);
}

TEST(usb_carries_bytes_both_ways)
{
        struct link *l = opened_text("usb:1209:5741");
        char got[64];

        ck_assert_str_eq(l->name, "usb 1-4 (1209:5741)");
        ck_assert_int_eq(link_write(l, "hello", 5), 5);
        ck_assert_uint_eq(board.heard_len, 5);
        ck_assert_mem_eq(board.heard, "hello", 5);
        ck_assert_int_eq(link_read(l, got, sizeof got), 0);
        say(&board, "answer", 6);
        ck_assert_int_eq(link_read(l, got, sizeof got), 6);
        ck_assert_mem_eq(got, "answer", 6);
        ck_assert_int_eq(link_read(l, got, sizeof got), 0);
        ck_assert_int_eq(port->claimed, 1);
        link_close(l);
        ck_assert_int_eq(port->claimed, 0);
        ck_assert_uint_eq(stage.memory_used, 0);
}

TEST(usb_is_found_by_serial_number_and_by_bus_path)
{
        static const char *const texts[] = { "usb:1209:5741:B2", "usb:1-4.2" };

        build(&second, "B2");
        stage_plug(&second.model, "1-4.2");
        for (size_t i = 0; i < 2; i++) {
                struct link *l = opened_text(texts[i]);

                ck_assert_str_eq(l->name, "usb 1-4.2 (1209:5741)");
                link_close(l);
        }
        refused("usb:1209:5741",
                "link: usb 1209:5741: 2 match, give the serial number or the bus path of "
                "one: 1209:5741 at 1-4.2, 1209:5741 at 1-4");
}

TEST(usb_that_is_not_there_says_what_is)
{
        refused("usb:1209:0001", "link: usb 1209:0001: no such device among 1: 1209:5741 "
                                 "at 1-4");
        refused("usb:1-3", "link: usb 1-3: no such device among 1: 1209:5741 at 1-4");
        refused("usb:1209:5741:C3", "link: usb 1209:5741:C3: no such device among 1: "
                                    "1209:5741 at 1-4");
        stage_unplug(port);
        refused("usb:1-4", "link: usb 1-4: no such device, no USB device is plugged in");
}

TEST(usb_that_the_user_may_not_open_names_the_rule_that_would_let_him)
{
        port->open_errno = EACCES;
        refused("usb:1-4",
                "link: usb 1-4 (1209:5741): permission denied: add a line for these ids "
                "to "
                "scripts/60-hilrig.rules and make install, or copy it to "
                "/etc/udev/rules.d, then udevadm control --reload; udevadm trigger");
        refused("usb:1209:5741:A1",
                "link: usb 1209:5741:A1: permission denied to read the serial number: "
                "add a line for these ids to scripts/60-hilrig.rules and make install, "
                "or "
                "copy it to /etc/udev/rules.d");
}

TEST(usb_that_another_program_holds_says_so)
{
        port->busy = true;
        refused("usb:1-4", "link: usb 1-4 (1209:5741): busy: interface 0 is held by "
                           "another program");
        ck_assert_int_eq(port->node, 0);
}

TEST(usb_takes_the_interface_from_a_kernel_driver_and_gives_it_back)
{
        struct link *l;

        port->driven = true;
        l = opened_text("usb:1-4");
        ck_assert_int_eq(port->detached, 1);
        ck_assert(!port->driven);
        link_close(l);
        ck_assert(port->driven);
}

TEST(usb_fd_is_readable_as_long_as_bytes_wait)
{
        static const char bytes[64 * 5 + 7] = "x";
        struct link *l = opened_text("usb:1-4");
        char got[50];
        size_t all = 0;

        ck_assert_int_eq(readable(l), 0);
        say(&board, bytes, sizeof bytes);
        while (all < sizeof bytes) {
                ck_assert_int_eq(readable(l), 1);
                all += (size_t)link_read(l, got, sizeof got);
        }
        ck_assert_int_eq(link_read(l, got, sizeof got), 0);
        ck_assert_int_eq(readable(l), 0);
        link_close(l);
}

/* A write that finds its queue full lets events happen, of which some are bytes that came. */
TEST(usb_fd_stays_readable_for_bytes_that_a_write_found)
{
        struct link *l = opened_text("usb:1-4");
        char bytes[16384] = "", got[64];

        board.takes = 0;
        while (link_write(l, bytes, sizeof bytes) > 0)
                ;
        say(&board, "news", 4);
        ck_assert_int_eq(link_write(l, bytes, 1), 0);
        ck_assert_int_eq(readable(l), 1);
        ck_assert_int_eq(link_read(l, got, sizeof got), 4);
        ck_assert_int_eq(readable(l), 0);
        board.takes = sizeof board.heard;
        stage_run();
        link_close(l);
}

TEST(usb_full_packet_comes_at_once_and_an_empty_one_is_nothing)
{
        static const char bytes[64] = "full";
        struct link *l = opened_text("usb:1-4");
        char got[128];

        say(&board, bytes, 64);
        ck_assert_int_eq(link_read(l, got, sizeof got), 64);
        ck_assert_uint_eq(link_usb_counts(l).packets_in, 1);
        link_close(l);
}

TEST(usb_ends_each_write_with_a_packet_that_is_not_full)
{
        struct link *l = opened_text("usb:1-4");
        static const char bytes[128];

        ck_assert_int_eq(link_write(l, bytes, 128), 128);
        ck_assert_uint_eq(port->zero_packets, 1);
        link_close(l);
}

TEST(usb_that_is_full_answers_0_and_loses_nothing)
{
        struct link *l = opened_text("usb:1-4");
        uint8_t bytes[20000];
        int taken, more;

        for (size_t i = 0; i < sizeof bytes; i++)
                bytes[i] = (uint8_t)(i * 7 + i / 256);
        board.takes = 0;
        taken = link_write(l, bytes, sizeof bytes);
        ck_assert_int_eq(taken, 8 * 1024);
        ck_assert_int_eq(link_write(l, bytes + taken, 100), 0);
        board.takes = sizeof board.heard;
        stage_run();
        more = link_write(l, bytes + taken, 100);
        ck_assert_int_eq(more, 100);
        ck_assert_uint_eq(board.heard_len, (size_t)taken + 100);
        ck_assert_mem_eq(board.heard, bytes, board.heard_len);
        link_close(l);
}

TEST(usb_carries_a_megabyte_in_random_pieces_in_order)
{
        struct link *l = opened_text("usb:1-4");
        static uint8_t bytes[1 << 20], got[1 << 20];
        unsigned draw = 1;
        size_t all = 0;

        for (size_t i = 0; i < sizeof bytes; i++)
                bytes[i] = (uint8_t)(i ^ i >> 8 ^ i >> 16);
        board.say = bytes;
        board.to_say = sizeof bytes;
        while (all < sizeof bytes) {
                size_t cap = sizeof got - all;

                draw = draw * 1103515245 + 12345;
                board.piece = 1 + (draw >> 16) % 64;
                stage_run();
                if (cap > (draw >> 8) % 300 + 1)
                        cap = (draw >> 8) % 300 + 1;
                all += (size_t)link_read(l, got + all, cap);
        }
        ck_assert(memcmp(bytes, got, sizeof got) == 0);
        link_close(l);
}

TEST(usb_halted_endpoints_are_cleared_and_counted)
{
        struct link *l = opened_text("usb:1-4");
        char got[64];

        board.stall_in = true;
        stage_run();
        for (int i = 0; i < 5; i++)
                ck_assert_int_eq(link_read(l, got, sizeof got), 0);
        ck_assert_uint_eq(link_usb_counts(l).stalls, 1);
        say(&board, "back", 4);
        ck_assert_int_eq(link_read(l, got, sizeof got), 4);

        board.stall_out = true;
        ck_assert_int_eq(link_write(l, "lost", 4), 4);
        for (int i = 0; i < 5; i++)
                ck_assert_int_eq(link_read(l, got, sizeof got), 0);
        ck_assert_uint_eq(link_usb_counts(l).stalls, 2);
        ck_assert_int_eq(link_write(l, "kept", 4), 4);
        ck_assert_mem_eq(board.heard, "kept", 4);
        ck_assert_uint_eq(port->clears, 2);
        link_close(l);
}

TEST(usb_transfer_lost_on_the_wire_is_counted_and_asked_for_again)
{
        struct link *l = opened_text("usb:1-4");
        char got[64];

        board.break_in = 3;
        say(&board, "after", 5);
        ck_assert_int_eq(link_read(l, got, sizeof got), 5);
        ck_assert_uint_eq(link_usb_counts(l).broken, 3);
        link_close(l);
}

TEST(usb_that_is_unplugged_gives_what_came_and_is_gone_for_good)
{
        struct link *l = opened_text("usb:1-4");
        char got[64];

        say(&board, "last", 4);
        stage_unplug(port);
        ck_assert_int_eq(readable(l), 1);
        ck_assert_int_eq(link_read(l, got, sizeof got), 4);
        ck_assert_int_eq(link_read(l, got, sizeof got), LINK_GONE);
        ck_assert_int_eq(readable(l), 1);
        stage_replug(port);
        ck_assert_int_eq(link_read(l, got, sizeof got), LINK_GONE);
        ck_assert_int_eq(link_write(l, got, 1), LINK_GONE);
        link_close(l);
}

TEST(usb_write_notices_that_it_is_gone_and_read_gives_what_came)
{
        struct link *l = opened_text("usb:1-4");
        char got[64];

        say(&board, "last", 4);
        stage_unplug(port);
        ck_assert_int_eq(link_write(l, "x", 1), LINK_GONE);
        ck_assert_int_eq(link_read(l, got, sizeof got), 4);
        ck_assert_int_eq(link_read(l, got, sizeof got), LINK_GONE);
        link_close(l);
}

TEST(usb_that_returns_is_opened_anew_under_its_new_address)
{
        struct link *l = opened_text("usb:1209:5741:A1");
        char got[64];
        int before = port->address;

        for (int i = 0; i < 10; i++) {
                stage_unplug(port);
                ck_assert_int_eq(link_read(l, got, sizeof got), LINK_GONE);
                link_close(l);
                refused("usb:1209:5741:A1",
                        "link: usb 1209:5741:A1: no such device, no USB "
                        "device is plugged in");
                stage_replug(port);
                l = opened_text("usb:1209:5741:A1");
                say(&board, "again", 5);
                ck_assert_int_eq(link_read(l, got, sizeof got), 5);
        }
        ck_assert_int_eq(port->address, before + 10);
        link_close(l);
        ck_assert_uint_eq(stage.memory_used, 0);
}

TEST(usb_runs_with_the_transfers_that_the_system_has_memory_for)
{
        struct link *l;
        char got[64];

        stage.memory_limit = 64 * 3;
        l = opened_text("usb:1-4");
        for (int i = 0; i < 20; i++) {
                say(&board, "abc", 3);
                ck_assert_int_eq(link_read(l, got, sizeof got), 3);
        }
        link_close(l);
        stage.memory_limit = 63;
        refused("usb:1-4",
                "link: usb 1-4 (1209:5741): the system's memory for USB transfers "
                "is used up");
}

TEST(usb_two_boards_know_nothing_of_each_other)
{
        struct link *a, *b;
        char got[64];

        build(&second, "B2");
        stage_plug(&second.model, "2-1");
        a = opened_text("usb:1-4");
        b = opened_text("usb:2-1");
        say(&board, "one", 3);
        say(&second, "second", 6);
        ck_assert_int_eq(link_read(b, got, sizeof got), 6);
        ck_assert_int_eq(link_read(a, got, sizeof got), 3);
        stage_unplug(port);
        ck_assert_int_eq(link_read(a, got, sizeof got), LINK_GONE);
        ck_assert_int_eq(link_write(b, "still", 5), 5);
        link_close(a);
        ck_assert_int_eq(link_read(b, got, sizeof got), 0);
        link_close(b);
}

TEST(usb_leaves_the_defaults_of_threads_as_they_were)
{
        size_t before, after;
        pthread_attr_t attr;
        int inherits;

        pthread_getattr_default_np(&attr);
        pthread_attr_getstacksize(&attr, &before);
        link_close(opened_text("usb:1-4"));
        pthread_getattr_default_np(&attr);
        pthread_attr_getstacksize(&attr, &after);
        pthread_attr_getinheritsched(&attr, &inherits);
        ck_assert_uint_eq(after, before);
        ck_assert_int_eq(inherits, PTHREAD_INHERIT_SCHED);
}

/* Descriptors of boards, and the endpoints that are chosen: 0 where there are none. */
#define INTERFACE(number, setting, endpoints, class)                                     \
        9, 4, number, setting, endpoints, class, 0, 0, 0
#define BULK(address, bytes) 7, 5, address, 2, (bytes)&255, (bytes) >> 8, 0
#define INTERRUPT(address)   7, 5, address, 3, 8, 0, 16
static const struct {
        const char *what;
        unsigned in, out;
        uint8_t len, interfaces;
        uint8_t bytes[100];
} boards[] = {
        { "vendor class after CDC data",
          0x83,
          0x04,
          46,
          2,
          { INTERFACE(0, 0, 2, 10), BULK(0x81, 64), BULK(0x02, 64),
            INTERFACE(1, 0, 2, 255), BULK(0x04, 64), BULK(0x83, 64) } },
        { "CDC data alone",
          0x81,
          0x02,
          39,
          2,
          { INTERFACE(0, 0, 1, 2), INTERRUPT(0x83), INTERFACE(1, 0, 2, 10),
            BULK(0x81, 64), BULK(0x02, 64) } },
        { "endpoints in the second setting",
          0x81,
          0x01,
          32,
          1,
          { INTERFACE(0, 0, 0, 255), INTERFACE(0, 1, 2, 255), BULK(0x81, 512),
            BULK(0x01, 512) } },
        { "one way only", 0, 0, 16, 1, { INTERFACE(0, 0, 1, 255), BULK(0x81, 64) } },
        { "mass storage",
          0,
          0,
          23,
          1,
          { INTERFACE(0, 0, 2, 8), BULK(0x81, 64), BULK(0x02, 64) } },
        { "packets of no bytes",
          0,
          0,
          23,
          1,
          { INTERFACE(0, 0, 2, 255), BULK(0x81, 0), BULK(0x02, 64) } },
        { "interrupt endpoints",
          0,
          0,
          23,
          1,
          { INTERFACE(0, 0, 2, 255), INTERRUPT(0x81), INTERRUPT(0x02) } },
        { "no interface at all", 0, 0, 0, 0, { 0 } },
};

TEST_EACH(usb_finds_its_endpoints_in_the_descriptors, sizeof boards / sizeof boards[0])
{
        uint8_t bytes[9 + 100] = {
                9,    2, (uint8_t)(9 + boards[_i].len), 0, boards[_i].interfaces, 1, 0,
                0x80, 50
        };

        memcpy(bytes + 9, boards[_i].bytes, boards[_i].len);
        board.model.configuration = bytes;
        if (boards[_i].in == 0) {
                refused("usb:1-4",
                        "link: usb 1-4 (1209:5741): has no interface with a bulk "
                        "endpoint each way; a serial port over USB is a uart");
                return;
        }

        struct link *l = opened_text("usb:1-4");

        ck_assert_uint_gt(port->queue[16 + (boards[_i].in & 15)].count, 0);
        board.takes = 0;
        stage_run();
        link_close(l);
}
