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

#include "tests/usb/pad_analyzer.h"
#include "tests/usb/usbip_port.h"

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
        (void)number;
        stop = 1;
}

static struct pad_analyzer analyzer;
static struct usbip_port port = { .replug_ms = -1 };

static void fly(void *what)
{
        struct pad_analyzer *a = what;

        pad_analyzer_fly(a);
        port.pull |= a->pull;
        a->pull = false;
}

static int link_fd(void *what)
{
        return pad_analyzer_fd(what);
}

/* The board has power of its own. */
static void fly_on(struct pad_analyzer *a)
{
        while (!stop) {
                struct pollfd wait = { .fd = pad_analyzer_fd(a), .events = POLLIN };

                poll(&wait, 1, 100);
                fly(a);
        }
}

static bool take_options(char **arg)
{
        bool linked = false;

        for (; *arg != NULL; arg += 2) {
                if (arg[1] == NULL)
                        return false;
                linked |= strcmp(*arg, "--link") == 0;
                if (strcmp(*arg, "--port") == 0)
                        port.number = atoi(arg[1]);
                else if (strcmp(*arg, "--replug-ms") == 0)
                        port.replug_ms = atoi(arg[1]);
                else if (!pad_analyzer_option(&analyzer, arg[0], arg[1]))
                        return false;
        }
        return linked && analyzer.params.rotors > 0;
}

int main(int argc, char **argv)
{
        struct sigaction action = { .sa_handler = on_signal };

        pad_analyzer_init(&analyzer);
        if (argc < 2 || !take_options(argv + 1)) {
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
        port.model = &analyzer.fx2.model;
        port.aside = (struct usbip_aside){ fly, link_fd, &analyzer };
        if (!pad_analyzer_open(&analyzer) || !usbip_port_serve(&port, &stop))
                return 1;
        fly_on(&analyzer);
        pad_analyzer_report(&analyzer, port.plugged, port.stalls);
        pad_analyzer_close(&analyzer);
        return 0;
}
