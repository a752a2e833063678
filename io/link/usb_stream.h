/* Input from a bulk endpoint: several transfers are always queued in the kernel, so that the device
 * never waits for us, and are given out in the order in which they were submitted. Everything is
 * allocated at open (libusb itself takes a few bytes for each submission). */
#pragma once

#include "io/link/usb_device.h"

#define USB_STREAM_MAX 256

enum usb_end {
        USB_WHOLE,
        USB_SHORT, /* the device ended it before it was full */
        USB_HALTED, /* STALL: nothing more comes until it is restarted */
        USB_BROKEN, /* lost on the wire */
        USB_CANCELLED, /* by usb_stream_stop(); what had arrived by then is there */
        USB_UNPLUGGED
};

struct usb_piece {
        enum usb_end end;
        const uint8_t *bytes;
        size_t len; /* received, however the transfer ended */
        int64_t arrived_ns; /* when its end was noticed, CLOCK_MONOTONIC */
};

struct usb_stream;
struct libusb_transfer;

struct usb_slot {
        struct usb_stream *stream;
        struct libusb_transfer *transfer;
        enum { USB_SLOT_IDLE, USB_SLOT_QUEUED, USB_SLOT_DONE } state;
        struct usb_piece piece;
};

struct usb_stream {
        struct usb_device *device;
        uint8_t endpoint;
        size_t transfer_bytes;
        int count; /* allocated */
        int ring; /* used: as many as the kernel accepted at the start */
        int head; /* the oldest */
        int queued; /* in the kernel */
        bool running;
        bool ran_dry; /* at some time since the start none was queued */
        bool gone;
        uint8_t *buffer;
        struct usb_slot slot[USB_STREAM_MAX];
};

/* Allocates `count` transfers of this many bytes, a multiple of the packet size. False: no memory. */
bool usb_stream_open(struct usb_stream *s, struct usb_device *d, uint8_t endpoint,
                     int count, size_t transfer_bytes);
/* Cancels what is queued, waits a second at most for it to end, and frees. Before its device is
 * closed; `s` itself may go only after that. */
void usb_stream_close(struct usb_stream *s);

/* Queues all transfers. Returns how many the kernel accepted: 0 if the device is gone, fewer than
 * count if the system's limit of memory for USB is lower. Clears a halt first when `halted`.
 * Nothing may be queued. */
int usb_stream_start(struct usb_stream *s, bool halted);
/* Cancels what is queued; done once `queued` is 0; no transfer is queued again. */
void usb_stream_stop(struct usb_stream *s);

/* The oldest piece; NULL: it has not ended yet. It stays valid until usb_stream_next(), which
 * queues its transfer again if the stream runs. */
const struct usb_piece *usb_stream_peek(struct usb_stream *s);
void usb_stream_next(struct usb_stream *s);
