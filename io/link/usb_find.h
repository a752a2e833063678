/* Which of the machine's USB devices is meant: behind usb_device_open(), and for whoever lists them. */
#ifndef IO_LINK_USB_FIND_H
#define IO_LINK_USB_FIND_H

#include "io/link/usb_device.h"

/* A context alone, with no device open; usb_device_close() releases it. False: the system has no USB. */
bool usb_context_open(struct usb_device *d, const char *who);

/* The one device that is wanted, to be given back with libusb_unref_device(); its id, bus path and name
 * in d. NULL with a reason. */
struct libusb_device *usb_find(struct usb_device *d, const struct usb_wanted *wanted,
                               struct link_error *why);

#endif
