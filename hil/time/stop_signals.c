#include "hil/time/stop_signals.h"

#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>

int stop_signals_open(void)
{
        struct sigaction hangup;
        sigset_t set;

        sigemptyset(&set);
        sigaddset(&set, SIGINT);
        sigaddset(&set, SIGTERM);
        /* A closed terminal must not leave a board armed; under nohup it is nothing. */
        if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
                sigaddset(&set, SIGHUP);
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

bool stop_signals_came(int fd)
{
        struct pollfd p = { .fd = fd, .events = POLLIN };

        return poll(&p, 1, 0) == 1;
}
