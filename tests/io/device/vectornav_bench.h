/* A VectorNav unit on a bench: lines to it, and what it says sorted into lines and binary packets. Checksums are computed
 * here a second time, from the maker's description. */
#pragma once

#include <stdio.h>

#include "tests/io/device/device_bench.h"

#define TICK_NS (MS + MS / 4) /* 800 Hz */

struct vectornav_bench {
        struct device_bench b;
        bool silent; /* no IMU sample comes */
        int lines, packets, wrong;
        char line[300]; /* the last, with its end */
        uint8_t packet[300]; /* the last */
        size_t len;
        int of_size[300]; /* packets of each size */
};

/* As PX4's driver has it, a byte at a time; the other side has it bit by bit. */
static inline uint16_t bench_crc(const uint8_t *bytes, size_t len)
{
        uint16_t crc = 0;

        for (size_t i = 0; i < len; i++) {
                crc = (uint16_t)((crc >> 8) | (crc << 8));
                crc = (uint16_t)(crc ^ bytes[i]);
                crc = (uint16_t)(crc ^ (crc & 0xff) >> 4);
                crc = (uint16_t)(crc ^ crc << 12);
                crc = (uint16_t)(crc ^ (crc & 0xff) << 5);
        }
        return crc;
}

static inline void bench_sort(struct vectornav_bench *v, const struct packet *p)
{
        if (p->bytes[0] == 0xFA) {
                v->packets++;
                v->wrong += bench_crc(p->bytes + 1, p->len - 1U) != 0;
                ck_assert_uint_lt(p->len, sizeof v->packet);
                memcpy(v->packet, p->bytes, p->len);
                v->len = p->len;
                v->of_size[p->len]++;
                return;
        }
        ck_assert_uint_eq(p->bytes[0], '$');
        ck_assert_uint_lt(p->len, sizeof v->line);
        v->lines++;
        memcpy(v->line, p->bytes, p->len);
        v->line[p->len] = '\0';
}

/* Ticks of 1.25 ms, an IMU sample in each. */
static inline void bench_fly(struct vectornav_bench *v, int ticks)
{
        struct device_bench *b = &v->b;

        for (int i = 0; i < ticks; i++) {
                int count = b->count;

                if (!v->silent)
                        b->frame.fresh |= SENSOR_BIT(SENSOR_IMU);
                if (!v->silent)
                        b->frame.imu.t_ns = b->t_ns;
                bench_tick(b);
                b->t_ns += TICK_NS - MS;
                for (; count < b->count; count++)
                        bench_sort(v, &b->said[count].packet);
                bench_forget(b);
        }
}

static inline void bench_start(struct vectornav_bench *v, const char *name, uint32_t baud)
{
        const struct device_setup setup = { .period_ns = TICK_NS,
                                            .origin = { .utc_ns = 1700000000 * S,
                                                        .north_m_per_rad = 6.37e6,
                                                        .east_m_per_rad = 4.33e6 },
                                            .baud = baud };

        memset(v, 0, sizeof *v);
        bench_begin(&v->b, name, &setup);
        v->b.frame.imu.accel_body_mps2.z = -9.80665;
        bench_fly(v, 10);
}

static inline void bench_bytes(struct vectornav_bench *v, const void *bytes, size_t len)
{
        struct packets out = { 0 };

        v->b.device->ops->take(v->b.device, bytes, len, &out);
        ck_assert_int_eq(out.count, 0);
}

/* Says a line and returns the answer; "": there was none within 10 ms. */
static inline const char *bench_ask(struct vectornav_bench *v, const char *line)
{
        v->lines = 0;
        v->line[0] = '\0';
        bench_bytes(v, line, strlen(line));
        bench_fly(v, 8);
        ck_assert_int_le(v->lines, 1);
        return v->line;
}

/* The same of a body without checksum. */
static inline const char *bench_command(struct vectornav_bench *v, const char *body)
{
        char line[300];
        uint8_t sum = 0;

        for (const char *c = body; *c != '\0'; c++)
                sum = (uint8_t)(sum ^ *c);
        snprintf(line, sizeof line, "$%s*%02X\r\n", body, sum);
        return bench_ask(v, line);
}

/* Forgets packets and flies for so many ticks. */
static inline void bench_count(struct vectornav_bench *v, int ticks)
{
        v->packets = v->wrong = 0;
        memset(v->of_size, 0, sizeof v->of_size);
        bench_fly(v, ticks);
}
