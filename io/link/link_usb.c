/* A USB device's bulk endpoints as a link, through libusb. No control transfers, no baud rate: a
 * board with a serial port over USB (CDC) has a driver that makes it a uart. */
#include "io/link/link_usb.h"

#include <libusb-1.0/libusb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "io/link/usb_stream.h"

/* One packet per transfer: a full packet does not end a longer transfer, and would wait in it for
 * the next. */
#define INS       32
#define OUTS      8
#define OUT_BYTES 1024

struct usb_link;

struct out {
        struct usb_link *link;
        struct libusb_transfer *transfer;
        bool queued;
        uint8_t bytes[OUT_BYTES];
};

struct usb_link {
        struct link link; /* first: a link is cast to it */
        struct usb_device usb;
        struct usb_stream in;
        size_t taken; /* bytes taken of its oldest piece */
        struct out out[OUTS];
        int outs; /* allocated */
        int queued; /* of out */
        bool in_halted, out_halted; /* being drained, then to be cleared */
        int wake; /* readable while pieces wait that the kernel no longer reports; in usb.fd */
        bool awake;
        struct link_usb_counts counts;
};

static bool is_gone(const struct usb_link *u)
{
        return u->in.gone;
}

/* poll() on the link must not sleep while there are bytes already received, or once the device is
 * known to be gone. */
static void stay_awake(struct usb_link *u, bool awake)
{
        uint64_t one = 1;
        ssize_t moved = 0;

        if (awake == u->awake || u->wake < 0)
                return;
        if (awake)
                moved = write(u->wake, &one, sizeof one);
        else
                moved = read(u->wake, &one, sizeof one);
        if (moved == (ssize_t)sizeof one)
                u->awake = awake;
}

static void LIBUSB_CALL sent(struct libusb_transfer *t)
{
        struct out *out = t->user_data;
        struct usb_link *u = out->link;

        out->queued = false;
        u->queued--;
        if (t->status == LIBUSB_TRANSFER_STALL)
                u->out_halted = true;
        else if (t->status == LIBUSB_TRANSFER_NO_DEVICE)
                u->in.gone = true;
        else if (t->status == LIBUSB_TRANSFER_COMPLETED)
                u->counts.packets_out++;
        else
                u->counts.broken++;
}

static void cancel_outs(struct usb_link *u)
{
        for (int i = u->outs - 1; i >= 0; i--)
                if (u->out[i].queued)
                        libusb_cancel_transfer(u->out[i].transfer);
}

/* A halted endpoint is cleared once nothing is queued on it any more. Lost bytes are left to the
 * framing. */
static void clear_halts(struct usb_link *u)
{
        if (u->out_halted && u->queued > 0)
                cancel_outs(u);
        if (u->out_halted && u->queued == 0) {
                u->out_halted = false;
                u->counts.stalls++;
                u->in.gone |=
                        libusb_clear_halt(u->usb.handle, u->out[0].transfer->endpoint) ==
                        LIBUSB_ERROR_NO_DEVICE;
        }
        if (u->in_halted && u->in.queued == 0 && usb_stream_peek(&u->in) == NULL) {
                u->in_halted = false;
                u->counts.stalls++;
                usb_stream_start(&u->in, true);
        }
}

static void note_end(struct usb_link *u, const struct usb_piece *piece)
{
        u->counts.packets_in += piece->len > 0;
        u->counts.empty_in += piece->end == USB_SHORT && piece->len == 0;
        u->counts.broken += piece->end == USB_BROKEN;
        if (piece->end == USB_HALTED && !u->in_halted) {
                u->in_halted = true;
                usb_stream_stop(&u->in);
        }
}

static size_t take_received(struct usb_link *u, uint8_t *to, size_t cap)
{
        const struct usb_piece *piece;
        size_t got = 0;

        while (got < cap && (piece = usb_stream_peek(&u->in)) != NULL) {
                size_t left = piece->len - u->taken;
                size_t n = left < cap - got ? left : cap - got;

                memcpy(to + got, piece->bytes + u->taken, n);
                got += n;
                u->taken += n;
                if (u->taken < piece->len)
                        break;
                note_end(u, piece);
                u->taken = 0;
                usb_stream_next(&u->in);
        }
        return got;
}

static int usb_link_read(struct link *l, void *buf, size_t cap)
{
        struct usb_link *u = (struct usb_link *)l;
        size_t got;

        if (cap == 0)
                return 0;
        /* What arrived before it was unplugged is still delivered, even if a write has already
         * found it gone. */
        usb_device_step(&u->usb, 0);
        got = take_received(u, buf, cap);
        if (!is_gone(u))
                clear_halts(u);
        stay_awake(u, is_gone(u) || usb_stream_peek(&u->in) != NULL);
        return got > 0 || !is_gone(u) ? (int)got : LINK_GONE;
}

static struct out *free_out(struct usb_link *u)
{
        for (int i = 0; i < u->outs; i++)
                if (!u->out[i].queued)
                        return &u->out[i];
        return NULL;
}

static size_t put_sending(struct usb_link *u, const uint8_t *from, size_t len)
{
        struct out *out = free_out(u);
        size_t n = len < OUT_BYTES ? len : OUT_BYTES;
        int error;

        if (out == NULL)
                return 0;
        memcpy(out->bytes, from, n);
        out->transfer->length = (int)n;
        error = libusb_submit_transfer(out->transfer);
        u->in.gone |= error == LIBUSB_ERROR_NO_DEVICE;
        if (error != 0)
                return 0;
        out->queued = true;
        u->queued++;
        return n;
}

