/* A logic analyzer with the fx2lafw firmware, which is loaded if missing: 8 pads, one byte per
 * sample, up to 24 MHz. Found, opened, started and closed here; its stream is fx2_stream.c. */
#include <libusb-1.0/libusb.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/capture/fx2_firmware.h"
#include "io/capture/fx2_stream.h"

#define TRANSFERS     256
#define TRANSFERS_MIN 8
#define RETURN_NS     3000000000 /* after loading the firmware */
#define LOOK_NS       20000000 /* between two checks whether it is back */
#define ANSWER_MS     5000 /* a host may stall */
#define QUIET_NS      10000000 /* maximum silence in time, and in transfers: */
#define QUIET_BLOCKS  16.0

static void fx2_close(struct capture *c)
{
        struct fx2 *f = (struct fx2 *)c;
        int64_t until_ns = usb_now_ns() + 2 * (int64_t)ANSWER_MS * 1000000;

        if (f->start_queued)
                libusb_cancel_transfer(f->start);
        usb_stream_close(&f->in);
        while (f->start_queued && usb_now_ns() < until_ns)
                usb_device_step(&f->usb, 10000000);
        if (f->start != NULL && !f->start_queued)
                libusb_free_transfer(f->start);
        usb_device_close(&f->usb);
        if (!f->start_queued)
                free(f);
}

static const struct capture_ops fx2_ops = { .read = fx2_stream_read,
                                            .restart = fx2_stream_restart,
                                            .close = fx2_close };

static bool open_device(struct usb_device *d, const struct capture_spec *spec,
                        const char *bus_path, struct link_error *why)
{
        struct usb_id ids[FX2LAFW_KINDS];
        const struct usb_wanted wanted = { .who = "capture",
                                           .vid = spec->usb_vid,
                                           .pid = spec->usb_pid,
                                           .bus_path = bus_path,
                                           .ids = ids,
                                           .id_count = FX2LAFW_KINDS,
                                           .kind = "fx2lafw analyzer" };

        for (int i = 0; i < FX2LAFW_KINDS; i++)
                ids[i] = fx2lafw_kinds[i].id;
        return usb_device_open(d, &wanted, why);
}

static void sleep_ns(int64_t ns)
{
        const struct timespec t = { .tv_nsec = ns };

        nanosleep(&t, NULL);
}

/* The device that left the bus at this path, once it is back and runs its firmware. */
static bool await_return(struct fx2 *f, const struct capture_spec *spec,
                         const char *bus_path, struct link_error *why)
{
        int64_t until_ns = usb_now_ns() + RETURN_NS;
        struct link_error last;

        do {
                sleep_ns(LOOK_NS);
                if (!open_device(&f->usb, spec, bus_path, &last))
                        continue;
                if (fx2_firmware_runs(&f->usb))
                        return true;
                usb_device_close(&f->usb);
        } while (usb_now_ns() < until_ns);
        /* For example, no permission to open it under its new address. */
        if (strstr(last.text, "permission") != NULL)
                *why = last;
        else
                snprintf(why->text, sizeof why->text,
                         "capture: usb %s: did not come back within 3 s after its "
                         "firmware was loaded",
                         bus_path);
        return false;
}

static bool open_with_firmware(struct fx2 *f, const struct capture_spec *spec,
                               struct link_error *why)
{
        const struct fx2lafw_kind *kind;
        char bus_path[32];

        if (!open_device(&f->usb, spec, spec->bus_path, why))
                return false;
        if (fx2_firmware_runs(&f->usb))
                return true;
        kind = fx2lafw_kind_find(f->usb.id);
        memcpy(bus_path, f->usb.bus_path, sizeof bus_path);
        if (kind == NULL || !fx2_firmware_load(&f->usb, kind, why))
                return false;
        usb_device_close(&f->usb);
        snprintf(f->capture.note, sizeof f->capture.note, "firmware %s loaded",
                 kind->file);
        return await_return(f, spec, bus_path, why);
}

static bool check_version(struct fx2 *f, struct link_error *why)
{
        uint8_t version[2] = { 0 };
        int got = libusb_control_transfer(
                f->usb.handle,
                LIBUSB_ENDPOINT_IN | LIBUSB_REQUEST_TYPE_VENDOR | LIBUSB_RECIPIENT_DEVICE,
                FX2LAFW_GET_VERSION, 0, 0, version, sizeof version, ANSWER_MS);

        if (got != (int)sizeof version)
                return usb_device_refuse(&f->usb, why, "did not tell its version: %s",
                                         usb_error_words(got));
        return version[0] == FX2LAFW_MAJOR ||
               usb_device_refuse(
                       &f->usb, why,
                       "its firmware is version %d.%d, must be %d.x: plug it in "
                       "anew, so that the installed one is loaded",
                       version[0], version[1], FX2LAFW_MAJOR);
}

