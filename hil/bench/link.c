/* Lockstep over each link, beside the bare ping-pong of two processes over the same link: once waited
 * for as the rig does (look again for a while, then sleep), once always asleep in poll(), which is
 * what a plain program gets. */
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hil/bench/bench.h"
#include "hil/time/clock.h"
#include "hil/rig/rig.h"
#include "hil/rig/spawn.h"
#include "hil/time/busy_wait.h"

#define BLOCKS   5
#define BLOCK_NS (700 * NS_PER_MS)
#define MESSAGE  64 /* bytes each way: about a sensor frame */
#define FLIGHT   "stop_after_s=40"

static const char *const kinds[] = { "pty", "unix", "tcp", "udp" };

/* Reads exactly one message; busy NULL: asleep. False: the peer is gone or silent for a second. */
static bool read_message(struct link *link, struct busy_wait *busy)
{
        uint8_t buf[MESSAGE];
        size_t got = 0;
        int64_t begin_ns = clock_now_ns();

        while (got < MESSAGE) {
                struct pollfd fd = { .fd = link->fd, .events = POLLIN };
                int n = link_read(link, buf + got, MESSAGE - got);

                if (n > 0)
                        link_confirm(link);
                if (n == LINK_GONE || clock_now_ns() - begin_ns > NS_PER_S)
                        return false;
                got += (size_t)n;
                if (n == 0 && (busy == NULL || !busy_wait_again(busy, begin_ns)))
                        poll(&fd, 1, 10);
        }
        return true;
}

static bool write_message(struct link *link, const uint8_t *message)
{
        size_t at = 0;

        while (at < MESSAGE) {
                int n = link_write(link, message + at, MESSAGE - at);

                if (n == LINK_GONE)
                        return false;
                at += (size_t)n;
        }
        return true;
}

static void echo(const struct link_spec *spec, struct busy_wait *busy)
{
        const uint8_t message[MESSAGE] = { 2 };
        struct link_error why;
        struct link *link = link_open(spec, &why);

        prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL, 0UL, 0UL, 0UL);
        if (link == NULL)
                _exit(1);
        while (read_message(link, busy))
                if (!write_message(link, message))
                        break;
        _exit(0);
}

/* The first datagrams may find nobody: asks until the echo answers, then takes in every answer. */
static bool meet(struct link *link)
{
        const uint8_t message[MESSAGE] = { 1 };
        struct pollfd fd = { .events = POLLIN };
        uint8_t buf[MESSAGE];
        bool met = false;

        for (int i = 0; i < 100 && !met; i++) {
                if (link_write(link, message, MESSAGE) == LINK_GONE)
                        return false;
                clock_sleep_until(clock_now_ns() + 10 * NS_PER_MS);
                fd.fd = link->fd;
                met = poll(&fd, 1, 0) == 1 && link_read(link, buf, sizeof buf) == MESSAGE;
        }
        for (fd.fd = link->fd; met && poll(&fd, 1, 50) == 1;)
                if (link_read(link, buf, sizeof buf) < 0)
                        return false;
        return met;
}

static double ping_pong(struct link *link, struct busy_wait *busy)
{
        const uint8_t message[MESSAGE] = { 1 };
        int64_t begin_ns = clock_now_ns(), now_ns = begin_ns;
        uint64_t count = 0;

        while (now_ns - begin_ns < BLOCK_NS) {
                if (!write_message(link, message) || !read_message(link, busy))
                        return 0.0;
                count++;
                now_ns = clock_now_ns();
        }
        return (double)count * 1e9 / (double)(now_ns - begin_ns);
}

/* Round trips a second; 0 after a message. */
static double measure_bare(const char *text, struct busy_wait *busy)
{
        struct link_spec spec, peer;
        struct link_error why;
        double rate = 0.0;
        struct link *link;
        pid_t child;

        if (!link_spec_parse(&spec, text, &why) ||
            (link = link_open(&spec, &why)) == NULL) {
                fprintf(stderr, "hilrig bench: %s\n", why.text);
                return 0.0;
        }
        link_other_end(link, &spec, &peer);
        child = fork();
        if (child == 0) {
                close_range(3, ~0U, 0);
                /* As the reference flight controller waits. */
                echo(&peer, link_is_pty(&peer) ? NULL : busy);
        }
        if (child > 0 && meet(link))
                rate = ping_pong(link, busy);
        link_close(link);
        if (child > 0) {
                kill(child, SIGKILL);
                waitpid(child, NULL, 0);
        }
        return rate;
}

