/* The machine's serial ports, for commands that let the user choose one. */
#pragma once

#include "io/link/link.h"

struct link_uart_port {
        char path[108];
        int usb_vid, usb_pid; /* -1: not on USB */
        char usb_serial[64]; /* "" when there is none, as the two below */
        char manufacturer[64];
        char product[64];
};

/* Fills at most max ports; returns how many there are. None if the system has no serial ports at all. */
int link_uart_list(struct link_uart_port *ports, int max);

/* The path of the one port with the spec's USB ids; false with a reason if there is none, or more
 * than one. */
bool link_uart_find(char path[108], const struct link_spec *spec, struct link_error *why);
