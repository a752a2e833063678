/* Which of the machine's USB devices is meant: used by usb_device_open(), and for listing them. */
#ifndef IO_LINK_USB_FIND_H
#define IO_LINK_USB_FIND_H

#include "io/link/usb_device.h"

/* The one wanted device, to be released with libusb_unref_device(); its id, bus path and name in d.
 * NULL with a reason. */
struct libusb_device *usb_find(struct usb_device *d, const struct usb_wanted *wanted,
                               struct link_error *why);

#endif
