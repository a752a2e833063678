/* Serial ports through the real libserialport, on the stage of serial_stage.h. */
#include "tests/staged/serial_stage.h"

#include <asm/ioctls.h>

#include "io/link/link_uart.h"
#include "tests/io/link/link_flow.h"
#include "tests/suites.h"

PROCESS_EACH

/* The kernel's, which the C library's headers leave out. */
struct termios2 {
        uint32_t iflag, oflag, cflag, lflag;
        uint8_t line, cc[19];
        uint32_t ispeed, ospeed;
};

/* The board's end of the adapter that every test starts with: FTDI, serial number A1. */
static struct link *board;

static void set_up(void)
{
        set_stage();
        board = opened_text("pty");
        plug(0, board, "0403", "6001", "A1");
}

static void tear_down(void)
{
        if (board != NULL)
                link_close(board);
        strike_stage();
}

FIXTURE(set_up, tear_down)

static uint32_t baud_of(const struct link *l)
{
        struct termios2 t;

        ck_assert_int_eq((int)syscall(SYS_ioctl, l->fd, TCGETS2, &t), 0);
        ck_assert_uint_eq(t.ispeed, t.ospeed);
        return t.ospeed;
}

TEST(uart_runs_at_standard_and_other_baud_rates)
{
        static const uint32_t rates[] = {
                9600, 115200, 420000, 921600, 1000000, 5250000
        };

        for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
                char text[64];
                struct link *l;

                snprintf(text, sizeof text, "uart:/dev/ttyUSB0@%u", rates[i]);
                l = opened_text(text);
                ck_assert_uint_eq(baud_of(l), rates[i]);
                link_close(l);
        }
}

TEST(uart_baud_rate_that_the_adapter_misses_is_refused)
{
        fake.only_speed = B115200;
        ck_assert_str_eq(
                refused_text("uart:/dev/ttyUSB0@460800").text,
                "link: /dev/ttyUSB0: cannot run at 460800 baud, the nearest it does is "
                "115200");
        link_close(opened_text("uart:/dev/ttyUSB0@115200"));
}

TEST(uart_undoes_what_an_earlier_program_set)
{
        struct termios t;
        int earlier = open(board->name, O_RDWR | O_NOCTTY);
        struct link *l;

        tcgetattr(earlier, &t);
        t.c_cflag |= CRTSCTS | CSTOPB;
        t.c_iflag |= IXON | IXOFF | ICRNL | ISTRIP;
        t.c_lflag |= ICANON | ECHO;
        t.c_oflag |= OPOST | ONLCR;
        tcsetattr(earlier, TCSANOW, &t);

        l = opened_text("uart:/dev/ttyUSB0@57600");
        tcgetattr(l->fd, &t);
        ck_assert_uint_eq(t.c_cflag & CSIZE, CS8);
        ck_assert_uint_eq(t.c_cflag & (PARENB | CSTOPB | CRTSCTS), 0);
        ck_assert_uint_eq(t.c_iflag & (IXON | IXOFF | ICRNL | ISTRIP), 0);
        ck_assert_uint_eq(t.c_lflag & (ICANON | ECHO | ISIG), 0);
        ck_assert_uint_eq(t.c_oflag & OPOST, 0);
        close(earlier);
        link_close(l);
}

static const struct {
        const char *text;
        tcflag_t flags;
} framings[] = {
        { "uart:/dev/ttyUSB0@100000", 0 },
        { "uart:/dev/ttyUSB0@100000,8E2", PARENB | CSTOPB },
        { "uart:/dev/ttyUSB0@100000,8O1", PARENB | PARODD },
        { "uart:/dev/ttyUSB0@100000,8N2", CSTOPB },
};

TEST_EACH(uart_takes_the_parity_and_the_stop_bits_that_it_is_told,
          sizeof framings / sizeof framings[0])
{
        struct link *l = opened_text(framings[_i].text);

        ck_assert_uint_eq(fake.asked & (PARENB | PARODD | CSTOPB), framings[_i].flags);
        ck_assert_uint_eq(baud_of(l), 100000);
        link_close(l);
}

TEST(uart_forgets_what_came_before_it_was_opened)
{
        int earlier = open(board->name, O_RDWR | O_NOCTTY | O_NONBLOCK);
        struct link *l;
        char bytes[8];

        ck_assert_int_eq(link_write(board, "old", 3), 3);
        wait_for(&(struct link){ .fd = earlier }, POLLIN);
        l = opened_text("uart:/dev/ttyUSB0@57600");
        ck_assert_int_eq(link_write(board, "new", 3), 3);
        ck_assert_int_eq(read_soon(l, bytes, sizeof bytes), 3);
        ck_assert_mem_eq(bytes, "new", 3);
        close(earlier);
        link_close(l);
}

