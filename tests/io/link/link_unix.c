/* Unix sockets: whose path it is. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "tests/io/link/link_ends.h"
#include "tests/suites.h"

/* A folder with a path in it, and the two texts for it. */
struct place {
        char folder[32], path[48], listen[64], connect[64];
};

static struct place make_place(void)
{
        struct place p;

        make_folder(p.folder);
        snprintf(p.path, sizeof p.path, "%s/fc.sock", p.folder);
        snprintf(p.listen, sizeof p.listen, "unix-listen:%s", p.path);
        snprintf(p.connect, sizeof p.connect, "unix:%s", p.path);
        return p;
}

static void drop_place(const struct place *p)
{
        ck_assert_int_eq(rmdir(p->folder), 0);
}

/* A socket whose owner died: bound, and closed without removing the path. */
static void leave_stale_socket(const struct place *p)
{
        struct sockaddr_un at = { .sun_family = AF_UNIX };
        int fd = socket(AF_UNIX, SOCK_STREAM, 0);

        memcpy(at.sun_path, p->path, strlen(p->path));
        ck_assert_int_eq(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
        ck_assert_int_eq(listen(fd, 1), 0);
        close(fd);
}

TEST(unix_listener_takes_a_stale_path_over)
{
        struct place p = make_place();
        struct link *a, *b;
        char byte;

        leave_stale_socket(&p);
        ck_assert_ptr_nonnull(
                strstr(refused_text(p.connect).text, ": connection refused"));
        a = opened_text(p.listen);
        b = opened_text(p.connect);
        link_write(b, "x", 1);
        ck_assert_int_eq(read_soon(a, &byte, 1), 1);
        link_close(b);
        link_close(a);
        drop_place(&p);
}

TEST(unix_listener_that_waits_is_refused_to_a_second_and_not_disturbed)
{
        struct place p = make_place();
        struct link *a = opened_text(p.listen), *b;
        char expected[96], byte;

        snprintf(expected, sizeof expected,
                 "link: unix-listen %s: in use by another program", p.path);
        ck_assert_str_eq(refused_text(p.listen).text, expected);
        /* Whoever asked did not pass for the flight controller that we wait for. */
        ck_assert_int_eq(link_read(a, &byte, 1), 0);
        b = opened_text(p.connect);
        link_write(b, "x", 1);
        ck_assert_int_eq(read_soon(a, &byte, 1), 1);
        ck_assert_str_eq(refused_text(p.listen).text, expected);
        ck_assert_int_eq(link_write(b, "y", 1), 1);
        ck_assert_int_eq(read_soon(a, &byte, 1), 1);
        link_close(b);
        link_close(a);
        drop_place(&p);
}

TEST(unix_listener_leaves_a_file_that_is_not_a_socket_alone)
{
        struct place p = make_place();
        char expected[96];

        close(open(p.path, O_WRONLY | O_CREAT, 0600));
        snprintf(expected, sizeof expected,
                 "link: unix-listen %s: exists and is not a socket", p.path);
        ck_assert_str_eq(refused_text(p.listen).text, expected);
        ck_assert_int_eq(unlink(p.path), 0);
        drop_place(&p);
}

TEST(unix_connect_to_a_file_or_a_folder_says_that_it_is_no_socket)
{
        struct place p = make_place();
        char expected[96];

        snprintf(expected, sizeof expected, "link: unix %s: exists and is not a socket",
                 p.path);
        close(open(p.path, O_WRONLY | O_CREAT, 0600));
        ck_assert_str_eq(refused_text(p.connect).text, expected);
        ck_assert(!refused_text(p.connect).absent);
        ck_assert_int_eq(unlink(p.path), 0);
        ck_assert_int_eq(mkdir(p.path, 0700), 0);
        ck_assert_str_eq(refused_text(p.connect).text, expected);
        ck_assert_int_eq(rmdir(p.path), 0);
        drop_place(&p);
}

TEST(unix_listener_removes_its_path_at_close)
{
        struct place p = make_place();

        link_close(opened_text(p.listen));
        ck_assert_int_ne(access(p.path, F_OK), 0);
        drop_place(&p);
}

TEST(unix_listener_does_not_remove_a_path_that_became_someone_elses)
{
        struct place p = make_place();
        struct link *l = opened_text(p.listen);

        /* The name first, then the socket: its inode is not given out again while we hold it. */
        ck_assert_int_eq(unlink(p.path), 0);
        close(open(p.path, O_WRONLY | O_CREAT, 0600));
        link_close(l);
        ck_assert_int_eq(unlink(p.path), 0);
        drop_place(&p);
}

TEST(unix_path_without_a_socket_is_refused_by_name)
{
        struct place p = make_place();
        char expected[96];

        snprintf(expected, sizeof expected, "link: unix %s: no such file or directory",
                 p.path);
        ck_assert_str_eq(refused_text(p.connect).text, expected);
        drop_place(&p);
        snprintf(expected, sizeof expected,
                 "link: unix-listen %s: no such file or directory", p.path);
        ck_assert_str_eq(refused_text(p.listen).text, expected);
}

TEST(unix_listener_wakes_poll_for_a_peer)
{
        struct ends e = open_ends(ENDS_UNIX);
        char byte;

        wait_for(e.a, POLLIN);
        ck_assert_int_eq(link_write(e.a, "x", 1), 1);
        ck_assert_int_eq(read_soon(e.b, &byte, 1), 1);
        close_ends(&e);
}
