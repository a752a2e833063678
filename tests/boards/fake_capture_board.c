/* A capture board on any link, in the time of this machine, until it is killed: fake_capture_board LINK. Pad 0 and 1
 * have DShot600 at 1 kHz, pad 2 PWM at 400 Hz; the values sweep. What its firmware would do is
 * io/capture/pad_queue.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/link/link.h"
#include "io/motor/wave.h"
#include "io/capture/pad_queue.h"

#define HZ 84000000ULL

/* A machine that stood still is made up for in steps that one batch holds, and nothing is seen while the line is
 * full: in this board no record has no room. */
#define STEP_US 5000
#define LATE_US 4000 /* nothing longer is on its way */

struct board {
        struct link_spec spec;
        struct link *link;
        struct pad_queue queue;
        struct hilp_receiver receiver;
        uint64_t told_us; /* the signals up to here are queued */
        uint64_t hello_us;
        uint8_t out[4096];
        size_t out_len;
};

static uint64_t now_us(void)
{
        struct timespec t;

        clock_gettime(CLOCK_MONOTONIC, &t);
        return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static void put(struct board *b, const uint8_t *frame, size_t len)
{
        if (len > sizeof b->out - b->out_len)
                return;
        memcpy(b->out + b->out_len, frame, len);
        b->out_len += len;
}

static void say_hello(struct board *b, uint64_t now)
{
        struct pad_message m = { .type = PAD_HELLO,
                                 .u.hello = { PAD_RECORD_VERSION, 4, HZ, 1, "fake" } };
        uint8_t payload[PAD_PAYLOAD_MAX], frame[HILP_FRAME_MAX];

        put(b, frame, hilp_frame_encode(payload, pad_encode(&m, payload), frame));
        b->hello_us = now;
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

static void hear(struct board *b, uint64_t now)
{
        uint8_t bytes[64], payload[HILP_PAYLOAD_MAX];
        int n = link_read(b->link, bytes, sizeof bytes);

        for (int at = 0; at < n;) {
                struct pad_message m;
                size_t len;

                at += (int)hilp_receive(&b->receiver, bytes + at, (size_t)(n - at),
                                        payload, &len);
                if (len > 0 && pad_decode(&m, payload, len) && m.type == PAD_ASK) {
                        /* A zero ends what was cut off; what was not seen yet is past, too. */
                        pad_queue_clear(&b->queue);
                        if (b->told_us < now - LATE_US)
                                b->told_us = now - LATE_US;
                        b->out[0] = 0;
                        b->out_len = 1;
                        say_hello(b, now);
                }
        }
}

static void step(struct board *b)
{
        uint64_t now = now_us(), until = now - LATE_US;
        bool full;
        uint8_t frame[HILP_FRAME_MAX];
        int n;

        hear(b, now);
        if (now - b->hello_us > 1000000)
                say_hello(b, now);
        full = b->out_len > sizeof b->out / 2;
        if (until > b->told_us + STEP_US)
                until = b->told_us + STEP_US;
        for (; b->told_us < until && !full; b->told_us++)
                see(b, b->told_us);
        if (!full)
                put(b, frame,
                    pad_queue_take(&b->queue, b->told_us * (HZ / 1000000), frame));
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
        b.told_us = now_us();
        for (;;) {
                step(&b);
                nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
        }
}
