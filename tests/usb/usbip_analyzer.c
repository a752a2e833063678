/* A logic analyzer for the kernel's own USB stack, on the motor pads of a board that is the reference flight
 * controller, in simulated time:
 *
 *   usbip_analyzer --link LINK --params FILE [OPTIONS]
 *
 * The rig speaks with the board over LINK and sees its pads over USB. For one flight. When it ends, by SIGTERM,
 * it says in one line what the host did. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/clock.h"
#include "hil/config.h"
#include "tests/pad_board.h"
#include "tests/usb/emulated_fx2.h"
#include "tests/usb/usbip_port.h"

#define SAMPLES_MAX 262144 /* of one period */

/* What happens after so many frames. */
enum fault { NO_FAULT, LOSE, CUT, STALL, OVERRUN, UNPLUG, DEAD_PAD };

static const char *const fault_names[] = { "",        "lose",   "cut",     "stall",
                                           "overrun", "unplug", "dead-pad" };

struct analyzer {
        struct emulated_fx2 fx2;
        struct pad_board board;
        struct fc_params params;
        struct link_spec spec;
        struct link *link; /* NULL: the rig has hung up */
        struct usbip_port port;
        size_t firmware_len; /* more than 0: it is bare, and this must be loaded */
        double rate_hz;
        enum motor_protocol protocol;
        enum fault fault;
        uint64_t fault_at, frames;
        uint8_t samples[SAMPLES_MAX];
        uint8_t firmware[EMULATED_FX2_MEMORY];
};

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
        (void)number;
        stop = 1;
}

static void go_wrong(struct analyzer *a)
{
        switch (a->fault) {
        case LOSE:
                a->fx2.lose = 2;
                break;
        case CUT:
                a->fx2.cut = 512;
                break;
        case STALL:
                a->fx2.stall = true;
                break;
        case OVERRUN:
                emulated_fx2_overrun(&a->fx2);
                break;
        case UNPLUG:
                a->port.pull = true;
                break;
        case DEAD_PAD:
                a->board.dead_pad = 2;
                break;
        case NO_FAULT:
                break;
        }
}

/* What the pads were until the next sensor frame. */
static void sample(struct analyzer *a)
{
        size_t count = pad_board_samples(&a->board, a->samples, sizeof a->samples);

        emulated_fx2_feed(&a->fx2, a->samples, count);
        if (++a->frames == a->fault_at)
                go_wrong(a);
}

static void say(struct analyzer *a, const uint8_t *bytes, size_t len)
{
        while (len > 0 && a->link != NULL) {
                int n = link_write(a->link, bytes, len);

                if (n <= 0)
                        return; /* the rig takes a few hundred bytes at any time, or is gone */
                bytes += n;
                len -= (size_t)n;
        }
}

static bool wait_for_rig(struct analyzer *a)
{
        struct link_error why;

        if (a->link != NULL)
                link_close(a->link);
        a->link = link_open(&a->spec, &why);
        if (a->link == NULL)
                fprintf(stderr, "usbip_analyzer: %s\n", why.text);
        return a->link != NULL;
}

static void fly(void *what)
{
        struct analyzer *a = what;
        uint8_t bytes[2048], out[FC_BOARD_OUT_MAX];
        int n = a->link != NULL ? link_read(a->link, bytes, sizeof bytes) : LINK_GONE;

        if (n == LINK_GONE)
                wait_for_rig(a);
        for (int at = 0; at < n;) {
                size_t out_len = 0;
                bool fresh = false;

                at += (int)pad_board_receive(&a->board, bytes + at, (size_t)(n - at),
                                             clock_now_ns(), out, &out_len, &fresh);
                if (fresh)
                        sample(a);
                say(a, out, out_len);
        }
}

static int link_fd(void *what)
{
        const struct analyzer *a = what;

        return a->link != NULL ? a->link->fd : -1;
}

/* The board has power of its own. */
static void fly_on(struct analyzer *a)
{
        while (!stop) {
                struct pollfd wait = { .fd = link_fd(a), .events = POLLIN };

                poll(&wait, 1, 100);
                fly(a);
        }
}

