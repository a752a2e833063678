/* The stream of samples of an fx2lafw analyzer. The device has no stop command and cannot report
 * lost samples: when nobody reads them for 85 us (at 24 MHz) it stops and is silent. So transfers
 * are always queued, silence is detected, and sampling is restarted. */
#include "io/capture/fx2_stream.h"

#include <libusb-1.0/libusb.h>
#include <math.h>

#define REAPED 25
#define QUIET_LOOK_NS                                                                    \
        2000000 /* maximum silence counted between two checks: the host may stall, too */
#define RESTART_MAX_NS 10000000000 /* the command to start has half of it */
#define CLOCK_DRIFT    500e-6 /* maximum drift between the two clocks */

void fx2_stream_start_ended(struct libusb_transfer *t)
{
        struct fx2 *f = t->user_data;

        f->start_queued = false;
        f->start_ended = true;
        f->start_ended_ns = usb_now_ns();
        f->in.gone |= t->status == LIBUSB_TRANSFER_NO_DEVICE;
}

bool fx2_stream_start(struct fx2 *f)
{
        int error;

        f->start_ended = false;
        f->start_sent_ns = usb_now_ns();
        error = libusb_submit_transfer(f->start);
        f->in.gone |= error == LIBUSB_ERROR_NO_DEVICE;
        f->start_queued = error == 0;
        return error == 0;
}

/* Sampling began at some moment between the command and its answer. */
void fx2_stream_started(struct fx2 *f)
{
        double begin_ns = 0.5 * ((double)f->start_sent_ns + (double)f->start_ended_ns);
        double tick = (begin_ns - f->origin_ns) / f->ns_per_tick;

        if (f->arrived_ns == 0)
                f->origin_ns = begin_ns;
        else if (!f->simulated && tick > (double)f->tick)
                f->tick = (int64_t)tick;
        f->quiet_ns = 0;
        f->looked_ns = usb_now_ns();
        f->dry_for = 0;
        f->state = FX2_RUNNING;
}

static void stop(struct fx2 *f)
{
        f->state = FX2_EMPTYING;
        f->gap = true;
        usb_stream_stop(&f->in);
}

/* Leads from a stop to the running stream; called until it runs. What arrived before the stop is
 * given out first. */
static void restart(struct fx2 *f)
{
        if (f->state == FX2_EMPTYING && f->in.queued == 0 &&
            usb_stream_peek(&f->in) == NULL) {
                usb_stream_start(&f->in, f->halted);
                f->halted = false;
                f->capture.counts.restarts++;
                f->state = FX2_STARTING;
                /* If it could not be sent there is silence, and silence leads here again. */
                if (fx2_stream_start(f))
                        usb_device_step(&f->usb, 0);
                else
                        fx2_stream_started(f);
        }
        if (f->state == FX2_STARTING && f->start_ended)
                fx2_stream_started(f);
}

/* Has it been silent for too long? */
static void watch(struct fx2 *f)
{
        int64_t now_ns = usb_now_ns(), since_ns = now_ns - f->looked_ns;

        f->looked_ns = now_ns;
        f->quiet_ns += since_ns < QUIET_LOOK_NS ? since_ns : QUIET_LOOK_NS;
        if (f->simulated || f->quiet_ns < f->quiet_max_ns)
                return;
        f->capture.counts.stalls++;
        f->capture.counts.overruns += f->in.ran_dry;
        stop(f);
}

static void note_arrival(struct fx2 *f, const struct usb_piece *piece)
{
        double since_ns = (double)(piece->arrived_ns - f->arrived_ns);
        double prompt_ns = (double)piece->arrived_ns - (double)f->tick * f->ns_per_tick;

        if (f->arrived_ns != 0)
                f->origin_ns += CLOCK_DRIFT * since_ns;
        f->origin_ns = fmin(f->origin_ns, prompt_ns);
        f->arrived_ns = piece->arrived_ns;
        f->quiet_ns = 0;
        f->looked_ns = usb_now_ns();
        /* The transfers that were queued after it had run dry have ended: it did not stop. */
        if (f->in.ran_dry && ++f->dry_for > 2 * f->in.ring) {
                f->in.ran_dry = false;
                f->dry_for = 0;
        }
}

