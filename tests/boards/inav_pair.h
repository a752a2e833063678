/* The codec and a board, joined in memory. */
#pragma once

#include <check.h>

#include "tests/boards/inav_board.h"

struct pair {
        struct codec *rig;
        struct inav_board board;
        struct packets out;
        struct fc_report report;
        uint32_t news; /* of the last exchange */
        int64_t t_ns;
        uint32_t number; /* of the next frame */
        struct sensor_frame frame;
        char text[128]; /* the last that came */
        int most_out; /* bytes that the board had not answered yet, at most so many requests */
};

static const struct codec_setup setup_quad = {
        .period_ns = 1 * MS,
        .sensor_period_ns = { 1 * MS, 100 * MS, 20 * MS, 10 * MS, 50 * MS, 0, 100 * MS },
        .sonars = 1,
        .rotors = 4,
        .motor_order = { 1, 0, 2, 3 },
};

static inline void pair_exchange(struct pair *p)
{
        uint8_t back[8 * MSP_FRAME_MAX];
        size_t len = 0, used = 0;

        for (int i = 0; i < p->out.count; i++)
                len += board_take(&p->board, p->out.packet[i].bytes, p->out.packet[i].len,
                                  back + len);
        p->out.count = 0;
        while (used < len) {
                size_t n;

                p->report.fresh = 0;
                n = p->rig->ops->decode(p->rig, 0, p->t_ns, back + used, len - used,
                                        &p->report);
                ck_assert_uint_gt(n, 0);
                used += n;
                p->news |= p->report.fresh;
                if (p->report.fresh & FC_TEXT)
                        memcpy(p->text, p->report.text, sizeof p->text);
        }
}

/* A millisecond of the rig: a frame when it is due, and a poll. */
static inline void pair_tick(struct pair *p, const struct pilot_input *input)
{
        int every = p->rig->ops->frame_every(p->rig);

        p->t_ns += MS;
        p->frame.t_ns += MS;
        p->news = 0;
        if (every > 0 && p->t_ns / MS % every == 0) {
                p->rig->ops->encode(p->rig, p->number, p->t_ns, &p->frame, input,
                                    &p->out);
                p->number += p->out.count > 0;
                pair_exchange(p);
        } else if (input != NULL) {
                struct packets none = { 0 };

                /* As the rig does it: with the next frame. */
                p->rig->ops->encode(p->rig, p->number, p->t_ns, &p->frame, input, &none);
                p->out = none;
                p->number += none.count > 0;
                pair_exchange(p);
        }
        p->rig->ops->poll(p->rig, p->t_ns + MS * 9 / 10, &p->out);
        pair_exchange(p);
}

static inline void pair_ticks(struct pair *p, int ticks)
{
        for (int n = 0; n < ticks; n++)
                pair_tick(p, NULL);
}

static inline void pair_begin(struct pair *p, const struct codec_setup *setup)
{
        memset(p, 0, sizeof *p);
        p->rig = codec_create("inav", setup);
        ck_assert_ptr_nonnull(p->rig);
        p->t_ns = 5000 * MS;
        board_begin(&p->board);
        if (setup->dialect != NULL && strcmp(setup->dialect, "v2") == 0)
                p->board.receiver = 2;
}

/* Past the greeting. */
static inline void pair_ready(struct pair *p, const struct codec_setup *setup)
{
        pair_begin(p, setup);
        for (int n = 0; n < 100 && p->rig->ops->frame_every(p->rig) == 0; n++)
                pair_tick(p, NULL);
        ck_assert_int_eq(p->rig->ops->frame_every(p->rig), 4);
}

static inline void pair_end(struct pair *p)
{
        p->rig->ops->destroy(p->rig);
}

static inline int16_t body_i16(const struct pair *p, int at)
{
        return (int16_t)le_get_u16(p->board.body + at);
}

static inline int32_t body_i32(const struct pair *p, int at)
{
        return (int32_t)le_get_u32(p->board.body + at);
}
