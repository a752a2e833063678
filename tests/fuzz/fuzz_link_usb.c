/* Any descriptors, and a device that answers, halts, breaks off and is unplugged as the input says: the link
 * is refused in words, or moves no more bytes than it was given, and gives everything back. */
#include "tests/staged/usb_stage.h"

#include "io/link/link.h"
#include "tests/fuzz/usb_input.h"

/* What became of a transfer of up to cap bytes. */
static int outcome(size_t cap)
{
        uint8_t drawn = draw();

        if (drawn >= 200)
                return USB_NAK;
        if (drawn >= 190)
                return USB_STALL;
        return (int)(drawn < cap ? drawn : cap);
}

static int fuzz_out(struct usb_model *m, unsigned endpoint, const uint8_t *data,
                    size_t len)
{
        int n = outcome(len);

        (void)m, (void)endpoint, (void)data;
        return n == 0 ? USB_NAK : n;
}

static int fuzz_in(struct usb_model *m, unsigned endpoint, uint8_t *data, size_t cap)
{
        int n = draw() == 1 ? USB_BROKEN : outcome(cap);

        (void)m, (void)endpoint;
        if (n > 0)
                memset(data, 'x', (size_t)n);
        return n;
}

static void use(struct link *l, struct stage_device *port)
{
        static uint8_t bytes[5000];

        for (int i = 0; i < 200 && input.left > 0; i++) {
                size_t n = (size_t)draw() * 19;
                int moved = draw() & 1 ? link_read(l, bytes, n) : link_write(l, bytes, n);

                expect(moved == LINK_GONE || (moved >= 0 && moved <= (int)n));
                if (draw() == 7 && !port->away)
                        stage_unplug(port);
                stage_run();
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
        static const struct usb_model_ops ops = { .control = usb_no_requests,
                                                  .out = fuzz_out,
                                                  .in = fuzz_in };
        static uint8_t configuration[512],
                device[18] = { 18, 1, 0, 2, 0, 0, 0, 64, 9, 18, 1, 0, 0, 1, 1, 2, 3, 1 };
        struct usb_model model = { .ops = &ops,
                                   .speed = USB_FULL_SPEED,
                                   .device = device,
                                   .configuration = configuration,
                                   .strings = { NULL, "a", "b", "c" } };
        const struct link_spec spec = { .kind = LINK_USB, .usb_vid = -1, .path = "1-4" };
        struct link_error why = { "" };
        size_t described = len > 0 ? bytes[0] : 0;
        struct stage_device *port;
        struct link *l;

        if (len < 1 + described)
                return 0;
        memset(&stage, 0, sizeof stage);
        memset(configuration, 0, sizeof configuration);
        memcpy(configuration, bytes + 1, described);
        if (configuration[3] > 1)
                configuration[3] = 1;
        input = (struct input){ bytes + 1 + described, len - 1 - described, 255 };
        port = stage_plug(&model, "1-4");
        played_clock_begin(0);
        l = link_usb_open(&spec, &why);
        expect((l == NULL) == (why.text[0] != '\0'));
        if (l != NULL) {
                use(l, port);
                link_close(l);
        }
        played_clock_end();
        expect(port->node == 0 && stage.memory_used == 0);
        return 0;
}
