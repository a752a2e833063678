/* What every kind of stream link owes: all bytes in order, no waiting, and a clear end. The serial
 * port has a test of its own. */
#include <signal.h>

#include "tests/io/link/link_flow.h"
#include "tests/suites.h"

#define MEGABYTE (1024 * 1024)

TEST_EACH(stream_carries_a_megabyte_both_ways_in_random_pieces, ENDS_STREAMS)
{
        struct ends e = open_ends(_i);

        carry_both_ways(e.a, e.b, MEGABYTE);
        close_ends(&e);
}

TEST_EACH(stream_that_is_full_answers_0_and_loses_nothing, ENDS_STREAMS)
{
        struct ends e = open_ends(_i);
        struct flow down = { e.a, e.b, 0x33, 0, 0 };
        struct noise sizes = { 99 };
        size_t before;

        link_write(e.b, "!", 1); /* so that the listener knows its peer */
        read_all(e.a, (char[1]){ 0 }, 1);
        do {
                before = down.written;
                write_chunk(&down, &sizes, 64 * MEGABYTE);
        } while (down.written != before);
        ck_assert_uint_gt(down.written, 0);

        while (down.read < down.written)
                if (read_chunk(&down, &sizes) == 0)
                        wait_for(e.b, POLLIN);
        /* There is room again. */
        write_chunk(&down, &sizes, down.written + 1);
        read_all(e.b, (char[1]){ 0 }, 1);
        close_ends(&e);
}

TEST_EACH(stream_without_bytes_answers_0_at_once, ENDS_STREAMS)
{
        struct ends e = open_ends(_i);
        char byte;

        ck_assert_int_eq(link_read(e.a, &byte, 1), 0);
        ck_assert_int_eq(link_read(e.b, &byte, 1), 0);
        ck_assert_int_eq(link_write(e.b, "x", 0), 0);
        ck_assert_int_eq(link_write(e.b, "xy", 2), 2);
        ck_assert_int_eq(link_read(e.a, &byte, 0), 0);
        read_all(e.a, &byte, 1);
        ck_assert_int_eq(byte, 'x');
        ck_assert(!e.a->packets);
        close_ends(&e);
}

TEST_EACH(stream_delivers_the_last_words_and_then_is_gone_for_good, ENDS_STREAMS)
{
        struct ends e = open_ends(_i);
        char words[10];

        ck_assert_int_eq(link_write(e.b, "last words", 10), 10);
        close_end(&e.b);
        read_all(e.a, words, sizeof words);
        link_confirm(e.a);
        ck_assert_mem_eq(words, "last words", sizeof words);
        ck_assert_int_eq(read_soon(e.a, words, sizeof words), LINK_GONE);
        ck_assert_int_eq(link_read(e.a, words, sizeof words), LINK_GONE);
        close_ends(&e);
}

TEST_EACH(stream_finds_the_end_that_waited_gone_too, ENDS_STREAMS)
{
        struct ends e = open_ends(_i);
        char byte;

        ck_assert_int_eq(link_write(e.b, "x", 1), 1);
        read_all(e.a, &byte, 1);
        close_end(&e.a);
        ck_assert_int_eq(read_soon(e.b, &byte, 1), LINK_GONE);
        close_ends(&e);
}

static void write_until_gone(struct link *l)
{
        int n;

        /* TCP learns from the answer to a first write that nobody is there. */
        while ((n = link_write(l, "x", 1)) != LINK_GONE) {
                ck_assert_int_ge(n, 0);
                wait_for(l, POLLIN);
        }
        ck_assert_int_eq(link_write(l, "x", 1), LINK_GONE);
}

TEST_EACH(stream_write_to_a_closed_peer_is_gone_and_raises_no_signal, ENDS_STREAMS)
{
        struct ends e = open_ends(_i);
        char byte;

        signal(SIGPIPE, SIG_DFL);
        ck_assert_int_eq(link_write(e.b, "x", 1), 1);
        read_all(e.a, &byte, 1);
        link_confirm(e.a);
        close_end(&e.b);
        write_until_gone(e.a);
        close_ends(&e);

        e = open_ends(_i);
        ck_assert_int_eq(link_write(e.b, "x", 1), 1);
        read_all(e.a, &byte, 1);
        close_end(&e.a);
        write_until_gone(e.b);
        close_ends(&e);
}

TEST_EACH(stream_has_a_name_for_messages, ENDS_STREAMS)
{
        static const char *const names[] = {
                "pair ", "/dev/pts/", "tcp-listen 127.0.0.1:", "unix-listen /tmp/link-"
        };
        struct ends e = open_ends(_i);

        ck_assert_msg(strstr(e.a->name, names[_i]) == e.a->name, "%s", e.a->name);
        ck_assert_str_eq(e.a->note, "");
        close_ends(&e);
}

TEST(pair_holds_exactly_its_capacity_each_way)
{
        struct link *a, *b;
        char bytes[8];

        ck_assert(!link_pair_open(&a, &b, 0));
        ck_assert(link_pair_open(&a, &b, 5));
        ck_assert_int_eq(link_write(a, "12345678", 8), 5);
        ck_assert_int_eq(link_write(a, "6", 1), 0);
        ck_assert_int_eq(link_write(b, "abc", 3), 3);
        ck_assert_int_eq(link_read(b, bytes, 2), 2);
        ck_assert_int_eq(link_write(a, "678", 3), 2);
        ck_assert_int_eq(link_read(b, bytes, sizeof bytes), 5);
        ck_assert_mem_eq(bytes, "34567", 5);
        ck_assert_int_eq(link_read(a, bytes, sizeof bytes), 3);
        ck_assert_int_eq(a->fd, -1);
        link_close(b);
        link_close(a);
}
