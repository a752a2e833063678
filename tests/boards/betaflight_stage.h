/* The codec `betaflight` and what a SITL would say, on a clock of the test's own. What the firmware
 * says is written out here by hand, from its sources. */
#pragma once

#include <check.h>
#include <math.h>
#include <string.h>

#include "io/codec/codec.h"
#include "io/le.h"
#include "io/codec/msp.h"

#define MS 1000000LL

enum { SENSORS, STICKS, MOTORS, MSP, MOTORS_RAW };

static const struct codec_setup setup_4_5 = {
        .dialect = "4.5",
        .period_ns = 1 * MS,
        .origin = { .lat_rad = 0.8,
                    .lon_rad = 0.15,
                    .height_m = 488.0,
                    .north_m_per_rad = 6.36e6,
                    .east_m_per_rad = 4.44e6 },
        .sensor_period_ns = { 1 * MS, 100 * MS, 20 * MS, 10 * MS },
        .rotors = 4,
        .motor_order = { 0, 3, 1, 2 },
};

struct stage {
        struct codec *codec;
        struct fc_report report;
        struct packets out;
        int64_t t_ns;
        uint32_t number;
        struct pilot_input input;
        bool input_new;
        int count[5]; /* packets that went out, by channel */
        uint8_t sensors[144], sticks[40]; /* the newest */
        char text[128]; /* the newest words */

        /* The firmware */
        bool msp; /* has its port open */
        bool runs; /* its scheduler does */
        uint8_t loop_us; /* that its last control loop took; 0: it never ran */
        uint8_t version[3];
        const char *variant;
        uint32_t flags;
        int flags_count;
        bool armed;
        bool secretive; /* it answers nothing about its settings */
        uint8_t protocol, motors, mixer,
                arm_to; /* its settings; arm_to: of the range that arms */
        uint32_t features;
        float motor[4];
        int64_t fdm_ns; /* of the packet before; 0: none */
};

static inline void stage_begin(struct stage *s, const struct codec_setup *setup)
{
        memset(s, 0, sizeof *s);
        s->codec = codec_create("betaflight", setup);
        ck_assert_ptr_nonnull(s->codec);
        s->t_ns = 7000 * MS;
        s->msp = s->runs = true;
        s->variant = "BTFL";
        memcpy(s->version, (uint8_t[]){ 4, 5, 6 }, 3);
        s->flags_count = 26;
        s->loop_us = 125;
        s->motors = 4;
        s->mixer = 3;
        s->arm_to = 48;
        s->input.rc_us[0] = s->input.rc_us[1] = s->input.rc_us[3] = 1500;
        s->input.rc_us[2] = s->input.rc_us[4] = 1000;
}

static inline void stage_end(struct stage *s)
{
        s->codec->ops->destroy(s->codec);
}

static inline uint32_t to_rig(struct stage *s, int channel, const void *bytes, size_t len)
{
        const uint8_t *at = bytes;

        s->report.fresh = 0;
        while (len > 0) {
                size_t n = s->codec->ops->decode(s->codec, channel, s->t_ns, at, len,
                                                 &s->report);

                ck_assert_uint_gt(n, 0);
                ck_assert_uint_le(n, len);
                at += n;
                len -= n;
        }
        if (s->report.fresh & FC_TEXT)
                memcpy(s->text, s->report.text, sizeof s->text);
        return s->report.fresh;
}

static inline void reply(struct stage *s, uint16_t command, const void *payload,
                         size_t len)
{
        struct msp_frame m = { .version = MSP_V2,
                               .kind = MSP_REPLY,
                               .command = command,
                               .len = (uint16_t)len };
        uint8_t bytes[MSP_FRAME_MAX];

        memcpy(m.payload, payload, len);
        to_rig(s, MSP, bytes, msp_encode(&m, bytes));
}

/* MSP_STATUS_EX with no more mode bytes: 24 bytes, as 4.5.6 sends them. */
static inline void reply_status(struct stage *s)
{
        uint8_t p[24] = { [0] = s->loop_us, [4] = 0x23, [11] = 30, [13] = 4 };

        p[6] = (uint8_t)(s->armed | 2); /* ARM and ANGLE */
        p[16] = (uint8_t)s->flags_count;
        le_put_u32(p + 17, s->flags);
        reply(s, 150, p, sizeof p);
}

/* As 4.5.5 and 2026.12 answer them. */
static inline void answer_setting(struct stage *s, uint16_t command)
{
        uint8_t features[4], ranges[80] = { 0, 0, 32, s->arm_to, 1, 1, 16, 48 };
        uint8_t advanced[20] = { 1, 1, 1, s->protocol, 0xE0, 1, 0x26, 2 };
        uint8_t motor[10] = { 0x2E, 4, 0xD0, 7, 0xE8, 3, s->motors, 14 };

        le_put_u32(features, s->features);
        if (command == 34)
                reply(s, command, ranges, sizeof ranges);
        if (command == 36)
                reply(s, command, features, sizeof features);
        if (command == 42)
                reply(s, command, (uint8_t[]){ s->mixer, 0 }, 2);
        if (command == 90)
                reply(s, command, advanced, sizeof advanced);
        if (command == 131)
                reply(s, command, motor, sizeof motor);
}

