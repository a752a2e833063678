/* How many exchanges a second the INAV codec makes with the firmware behind a link, beside a bare
 * ping-pong of the same firmware over the same link, in turns of a second:
 *
 *   inav_rate tcp:127.0.0.1:5760 [seconds]
 *
 * The codec's time is made up, so that it never waits: frame, answer, motors, answer. One JSON line. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/codec/codec.h"
#include "io/link/link.h"
#include "io/codec/msp.h"

#define NS_PER_S 1000000000LL

struct rate {
        struct link *link;
        struct codec *codec;
        struct msp_stream stream;
        struct fc_report report;
        int64_t t_ns; /* the codec's */
        uint32_t number;
        uint64_t bare, frames, motors;
        int64_t bare_ns, codec_ns, cpu_ns;
};

static int64_t now_ns(clockid_t clock)
{
        struct timespec t;

        clock_gettime(clock, &t);
        return t.tv_sec * NS_PER_S + t.tv_nsec;
}

static int hear(struct rate *r, uint8_t *bytes, size_t cap)
{
        struct pollfd fd = { .fd = r->link->fd, .events = POLLIN };

        if (poll(&fd, 1, 1000) <= 0)
                return 0;
        return link_read(r->link, bytes, cap);
}

static bool bare_exchange(struct rate *r)
{
        uint8_t bytes[2048];
        bool got = false;

        link_write(r->link, bytes, msp_request(104, NULL, 0, bytes));
        while (!got) {
                struct msp_frame m;
                int n = hear(r, bytes, sizeof bytes);

                if (n <= 0)
                        return false;
                msp_stream_take(&r->stream, bytes, (size_t)n, &m, &got);
        }
        r->bare++;
        return true;
}

/* Until the codec has taken an answer to what it said. */
static bool codec_exchange(struct rate *r, const struct packets *out)
{
        uint64_t before = r->codec->counts.frames_decoded;
        uint8_t bytes[2048];

        for (int i = 0; i < out->count; i++)
                link_write(r->link, out->packet[i].bytes, out->packet[i].len);
        while (out->count > 0 && r->codec->counts.frames_decoded == before) {
                int n = hear(r, bytes, sizeof bytes), used = 0;

                if (n <= 0)
                        return false;
                while (used < n) {
                        used += (int)r->codec->ops->decode(
                                r->codec, 0, r->t_ns, bytes + used, (size_t)(n - used),
                                &r->report);
                        r->motors += (r->report.fresh & FC_MOTORS) != 0U;
                        r->report.fresh = 0;
                }
        }
        return true;
}

static bool codec_turn(struct rate *r)
{
        struct sensor_frame frame = { .t_ns = r->t_ns, .fresh = 1 };
        struct packets out = { 0 };

        frame.imu.accel_body_mps2.z = -9.80665;
        frame.baro.pressure_pa = 100720.0;
        if (r->codec->ops->frame_every(r->codec) > 0) {
                r->codec->ops->encode(r->codec, r->number, r->t_ns, &frame, NULL, &out);
                r->number += out.count > 0;
                r->frames += out.count > 0;
                if (!codec_exchange(r, &out))
                        return false;
        }
        r->t_ns += 3000000;
        out.count = 0;
        r->codec->ops->poll(r->codec, r->t_ns, &out);
        return codec_exchange(r, &out);
}

static bool turns(struct rate *r, int seconds)
{
        for (int turn = 0; turn < seconds; turn++) {
                int64_t begin_ns = now_ns(CLOCK_MONOTONIC), cpu_ns;

                while (now_ns(CLOCK_MONOTONIC) - begin_ns < NS_PER_S / 2)
                        if (!bare_exchange(r))
                                return false;
                r->bare_ns += now_ns(CLOCK_MONOTONIC) - begin_ns;
                begin_ns = now_ns(CLOCK_MONOTONIC);
                cpu_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID);
                while (now_ns(CLOCK_MONOTONIC) - begin_ns < NS_PER_S / 2)
                        if (!codec_turn(r))
                                return false;
                r->codec_ns += now_ns(CLOCK_MONOTONIC) - begin_ns;
                r->cpu_ns += now_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns;
        }
        return true;
}

static void print(const struct rate *r)
{
        uint64_t exchanges = r->frames + r->motors;
        double bare = (double)r->bare * 1e9 / (double)r->bare_ns;
        double ours = (double)exchanges * 1e9 / (double)r->codec_ns;

        printf("{\"bench\": \"inav\", \"bare_per_s\": %.0f, \"codec_per_s\": %.0f, "
               "\"ratio\": %.3f, \"frames_per_s\": %.0f, \"cpu_us_per_exchange\": "
               "%.2f}\n",
               bare, ours, ours / bare, (double)r->frames * 1e9 / (double)r->codec_ns,
               (double)r->cpu_ns * 1e-3 / (double)exchanges);
}

int main(int argc, char **argv)
{
        struct codec_setup setup = { .period_ns = 1000000,
                                     .sensor_period_ns = { 1000000 },
                                     .rotors = 4,
                                     .motor_order = { 1, 0, 2, 3 } };
        struct rate r = { .t_ns = NS_PER_S };
        struct packets out = { 0 };
        struct link_error why;
        struct link_spec spec;
        bool done;

        if (argc < 2 || !link_spec_parse(&spec, argv[1], &why) ||
            (r.link = link_open(&spec, &why)) == NULL) {
                fprintf(stderr, "inav_rate: %s\n",
                        argc < 2 ? "LINK is missing" : why.text);
                return 2;
        }
        r.codec = codec_create("inav", &setup);
        done = turns(&r, argc > 2 ? atoi(argv[2]) : 10);
        r.codec->ops->goodbye(r.codec, &out);
        codec_exchange(&r, &out);
        if (done)
                print(&r);
        r.codec->ops->destroy(r.codec);
        link_close(r.link);
        return done ? 0 : 1;
}
