/* The rig's codec and the board's side of HILP, joined in memory, for the tests of both. */
#pragma once

#include <check.h>
#include <math.h>
#include <string.h>

#include "io/codec/codec.h"
#include "io/codec/hilp/hilp_board.h"

#define MS 1000000LL

static const struct codec_setup setup_plain = {
        .period_ns = 1 * MS,
        .sensor_period_ns = { 1 * MS, 100 * MS, 20 * MS, 10 * MS, 50 * MS, 0, 40 * MS },
        .sensor_lsb = { 4.79e-3, 0.0, 0.01, 1.5e-7, 0.0 },
        .gyro_lsb_radps = 1.064e-3,
        .sonars = 5,
        .rotors = 4,
        .motor_order = { 1, 3, 0, 2 },
};

/* Both ends, and what each heard last. */
struct pair {
        struct codec *rig;
        struct hilp_board board;
        struct packets out;
        struct fc_report report;
        int64_t t_ns;
        int hellos, inputs, goodbyes;
        int frames; /* that the board answered */
        struct sensor_frame seen;
        struct pilot_input input;
        struct motor_command duty;
        /* Options: those that it was told, the last of them, and what it makes of them. */
        int options;
        struct hilp_option option;
        bool deaf, refuses;
};

static inline void pair_begin(struct pair *p, const struct codec_setup *setup, int rotors)
{
        memset(p, 0, sizeof *p);
        p->rig = codec_create("hilp", setup);
        ck_assert_ptr_nonnull(p->rig);
        p->t_ns = 5000 * MS;
        hilp_board_init(&p->board, "test board", rotors, 1, 77);
        for (int i = 0; i < ROTORS_MAX; i++)
                p->duty.duty[i] = (i + 1) / 16.0;
}

static inline void pair_end(struct pair *p)
{
        p->rig->ops->destroy(p->rig);
}

/* Bytes to the rig; returns all the news that were in them. */
static inline uint32_t to_rig(struct pair *p, const uint8_t *bytes, size_t len)
{
        size_t used = 0;

        p->report.fresh = 0;
        while (used < len) {
                size_t n = p->rig->ops->decode(p->rig, 0, p->t_ns, bytes + used,
                                               len - used, &p->report);

                ck_assert_uint_gt(n, 0);
                used += n;
        }
        return p->report.fresh;
}

static inline uint32_t message_to_rig(struct pair *p, struct hilp_message *m)
{
        uint8_t frame[HILP_FRAME_MAX];
        size_t len;

        m->sequence = p->board.sequence++;
        len = hilp_write(m, frame);
        ck_assert_uint_gt(len, 0);
        return to_rig(p, frame, len);
}

/* One piece of news at the board; its answer goes to `back`. */
static inline void board_takes(struct pair *p, const struct hilp_board_news *news,
                               uint8_t *back, size_t *len)
{
        memcpy(back + *len, news->out, news->out_len);
        *len += news->out_len;
        p->hellos += news->event == HILP_BOARD_HELLO;
        p->goodbyes += news->event == HILP_BOARD_GOODBYE;
        if (news->event == HILP_BOARD_INPUT) {
                p->input = news->input;
                p->inputs++;
        }
        if (news->event == HILP_BOARD_OPTION && !p->deaf) {
                p->option = news->option;
                p->options++;
                *len += hilp_board_option_ack(&p->board, news->option.key, !p->refuses,
                                              back + *len);
        }
        if (news->event == HILP_BOARD_SENSORS) {
                p->seen = news->sensors;
                p->frames++;
                *len += hilp_board_motors(&p->board, &p->duty, p->board.self.rotors, true,
                                          false, MODE_GOTO, back + *len);
        }
}

/* Everything in the outbox to the board, its answers to the rig. Returns the rig's news. */
static inline uint32_t exchange(struct pair *p)
{
        uint8_t back[4096];
        size_t len = 0;

        for (int i = 0; i < p->out.count; i++) {
                const struct packet *packet = &p->out.packet[i];
                size_t used = 0;

                ck_assert_uint_eq(packet->channel, 0);
                while (used < packet->len) {
                        struct hilp_board_news news;

                        used += hilp_board_receive(&p->board, packet->bytes + used,
                                                   packet->len - used,
                                                   (uint64_t)p->t_ns / 1000, &news);
                        board_takes(p, &news, back, &len);
                }
        }
        p->out.count = 0;
        return to_rig(p, back, len);
}

static inline uint32_t poll_once(struct pair *p)
{
        p->rig->ops->poll(p->rig, p->t_ns, &p->out);
        return exchange(p);
}

static inline uint32_t tick(struct pair *p, uint32_t number,
                            const struct pilot_input *input)
{
        struct sensor_frame frame = { .t_ns = number * MS,
                                      .fresh = SENSOR_BIT(SENSOR_IMU) };

        frame.imu.t_ns = frame.t_ns - 200000;
        frame.imu.accel_body_mps2.z = -2047 * 4.79e-3;
        p->rig->ops->encode(p->rig, number, 0, &frame, input, &p->out);
        return exchange(p);
}

/* Past the hello. */
static inline void pair_ready(struct pair *p, const struct codec_setup *setup)
{
        pair_begin(p, setup, 4);
        ck_assert_uint_eq(poll_once(p), FC_HELLO);
        ck_assert_int_eq(p->rig->ops->frame_every(p->rig), 1);
}