static inline void answer_msp(struct stage *s, uint16_t command)
{
        static const uint8_t board[14] = "SITL\0\0\0\0\4SITL";
        static const uint8_t boxes[] = { 0, 1, 2, 6, 27, 7, 13, 19, 30 };

        if (command == 1)
                reply(s, command, "\0\1\56", 3);
        if (command == 2)
                reply(s, command, s->variant, 4);
        if (command == 3)
                reply(s, command, s->version, 3);
        if (command == 4)
                reply(s, command, board, 13);
        if (command == 119)
                reply(s, command, boxes, sizeof boxes);
        if (command == 150)
                reply_status(s);
        if (!s->secretive)
                answer_setting(s, command);
        if (command == 108) /* roll 20, nose up 10, heading 90 degrees */
                reply(s, command, "\xC8\x00\x9C\xFF\x5A\x00", 6);
}

static inline uint32_t motors_to_rig(struct stage *s, const float motor[4])
{
        uint8_t bytes[16];

        for (int i = 0; i < 4; i++)
                le_put_f32(bytes + 4 * i, motor[i]);
        return to_rig(s, MOTORS, bytes, sizeof bytes);
}

/* updateState(): after a gap it drops the sensors and sends its motors at once. */
static inline uint32_t answer_fdm(struct stage *s)
{
        bool gap = s->fdm_ns == 0 || s->t_ns - s->fdm_ns > 500 * MS;

        s->fdm_ns = s->t_ns;
        return gap || s->runs ? motors_to_rig(s, s->motor) : 0;
}

/* What went out, to the firmware, if there is one. Returns the news that came back with motors. */
static inline uint32_t deliver(struct stage *s, bool there)
{
        uint32_t news = 0;

        for (int i = 0; i < s->out.count; i++) {
                const struct packet *p = &s->out.packet[i];
                struct msp_frame m;
                enum msp_found found;

                s->count[p->channel]++;
                if (p->channel == SENSORS) {
                        ck_assert_uint_eq(p->len, sizeof s->sensors);
                        memcpy(s->sensors, p->bytes, p->len);
                        news |= there ? answer_fdm(s) : 0;
                } else if (p->channel == STICKS) {
                        ck_assert_uint_eq(p->len, sizeof s->sticks);
                        memcpy(s->sticks, p->bytes, p->len);
                } else {
                        ck_assert_int_eq(p->channel, MSP);
                        ck_assert_uint_eq(msp_find(p->bytes, p->len, &m, &found), p->len);
                        ck_assert_int_eq(found, MSP_FRAME);
                        if (there && s->msp)
                                answer_msp(s, m.command);
                }
        }
        return news;
}

static inline int rc_us(const struct stage *s, int channel)
{
        return le_get_u16(s->sticks + 8 + 2 * channel);
}

static inline double sent(const struct stage *s, int word)
{
        return le_get_f64(s->sensors + 8 * word);
}

/* A millisecond: what the codec says by itself, then a frame if it takes one. */
static inline uint32_t tick_of(struct stage *s, const struct sensor_frame *frame,
                               bool there)
{
        uint32_t news;

        s->t_ns += MS;
        s->codec->ops->poll(s->codec, s->t_ns, &s->out);
        news = deliver(s, there);
        if (s->codec->ops->frame_every(s->codec) == 0)
                return news;
        s->codec->ops->encode(s->codec, s->number++, s->t_ns, frame,
                              s->input_new ? &s->input : NULL, &s->out);
        s->input_new = false;
        return news | deliver(s, there);
}

static const struct sensor_frame at_rest = {
        .fresh = SENSOR_BIT(SENSOR_BARO),
        .imu = { .accel_body_mps2 = { 0.0, 0.0, -9.80665 } },
        .baro = { .pressure_pa = 101000.0 },
        .pose = { .q_body_to_ned = { 1.0, 0.0, 0.0, 0.0 } },
};

static inline void run_for(struct stage *s, int ms, bool there)
{
        for (int i = 0; i < ms; i++)
                tick_of(s, &at_rest, there);
}

/* Until it takes frames. */
static inline void stage_ready(struct stage *s, const struct codec_setup *setup)
{
        stage_begin(s, setup);
        for (int i = 0; i < 8000 && s->codec->ops->frame_every(s->codec) == 0; i++)
                tick_of(s, &at_rest, true);
        ck_assert_int_eq(s->codec->ops->frame_every(s->codec), 1);
        ck_assert_str_eq(s->codec->ops->complaint(s->codec), "");
}

static inline void ask_mode(struct stage *s, enum flight_mode mode)
{
        s->input.setpoint.mode = mode;
        s->input.rc_us[4] = mode == MODE_DISARMED ? 1000 : 1800;
        s->input_new = true;
}