static bool set_rate(struct fx2 *f, double wanted_hz, struct link_error *why)
{
        double rate_hz = wanted_hz == 0.0 ? FX2LAFW_RATE_MAX_HZ : wanted_hz, nearest_hz;

        libusb_fill_control_setup(f->command,
                                  LIBUSB_REQUEST_TYPE_VENDOR | LIBUSB_RECIPIENT_DEVICE,
                                  FX2LAFW_START, 0, 0, 3);
        if (!fx2lafw_start_encode(f->command + LIBUSB_CONTROL_SETUP_SIZE, rate_hz,
                                  &nearest_hz)) {
                snprintf(why->text, sizeof why->text,
                         "capture: fx2: sampling rate: must be " FX2LAFW_RATES
                         ", is %.10g; the nearest is %.10g",
                         rate_hz, nearest_hz);
                return false;
        }
        f->capture.tick_hz = nearest_hz;
        f->ns_per_tick = 1e9 / nearest_hz;
        f->quiet_max_ns = (int64_t)fmax(
                QUIET_NS,
                QUIET_BLOCKS * fx2lafw_transfer_bytes(nearest_hz) * f->ns_per_tick);
        return true;
}

static bool allocate(struct fx2 *f)
{
        f->start = libusb_alloc_transfer(0);
        if (f->start == NULL)
                return false;
        libusb_fill_control_transfer(f->start, f->usb.handle, f->command,
                                     fx2_stream_start_ended, f, ANSWER_MS);
        return usb_stream_open(&f->in, &f->usb, FX2LAFW_ENDPOINT, TRANSFERS,
                               (size_t)fx2lafw_transfer_bytes(f->capture.tick_hz));
}

/* Fewer transfers than wanted still work, if the host never stalls for as long. */
static bool queue(struct fx2 *f, struct link_error *why)
{
        int queued = usb_stream_start(&f->in, false);
        double us = (double)queued * (double)f->in.transfer_bytes * f->ns_per_tick * 1e-3;
        size_t said = strlen(f->capture.note);

        if (f->in.gone)
                return usb_device_refuse(&f->usb, why, "not there any more");
        if (queued < TRANSFERS_MIN)
                return usb_device_refuse(
                        &f->usb, why,
                        "%d transfers of %zu bytes could be queued, must be %d: "
                        "/sys/module/usbcore/parameters/usbfs_memory_mb limits them",
                        queued, f->in.transfer_bytes, TRANSFERS_MIN);
        if (queued < TRANSFERS)
                snprintf(f->capture.note + said, sizeof f->capture.note - said,
                         "%s%d of %d transfers could be queued, %.0f us of samples: "
                         "usbcore's usbfs_memory_mb limits them",
                         said > 0 ? "; " : "", queued, TRANSFERS, us);
        return true;
}

static bool start_sampling(struct fx2 *f, struct link_error *why)
{
        int64_t until_ns = usb_now_ns() + 2 * (int64_t)ANSWER_MS * 1000000;

        if (!usb_device_claim(&f->usb, 0, 0, why))
                return false;
        if (!allocate(f))
                return usb_device_refuse(&f->usb, why, "out of memory");
        if (!queue(f, why))
                return false;
        if (fx2_stream_start(f))
                while (!f->start_ended && !f->in.gone && usb_now_ns() < until_ns)
                        usb_device_step(&f->usb, LOOK_NS);
        if (!f->start_ended || f->in.gone ||
            f->start->status != LIBUSB_TRANSFER_COMPLETED)
                return usb_device_refuse(&f->usb, why,
                                         "did not take the command to start");
        fx2_stream_started(f);
        return true;
}

struct capture *capture_fx2_open(const struct capture_spec *spec, struct link_error *why)
{
        struct fx2 *f = calloc(1, sizeof *f);

        if (f == NULL) {
                snprintf(why->text, sizeof why->text, "capture: out of memory");
                return NULL;
        }
        f->capture.ops = &fx2_ops;
        f->capture.pads = FX2LAFW_PADS;
        f->capture.live = true;
        f->simulated = spec->simulated;
        if (set_rate(f, spec->rate_hz, why) && open_with_firmware(f, spec, why) &&
            check_version(f, why) && start_sampling(f, why)) {
                snprintf(f->capture.name, sizeof f->capture.name, "fx2lafw %s",
                         f->usb.bus_path);
                return &f->capture;
        }
        fx2_close(&f->capture);
        return NULL;
}
