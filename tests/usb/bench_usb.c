/* What USB costs through libusb and our files, beside the same requests made bare, on the stage of usb_stage.h:
 * both without a kernel's USB stack and without a bus, so that only the program's own share is left. One JSON
 * object a line, as `hilrig bench`:
 *
 *   link     64 bytes out and back again by a usb link, beside bare ioctl() calls
 *   capture  samples taken from an analyzer at 24 MHz, in transfers of 4,096 */
#include "tests/staged/usb_stage.h"

#include "hil/bench/bench.h"
#include "hil/time/clock.h"
#include "io/capture/capture.h"
#include "tests/usb/emulated_fx2.h"

#define BLOCKS   7
#define BLOCK_NS (200 * NS_PER_MS)
#define MESSAGE  64

/* A board that sends everything back. */
struct echo {
        struct usb_model model;
        uint8_t bytes[MESSAGE];
        size_t held;
};

static int echo_out(struct usb_model *m, unsigned endpoint, const uint8_t *data,
                    size_t len)
{
        struct echo *e = (struct echo *)m;

        (void)endpoint;
        if (e->held > 0 || len > MESSAGE)
                return USB_NAK;
        memcpy(e->bytes, data, len);
        e->held = len;
        return (int)len;
}

static int echo_in(struct usb_model *m, unsigned endpoint, uint8_t *data, size_t cap)
{
        struct echo *e = (struct echo *)m;
        size_t n = e->held < cap ? e->held : cap;

        (void)endpoint;
        if (n == 0)
                return USB_NAK;
        memcpy(data, e->bytes, n);
        e->held = 0;
        return (int)n;
}

static const struct usb_model_ops echo_ops = { .control = usb_no_requests,
                                               .out = echo_out,
                                               .in = echo_in };

static const uint8_t device[] = { 18,   1,    0,    2, 0, 0, 0, 64, 0x09,
                                  0x12, 0x01, 0x00, 0, 1, 0, 0, 0,  1 };
static const uint8_t configuration[] = { 9,  2, 32, 0,   1, 1,    0, 0x80, 50, 9,    4,
                                         0,  0, 2,  255, 0, 0,    0, 7,    5,  0x81, 2,
                                         64, 0, 0,  7,   5, 0x02, 2, 64,   0,  0 };

static struct echo board = { .model = { .ops = &echo_ops,
                                        .speed = USB_FULL_SPEED,
                                        .device = device,
                                        .configuration = configuration } };
static struct emulated_fx2 fx2;

static void give_up(const char *why)
{
        fprintf(stderr, "bench_usb: %s\n", why);
        exit(1);
}

/* As few calls as a program could make: two transfers in, one poll(), both out. */
static double bare(void)
{
        uint8_t out[MESSAGE] = { 1 }, in[MESSAGE];
        struct usbdevfs_urb send = { .type = USBDEVFS_URB_TYPE_BULK,
                                     .endpoint = 2,
                                     .buffer = out,
                                     .buffer_length = MESSAGE };
        struct usbdevfs_urb take = { .type = USBDEVFS_URB_TYPE_BULK,
                                     .endpoint = 0x81,
                                     .buffer = in,
                                     .buffer_length = MESSAGE };
        int fd = open("/dev/bus/usb/001/001", O_RDWR);
        struct pollfd ready = { .fd = fd, .events = POLLOUT };
        int64_t begin_ns = clock_now_ns(), now_ns = begin_ns;
        struct usbdevfs_urb *ended;
        uint64_t count = 0;

        if (fd < 0)
                give_up("no device");
        for (; now_ns - begin_ns < BLOCK_NS; now_ns = clock_now_ns(), count++) {
                int reaped = 0;

                if (ioctl(fd, USBDEVFS_SUBMITURB, &take) != 0 ||
                    ioctl(fd, USBDEVFS_SUBMITURB, &send) != 0)
                        give_up("a transfer was refused");
                stage_run();
                poll(&ready, 1, -1);
                while (ioctl(fd, USBDEVFS_REAPURBNDELAY, &ended) == 0)
                        reaped++;
                if (reaped != 2 || take.actual_length != MESSAGE)
                        give_up("bytes were lost");
        }
        close(fd);
        return (double)count * 1e9 / (double)(now_ns - begin_ns);
}

