/* A virtual flight controller between a stimulus and its answer. */
#pragma once

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/latency/response.h"
#include "io/codec/codec.h"
#include "tests/boards/virtual_fc.h"
#include "tests/suites.h"

#define PERIOD_NS 1000000
#define PERIOD_S  1e-3
#define GYRO_LSB  (0.01745329251994330 / 16.4) /* MPU-6000 at 2000 deg/s: 16.4 per deg/s */

/* A maximum-length sequence by a shift register of our own: +-1. */
struct chips {
        unsigned state;
        int bits, tap; /* x^bits + x^tap + 1 is primitive */
};

static inline double next_chip(struct chips *c)
{
        unsigned bit = (c->state >> (c->bits - 1) ^ c->state >> (c->tap - 1)) & 1U;

        c->state = (c->state << 1 | bit) & ((1U << c->bits) - 1U);
        return bit ? 1.0 : -1.0;
}

/* Sum of 12 uniform numbers, less 6: near enough to a normal one. */
static inline double noise(uint64_t *state)
{
        double sum = -6.0;

        for (int i = 0; i < 12; i++) {
                *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
                sum += (double)(*state >> 11) * 0x1p-53;
        }
        return sum;
}

struct bench {
        struct wave r, u, y;
        struct response response;
        struct codec *rig;
        struct fc_report heard;
        struct virtual_fc fc;
};

static inline void bench_end(struct bench *b)
{
        wave_free(&b->r);
        wave_free(&b->u);
        wave_free(&b->y);
        response_free(&b->response);
        if (b->rig != NULL)
                b->rig->ops->destroy(b->rig);
}

static inline void to_rig(struct bench *b, const uint8_t *bytes, size_t len)
{
        while (len > 0) {
                size_t n = b->rig->ops->decode(b->rig, 0, 0, bytes, len, &b->heard);

                bytes += n;
                len -= n;
        }
}

static inline void deliver(struct bench *b, struct packets *out)
{
        static uint8_t back[64 * HILP_FRAME_MAX];

        for (int i = 0; i < out->count; i++)
                to_rig(b, back,
                       virtual_fc_receive(&b->fc, out->packet[i].bytes,
                                          out->packet[i].len, 0, back, sizeof back));
        out->count = 0;
}

static inline void bench_begin(struct bench *b, int64_t delay_ns, double corner_hz)
{
        static const struct codec_setup setup = {
                .lockstep = true,
                .period_ns = PERIOD_NS,
                .sensor_period_ns = { [SENSOR_IMU] = PERIOD_NS },
                .sensor_lsb = { 4.79e-3 },
                .gyro_lsb_radps = GYRO_LSB,
                .rotors = 4,
                .motor_order = { 0, 1, 2, 3 },
        };
        struct packets out = { .count = 0 };

        memset(b, 0, sizeof *b);
        virtual_fc_init(&b->fc, delay_ns, corner_hz);
        b->rig = codec_create("hilp", &setup);
        ck_assert_ptr_nonnull(b->rig);
        b->rig->ops->poll(b->rig, 0, &out);
        deliver(b, &out);
        b->rig->ops->poll(b->rig, 0, &out);
        deliver(b, &out);
        ck_assert_int_gt(b->rig->ops->frame_every(b->rig), 0);
}

/* One tick through both ends of the protocol; the answer acts from this tick on. */
static inline void bench_tick(struct bench *b, uint32_t number, double r, double gyro)
{
        struct sensor_frame frame = { .t_ns = (int64_t)number * PERIOD_NS,
                                      .fresh = SENSOR_BIT(SENSOR_IMU) };
        double t_s = number * PERIOD_S;
        const double *duty = b->heard.motors.duty;
        struct packets out = { .count = 0 };

        gyro = GYRO_LSB * round(gyro / GYRO_LSB);
        frame.imu.t_ns = frame.t_ns;
        frame.imu.gyro_body_radps.x = gyro;
        b->rig->ops->encode(b->rig, number, 0, &frame, NULL, &out);
        deliver(b, &out);
        ck_assert(wave_add(&b->r, t_s, r) && wave_add(&b->u, t_s, gyro) &&
                  wave_add(&b->y, t_s, duty[3] - duty[1]));
}