static void fill_block(struct fx2 *f, const struct usb_piece *piece,
                       struct capture_block *out)
{
        *out = (struct capture_block){ .gap = f->gap,
                                       .first_tick = f->tick,
                                       .samples = piece->bytes,
                                       .count = piece->len,
                                       .arrived_ns = piece->arrived_ns };
        f->gap = false;
        f->tick += (int64_t)piece->len;
        out->until_tick = f->tick;
        note_arrival(f, piece);
        f->capture.counts.blocks++;
        f->capture.counts.bytes += piece->len;
}

/* How the end of a piece affects those after it. */
static void note_end(struct fx2 *f, const struct usb_piece *piece)
{
        struct capture_counts *counts = &f->capture.counts;

        if (piece->end == USB_SHORT || piece->end == USB_BROKEN) {
                counts->short_blocks += piece->end == USB_SHORT;
                counts->failed += piece->end == USB_BROKEN;
                counts->overruns++;
                f->gap = true;
                f->tick += (int64_t)(f->in.transfer_bytes - piece->len);
                f->quiet_ns = 0;
        }
        if (piece->end == USB_HALTED && !f->halted) {
                counts->stalls++;
                f->halted = true;
                stop(f);
        }
}

/* The next piece with samples in it, if one is there. */
static bool take_piece(struct fx2 *f, struct capture_block *out)
{
        const struct usb_piece *piece;

        while ((piece = usb_stream_peek(&f->in)) != NULL) {
                f->held = piece->len > 0;
                if (f->held)
                        fill_block(f, piece, out);
                note_end(f, piece);
                if (f->held)
                        return true;
                usb_stream_next(&f->in);
        }
        return false;
}

/* Collects all that has ended by now, before any of it is queued again, so that `ran_dry` shows
 * whether the kernel had none left. libusb collects at most 26 at a time. */
static void take_in(struct fx2 *f, int64_t wait_ns)
{
        int before = f->in.queued;

        usb_device_step(&f->usb, wait_ns);
        while (before - f->in.queued >= REAPED && f->in.queued > 0) {
                before = f->in.queued;
                usb_device_step(&f->usb, 0);
        }
}

/* What had arrived but was not read is part of the gap. */
static void drop(struct fx2 *f)
{
        f->held = false;
        while (usb_stream_peek(&f->in) != NULL)
                usb_stream_next(&f->in);
}

void fx2_stream_restart(struct capture *c)
{
        struct fx2 *f = (struct fx2 *)c;
        int64_t until_ns = usb_now_ns() + RESTART_MAX_NS;

        if (f->state != FX2_RUNNING || f->in.gone)
                return;
        f->capture.counts.stalls++;
        f->capture.counts.overruns += f->in.ran_dry;
        drop(f);
        stop(f);
        do {
                usb_device_step(&f->usb, QUIET_LOOK_NS);
                drop(f);
                restart(f);
        } while (f->state != FX2_RUNNING && !f->in.gone && usb_now_ns() < until_ns);
}

int fx2_stream_read(struct capture *c, int64_t timeout_ns, struct capture_block *out)
{
        struct fx2 *f = (struct fx2 *)c;
        int64_t until_ns = usb_now_ns() + timeout_ns, wait_ns = 0;

        for (;;) {
                take_in(f, f->in.gone ? 0 : wait_ns);
                if (f->held)
                        usb_stream_next(&f->in);
                f->held = false;
                /* The submission may report that the device is gone; what had arrived before is
                 * still there. */
                if (f->in.gone)
                        take_in(f, 0);
                if (take_piece(f, out))
                        return 1;
                if (f->in.gone)
                        return CAPTURE_GONE;
                if (f->state == FX2_RUNNING)
                        watch(f);
                if (f->state == FX2_EMPTYING && f->in.queued > 0) {
                        take_in(f, 0);
                        if (take_piece(f, out))
                                return 1;
                }
                restart(f);
                wait_ns = until_ns - usb_now_ns();
                if (wait_ns <= 0)
                        break;
                if (wait_ns > QUIET_LOOK_NS)
                        wait_ns = QUIET_LOOK_NS;
        }
        return 0;
}