TEST(uart_carries_a_megabyte_both_ways_in_random_pieces)
{
        struct link *l = opened_text("uart:/dev/ttyUSB0@921600");

        ck_assert_str_eq(l->name, "/dev/ttyUSB0");
        ck_assert(!l->packets);
        carry_both_ways(board, l, 1024 * 1024);
        link_close(l);
}

TEST(uart_that_is_full_answers_0_and_loses_nothing)
{
        struct link *l = opened_text("uart:/dev/ttyUSB0@921600");
        struct flow up = { l, board, 0x42, 0, 0 };
        struct noise sizes = { 7 };
        size_t before;

        do {
                before = up.written;
                write_chunk(&up, &sizes, 64 * 1024 * 1024);
        } while (up.written != before);
        while (up.read < up.written)
                if (read_chunk(&up, &sizes) == 0)
                        wait_for(board, POLLIN);
        link_close(l);
}

TEST(uart_without_bytes_answers_0_at_once)
{
        struct link *l = opened_text("uart:/dev/ttyUSB0@921600");
        char byte;

        ck_assert_int_eq(link_read(l, &byte, 1), 0);
        ck_assert_int_eq(link_read(l, &byte, 0), 0);
        ck_assert_int_eq(link_write(l, "x", 0), 0);
        link_close(l);
}

TEST(uart_is_busy_for_a_second_program)
{
        struct link *l = opened_text("uart:/dev/ttyUSB0@921600");

        ck_assert(fake.exclusive);
        ck_assert(fcntl(l->fd, F_GETFD) & FD_CLOEXEC);
        ck_assert_str_eq(refused_text("uart:/dev/ttyUSB0@9600").text,
                         "link: /dev/ttyUSB0: busy, another program holds it");
        ck_assert_uint_eq(baud_of(l), 921600);
        link_close(l);
        ck_assert(!fake.exclusive);
        link_close(opened_text("uart:/dev/ttyUSB0@9600"));
}

TEST(uart_that_hangs_up_is_gone_for_good)
{
        struct link *l = opened_text("uart:/dev/ttyUSB0@921600");
        char byte;

        close_end(&board);
        ck_assert_int_eq(read_soon(l, &byte, 1), LINK_GONE);
        ck_assert_int_eq(link_write(l, "x", 1), LINK_GONE);
        link_close(l);
}

static const int unplugged[] = { EIO, ENXIO, ENODEV };

TEST_EACH(uart_that_was_unplugged_is_gone_for_good, 3)
{
        char byte;

        for (int writes = 0; writes < 2; writes++) {
                struct link *l = opened_text("uart:/dev/ttyUSB0@921600");

                fake.failing_fd = l->fd;
                fake.io_errno = unplugged[_i];
                ck_assert_int_eq(writes ? link_write(l, "x", 1) : link_read(l, &byte, 1),
                                 LINK_GONE);
                fake.io_errno = 0;
                ck_assert_int_eq(link_write(l, "x", 1), LINK_GONE);
                ck_assert_int_eq(link_read(l, &byte, 1), LINK_GONE);
                link_close(l);
        }
}

static const struct {
        int error;
        const char *text;
} refusals[] = {
        { ENOENT, "link: /dev/ttyUSB0: no such device" },
        { ENXIO, "link: /dev/ttyUSB0: no such device" },
        { ENODEV, "link: /dev/ttyUSB0: no such device" },
        { EBUSY, "link: /dev/ttyUSB0: busy, another program holds it" },
        { EACCES,
          "link: /dev/ttyUSB0: permission denied: add your user to the group dialout "
          "(sudo usermod -aG dialout $USER) and log in again" },
        { EIO, "link: /dev/ttyUSB0: input/output error" },
};

TEST_EACH(uart_that_cannot_be_opened_says_why, sizeof refusals / sizeof refusals[0])
{
        fake.open_errno = refusals[_i].error;
        ck_assert_str_eq(refused_text("uart:/dev/ttyUSB0@9600").text, refusals[_i].text);
}

TEST(uart_path_that_is_no_port_says_so)
{
        ck_assert_str_eq(refused_text("uart:/dev/ttyUSB7@9600").text,
                         "link: /dev/ttyUSB7: no such device");
        ck_assert_str_eq(refused_text("uart:/dev/null@9600").text,
                         "link: /dev/null: not a serial port");
}

