/* The conformance test's wire over a link: what ends a wait, and what is still said after a stop. */
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "hil/time/clock.h"
#include "hil/conform/wire.h"

#include "tests/suites.h"

static struct conform_wire wire;
static struct link *rig, *board;
static int stop_fd;

static void setup(void)
{
        ck_assert(link_pair_open(&rig, &board, 64));
        stop_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
        ck_assert_int_ge(stop_fd, 0);
        conform_wire_link(&wire, rig, stop_fd);
}

static void teardown(void)
{
        link_close(rig);
        if (board != NULL)
                link_close(board);
        close(stop_fd);
}

FIXTURE(setup, teardown)

static void stop(void)
{
        const uint64_t one = 1;

        ck_assert_int_eq(write(stop_fd, &one, sizeof one), sizeof one);
}

static size_t read_for(int64_t ns)
{
        uint8_t bytes[64];

        return wire.ops->read(&wire, bytes, sizeof bytes, conform_wire_now(&wire) + ns);
}

static bool say(size_t len)
{
        static const uint8_t bytes[256];

        return wire.ops->write(&wire, bytes, len);
}

static int heard(void)
{
        uint8_t bytes[256];

        return link_read(board, bytes, sizeof bytes);
}

TEST(what_has_come_is_read_at_once)
{
        ck_assert_int_eq(link_write(board, "abc", 3), 3);
        ck_assert_uint_eq(read_for(3600 * NS_PER_S), 3);
        ck_assert(!wire.gone);
}

TEST(nothing_until_the_time_is_over_is_no_bytes)
{
        ck_assert_uint_eq(read_for(NS_PER_MS), 0);
        ck_assert(!wire.gone);
        ck_assert(!wire.stopped);
}

/* The time-out of this test is shorter than the wait. */
TEST(a_stop_ends_a_wait_as_if_the_board_were_gone)
{
        stop();
        ck_assert_uint_eq(read_for(3600 * NS_PER_S), 0);
        ck_assert(wire.stopped);
        ck_assert(wire.gone);
        ck_assert(!say(1));
        ck_assert_int_eq(heard(), 0);
}

TEST(a_stop_ends_a_write_that_the_line_does_not_take)
{
        stop();
        ck_assert(!say(200));
        ck_assert(wire.stopped);
}

TEST(after_a_stop_the_last_words_go_out)
{
        stop();
        read_for(3600 * NS_PER_S);
        conform_wire_resume(&wire);
        ck_assert(say(9));
        ck_assert_int_eq(heard(), 9);
        ck_assert_uint_eq(read_for(NS_PER_MS), 0);
        ck_assert(wire.stopped);
}

TEST(a_board_that_has_gone_stays_gone)
{
        link_close(board);
        board = NULL;
        ck_assert_uint_eq(read_for(3600 * NS_PER_S), 0);
        ck_assert(wire.gone);
        ck_assert(!wire.stopped);
        conform_wire_resume(&wire);
        ck_assert(wire.gone);
        ck_assert(!say(1));
}