static bool open_board(struct analyzer *a, const char *link, const char *params)
{
        struct config_error config_why;
        struct link_error link_why;

        if (!config_read_fc(&a->params, params, &config_why)) {
                fprintf(stderr, "usbip_analyzer: %s\n", config_why.text);
                return false;
        }
        if (!link_spec_parse(&a->spec, link, &link_why)) {
                fprintf(stderr, "usbip_analyzer: %s\n", link_why.text);
                return false;
        }
        if (!wait_for_rig(a))
                return false;
        pad_board_init(&a->board, &a->params, a->protocol, a->rate_hz);
        emulated_fx2_init(&a->fx2, 0x0925, 0x3881, a->firmware_len > 0);
        a->fx2.firmware = a->firmware_len > 0 ? a->firmware : NULL;
        a->fx2.firmware_len = a->firmware_len;
        a->port.model = &a->fx2.model;
        a->port.aside = (struct usbip_aside){ fly, link_fd, a };
        return true;
}

static bool take_fault(struct analyzer *a, const char *name)
{
        for (int i = LOSE; i <= DEAD_PAD; i++)
                if (strcmp(name, fault_names[i]) == 0)
                        a->fault = (enum fault)i;
        return a->fault != NO_FAULT;
}

/* What the analyzer must be loaded with: with anything else it does not come back. */
static bool take_firmware(struct analyzer *a, const char *path)
{
        FILE *f = fopen(path, "rb");

        if (f == NULL) {
                perror(path);
                return false;
        }
        a->firmware_len = fread(a->firmware, 1, sizeof a->firmware, f);
        fclose(f);
        return a->firmware_len > 0;
}

static bool take_options(struct analyzer *a, char **arg, const char **link,
                         const char **params)
{
        for (; *arg != NULL; arg += 2) {
                const char *value = arg[1];

                if (value == NULL)
                        return false;
                if (strcmp(*arg, "--link") == 0)
                        *link = value;
                else if (strcmp(*arg, "--params") == 0)
                        *params = value;
                else if (strcmp(*arg, "--mhz") == 0)
                        a->rate_hz = atof(value) * 1e6;
                else if (strcmp(*arg, "--dshot") == 0)
                        a->protocol = atoi(value) == 150   ? MOTOR_DSHOT150
                                      : atoi(value) == 300 ? MOTOR_DSHOT300
                                                           : MOTOR_DSHOT600;
                else if (strcmp(*arg, "--port") == 0)
                        a->port.number = atoi(value);
                else if (strcmp(*arg, "--replug-ms") == 0)
                        a->port.replug_ms = atoi(value);
                else if (strcmp(*arg, "--at") == 0)
                        a->fault_at = strtoull(value, NULL, 10);
                else if (!(strcmp(*arg, "--fault") == 0 && take_fault(a, value)) &&
                         !(strcmp(*arg, "--firmware") == 0 && take_firmware(a, value)))
                        return false;
        }
        return *link != NULL && *params != NULL && a->rate_hz > 0.0;
}

static void report(const struct analyzer *a)
{
        printf("plugged %llu, frames %llu, firmware %zu, misloaded %s, starts %llu, "
               "given %llu, "
               "broken or stalled %llu, overruns %llu\n",
               (unsigned long long)a->port.plugged, (unsigned long long)a->frames,
               a->fx2.loaded, a->fx2.misloaded ? "yes" : "no",
               (unsigned long long)a->fx2.starts, (unsigned long long)a->fx2.given,
               (unsigned long long)a->port.stalls, (unsigned long long)a->fx2.overruns);
}

int main(int argc, char **argv)
{
        static struct analyzer a = { .rate_hz = 24e6, .protocol = MOTOR_DSHOT600 };
        struct sigaction action = { .sa_handler = on_signal };
        const char *link = NULL, *params = NULL;

        a.port.replug_ms = -1;
        if (argc < 2 || !take_options(&a, argv + 1, &link, &params)) {
                fputs("usage: usbip_analyzer --link LINK --params FILE [--firmware FILE] "
                      "[--mhz MHZ]\n"
                      "       [--dshot 150|300|600] [--port N] [--replug-ms MS]\n"
                      "       [--at FRAMES --fault "
                      "lose|cut|stall|overrun|unplug|dead-pad]\n",
                      stderr);
                return 2;
        }
        sigaction(SIGTERM, &action, NULL);
        sigaction(SIGINT, &action, NULL);
        if (!open_board(&a, link, params) || !usbip_port_serve(&a.port, &stop))
                return 1;
        fly_on(&a);
        report(&a);
        if (a.link != NULL)
                link_close(a.link);
        return 0;
}
