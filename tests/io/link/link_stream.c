/* Who may talk to a listener, TCP or Unix: one at a time, and nobody for ever who has nothing to say. */
#include "tests/io/link/link_ends.h"
#include "tests/suites.h"

#define S INT64_C(1000000000)

struct place {
        struct link *listener;
        char peer[80]; /* how to connect to it */
        char folder[32]; /* of the Unix socket, or "" */
};

static struct place open_place(int kind)
{
        struct place p = { .folder = "" };
        char text[80];
        uint16_t port;

        if (kind == ENDS_TCP) {
                p.listener = opened_listener(LINK_TCP_LISTEN, &port);
                snprintf(p.peer, sizeof p.peer, "tcp:127.0.0.1:%u", port);
        } else {
                make_folder(p.folder);
                snprintf(text, sizeof text, "unix-listen:%s/fc.sock", p.folder);
                snprintf(p.peer, sizeof p.peer, "unix:%s/fc.sock", p.folder);
                p.listener = opened_text(text);
        }
        link_at(p.listener, S);
        return p;
}

static void close_place(struct place *p)
{
        link_close(p->listener);
        if (p->folder[0] != '\0')
                ck_assert_int_eq(rmdir(p->folder), 0);
}

/* Comes, says a byte, and is read. */
static struct link *come(const struct place *p)
{
        struct link *l = opened_text(p->peer);
        char byte;

        link_write(l, "1", 1);
        ck_assert_int_eq(read_soon(p->listener, &byte, 1), 1);
        return l;
}

/* Comes, and is noticed at that time. */
static struct link *come_besides(const struct place *p, int64_t t_ns)
{
        struct link *l = opened_text(p->peer);
        char byte;

        link_at(p->listener, t_ns);
        ck_assert_int_eq(link_read(p->listener, &byte, 1), 0);
        return l;
}

static void name_of(const struct place *p, const struct link *l, char name[40])
{
        struct sockaddr_in at;
        socklen_t size = sizeof at;

        ck_assert_int_eq(getsockname(l->fd, (struct sockaddr *)&at, &size), 0);
        if (p->folder[0] == '\0')
                snprintf(name, 40, "127.0.0.1:%u", ntohs(at.sin_port));
        else
                snprintf(name, 40, "process %d", (int)getpid());
}

TEST_EACH(listener_hangs_up_on_a_second_while_the_first_was_valid_and_names_it, 2)
{
        struct place p = open_place(ENDS_TCP + _i);
        struct link *first = come(&p), *second;
        char name[40], byte;

        link_confirm(p.listener);
        second = come_besides(&p, 3600 * S);
        ck_assert_uint_eq(p.listener->strangers.count, 1);
        name_of(&p, second, name);
        ck_assert_str_eq(p.listener->strangers.last, name);
        ck_assert_int_eq(read_soon(second, &byte, 1), LINK_GONE);

        link_write(first, "2", 1);
        ck_assert_int_eq(read_soon(p.listener, &byte, 1), 1);
        ck_assert_int_eq(byte, '2');
        link_close(first);
        ck_assert_int_eq(read_soon(p.listener, &byte, 1), LINK_GONE);
        link_close(second);
        close_place(&p);
}

TEST_EACH(listener_gives_the_place_of_one_that_was_never_valid_to_the_next, 2)
{
        struct place p = open_place(ENDS_TCP + _i);
        struct link *first = come(&p), *soon, *late;
        char byte;

        soon = come_besides(&p, 2 * S);
        ck_assert_int_eq(read_soon(soon, &byte, 1), LINK_GONE);
        ck_assert_int_eq(link_read(first, &byte, 1), 0);

        late = come_besides(&p, 3 * S + 1);
        ck_assert_int_eq(read_soon(first, &byte, 1), LINK_GONE);
        ck_assert_uint_eq(p.listener->strangers.count, 2);
        link_write(late, "3", 1);
        ck_assert_int_eq(read_soon(p.listener, &byte, 1), 1);
        ck_assert_int_eq(byte, '3');
        ck_assert_int_eq(link_write(p.listener, "4", 1), 1);
        ck_assert_int_eq(read_soon(late, &byte, 1), 1);
        link_close(first);
        link_close(soon);
        link_close(late);
        close_place(&p);
}

/* Both at once, as its owner finds them after it got no processor for a while. */
TEST_EACH(listener_does_not_send_away_who_comes_after_the_first_has_hung_up, 2)
{
        struct place p = open_place(ENDS_TCP + _i);
        struct link *first = come(&p), *second;
        char byte;

        link_confirm(p.listener);
        link_at(p.listener, 2 * S);
        link_close(first);
        second = opened_text(p.peer);
        ck_assert_int_eq(read_soon(p.listener, &byte, 1), LINK_GONE);
        ck_assert_uint_eq(p.listener->strangers.count, 0);
        link_close(second);
        close_place(&p);
}

TEST_EACH(listener_waits_on_when_one_that_was_never_valid_hangs_up, 2)
{
        struct place p = open_place(ENDS_TCP + _i);
        char name[40], byte;
        struct link *l = come(&p);

        name_of(&p, l, name);
        link_close(l);
        wait_for(p.listener, POLLIN);
        ck_assert_int_eq(link_read(p.listener, &byte, 1), 0);
        ck_assert_uint_eq(p.listener->strangers.count, 1);
        ck_assert_str_eq(p.listener->strangers.last, name);

        l = come(&p);
        link_confirm(p.listener);
        link_close(l);
        ck_assert_int_eq(read_soon(p.listener, &byte, 1), LINK_GONE);
        ck_assert_uint_eq(p.listener->strangers.count, 1);
        close_place(&p);
}
