/* A device that only talks, on a bench: samples and sticks at will, and everything it said. */
#pragma once

#include <math.h>
#include <string.h>

#include "io/device/device.h"
#include "io/le.h"
#include "models/sensors/unit_attitude.h"
#include "tests/suites.h"

#define MS 1000000LL
#define S  1000000000LL

#define PACKETS_MAX 4096

struct said {
        int64_t t_ns;
        struct packet packet;
};

struct device_bench {
        struct device *device;
        int64_t t_ns;
        int64_t sonar_every_ns; /* 0: no sample comes */
        struct sensor_frame frame;
        struct unit_attitude attitude;
        struct pilot_input input;
        double rotor_radps[ROTORS_MAX];
        int count;
        struct said said[PACKETS_MAX];
        size_t len; /* all of it in a row */
        uint8_t bytes[65536];
};

static inline void bench_begin(struct device_bench *b, const char *name,
                               const struct device_setup *setup)
{
        memset(b, 0, sizeof *b);
        b->device = device_create(name, setup);
        ck_assert_ptr_nonnull(b->device);
        ck_assert_str_eq(b->device->ops->name, name);
}

static inline void bench_end(struct device_bench *b)
{
        b->device->ops->destroy(b->device);
}

static inline void bench_forget(struct device_bench *b)
{
        b->count = 0;
        b->len = 0;
}

/* A tick of a millisecond, with what is fresh in b->frame. */
static inline void bench_tick(struct device_bench *b)
{
        static const struct fc_report report;
        static const struct motor_command command;
        struct device_feed feed = { b->t_ns, &b->frame, &b->input,
                                    &report, &command,  b->rotor_radps };
        struct packets out = { 0 };

        if (b->sonar_every_ns > 0 && b->t_ns % b->sonar_every_ns == 0) {
                b->frame.fresh |= SENSOR_BIT(SENSOR_SONAR);
                b->frame.fresh_sonars |= 1;
        }
        b->frame.t_ns = b->t_ns;
        unit_attitude_step(&b->attitude, &b->frame);
        feed.attitude = b->attitude.set ? &b->attitude.q_body_to_ned : NULL;
        b->device->ops->feed(b->device, &feed, &out);
        b->frame.fresh = b->frame.fresh_sonars = 0;
        for (int i = 0; i < out.count; i++) {
                const struct packet *p = &out.packet[i];

                ck_assert_uint_eq(p->channel, 0);
                ck_assert_int_lt(b->count, PACKETS_MAX);
                ck_assert_uint_le(b->len + p->len, sizeof b->bytes);
                b->said[b->count++] = (struct said){ b->t_ns, *p };
                memcpy(b->bytes + b->len, p->bytes, p->len);
                b->len += p->len;
        }
        b->t_ns += MS;
}

static inline void bench_run(struct device_bench *b, int64_t for_ns)
{
        for (int64_t end_ns = b->t_ns + for_ns; b->t_ns < end_ns;)
                bench_tick(b);
}

static inline void bench_sticks(struct device_bench *b)
{
        for (int i = 0; i < RC_CHANNELS_MAX; i++)
                b->input.rc_us[i] = (uint16_t)(1050 + 50 * i);
}
