/* A flight controller on USB: what the host sends goes down a link, what comes up the link goes to the host.
 * As a serial port (CDC-ACM, the ids of an STM32's own) or with a pair of bulk endpoints of no class. */
#pragma once

#include "io/link/link.h"
#include "tests/usb/usb_model.h"

struct model_board {
        struct usb_model model;
        struct link_spec
                spec; /* where the flight controller is, opened at each plugging-in */
        struct link *link;
        bool echo; /* instead: everything comes back */
        size_t piece; /* longest piece in which bytes go to the host; 0: any */
        uint64_t stall_in,
                stall_out; /* every so many transfers the endpoint halts; 0: never */
        /* What the host did */
        uint64_t ins, outs, halts;
        uint32_t baud;
        bool ready; /* DTR */
        /* Echoed, and not yet fetched */
        size_t held;
        uint8_t bytes[8192];
};

void model_board_init(struct model_board *b, bool serial_port);