TEST(uart_is_opened_through_a_link_by_id)
{
        char command[160];
        struct link *l;

        snprintf(command, sizeof command,
                 "mkdir -p %s/dev/serial/by-id; ln -s /dev/ttyUSB0 "
                 "%s/dev/serial/by-id/usb-ACME",
                 fake.root, fake.root);
        ck_assert_int_eq(system(command), 0);
        l = opened_text("uart:/dev/serial/by-id/usb-ACME@9600");
        ck_assert_str_eq(l->name, "/dev/serial/by-id/usb-ACME");
        link_close(l);
}

TEST(uart_list_shows_what_usb_says_of_a_port)
{
        struct link_uart_port ports[4];

        ck_assert_int_eq(link_uart_list(ports, 4), 1);
        ck_assert_str_eq(ports[0].path, "/dev/ttyUSB0");
        ck_assert_int_eq(ports[0].usb_vid, 0x0403);
        ck_assert_int_eq(ports[0].usb_pid, 0x6001);
        ck_assert_str_eq(ports[0].usb_serial, "A1");
        ck_assert_str_eq(ports[0].manufacturer, "ACME");
        ck_assert_str_eq(ports[0].product, "Adapter");
        ck_assert_int_eq(link_uart_list(ports, 0), 0);
}

TEST(uart_is_found_by_its_usb_ids)
{
        struct link *l = opened_text("uart:usb=0403:6001@9600");

        ck_assert_str_eq(l->name, "/dev/ttyUSB0");
        link_close(l);
        ck_assert_str_eq(refused_text("uart:usb=10c4:ea60@9600").text,
                         "link: usb 10c4:ea60: no such device among 1 serial ports");
        ck_assert_str_eq(refused_text("uart:usb=0403:6001:A2@9600").text,
                         "link: usb 0403:6001:A2: no such device among 1 serial ports");
}

TEST(uart_of_several_alike_is_found_by_its_serial_number)
{
        struct link *second = opened_text("pty"), *third = opened_text("pty"), *l;
        struct link_error why;

        plug(1, second, "0403", "6001", "B2");
        plug(2, third, "0403", "6001", "B2");
        why = refused_text("uart:usb=0403:6001@9600");
        ck_assert_msg(strstr(why.text,
                             "link: usb 0403:6001: 3 ports match, give the serial "
                             "number or the path of one: ") == why.text,
                      "%s", why.text);
        ck_assert_msg(strstr(why.text, "/dev/ttyUSB0 (A1)") != NULL, "%s", why.text);
        ck_assert_msg(strstr(why.text, "/dev/ttyUSB1 (B2)") != NULL, "%s", why.text);

        l = opened_text("uart:usb=0403:6001:A1@9600");
        ck_assert_str_eq(l->name, "/dev/ttyUSB0");
        link_close(l);
        why = refused_text("uart:usb=0403:6001:B2@9600");
        ck_assert_msg(strstr(why.text, "2 ports match, give the path of one: ") != NULL,
                      "%s", why.text);
        link_close(second);
        link_close(third);
}

TEST(uart_sets_the_ftdi_latency_timer_and_says_so)
{
        struct link *l;

        write_text(LATENCY_FILE, "16\n");
        l = opened_text("uart:/dev/ttyUSB0@921600");
        ck_assert_str_eq(l->note, "FTDI latency timer set to 1 ms, was 16 ms");
        link_close(l);
        l = opened_text("uart:/dev/ttyUSB0@921600");
        ck_assert_str_eq(l->note, "");
        link_close(l);
}

TEST(uart_asks_the_driver_where_the_latency_timer_is_roots)
{
        struct link *l;

        write_text(LATENCY_FILE, "16\n");
        fake.latency_errno = EACCES;
        fake.low_latency_works = true;
        l = opened_text("uart:/dev/ttyUSB0@921600");
        ck_assert_str_eq(l->note, "FTDI latency timer set to 1 ms, was 16 ms");
        link_close(l);
}

TEST(uart_warns_when_the_ftdi_latency_timer_stays)
{
        struct link *l;

        write_text(LATENCY_FILE, "16\n");
        fake.latency_errno = EACCES;
        l = opened_text("uart:/dev/ttyUSB0@921600");
        ck_assert_str_eq(l->note,
                         "FTDI latency timer could not be set to 1 ms: Permission "
                         "denied; it is 16 ms");
        link_close(l);
}

TEST(uart_that_has_no_latency_timer_has_no_note)
{
        struct link *l = opened_text("uart:/dev/ttyUSB0@921600");

        ck_assert_str_eq(l->note, "");
        link_close(l);
}
