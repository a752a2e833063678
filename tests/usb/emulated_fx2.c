#include "tests/usb/emulated_fx2.h"

#include <string.h>

#include "io/le.h"

enum {
        WRITE_MEMORY = 0xA0, /* of the chip itself */
        GET_VERSION = 0xB0, /* of the firmware */
        START = 0xB1,
        GET_REVISION = 0xB2
};

enum { TO_HOST = 0xC0, FROM_HOST = 0x40 };

#define CPUCS   0xE600
#define SAMPLES 2 /* endpoint */

static const uint8_t device[] = {
        18, 1, 0, 2, 0xFF, 0xFF, 0xFF, 64, 0, 0, 0, 0, 1, 0, 1, 2, 0, 1,
};

static const uint8_t bare_device[] = {
        18, 1, 0, 2, 0xFF, 0xFF, 0xFF, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
};

static const uint8_t configuration[] = {
        9, 2,    25,   0,    1, 1, 0, 0x80, 50, 9, 4, 0, 0,
        1, 0xFF, 0xFF, 0xFF, 0, 7, 5, 0x82, 2,  0, 2, 0,
};

static const uint8_t bare_configuration[] = {
        9, 2, 18, 0, 1, 1, 0, 0x80, 50, 9, 4, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0,
};

/* Descriptors with the ids of this one. */
static void become(struct emulated_fx2 *f, bool ready)
{
        struct usb_model *m = &f->model;

        f->ready = ready;
        memcpy(f->descriptor, ready ? device : bare_device, sizeof device);
        le_put_u16(f->descriptor + 8, f->vid);
        le_put_u16(f->descriptor + 10, f->pid);
        m->device = f->descriptor;
        m->configuration = ready ? configuration : bare_configuration;
        m->strings[1] = ready ? "sigrok" : NULL;
        m->strings[2] = ready ? "fx2lafw" : NULL;
}

static bool loaded_right(const struct emulated_fx2 *f)
{
        return !f->misloaded && f->loaded > 0 &&
               (f->firmware == NULL ||
                (f->loaded == f->firmware_len &&
                 memcmp(f->memory, f->firmware, f->firmware_len) == 0));
}

/* Out of reset the chip runs what is in its memory. */
static void set_reset(struct emulated_fx2 *f, bool held)
{
        if (f->held && !held) {
                f->hung = !loaded_right(f);
                f->model.replaced = true;
                become(f, !f->hung);
        }
        if (!f->held && held) {
                f->loaded = 0;
                f->misloaded = false;
        }
        f->held = held;
}

static int write_memory(struct emulated_fx2 *f, const struct usb_setup *setup,
                        const uint8_t *data)
{
        if (setup->value == CPUCS && setup->len == 1) {
                set_reset(f, data[0] & 1);
                return 0;
        }
        if (!f->held || setup->value + setup->len > EMULATED_FX2_MEMORY) {
                f->misloaded = true;
                return USB_STALL;
        }
        memcpy(f->memory + setup->value, data, setup->len);
        f->loaded += setup->len;
        return 0;
}

static int start(struct emulated_fx2 *f, const struct usb_setup *setup,
                 const uint8_t *data)
{
        double clock_hz = (data[0] & 0x40) != 0 ? 48e6 : 30e6;

        if (setup->len != 3 || f->refuse_start)
                return USB_STALL;
        memcpy(f->start, data, 3);
        if (data[1] >= 6)
                return 0; /* as version 0.1.7 does: taken, and nothing starts */
        f->rate_hz = clock_hz / (256.0 * data[1] + data[2] + 1);
        f->running = true;
        f->starts++;
        f->head = f->tail;
        return 0;
}

