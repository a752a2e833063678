/* A USB device as its bus sees it, whatever carries the transfers: descriptors, and what the device does with
 * requests and data. A model has no clock and blocks nowhere; what it cannot answer now it is asked again. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define USB_NAK (-1) /* not now: the transfer stays */
#define USB_STALL                                                                        \
        (-2) /* refused; a bulk endpoint stays halted until the host clears it */
/* From in() alone: the transfer failed on the wire, and its bytes are lost. Not before a test asks for it. */
#define USB_BROKEN (-3)

enum usb_speed { USB_FULL_SPEED = 2, USB_HIGH_SPEED = 3 }; /* as the kernel counts */

struct usb_setup {
        uint8_t type, request;
        uint16_t value, index, len;
};

struct usb_model;

struct usb_model_ops {
        /* Every request that is not a standard one. data: len bytes from the host, or room for as many, which
         * the type tells (0x80: to the host). Returns the bytes given (to the host), 0 (from it), or
         * USB_STALL. */
        int (*control)(struct usb_model *m, const struct usb_setup *setup, uint8_t *data);
        /* Bytes taken, at least 1; USB_NAK, USB_STALL. */
        int (*out)(struct usb_model *m, unsigned endpoint, const uint8_t *data,
                   size_t len);
        /* Bytes given, to cap: the transfer is over, were they fewer than it asked for; USB_NAK, USB_STALL. */
        int (*in)(struct usb_model *m, unsigned endpoint, uint8_t *data, size_t cap);
        /* Plugged in: power comes. False: it cannot work, and has said why. */
        bool (*plug)(struct usb_model *m);
        void (*unplug)(struct usb_model *m);
        /* Readable when in() may have something new; -1: ask again after a millisecond. NULL: only when the
         * host sends something. */
        int (*fd)(struct usb_model *m);
};

struct usb_model {
        const struct usb_model_ops *ops;
        enum usb_speed speed;
        const uint8_t *device; /* descriptor of 18 bytes */
        const uint8_t *configuration; /* all of it, wTotalLength bytes */
        const char *strings[4]; /* by index, from 1: maker, product, serial number */
        /* Kept by usb_standard.c */
        uint8_t configured;
        uint32_t halted; /* 1 << endpoint; << 16 more for IN */
        bool replaced; /* set by the model: it has let go of the bus, and comes back as somebody else */
};

/* 1 in `halted` for this endpoint. */
static inline uint32_t usb_halt_bit(unsigned endpoint, bool in)
{
        return 1U << (endpoint + (in ? 16 : 0));
}

/* control() of a model that has no requests of its own. */
static inline int usb_no_requests(struct usb_model *m, const struct usb_setup *setup,
                                  uint8_t *data)
{
        (void)m, (void)setup, (void)data;
        return USB_STALL;
}

/* As after a bus reset. */
void usb_standard_reset(struct usb_model *m);

/* A request to endpoint 0, standard (USB 2.0, 9.4) or the model's own. Returns as control() does; the bytes
 * given are never more than setup->len. */
int usb_standard_control(struct usb_model *m, const struct usb_setup *setup,
                         uint8_t *data);
