/* A capture board on any link, until it is killed: fake_capture_board LINK. Pad 0 and 1 have DShot600 at 1 kHz, pad 2
 * PWM at 400 Hz; the values sweep. Its time is its own: a millisecond a step, none while the line is full, so that no
 * machine that stands still makes a pad silent. What its firmware would do is io/capture/pad_queue.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/link/link.h"
#include "io/motor/wave.h"
#include "io/capture/pad_queue.h"

#define HZ      84000000ULL
#define STEP_US 1000

struct board {
        struct link_spec spec;
        struct link *link;
        struct pad_queue queue;
        struct hilp_receiver receiver;
        uint64_t now_us, hello_us;
        uint8_t out[4096];
        size_t out_len;
};

static bool is_full(const struct board *b)
{
        return b->out_len > sizeof b->out / 2;
}

static void put(struct board *b, const uint8_t *frame, size_t len)
{
        if (len > sizeof b->out - b->out_len)
                return;
        memcpy(b->out + b->out_len, frame, len);
        b->out_len += len;
}

static void say_hello(struct board *b)
{
        struct pad_message m = { .type = PAD_HELLO,
                                 .u.hello = { PAD_RECORD_VERSION, 4, HZ, 1, "fake" } };
        uint8_t payload[PAD_PAYLOAD_MAX], frame[HILP_FRAME_MAX];

        put(b, frame, hilp_frame_encode(payload, pad_encode(&m, payload), frame));
        b->hello_us = b->now_us;
}

static uint16_t dshot(double duty)
{
        uint16_t v = (uint16_t)(motor_wave_value(duty, false) << 1);

        return (uint16_t)(v << 4 | ((v ^ v >> 4 ^ v >> 8) & 15));
}

/* The signals of one microsecond. */
static void see(struct board *b, uint64_t us)
{
        double duty = 0.5 + 0.4 * sin((double)us * 1e-6);
        uint32_t tick = (uint32_t)(us * (HZ / 1000000));
        struct pad_record r = { .kind = PAD_DSHOT,
                                .protocol = 3,
                                .raw = dshot(duty),
                                .tick = tick,
                                .width = 2205 };

        if (us % 1000 == 0) {
                pad_queue_put(&b->queue, &r);
                r.pad = 1;
                pad_queue_put(&b->queue, &r);
        }
        if (us % 2500 == 0) {
                r = (struct pad_record){ .kind = PAD_PULSE,
                                         .pad = 2,
                                         .tick = tick,
                                         .width = (uint32_t)((1000 + 1000 * duty) * 84) };
                pad_queue_put(&b->queue, &r);
        }
}

static void hear(struct board *b)
{
        uint8_t bytes[64], payload[HILP_PAYLOAD_MAX];
        int n = link_read(b->link, bytes, sizeof bytes);

        for (int at = 0; at < n;) {
                struct pad_message m;
                size_t len;

                at += (int)hilp_receive(&b->receiver, bytes + at, (size_t)(n - at),
                                        payload, &len);
                if (len > 0 && pad_decode(&m, payload, len) && m.type == PAD_ASK) {
                        pad_queue_clear(&b->queue);
                        /* A zero ends what is cut off. */
                        if (is_full(b)) {
                                b->out[0] = 0;
                                b->out_len = 1;
                        }
                        say_hello(b);
                }
        }
}

static void step(struct board *b)
{
        uint8_t frame[HILP_FRAME_MAX];
        int n;

        hear(b);
        if (b->now_us - b->hello_us > 1000000)
                say_hello(b);
        if (!is_full(b)) {
                for (int i = 0; i < STEP_US; i++)
                        see(b, b->now_us++);
                put(b, frame,
                    pad_queue_take(&b->queue, b->now_us * (HZ / 1000000), frame));
        }
        n = link_write(b->link, b->out, b->out_len);
        if (n == LINK_GONE) {
                struct link_error why;

                link_close(b->link);
                b->link = link_open(&b->spec, &why);
                if (b->link == NULL)
                        exit(1);
        } else if (n > 0) {
                memmove(b->out, b->out + n, b->out_len - (size_t)n);
                b->out_len -= (size_t)n;
        }
}

int main(int argc, char **argv)
{
        struct link_error why;
        static struct board b;

        if (argc != 2 || !link_spec_parse(&b.spec, argv[1], &why) ||
            (b.link = link_open(&b.spec, &why)) == NULL) {
                fprintf(stderr, "fake_capture_board: LINK\n");
                return 2;
        }
        printf("%s\n", b.link->name);
        fflush(stdout);
        for (;;) {
                step(&b);
                nanosleep(&(struct timespec){ .tv_nsec = STEP_US * 1000 }, NULL);
        }
}
