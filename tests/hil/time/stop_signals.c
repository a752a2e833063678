/* Signals that ask a program to end, as something to be read. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "hil/time/stop_signals.h"

#include "tests/suites.h"

PROCESS_EACH

static const int asks[] = { SIGINT, SIGTERM, SIGHUP };

TEST_EACH(each_is_seen_and_ends_nobody, sizeof asks / sizeof asks[0])
{
        int fd;

        /* Whatever the tests are run by. */
        signal(asks[_i], SIG_DFL);
        fd = stop_signals_open();
        ck_assert_int_ge(fd, 0);
        ck_assert(!stop_signals_came(fd));
        raise(asks[_i]);
        ck_assert(stop_signals_came(fd));
        /* It waits on: whoever asks later is told, too. */
        ck_assert(stop_signals_came(fd));
        close(fd);
}

TEST(under_nohup_a_hangup_is_nothing)
{
        int fd;

        signal(SIGHUP, SIG_IGN);
        fd = stop_signals_open();
        raise(SIGHUP);
        ck_assert(!stop_signals_came(fd));
        close(fd);
}

TEST(without_a_descriptor_none_comes)
{
        ck_assert(!stop_signals_came(-1));
}
