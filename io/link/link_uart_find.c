/* Finds the one serial port that has the USB ids, and the serial number, that the user wrote. */
#include "io/link/link_uart.h"

#include <stdio.h>
#include <string.h>

#define UART_PORTS_MAX 64

static bool matches(const struct link_uart_port *p, const struct link_spec *spec)
{
        return p->usb_vid == spec->usb_vid && p->usb_pid == spec->usb_pid &&
               (spec->usb_serial[0] == '\0' ||
                strcmp(p->usb_serial, spec->usb_serial) == 0);
}

/* "path (serial number)" of every match, as far as they fit the line. */
static void list_matches(char *text, size_t size, const struct link_uart_port *ports,
                         int count, const struct link_spec *spec)
{
        size_t len = 0;

        text[0] = '\0';
        for (int i = 0; i < count && len < size; i++) {
                const struct link_uart_port *p = &ports[i];

                if (!matches(p, spec))
                        continue;
                len += (size_t)snprintf(
                        text + len, size - len, "%s%s (%s)", len > 0 ? ", " : "", p->path,
                        p->usb_serial[0] != '\0' ? p->usb_serial : "no serial number");
        }
}

bool link_uart_find(char path[108], const struct link_spec *spec, struct link_error *why)
{
        struct link_uart_port ports[UART_PORTS_MAX];
        int count = link_uart_list(ports, UART_PORTS_MAX), found = 0;
        char wanted[96], seen[128];

        snprintf(wanted, sizeof wanted, "usb %04x:%04x%s%s", spec->usb_vid, spec->usb_pid,
                 spec->usb_serial[0] != '\0' ? ":" : "", spec->usb_serial);
        for (int i = 0; i < count; i++) {
                if (matches(&ports[i], spec) && found++ == 0)
                        memcpy(path, ports[i].path, sizeof ports[i].path);
        }
        if (found == 1)
                return true;
        if (found == 0) {
                link_refuse(why, "%s: no such device among %d serial ports", wanted,
                            count);
                return false;
        }
        list_matches(seen, sizeof seen, ports, count, spec);
        link_refuse(why, "%s: %d ports match, give %s of one: %s", wanted, found,
                    spec->usb_serial[0] != '\0' ? "the path"
                                                : "the serial number or the path",
                    seen);
        return false;
}