static int fx2_control(struct usb_model *m, const struct usb_setup *setup, uint8_t *data)
{
        struct emulated_fx2 *f = (struct emulated_fx2 *)m;

        if (setup->type == FROM_HOST && setup->request == WRITE_MEMORY)
                return write_memory(f, setup, data);
        if (!f->ready)
                return USB_STALL;
        if (setup->type == FROM_HOST && setup->request == START)
                return start(f, setup, data);
        if (setup->type == TO_HOST && setup->request == GET_VERSION && setup->len >= 2) {
                memcpy(data, f->version, 2);
                return 2;
        }
        if (setup->type == TO_HOST && setup->request == GET_REVISION && setup->len >= 1) {
                data[0] = f->revision;
                return 1;
        }
        return USB_STALL;
}

static int fx2_out(struct usb_model *m, unsigned endpoint, const uint8_t *data,
                   size_t len)
{
        (void)m, (void)endpoint, (void)data, (void)len;
        return USB_STALL;
}

static void stop(struct emulated_fx2 *f)
{
        f->running = false;
        f->head = f->tail;
}

static void give(struct emulated_fx2 *f, uint8_t *data, size_t count)
{
        size_t at = f->head % EMULATED_FX2_BUFFER;
        size_t first =
                count < EMULATED_FX2_BUFFER - at ? count : EMULATED_FX2_BUFFER - at;

        memcpy(data, f->bytes + at, first);
        memcpy(data + first, f->bytes, count - first);
        f->given += count;
}

/* A transfer ends when it is full: the device sends nothing but full packets. */
static int fx2_in(struct usb_model *m, unsigned endpoint, uint8_t *data, size_t cap)
{
        struct emulated_fx2 *f = (struct emulated_fx2 *)m;
        size_t count = cap;

        if (endpoint != SAMPLES || f->stall) {
                stop(f);
                f->stall = false;
                return USB_STALL;
        }
        if (f->tail - f->head < cap)
                return USB_NAK;
        if (f->lose > 0) {
                f->lose--;
                f->head += cap;
                return USB_BROKEN;
        }
        if (f->cut > 0 && f->cut < cap)
                count = f->cut;
        f->cut = 0;
        give(f, data, count);
        f->head += cap;
        return (int)count;
}

static bool fx2_plug(struct usb_model *m)
{
        const struct emulated_fx2 *f = (struct emulated_fx2 *)m;

        return !f->hung;
}

/* Letting go of the bus by itself it keeps its power, and what was loaded. */
static void fx2_unplug(struct usb_model *m)
{
        struct emulated_fx2 *f = (struct emulated_fx2 *)m;

        stop(f);
        if (f->bare && !m->replaced)
                become(f, false);
}

void emulated_fx2_init(struct emulated_fx2 *f, uint16_t vid, uint16_t pid, bool bare)
{
        static const struct usb_model_ops ops = { .control = fx2_control,
                                                  .out = fx2_out,
                                                  .in = fx2_in,
                                                  .plug = fx2_plug,
                                                  .unplug = fx2_unplug };

        memset(f, 0, sizeof *f);
        f->model.ops = &ops;
        f->model.speed = USB_HIGH_SPEED;
        f->vid = vid;
        f->pid = pid;
        f->version[0] = 1;
        f->version[1] = 4;
        f->revision = 0;
        f->slack = EMULATED_FX2_BUFFER;
        f->bare = bare;
        become(f, !bare);
}

void emulated_fx2_overrun(struct emulated_fx2 *f)
{
        f->overruns++;
        stop(f);
}

void emulated_fx2_feed(struct emulated_fx2 *f, const uint8_t *samples, size_t count)
{
        f->fed += count;
        for (size_t i = 0; i < count; i++) {
                uint8_t level =
                        (uint8_t)((samples[i] & ~f->stuck) | (f->stuck_at & f->stuck));

                if (!f->running) {
                        f->unseen += count - i;
                        return;
                }
                f->bytes[f->tail++ % EMULATED_FX2_BUFFER] = level;
                if (f->tail - f->head > f->slack)
                        emulated_fx2_overrun(f);
        }
}
