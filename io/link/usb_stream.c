/* Keeps transfers queued on a bulk IN endpoint and gives out their data in order. */
#include "io/link/usb_stream.h"

#include <libusb-1.0/libusb.h>
#include <stdlib.h>

static enum usb_end end_of(const struct libusb_transfer *t)
{
        switch (t->status) {
        case LIBUSB_TRANSFER_COMPLETED:
                return t->actual_length == t->length ? USB_WHOLE : USB_SHORT;
        case LIBUSB_TRANSFER_STALL:
                return USB_HALTED;
        case LIBUSB_TRANSFER_CANCELLED:
                return USB_CANCELLED;
        case LIBUSB_TRANSFER_NO_DEVICE:
                return USB_UNPLUGGED;
        default:
                return USB_BROKEN;
        }
}

static void LIBUSB_CALL ended(struct libusb_transfer *t)
{
        struct usb_slot *slot = t->user_data;
        struct usb_stream *s = slot->stream;

        slot->state = USB_SLOT_DONE;
        slot->piece = (struct usb_piece){ .end = end_of(t),
                                          .bytes = t->buffer,
                                          .len = (size_t)t->actual_length,
                                          .arrived_ns = usb_now_ns() };
        s->gone |= slot->piece.end == USB_UNPLUGGED;
        s->queued--;
        s->ran_dry |= s->running && s->queued == 0;
}

bool usb_stream_open(struct usb_stream *s, struct usb_device *d, uint8_t endpoint,
                     int count, size_t transfer_bytes)
{
        *s = (struct usb_stream){ .device = d,
                                  .endpoint = endpoint,
                                  .transfer_bytes = transfer_bytes,
                                  .ring = 1 };
        s->buffer = malloc((size_t)count * transfer_bytes);
        if (s->buffer == NULL)
                return false;
        for (; s->count < count; s->count++) {
                struct usb_slot *slot = &s->slot[s->count];

                slot->stream = s;
                slot->transfer = libusb_alloc_transfer(0);
                if (slot->transfer == NULL)
                        return false;
                libusb_fill_bulk_transfer(slot->transfer, d->handle, endpoint,
                                          s->buffer + (size_t)s->count * transfer_bytes,
                                          (int)transfer_bytes, ended, slot, 0);
        }
        return true;
}

void usb_stream_close(struct usb_stream *s)
{
        int64_t until_ns = usb_now_ns() + 1000000000;

        if (s->device == NULL)
                return;
        usb_stream_stop(s);
        while (s->queued > 0 && usb_now_ns() < until_ns)
                usb_device_step(s->device, 10000000);
        /* A transfer that does not end belongs to the library until the device is closed: better
         * leaked than freed while in use, and its slot stays. */
        for (int i = 0; i < s->count; i++)
                if (s->slot[i].state != USB_SLOT_QUEUED)
                        libusb_free_transfer(s->slot[i].transfer);
        if (s->queued == 0)
                free(s->buffer);
        s->buffer = NULL;
        s->device = NULL;
}

static bool submit(struct usb_stream *s, struct usb_slot *slot)
{
        int error = libusb_submit_transfer(slot->transfer);

        slot->state = error == 0 ? USB_SLOT_QUEUED : USB_SLOT_IDLE;
        s->queued += error == 0;
        s->gone |= error == LIBUSB_ERROR_NO_DEVICE;
        return error == 0;
}

int usb_stream_start(struct usb_stream *s, bool halted)
{
        if (halted &&
            libusb_clear_halt(s->device->handle, s->endpoint) == LIBUSB_ERROR_NO_DEVICE)
                s->gone = true;
        s->running = !s->gone;
        s->ran_dry = false;
        s->head = 0;
        for (int i = 0; i < s->count; i++)
                if (s->gone || !submit(s, &s->slot[i]))
                        break;
        s->ring = s->queued > 0 ? s->queued : 1;
        return s->queued;
}

void usb_stream_stop(struct usb_stream *s)
{
        s->running = false;
        /* Backwards: when the first one, which holds the newest bytes, ends, none takes over. */
        for (int i = s->ring - 1; i >= 0; i--) {
                struct usb_slot *slot = &s->slot[(s->head + i) % s->ring];

                if (slot->state == USB_SLOT_QUEUED)
                        libusb_cancel_transfer(slot->transfer);
        }
}

const struct usb_piece *usb_stream_peek(struct usb_stream *s)
{
        /* Transfers that could not be queued go to the end once they can be. */
        for (int i = 0; i < s->ring && s->slot[s->head].state == USB_SLOT_IDLE; i++) {
                if (s->running && !s->gone)
                        submit(s, &s->slot[s->head]);
                s->head = (s->head + 1) % s->ring;
        }
        return s->slot[s->head].state == USB_SLOT_DONE ? &s->slot[s->head].piece : NULL;
}

void usb_stream_next(struct usb_stream *s)
{
        struct usb_slot *slot = &s->slot[s->head];

        slot->state = USB_SLOT_IDLE;
        if (s->running && !s->gone)
                submit(s, slot);
        s->head = (s->head + 1) % s->ring;
}
