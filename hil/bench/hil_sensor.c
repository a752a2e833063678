/* PX4's HIL_SENSOR a thousand times a second over a serial line of 921,600 baud, in simulated time: what
 * else goes to the board goes too, and every byte takes its time. Counts at the other end what came. */
#include <stdlib.h>
#include <string.h>

#include "hil/bench/bench.h"
#include "hil/time/clock.h"
#include "io/codec/codec.h"
#include "io/link/link_paced.h"
#include "io/codec/mavlink_messages.h"

#define BAUD    921600
#define QUEUE   4096 /* the usual transmit queue of a serial port */
#define SECONDS 1000

static const struct codec_setup setup = {
        .dialect = "board",
        .period_ns = NS_PER_MS,
        .sensor_period_ns = { [SENSOR_IMU] = NS_PER_MS,
                              [SENSOR_GPS] = 100 * NS_PER_MS,
                              [SENSOR_BARO] = 20 * NS_PER_MS,
                              [SENSOR_MAG] = 20 * NS_PER_MS },
        .origin = { .north_m_per_rad = 6.4e6, .east_m_per_rad = 4.5e6 },
        .rotors = 4,
        .motor_order = { 0, 1, 2, 3 },
};

struct line {
        struct codec *codec;
        struct link *near, *far;
        struct mavlink_stream stream;
        uint64_t sent, refused, bytes; /* HIL_SENSOR frames; bytes of everything */
        uint64_t came, out_of_order;
        uint64_t last_us;
        size_t longest; /* most bytes that ever waited */
};

/* A board that says what it is once a second, and where its motors stand. */
static void write_motors(struct line *n, int64_t tick)
{
        static const struct mavlink_heartbeat heartbeat = { .type = 2,
                                                            .autopilot = 12,
                                                            .base_mode = 0x20,
                                                            .system_status = 3,
                                                            .mavlink_version = 3 };
        struct mavlink_sender board = { .version = 2, .system = 1, .component = 1 };
        uint8_t bytes[MAVLINK_FRAME_MAX];
        struct fc_report report = { 0 };
        size_t len;

        if (tick % 1000 != 0)
                return;
        len = mavlink_send(&board, MAVLINK_HEARTBEAT, &heartbeat, bytes);
        for (size_t at = 0; at < len;) {
                report.fresh = 0;
                at += n->codec->ops->decode(n->codec, 0, tick * NS_PER_MS, bytes + at,
                                            len - at, &report);
        }
}

static void give(struct line *n, const struct packets *out, bool frame)
{
        size_t whole = 0;

        for (int i = 0; i < out->count; i++)
                whole += out->packet[i].len;
        /* As the rig does it: all of a tick's bytes, or none. */
        if (link_paced_waiting(n->near) + whole > QUEUE) {
                n->refused += frame;
                return;
        }
        for (int i = 0; i < out->count; i++) {
                const struct packet *p = &out->packet[i];

                n->bytes += p->len;
                link_write(n->near, p->bytes, p->len);
        }
        n->sent += frame && out->count > 0;
}

static void take_frames(struct line *n)
{
        uint8_t bytes[2048];
        int len;

        while ((len = link_read(n->far, bytes, sizeof bytes)) > 0) {
                for (size_t at = 0; at < (size_t)len;) {
                        struct mavlink_frame frame;
                        struct mavlink_hil_sensor s;
                        bool got;

                        at += mavlink_stream_take(&n->stream, bytes + at,
                                                  (size_t)len - at, &frame, &got);
                        if (!got || frame.id != MAVLINK_HIL_SENSOR ||
                            !mavlink_unpack(&frame,
                                            mavlink_message_find(MAVLINK_HIL_SENSOR), &s))
                                continue;
                        n->came++;
                        n->out_of_order += s.time_usec <= n->last_us;
                        n->last_us = s.time_usec;
                }
        }
}

static void tick(struct line *n, int64_t number)
{
        int64_t t_ns = number * NS_PER_MS;
        struct sensor_frame frame = { .t_ns = t_ns, .fresh = SENSOR_BIT(SENSOR_IMU) };
        struct packets out;

        frame.imu.t_ns = frame.gps.t_ns = frame.baro.t_ns = frame.mag.t_ns = t_ns;
        frame.imu.accel_body_mps2.z = -9.8;
        frame.baro.pressure_pa = 97000.0;
        frame.baro.temperature_k = 288.0;
        frame.gps.satellites = 12;
        frame.gps.fix = GPS_FIX_3D;
        if (number % 20 == 0)
                frame.fresh |= SENSOR_BIT(SENSOR_BARO) | SENSOR_BIT(SENSOR_MAG);
        if (number % 100 == 0)
                frame.fresh |= SENSOR_BIT(SENSOR_GPS);
        write_motors(n, number);
        out.count = 0;
        n->codec->ops->poll(n->codec, t_ns, &out);
        give(n, &out, false);
        out.count = 0;
        if (n->codec->ops->frame_every(n->codec) > 0)
                n->codec->ops->encode(n->codec, (uint32_t)n->sent, t_ns, &frame, NULL,
                                      &out);
        give(n, &out, true);
        if (link_paced_waiting(n->near) > n->longest)
                n->longest = link_paced_waiting(n->near);
        link_paced_pass(n->near, t_ns + NS_PER_MS);
        take_frames(n);
}

static bool line_open(struct line *n)
{
        struct link *a;

        *n = (struct line){ .codec = codec_create("px4", &setup) };
        if (n->codec == NULL || !link_pair_open(&a, &n->far, 1 << 16))
                return false;
        n->near = link_paced_open(a, BAUD, QUEUE);
        return n->near != NULL;
}

int bench_hil_sensor(FILE *out)
{
        struct line n;
        int64_t ticks = 1000 * SECONDS + 1000, begin_ns = clock_now_ns();

        if (!line_open(&n)) {
                fprintf(stderr, "hilrig bench: hil_sensor: out of memory\n");
                return -1;
        }
        for (int64_t i = 1; i <= ticks; i++)
                tick(&n, i);
        link_paced_pass(n.near, (ticks + 100) * NS_PER_MS);
        take_frames(&n);
        fprintf(out,
                "{\"bench\": \"hil_sensor\", \"baud\": %d, \"frames_sent\": %llu, "
                "\"frames_received\": %llu, \"refused\": %llu, \"out_of_order\": %llu, "
                "\"bad\": %llu, \"frames_per_simulated_s\": %.1f, "
                "\"line_used_percent\": %.1f, \"longest_queue_bytes\": %zu, "
                "\"frames_per_s\": %.0f}\n",
                BAUD, (unsigned long long)n.sent, (unsigned long long)n.came,
                (unsigned long long)n.refused, (unsigned long long)n.out_of_order,
                (unsigned long long)(n.stream.bad_crc + n.stream.noise_bytes),
                (double)n.came / ((double)ticks * 1e-3),
                (double)n.bytes * 10.0 / BAUD / ((double)ticks * 1e-3) * 100.0, n.longest,
                (double)n.came * 1e9 / (double)(clock_now_ns() - begin_ns));
        link_close(n.near);
        link_close(n.far);
        n.codec->ops->destroy(n.codec);
        return 0;
}