/* Periods a second of a lockstep flight with its record. */
static double measure_rig(const char *config_path, const char *text, struct rig *rig,
                          struct rig_config *config, double *p50_us)
{
        char set[200];
        struct config_overrides overrides = { .sets = 3,
                                              .set = { "pace=lockstep", FLIGHT, set } };
        double rate;

        snprintf(set, sizeof set, "vehicles.0.fc.link=%s", text);
        if (!bench_fly(rig, config, config_path, &overrides))
                return 0.0;
        rate = (double)rig->tick * 1e9 / (double)(rig->end_ns - rig->start_ns);
        *p50_us = (double)histogram_quantile_ns(&rig->vehicle[0].port.talk.loop, 0.5) *
                  1e-3;
        bench_land(rig, config);
        return rate;
}

static void print(FILE *out, const char *name, double *bare, double *asleep,
                  double *flown, double p50_us, double period_s)
{
        double bare_rate = bench_median(bare, BLOCKS);
        double asleep_rate = bench_median(asleep, BLOCKS);
        double flown_rate = bench_median(flown, BLOCKS);

        fprintf(out,
                "{\"bench\": \"link\", \"link\": \"%s\", \"periods_per_s\": %.0f, "
                "\"times_real_time\": %.1f, \"ping_pong_per_s\": %.0f, \"ratio\": %.3f, "
                "\"sleeping_ping_pong_per_s\": %.0f, \"sleeping_ratio\": %.3f, "
                "\"loop_p50_us\": %.1f, \"blocks\": %d}\n",
                name, flown_rate, flown_rate * period_s, bare_rate,
                flown_rate / bare_rate, asleep_rate, flown_rate / asleep_rate, p50_us,
                BLOCKS);
        fflush(out);
}

/* One that nobody has at the moment, so that two benches do not meet; 0: none. Below those that the kernel gives to
 * outgoing connections (32768 on), one of which could take it before it is used. */
static unsigned free_port(int type)
{
        struct sockaddr_in at = { .sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
        uint64_t from = (uint64_t)clock_now_ns() + (uint64_t)getpid() * 7919;

        for (int tries = 0; tries < 100; tries++) {
                unsigned port = 20000 + (unsigned)((from + (uint64_t)tries * 97) % 12000);
                int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);
                bool mine;

                at.sin_port = htons((uint16_t)port);
                mine = fd >= 0 && bind(fd, (const struct sockaddr *)&at, sizeof at) == 0;
                if (fd >= 0)
                        close(fd);
                if (mine)
                        return port;
        }
        return 0;
}

void bench_link_text(const char *name, char *text, size_t cap)
{
        if (strcmp(name, "unix") == 0)
                snprintf(text, cap, "unix-listen:/tmp/hilrig-bench-%d-%llx.sock",
                         getpid(), (unsigned long long)clock_now_ns());
        else if (strcmp(name, "tcp") == 0)
                snprintf(text, cap, "tcp-listen:127.0.0.1:%u", free_port(SOCK_STREAM));
        else if (strcmp(name, "udp") == 0)
                snprintf(text, cap, "udp:127.0.0.1:%u", free_port(SOCK_DGRAM));
        else
                snprintf(text, cap, "%s", name);
}

static bool measure(FILE *out, const char *config_path, const char *name)
{
        struct rig_config *config = calloc(1, sizeof *config);
        struct rig *rig = calloc(1, sizeof *rig);
        double bare[BLOCKS], asleep[BLOCKS], flown[BLOCKS], p50_us = 0.0;
        bool ok = config != NULL && rig != NULL;
        struct busy_wait busy = { .most_ns = busy_wait_measure() };
        char text[100];

        for (int i = 0; ok && i < BLOCKS; i++) {
                bench_link_text(name, text, sizeof text);
                bare[i] = measure_bare(text, &busy);
                flown[i] = measure_rig(config_path, text, rig, config, &p50_us);
                asleep[i] = measure_bare(text, NULL);
                ok = bare[i] > 0.0 && flown[i] > 0.0 && asleep[i] > 0.0;
        }
        if (ok)
                print(out, name, bare, asleep, flown, p50_us,
                      (double)config->period_ns * 1e-9);
        free(rig);
        free(config);
        return ok;
}

int bench_link(FILE *out, const char *config_path)
{
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
                if (!measure(out, config_path, kinds[i]))
                        return -1;
        return 0;
}
