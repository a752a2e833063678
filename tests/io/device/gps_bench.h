/* A GPS receiver device on a bench: samples at any rate, a board that talks to it, and what came out of
 * it sorted into messages. */
#pragma once

#include <check.h>
#include <math.h>
#include <string.h>

#include "io/device/device.h"
#include "io/le.h"
#include "io/device/ublox/ubx.h"

#define MS 1000000LL
#define S  1000000000LL

#define MESSAGES_MAX 4096

/* 2023-11-14 22:13:20 UTC; GPS week 2288, 252,818 s into it. */
#define BENCH_UTC_S 1700000000LL

struct heard {
        int64_t t_ns;
        uint8_t cls, id; /* F0 and 0: a sentence */
        size_t len;
        uint8_t payload[UBX_PAYLOAD_MAX];
};

struct bench {
        struct device *device;
        int64_t t_ns;
        int64_t sample_every_ns; /* 0: none come */
        int64_t sample_age_ns;
        struct gps_sample sample;
        struct ubx_receiver in;
        uint64_t bytes;
        int count; /* of messages heard since bench_forget() */
        struct heard heard[MESSAGES_MAX];
};

static inline struct device *bench_device(const char *name, uint32_t baud)
{
        struct device_setup setup = { .period_ns = MS,
                                      .origin = { .utc_ns = BENCH_UTC_S * S },
                                      .baud = baud };

        if (strcmp(name, "nmea") == 0)
                return device_nmea_create(&setup);
        return strcmp(name, "ublox_m8") == 0 ? device_ublox_m8_create(&setup)
                                             : device_ublox_m10_create(&setup);
}

static inline void bench_begin(struct bench *b, const char *name, uint32_t baud)
{
        memset(b, 0, sizeof *b);
        b->device = bench_device(name, baud);
        ck_assert_ptr_nonnull(b->device);
        b->sample_every_ns = 100 * MS;
        b->sample_age_ns = 40 * MS;
        b->sample = (struct gps_sample){ .lat_rad = 47.3977 * M_PI / 180.0,
                                         .lon_rad = 8.5455 * M_PI / 180.0,
                                         .height_m = 488.25,
                                         .vel_ned_mps = { 3.0, -4.0, -1.5 },
                                         .h_acc_m = 0.9,
                                         .v_acc_m = 1.3,
                                         .s_acc_mps = 0.2,
                                         .satellites = 14,
                                         .fix = GPS_FIX_3D };
}

static inline void bench_end(struct bench *b)
{
        b->device->ops->destroy(b->device);
}

static inline void bench_forget(struct bench *b)
{
        b->count = 0;
        b->bytes = 0;
}

static inline void bench_sort(struct bench *b, const uint8_t *bytes, size_t len)
{
        size_t used = 0;
        struct ubx_found found;

        do {
                struct heard *h = &b->heard[b->count];

                used += ubx_receive(&b->in, bytes + used, len - used, &found);
                if (found.kind == UBX_NONE)
                        continue;
                ck_assert_int_lt(b->count, MESSAGES_MAX);
                *h = (struct heard){ .t_ns = b->t_ns, .len = found.len };
                h->cls = found.kind == UBX_FRAME ? found.cls : 0xF0;
                h->id = found.kind == UBX_FRAME ? found.id : 0;
                memcpy(h->payload, found.payload, found.len);
                b->count++;
        } while (used < len || found.kind != UBX_NONE);
}

/* One tick of a millisecond. */
static inline void bench_tick(struct bench *b)
{
        static const struct pilot_input input;
        static const struct fc_report report;
        static const struct motor_command command;
        struct sensor_frame frame = { .t_ns = b->t_ns };
        struct device_feed feed = { b->t_ns, &frame, &input, &report, &command };
        struct packets out = { 0 };

        if (b->sample_every_ns > 0 && b->t_ns > 0 && b->t_ns % b->sample_every_ns == 0) {
                frame.fresh = SENSOR_BIT(SENSOR_GPS);
                frame.gps = b->sample;
                frame.gps.t_ns = b->t_ns - b->sample_age_ns;
        }
        b->device->ops->feed(b->device, &feed, &out);
        for (int i = 0; i < out.count; i++) {
                ck_assert_uint_eq(out.packet[i].channel, 0);
                ck_assert(out.packet[i].len > 0 && out.packet[i].len <= PACKET_MAX);
                b->bytes += out.packet[i].len;
                bench_sort(b, out.packet[i].bytes, out.packet[i].len);
        }
        b->t_ns += MS;
}

static inline void bench_run(struct bench *b, int64_t for_ns)
{
        for (int64_t end_ns = b->t_ns + for_ns; b->t_ns < end_ns;)
                bench_tick(b);
}

static inline void bench_write(struct bench *b, const void *bytes, size_t len)
{
        struct packets out = { 0 };

        b->device->ops->take(b->device, bytes, len, &out);
        /* Whatever it says takes its time on the wire. */
        ck_assert_int_eq(out.count, 0);
}

static inline void bench_send(struct bench *b, uint8_t cls, uint8_t id,
                              const void *payload, size_t len)
{
        uint8_t frame[UBX_PAYLOAD_MAX + UBX_OVERHEAD];

        bench_write(b, frame, ubx_frame(frame, cls, id, payload, len));
}

static inline void bench_say(struct bench *b, const char *sentence)
{
        bench_write(b, sentence, strlen(sentence));
}

/* How many of one kind were heard. */
static inline int bench_count(const struct bench *b, uint8_t cls, uint8_t id)
{
        int n = 0;

        for (int i = 0; i < b->count; i++)
                n += b->heard[i].cls == cls && b->heard[i].id == id;
        return n;
}

/* The last one of a kind; NULL: none. */
static inline const struct heard *bench_last(const struct bench *b, uint8_t cls,
                                             uint8_t id)
{
        for (int i = b->count - 1; i >= 0; i--)
                if (b->heard[i].cls == cls && b->heard[i].id == id)
                        return &b->heard[i];
        return NULL;
}

/* Sends a command and returns what became of it: 1 acknowledged, 0 refused, -1 neither in half a
 * second. */
static inline int bench_ask(struct bench *b, uint8_t cls, uint8_t id, const void *payload,
                            size_t len)
{
        bench_forget(b);
        bench_send(b, cls, id, payload, len);
        for (int i = 0; i < 500; i++) {
                const struct heard *h;

                bench_tick(b);
                for (int done = 0; done < 2; done++) {
                        h = bench_last(b, 0x05, (uint8_t)done);
                        if (h != NULL && h->payload[0] == cls && h->payload[1] == id)
                                return done;
                }
        }
        return -1;
}
