/* A wire between a flight controller that is a wave and a pad that reads it, for the tests of the
 * motor decoders. */
#pragma once

#include <string.h>

#include "io/motor/pad.h"
#include "io/motor/value.h"
#include "io/motor/wave.h"
#include "tests/io/codec/hilp/hilp_random.h"

#define STAGE_WORDS 64

struct stage {
        struct motor_wave_params wave;
        struct motor_pad pad;
        struct dice dice;
        double now_s;
        bool jitter;
        struct motor_word word[STAGE_WORDS]; /* of the last transmission */
        size_t words;
};

static inline void stage_init(struct stage *s, enum motor_protocol protocol,
                              bool inverted, double tick_hz)
{
        const struct motor_pad_params p = { .tick_hz = tick_hz };

        memset(s, 0, sizeof *s);
        s->wave.protocol = protocol;
        s->wave.inverted = inverted;
        s->wave.tick_hz = tick_hz;
        s->dice.state = 1;
        s->now_s = 1e-3;
        motor_pad_init(&s->pad, &p, 0);
        motor_pad_quiet(&s->pad, 0, s->word);
}

/* Even, from -1 to 1. */
static inline double stage_even(struct stage *s)
{
        return (double)(int64_t)dice_roll(&s->dice) * 0x1p-63;
}

static inline const double *stage_jitter(struct stage *s, double *jitter)
{
        for (int i = 0; i < MOTOR_WAVE_EDGES; i++)
                jitter[i] = stage_even(s);
        return s->jitter ? jitter : NULL;
}

static inline void stage_quiet(struct stage *s, double for_s)
{
        s->now_s += for_s;
        s->words += motor_pad_quiet(&s->pad, (int64_t)(s->now_s * s->wave.tick_hz),
                                    s->word + s->words);
}

static inline void stage_edges(struct stage *s, const struct motor_edge *edge,
                               size_t count, double quiet_s)
{
        s->words = 0;
        for (size_t i = 0; i < count && s->words + MOTOR_PAD_WORDS < STAGE_WORDS; i++)
                s->words += motor_pad_edge(&s->pad, edge[i].tick, edge[i].level,
                                           s->word + s->words);
        if (count > 0)
                s->now_s = (double)edge[count - 1].tick / s->wave.tick_hz;
        stage_quiet(s, quiet_s);
}

static inline size_t stage_make(struct stage *s, uint16_t value, bool telemetry,
                                struct motor_edge *edge)
{
        double jitter[MOTOR_WAVE_EDGES];
        const double *j = stage_jitter(s, jitter);

        if (s->wave.protocol == MOTOR_PROSHOT1000)
                return motor_wave_proshot(&s->wave, 0, s->now_s, value, telemetry, j,
                                          edge);
        return motor_wave_dshot(&s->wave, 0, s->now_s, value, telemetry, j, edge);
}

/* A digital frame, then silence. */
static inline void stage_frame(struct stage *s, uint16_t value, bool telemetry)
{
        struct motor_edge edge[MOTOR_WAVE_EDGES];
        size_t n = stage_make(s, value, telemetry, edge);

        stage_edges(s, edge, n, 25e-6);
}

static inline void stage_telemetry(struct stage *s, uint16_t raw12)
{
        struct motor_edge edge[MOTOR_WAVE_EDGES];
        double jitter[MOTOR_WAVE_EDGES];
        size_t n = motor_wave_telemetry(&s->wave, 0, s->now_s + 5e-6, raw12,
                                        stage_jitter(s, jitter), edge);

        stage_edges(s, edge, n, 25e-6);
}

/* A pulse of so many Hz. */
static inline void stage_pulse(struct stage *s, double duty, double rate_hz)
{
        struct motor_edge edge[MOTOR_WAVE_EDGES];
        double jitter[MOTOR_WAVE_EDGES], start_s = s->now_s;
        size_t n = motor_wave_pulse(&s->wave, 0, start_s, duty, stage_jitter(s, jitter),
                                    edge);

        stage_edges(s, edge, n, 0.0);
        stage_quiet(s, start_s + 1.0 / rate_hz - s->now_s);
}

/* Frames until the pad knows what it sees, 20 at most. */
static inline void stage_settle(struct stage *s)
{
        for (int i = 0; i < 20 && motor_pad_protocol(&s->pad) != s->wave.protocol; i++) {
                if (motor_protocol_is_pulse(s->wave.protocol))
                        stage_pulse(s, 0.25, 400.0);
                else
                        stage_frame(s, (uint16_t)(1000 + i), false);
        }
}

static inline const struct motor_pad_counts *stage_counts(const struct stage *s)
{
        return motor_pad_counted(&s->pad);
}
