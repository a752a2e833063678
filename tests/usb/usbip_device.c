/* A USB device for the kernel's own stack, through its virtual host controller (vhci_hcd):
 *
 *   usbip_device acm|bulk (--link LINK | --echo) [OPTIONS]
 *
 * is a board, with the flight controller at LINK behind it. When it ends, by SIGTERM or because it was unplugged
 * for good, it says in one line what the host did. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/usb/model_board.h"
#include "tests/usb/usbip_port.h"

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
        (void)number;
        stop = 1;
}

static int usage(void)
{
        fputs("usage: usbip_device acm|bulk (--link LINK | --echo) [--port N] [--piece "
              "BYTES]\n"
              "       [--stall-in N] [--stall-out N] [--unplug-after N] [--replug-ms "
              "MS]\n",
              stderr);
        return 2;
}

static bool take_link(struct model_board *b, const char *text)
{
        struct link_error why;

        if (link_spec_parse(&b->spec, text, &why))
                return true;
        fprintf(stderr, "usbip_device: %s\n", why.text);
        return false;
}

static bool take_option(struct model_board *b, struct usbip_port *p, const char *name,
                        const char *value)
{
        uint64_t n = strtoull(value, NULL, 10);

        if (strcmp(name, "--link") == 0)
                return take_link(b, value);
        if (strcmp(name, "--port") == 0)
                p->number = (int)n;
        else if (strcmp(name, "--piece") == 0)
                b->piece = n;
        else if (strcmp(name, "--stall-in") == 0)
                b->stall_in = n;
        else if (strcmp(name, "--stall-out") == 0)
                b->stall_out = n;
        else if (strcmp(name, "--unplug-after") == 0)
                p->unplug_after = n;
        else if (strcmp(name, "--replug-ms") == 0)
                p->replug_ms = (int)n;
        else
                return false;
        return true;
}

static bool take_options(struct model_board *b, struct usbip_port *p, char **arg)
{
        bool linked = false;

        for (; *arg != NULL; arg++) {
                if (strcmp(*arg, "--echo") == 0) {
                        b->echo = true;
                        continue;
                }
                linked = linked || strcmp(*arg, "--link") == 0;
                if (arg[1] == NULL || !take_option(b, p, arg[0], arg[1]))
                        return false;
                arg++;
        }
        return linked != b->echo;
}

static void report(const struct model_board *b, const struct usbip_port *p)
{
        printf("plugged %llu, out %llu, in %llu, stalled %llu, unlinked %llu, baud %u, "
               "DTR %s\n",
               (unsigned long long)p->plugged, (unsigned long long)p->outs,
               (unsigned long long)p->ins, (unsigned long long)p->stalls,
               (unsigned long long)p->unlinked, b->baud, b->ready ? "on" : "off");
}

int main(int argc, char **argv)
{
        static struct model_board board;
        struct usbip_port port = { .model = &board.model, .replug_ms = -1 };
        struct sigaction action = { .sa_handler = on_signal };
        bool serial = argc > 1 && strcmp(argv[1], "acm") == 0;

        if (argc < 2 || (!serial && strcmp(argv[1], "bulk") != 0))
                return usage();
        model_board_init(&board, serial);
        if (!take_options(&board, &port, argv + 2))
                return usage();
        sigaction(SIGTERM, &action, NULL);
        sigaction(SIGINT, &action, NULL);
        if (!usbip_port_serve(&port, &stop))
                return 1;
        report(&board, &port);
        return 0;
}