static int usb_link_write(struct link *l, const void *buf, size_t len)
{
        struct usb_link *u = (struct usb_link *)l;
        size_t all = 0, n = 1;

        if (is_gone(u))
                return LINK_GONE;
        if (u->queued == u->outs || u->out_halted) {
                usb_device_step(&u->usb, 0);
                clear_halts(u);
                stay_awake(u, is_gone(u) || usb_stream_peek(&u->in) != NULL);
        }
        while (all < len && n > 0 && !u->out_halted && !is_gone(u)) {
                n = put_sending(u, (const uint8_t *)buf + all, len - all);
                all += n;
        }
        return all > 0 || !is_gone(u) ? (int)all : LINK_GONE;
}

static void usb_link_close(struct link *l)
{
        struct usb_link *u = (struct usb_link *)l;
        int64_t until_ns = usb_now_ns() + 100000000;

        /* Accepted bytes still go out, above all the disarm; but a device that accepts nothing is
         * not waited for long. */
        while (u->queued > 0 && !is_gone(u) && !u->out_halted && usb_now_ns() < until_ns)
                usb_device_step(&u->usb, until_ns - usb_now_ns());
        cancel_outs(u);
        usb_stream_close(&u->in);
        until_ns = usb_now_ns() + 1000000000;
        while (u->queued > 0 && usb_now_ns() < until_ns)
                usb_device_step(&u->usb, 10000000);

        bool ended = u->queued == 0;

        for (int i = 0; i < u->outs; i++)
                if (!u->out[i].queued)
                        libusb_free_transfer(u->out[i].transfer);
        usb_device_close(&u->usb);
        if (u->wake >= 0)
                close(u->wake);
        if (ended)
                free(u);
}

static const struct link_ops usb_ops = {
        .write = usb_link_write,
        .read = usb_link_read,
        .close = usb_link_close,
};

static bool find_endpoints(struct usb_link *u, struct usb_endpoints *e,
                           struct link_error *why)
{
        libusb_device *device = libusb_get_device(u->usb.handle);
        struct libusb_config_descriptor *config;
        bool found;

        if (libusb_get_active_config_descriptor(device, &config) != 0)
                return usb_device_refuse(&u->usb, why, "has no configuration");
        found = usb_endpoints_find(e, config);
        libusb_free_config_descriptor(config);
        return found ||
               usb_device_refuse(&u->usb, why,
                                 "has no interface with a bulk endpoint each way; a "
                                 "serial port over USB is a uart");
}

static bool allocate(struct usb_link *u, const struct usb_endpoints *e)
{
        for (; u->outs < OUTS; u->outs++) {
                struct out *out = &u->out[u->outs];

                out->link = u;
                out->transfer = libusb_alloc_transfer(0);
                if (out->transfer == NULL)
                        return false;
                libusb_fill_bulk_transfer(out->transfer, u->usb.handle, e->out,
                                          out->bytes, 0, sent, out, 0);
                /* The end of a write is the end of a transfer, even if its last packet is full. */
                out->transfer->flags = LIBUSB_TRANSFER_ADD_ZERO_PACKET;
        }
        u->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        return u->wake >= 0 && usb_stream_open(&u->in, &u->usb, e->in, INS, e->in_bytes);
}

static bool start_streams(struct usb_link *u, struct link_error *why)
{
        struct epoll_event woken = { .events = EPOLLIN };
        struct usb_endpoints e;

        if (!find_endpoints(u, &e, why) ||
            !usb_device_claim(&u->usb, e.interface, e.setting, why))
                return false;
        if (!allocate(u, &e))
                return usb_device_refuse(&u->usb, why, "out of memory");
        if (usb_stream_start(&u->in, false) == 0)
                return usb_device_refuse(&u->usb, why, "%s",
                                         u->in.gone ? "not there any more"
                                                    : "the system's memory for USB "
                                                      "transfers is used up");
        if (u->usb.fd >= 0 && epoll_ctl(u->usb.fd, EPOLL_CTL_ADD, u->wake, &woken) != 0)
                return usb_device_refuse(&u->usb, why, "cannot be waited for");
        u->link.fd = u->usb.fd;
        /* Events of the library from opening. */
        usb_device_step(&u->usb, 0);
        snprintf(u->link.name, sizeof u->link.name, "%s", u->usb.name);
        return true;
}

struct link_usb_counts link_usb_counts(const struct link *l)
{
        return ((const struct usb_link *)l)->counts;
}

struct link *link_usb_open(const struct link_spec *spec, struct link_error *why)
{
        const struct usb_wanted wanted = { .who = "link",
                                           .vid = spec->usb_vid,
                                           .pid = spec->usb_pid,
                                           .serial = spec->usb_serial,
                                           .bus_path = spec->path };
        struct usb_link *u = calloc(1, sizeof *u);

        if (u == NULL)
                return link_refuse(why, "out of memory");
        u->link.ops = &usb_ops;
        u->wake = -1;
        if (!usb_device_open(&u->usb, &wanted, why)) {
                free(u);
                return NULL;
        }
        if (start_streams(u, why))
                return &u->link;
        usb_link_close(&u->link);
        return NULL;
}
