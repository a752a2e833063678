/* A model in a port of this machine's own virtual host controller: the kernel's USB stack, from hub to driver,
 * takes it for a device. */
#pragma once

#include <signal.h>

#include "tests/usb/usb_model.h"

/* What the device does on its other side, in the same loop. */
struct usbip_aside {
        void (*step)(void *what); /* NULL: nothing */
        int (*fd)(void *what); /* readable when there is something to do */
        void *what;
};

struct usbip_port {
        struct usb_model *model;
        struct usbip_aside aside;
        int number; /* of the port: 0 to 7 */
        /* Unplugged when the host has sent that many data transfers, replug_ms later in again (a negative one:
         * not at all). 0: never */
        uint64_t unplug_after;
        int replug_ms;
        bool pull; /* to be unplugged now; for the aside to set */
        /* Transfers of data so far, of every plugging-in */
        uint64_t outs, ins, stalls, unlinked;
        uint64_t plugged; /* how many times */
};

/* Plugs the model in and answers for it, until *stop, or until it is out for good. False: the kernel
 * would not have it, and the reason was said on standard error. */
bool usbip_port_serve(struct usbip_port *p, const volatile sig_atomic_t *stop);
