/* An analyzer that answers anything to any request, sends anything, halts, breaks off and leaves: it is refused
 * in words, or its ticks go forwards and its blocks stay inside what it sent. */
#include "tests/staged/usb_stage.h"

#include "io/capture/capture.h"
#include "tests/fuzz/usb_input.h"
#include "tests/usb/emulated_fx2.h"

static struct emulated_fx2 fx2;

/* For its operations. */
static struct emulated_fx2 proper;

/* Its own answer, or another one. */
static int odd_control(struct usb_model *m, const struct usb_setup *setup, uint8_t *data)
{
        uint8_t drawn = draw();

        if (drawn < 200)
                return proper.model.ops->control(m, setup, data);
        if (drawn < 220 || (setup->type & 0x80) == 0)
                return USB_STALL;
        for (int i = 0; i < setup->len; i++)
                data[i] = draw();
        return drawn - 220 < setup->len ? drawn - 220 : setup->len;
}

static int odd_in(struct usb_model *m, unsigned endpoint, uint8_t *data, size_t cap)
{
        return proper.model.ops->in(m, endpoint, data, cap);
}

static int odd_out(struct usb_model *m, unsigned endpoint, const uint8_t *data,
                   size_t len)
{
        (void)m, (void)endpoint, (void)data, (void)len;
        return USB_STALL;
}

static void happen(struct stage_device *port)
{
        static const uint8_t samples[20000];

        switch (draw() % 8) {
        case 0:
                fx2.lose = draw() % 5;
                break;
        case 1:
                fx2.cut = draw() * 17U;
                break;
        case 2:
                fx2.stall = true;
                break;
        case 3:
                emulated_fx2_overrun(&fx2);
                break;
        case 4:
                if (draw() == 7 && !port->away)
                        stage_unplug(port);
                break;
        case 5:
                played.now_ns += draw() * 1000000LL;
                break;
        default:
                emulated_fx2_feed(&fx2, samples, draw() * 78U);
                break;
        }
        stage_run();
}

static void use(struct capture *c, struct stage_device *port)
{
        struct capture_block b;
        int64_t tick = 0;

        for (int i = 0; i < 300 && input.left > 0; i++) {
                int got = capture_read(c, 0, &b);

                expect(got == 1 || got == 0 || got == CAPTURE_GONE);
                if (got == 1) {
                        expect(b.first_tick >= tick && b.count > 0 && b.count <= 4096);
                        expect(b.first_tick == tick || b.gap);
                        tick = b.first_tick + (int64_t)b.count;
                        expect(b.until_tick == tick);
                }
                happen(port);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
        static const struct usb_model_ops odd = { .control = odd_control,
                                                  .out = odd_out,
                                                  .in = odd_in };
        struct capture_spec spec = { .kind = CAPTURE_FX2,
                                     .usb_vid = -1,
                                     .rate_hz = 24e6 };
        struct link_error why = { "" };
        struct stage_device *port;
        struct capture *c;

        memset(&stage, 0, sizeof stage);
        input = (struct input){ bytes, len, 0 };
        emulated_fx2_init(&proper, 0x0925, 0x3881, false);
        emulated_fx2_init(&fx2, 0x0925, 0x3881, draw() & 1);
        fx2.model.ops = &odd;
        setenv("SIGROK_FIRMWARE_DIR", "/nowhere", 1);
        port = stage_plug(&fx2.model, "1-4");
        played_clock_begin(0);
        spec.rate_hz = draw() & 1 ? 24e6 : 1e6;
        c = capture_fx2_open(&spec, &why);
        expect((c == NULL) == (why.text[0] != '\0'));
        if (c != NULL) {
                use(c, port);
                capture_close(c);
        }
        played_clock_end();
        expect(port->node == 0 && stage.memory_used == 0);
        return 0;
}
