/* What is plugged in: serial ports, USB devices that could be a board or an analyzer, and joysticks. Reads
 * descriptions only; it opens no port and changes nothing. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#define SCAN_PORTS_MAX 64

struct port {
        bool serial; /* a serial port; else a USB device without one, or */
        bool joystick; /* an input device, by its product's name */
        char path[108]; /* "/dev/ttyACM0"; "usb 1-4.2": bus path; "/dev/input/event5" */
        int usb_vid, usb_pid; /* -1: not on USB */
        bool bulk; /* USB: an interface of the maker's own, with bulk endpoints both ways */
        /* As the device gives them, so any bytes; "" when there are none. */
        char usb_serial[64];
        char manufacturer[64];
        char product[64];
};

/* `hilrig ports`: the exit status. */
int ports_print(FILE *out, bool json);

/* The same for a list that the caller has. */
void ports_write(FILE *out, bool json, const struct port *ports, int count);

/* What the device is by its USB ids, in words; NULL when they tell nothing. */
const char *ports_guess(int usb_vid, int usb_pid);

/* The USB devices of this machine, at most max; 0 where the system has no USB. Strings stay empty
 * for a device that the user may not open. */
int ports_list_usb(struct port *ports, int max);
