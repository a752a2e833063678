#include "hil/conform/wire.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "hil/time/clock.h"

/* A board that takes nothing for so long is not there. */
#define WRITE_NS (5 * NS_PER_S)

static int64_t now(struct conform_wire *w)
{
        (void)w;
        return clock_now_ns();
}

static void wait(struct conform_wire *w, short events, int64_t until_ns)
{
        struct pollfd fd[] = { { .fd = w->link->fd, .events = events },
                               { .fd = w->stop_fd, .events = POLLIN } };
        int64_t left_ns = until_ns - clock_now_ns();
        struct timespec timeout = clock_timespec(left_ns > 0 ? left_ns : 0);

        if (ppoll(fd, 2, &timeout, NULL) <= 0)
                return;
        if (fd[1].revents != 0)
                w->stopped = w->gone = true;
        /* Readable without bytes: nobody at the other end yet. */
        else if (fd[0].revents & POLLHUP)
                clock_sleep_until(clock_now_ns() + NS_PER_MS);
}

static bool write_all(struct conform_wire *w, const uint8_t *bytes, size_t len)
{
        int64_t give_up_ns = clock_now_ns() + WRITE_NS;

        while (len > 0 && !w->gone) {
                int n = link_write(w->link, bytes, len);

                if (n == LINK_GONE || (n == 0 && clock_now_ns() > give_up_ns)) {
                        w->gone = true;
                        return false;
                }
                bytes += n;
                len -= (size_t)n;
                if (len > 0)
                        wait(w, POLLIN | POLLOUT, clock_now_ns() + NS_PER_MS);
        }
        return !w->gone;
}

static size_t read_some(struct conform_wire *w, uint8_t *bytes, size_t cap,
                        int64_t until_ns)
{
        while (!w->gone) {
                int n;

                link_at(w->link, clock_now_ns());
                n = link_read(w->link, bytes, cap);
                /* Whoever is there is the one that is asked. */
                if (n > 0)
                        link_confirm(w->link);
                if (n > 0)
                        return (size_t)n;
                if (n == LINK_GONE)
                        w->gone = true;
                else if (clock_now_ns() >= until_ns)
                        return 0;
                else
                        wait(w, POLLIN, until_ns);
        }
        return 0;
}

/* A board at a serial port has a processor of its own. */
static bool is_on_this_host(const struct link *l)
{
        static const char *const signs[] = { "unix", "127.0.0.1", "localhost",
                                             "::1",  "pty",       "/dev/pts/" };

        for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
                if (strstr(l->name, signs[i]) != NULL)
                        return true;
        return false;
}

/* As the kernel counts it (PSI), in us. */
static int64_t starved(struct conform_wire *w)
{
        FILE *f = is_on_this_host(w->link) ? fopen("/proc/pressure/cpu", "r") : NULL;
        long long us = 0;

        if (f == NULL)
                return 0;
        if (fscanf(f, "some avg10=%*f avg60=%*f avg300=%*f total=%lld", &us) != 1)
                us = 0;
        fclose(f);
        return us * 1000;
}

static const struct conform_wire_ops ops = { now, write_all, read_some, starved };

void conform_wire_link(struct conform_wire *w, struct link *link, int stop_fd)
{
        *w = (struct conform_wire){ .ops = &ops, .link = link, .stop_fd = stop_fd };
}

void conform_wire_resume(struct conform_wire *w)
{
        w->stop_fd = -1;
        w->gone &= !w->stopped;
}