static double by_link(void)
{
        const struct link_spec spec = { .kind = LINK_USB, .usb_vid = -1, .path = "1-4" };
        uint8_t out[MESSAGE] = { 1 }, in[MESSAGE];
        struct link_error why;
        struct link *l = link_open(&spec, &why);
        int64_t begin_ns = clock_now_ns(), now_ns = begin_ns;
        uint64_t count = 0;

        if (l == NULL)
                give_up(why.text);
        for (; now_ns - begin_ns < BLOCK_NS; now_ns = clock_now_ns(), count++) {
                if (link_write(l, out, MESSAGE) != MESSAGE)
                        give_up("the link was full");
                stage_run();
                if (link_read(l, in, MESSAGE) != MESSAGE)
                        give_up("bytes were lost");
        }
        link_close(l);
        return (double)count * 1e9 / (double)(now_ns - begin_ns);
}

/* Samples a second of the thread that reads them, without the time in which the pads are played. */
static double by_capture(double *us)
{
        const struct capture_spec spec = {
                .kind = CAPTURE_FX2, .usb_vid = -1, .rate_hz = 24e6, .simulated = true
        };
        static const uint8_t samples[32 * 4096];
        struct link_error why;
        struct capture *c = capture_open(&spec, &why);
        struct capture_block b;
        int64_t spent_ns = 0;
        uint64_t blocks = 0;

        if (c == NULL)
                give_up(why.text);
        while (spent_ns < BLOCK_NS) {
                int64_t begin_ns;

                emulated_fx2_feed(&fx2, samples, sizeof samples);
                stage_run();
                begin_ns = clock_now_ns();
                for (int i = 0; i < 32; i++, blocks++)
                        if (capture_read(c, 0, &b) != 1 || b.count != 4096 || b.gap)
                                give_up("samples were lost");
                spent_ns += clock_now_ns() - begin_ns;
        }
        capture_close(c);
        *us = (double)spent_ns * 1e-3 / (double)blocks;
        return (double)blocks * 4096 * 1e9 / (double)spent_ns;
}

static void bench_echo(void)
{
        double plain[BLOCKS], ours[BLOCKS], bare_rate, our_rate;

        stage_plug(&board.model, "1-4");
        for (int i = 0; i < BLOCKS; i++) {
                plain[i] = bare();
                ours[i] = by_link();
        }
        bare_rate = bench_median(plain, BLOCKS);
        our_rate = bench_median(ours, BLOCKS);
        printf("{\"bench\": \"link\", \"link\": \"usb\", \"round_trips_per_s\": %.0f, "
               "\"bare_ioctl_per_s\": %.0f, \"ratio\": %.3f, \"us\": %.2f, "
               "\"blocks\": %d}\n",
               our_rate, bare_rate, our_rate / bare_rate, 1e6 / our_rate, BLOCKS);
}

static void bench_fx2(void)
{
        double rates[BLOCKS], us[BLOCKS], rate;

        emulated_fx2_init(&fx2, 0x0925, 0x3881, false);
        stage_plug(&fx2.model, "1-5");
        for (int i = 0; i < BLOCKS; i++)
                rates[i] = by_capture(&us[i]);
        rate = bench_median(rates, BLOCKS);
        printf("{\"bench\": \"capture\", \"source\": \"fx2\", \"samples_per_s\": %.0f, "
               "\"times_24_mhz\": %.1f, \"us_per_transfer\": %.2f, \"blocks\": %d}\n",
               rate, rate / 24e6, bench_median(us, BLOCKS), BLOCKS);
}

int main(void)
{
        bench_echo();
        bench_fx2();
        return 0;
}
