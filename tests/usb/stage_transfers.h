/* What the stage's usbfs does with a transfer and with the other requests of usbfs: behind ioctl(). */
#pragma once

#include "io/le.h"
#include "tests/usb/stage_bus.h"

/* Moves what the model has or takes for the first transfer. False: nothing now. */
static bool stage_move(struct stage_device *d, unsigned index, struct stage_queue *q)
{
        struct usbdevfs_urb *urb = q->urb[q->head];
        uint8_t *buffer = urb->buffer;
        size_t len = (size_t)urb->buffer_length;
        bool in = index >= 16;
        int moved = USB_STALL;

        if ((d->model->halted & usb_halt_bit(index & 15, in)) == 0)
                moved = in ? d->model->ops->in(d->model, index & 15, buffer, len)
                           : d->model->ops->out(d->model, index & 15, buffer + q->done,
                                                len - q->done);
        if (moved == USB_NAK)
                return false;
        if (moved == USB_STALL) {
                d->model->halted |= usb_halt_bit(index & 15, in);
                stage_end_all(d, q, -EPIPE);
                return true;
        }
        if (moved == USB_BROKEN) {
                stage_end(d, stage_take(q, 0), -EPROTO);
                return true;
        }
        q->done += (size_t)moved;
        if (!in && q->done < len)
                return true;
        urb->actual_length = (int)q->done;
        d->zero_packets += (urb->flags & USBDEVFS_URB_ZERO_PACKET) != 0;
        stage_end(d, stage_take(q, 0), 0);
        return true;
}

/* Lets transfers end that the models now have bytes or room for. */
static void stage_run(void)
{
        for (struct stage_device *d = stage.device; d < stage.device + STAGE_DEVICES; d++)
                for (unsigned i = 0; i < 32 && d->model != NULL && d->node > 0; i++)
                        while (d->queue[i].count > 0 && stage_move(d, i, &d->queue[i]))
                                ;
}

static void stage_control(struct stage_device *d, struct usbdevfs_urb *urb)
{
        uint8_t *bytes = urb->buffer;
        const struct usb_setup setup = { bytes[0], bytes[1], le_get_u16(bytes + 2),
                                         le_get_u16(bytes + 4), le_get_u16(bytes + 6) };
        int moved = usb_standard_control(d->model, &setup, bytes + 8);

        urb->actual_length = moved > 0 ? moved : 0;
        if ((setup.type & 0x80) == 0 && moved >= 0)
                urb->actual_length = setup.len;
        stage_end(d, urb, moved < 0 ? -EPIPE : 0);
        if (d->model->replaced) {
                int looks = d->back_after > 0 ? d->back_after : 2;

                stage_unplug(d);
                d->back_after = looks;
        }
}

static int stage_submit(struct stage_device *d, struct usbdevfs_urb *urb)
{
        struct stage_queue *q =
                &d->queue[(urb->endpoint & 15) + ((urb->endpoint & 0x80) != 0 ? 16 : 0)];

        if (d->unplug_after != 0 && d->submitted == d->unplug_after) {
                stage_unplug(d);
                return ENODEV;
        }
        if (stage.memory_limit != 0 &&
            stage.memory_used + (size_t)urb->buffer_length > stage.memory_limit)
                return ENOMEM;
        if (q->count == STAGE_URBS || urb->buffer_length < 0)
                return EINVAL;
        stage.memory_used += (size_t)urb->buffer_length;
        urb->actual_length = 0;
        d->submitted++;
        if (urb->type == USBDEVFS_URB_TYPE_CONTROL) {
                stage_control(d, urb);
                return 0;
        }
        q->urb[(q->head + q->count++) % STAGE_URBS] = urb;
        while (q->count > 0 && stage_move(d, (unsigned)(q - d->queue), q))
                ;
        return 0;
}

static int stage_discard(struct stage_device *d, const struct usbdevfs_urb *urb)
{
        for (struct stage_queue *q = d->queue; q < d->queue + 32; q++)
                for (unsigned i = 0; i < q->count; i++)
                        if (q->urb[(q->head + i) % STAGE_URBS] == urb) {
                                d->cancelled++;
                                stage_end(d, stage_take(q, i), -ENOENT);
                                return 0;
                        }
        return EINVAL;
}

/* Until there is nothing more to be reaped the node is writable; one that is gone stays so. */
static int stage_reap(struct stage_device *d, struct usbdevfs_urb **urb)
{
        if (d->ended_count == 0)
                return d->dead ? ENODEV : EAGAIN;
        *urb = d->ended[d->ended_head];
        d->ended_head = (d->ended_head + 1) % STAGE_ENDED;
        if (--d->ended_count == 0 && !d->dead)
                stage_lower(d);
        return 0;
}

static int stage_claim(struct stage_device *d, bool detach)
{
        if (d->busy || (d->driven && !detach))
                return EBUSY;
        d->detached += d->driven;
        d->driven = false;
        d->claimed++;
        return 0;
}

static int stage_clear(struct stage_device *d, unsigned endpoint)
{
        d->model->halted &= ~usb_halt_bit(endpoint & 15, (endpoint & 0x80) != 0);
        d->clears++;
        return 0;
}

static int stage_ioctl(struct stage_device *d, unsigned long request, void *arg)
{
        if (request == USBDEVFS_REAPURBNDELAY)
                return stage_reap(d, arg);
        if (d->dead)
                return ENODEV;
        switch (request) {
        case USBDEVFS_SUBMITURB:
                return stage_submit(d, arg);
        case USBDEVFS_DISCARDURB:
                return stage_discard(d, arg);
        case USBDEVFS_GET_CAPABILITIES:
                *(uint32_t *)arg = USBDEVFS_CAP_ZERO_PACKET |
                                   USBDEVFS_CAP_NO_PACKET_SIZE_LIM |
                                   USBDEVFS_CAP_BULK_SCATTER_GATHER |
                                   USBDEVFS_CAP_REAP_AFTER_DISCONNECT;
                return 0;
        case USBDEVFS_CLAIMINTERFACE:
                return stage_claim(d, false);
        case USBDEVFS_DISCONNECT_CLAIM:
                return stage_claim(d, true);
        case USBDEVFS_RELEASEINTERFACE:
                d->claimed--;
                return 0;
        case USBDEVFS_IOCTL: /* attach: the only one that is left to libusb here */
                d->attached++;
                d->driven = d->detached > 0;
                return d->driven ? 0 : ENODATA;
        case USBDEVFS_CLEAR_HALT:
                return stage_clear(d, *(unsigned *)arg);
        case USBDEVFS_SETINTERFACE:
        case USBDEVFS_SETCONFIGURATION:
                return 0;
        case USBDEVFS_GETDRIVER: /* its name nobody asks for */
                return d->driven ? 0 : ENODATA;
        default:
                return ENOTTY;
        }
}
