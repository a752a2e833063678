/* Pseudo-terminals: not open yet is not gone, gone is for good, and every byte is a byte. */
#include <fcntl.h>
#include <termios.h>

#include "tests/io/link/link_ends.h"
#include "tests/suites.h"

static int opened_by_path(const struct link *l)
{
        int fd = open(l->name, O_RDWR | O_NOCTTY | O_NONBLOCK);

        ck_assert_int_ge(fd, 0);
        return fd;
}

TEST(pty_that_nobody_opened_yet_takes_no_bytes_and_is_not_gone)
{
        struct link *l = opened_text("pty");
        char byte;

        for (int i = 0; i < 100; i++) {
                ck_assert_int_eq(link_read(l, &byte, 1), 0);
                ck_assert_int_eq(link_write(l, "stale", 5), 0);
        }
        link_close(l);
}

TEST(pty_gives_the_flight_controller_nothing_from_before_it_opened)
{
        struct link *l = opened_text("pty");
        char bytes[8];
        int fd;

        link_write(l, "stale", 5);
        fd = opened_by_path(l);
        ck_assert_int_eq(link_write(l, "new", 3), 3);
        wait_for(&(struct link){ .fd = fd }, POLLIN);
        ck_assert_int_eq(read(fd, bytes, sizeof bytes), 3);
        ck_assert_mem_eq(bytes, "new", 3);
        close(fd);
        link_close(l);
}

TEST(pty_sleeps_in_poll_until_the_other_end_is_opened)
{
        struct link *l = opened_text("pty");
        struct pollfd p = { .fd = l->fd, .events = POLLIN };
        char byte;
        int fd;

        ck_assert_int_eq(link_read(l, &byte, 1), 0);
        ck_assert_int_eq(poll(&p, 1, 0), 0);
        fd = opened_by_path(l);
        wait_for(l, POLLIN);
        ck_assert_int_eq(link_read(l, &byte, 1), 0);
        ck_assert_int_eq(write(fd, "x", 1), 1);
        wait_for(l, POLLIN);
        ck_assert_int_eq(link_read(l, &byte, 1), 1);
        close(fd);
        link_close(l);
}

TEST(pty_delivers_what_a_visitor_left_between_two_reads)
{
        struct link *l = opened_text("pty");
        char bytes[8];
        int fd = opened_by_path(l);

        ck_assert_int_eq(write(fd, "hello", 5), 5);
        close(fd);
        read_all(l, bytes, 5);
        ck_assert_mem_eq(bytes, "hello", 5);
        ck_assert_int_eq(read_soon(l, bytes, sizeof bytes), LINK_GONE);
        link_close(l);
}

TEST(pty_that_hung_up_stays_gone_when_someone_opens_it_again)
{
        struct ends e = open_ends(ENDS_PTY);
        char byte;
        int fd;

        ck_assert_int_eq(link_write(e.a, "x", 1), 1);
        close_end(&e.b);
        ck_assert_int_eq(read_soon(e.a, &byte, 1), LINK_GONE);
        fd = opened_by_path(e.a);
        ck_assert_int_eq(link_read(e.a, &byte, 1), LINK_GONE);
        ck_assert_int_eq(link_write(e.a, "x", 1), LINK_GONE);
        close(fd);
        close_ends(&e);
}

static void cross(struct link *from, struct link *to)
{
        unsigned char all[256], got[256];

        for (int i = 0; i < 256; i++)
                all[i] = (unsigned char)i;
        ck_assert_int_eq(link_write(from, all, sizeof all), 256);
        read_all(to, got, sizeof got);
        ck_assert_mem_eq(got, all, sizeof all);
        ck_assert_int_eq(link_read(from, got, 1), 0); /* no echo */
}

TEST(pty_is_raw_both_ways)
{
        struct ends e = open_ends(ENDS_PTY);

        cross(e.a, e.b);
        cross(e.b, e.a);
        close_ends(&e);
}

TEST(pty_by_path_makes_a_cooked_terminal_raw)
{
        struct ends e = { .a = opened_text("pty"), .folder = "" };
        char text[LINK_TEXT_MAX + 1];
        struct termios t;
        int fd = opened_by_path(e.a);

        tcgetattr(fd, &t);
        t.c_lflag |= ICANON | ECHO | ISIG;
        t.c_iflag |= ICRNL | IXON;
        t.c_oflag |= OPOST | ONLCR;
        tcsetattr(fd, TCSANOW, &t);
        snprintf(text, sizeof text, "pty:%s", e.a->name);
        e.b = opened_text(text);
        close(fd);
        cross(e.a, e.b);
        cross(e.b, e.a);
        close_ends(&e);
}

TEST(pty_by_path_is_busy_for_a_second)
{
        struct ends e = open_ends(ENDS_PTY);
        char text[LINK_TEXT_MAX + 1], expected[200];

        snprintf(text, sizeof text, "pty:%s", e.a->name);
        snprintf(expected, sizeof expected, "link: %s: busy, another program holds it",
                 e.a->name);
        ck_assert_str_eq(refused_text(text).text, expected);
        close_end(&e.b);
        e.b = opened_text(text);
        close_ends(&e);
}

TEST(pty_path_that_is_no_terminal_is_refused_by_name)
{
        ck_assert_str_eq(refused_text("pty:/dev/null").text,
                         "link: /dev/null: not a terminal");
        ck_assert_str_eq(refused_text("pty:/dev/no-such-tty").text,
                         "link: /dev/no-such-tty: no such device");
        ck_assert_str_eq(refused_text("pty:/dev").text, "link: /dev: is a directory");
}

/* Under pty-link:PATH: what leads elsewhere is left alone; what an earlier run left is replaced, and goes at the end. */
TEST(pty_link_replaces_only_what_leads_to_a_pseudo_terminal)
{
        static const char *const others[] = { "/dev/null",   "notes.txt",
                                              "/dev/pts/",   "/dev/pts/../null",
                                              "/dev/pts/1x", "/dev/pts/12345678901234" };
        char folder[32], path[64], text[80], target[64];
        struct link *l;

        make_folder(folder);
        snprintf(path, sizeof path, "%s/gps", folder);
        snprintf(text, sizeof text, "pty-link:%s", path);
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
                ssize_t len;

                ck_assert_int_eq(symlink(others[i], path), 0);
                ck_assert_ptr_nonnull(strstr(
                        refused_text(text).text,
                        "/gps: is there already, and is no link to a pseudo-terminal"));
                len = readlink(path, target, sizeof target);
                ck_assert_int_eq(len, (ssize_t)strlen(others[i]));
                ck_assert_mem_eq(target, others[i], (size_t)len);
                ck_assert_int_eq(unlink(path), 0);
        }
        ck_assert_int_eq(symlink("/dev/pts/99999", path), 0);
        l = opened_text(text);
        ck_assert_int_eq(readlink(path, target, sizeof target), (ssize_t)strlen(l->name));
        ck_assert_mem_eq(target, l->name, strlen(l->name));
        link_close(l);
        ck_assert_int_eq(access(path, F_OK), -1);
        ck_assert_int_eq(rmdir(folder), 0);
}
