/* Edges between two silences: what a DShot frame, a ProShot frame or an ESC's telemetry is on the
 * wire. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an edge, or a silence, completed. */
enum motor_found {
        MOTOR_FOUND_NONE,
        MOTOR_FOUND_FRAME, /* from the flight controller, well or damaged */
        MOTOR_FOUND_TELEMETRY /* from the ESC, well or damaged */
};

/* More are counted, not kept: no frame has them. After MOTOR_BURST_LONG a burst counts as complete
 * even without a silence. */
#define MOTOR_BURST_EDGES 36
#define MOTOR_BURST_LONG  128

struct motor_burst {
        int32_t silence_ticks; /* this long without an edge separates two bursts */
        bool timed; /* last_tick is known */
        bool whole; /* it began after a silence, not after a gap or noise */
        bool first_level; /* of the first edge */
        uint16_t count;
        int32_t at[MOTOR_BURST_EDGES]; /* ticks from start_tick */
        int64_t start_tick, last_tick;
};

static inline void motor_burst_gap(struct motor_burst *b)
{
        b->timed = false;
        b->whole = false;
        b->count = 0;
}

static inline void motor_burst_init(struct motor_burst *b, double silence_ticks)
{
        b->silence_ticks = (int32_t)silence_ticks;
        motor_burst_gap(b);
}

static inline bool motor_burst_silent(const struct motor_burst *b, int64_t tick)
{
        return b->timed && tick - b->last_tick > b->silence_ticks;
}

/* Nothing happened before this tick. True: this completes a burst, which is to be read and then
 * discarded by motor_burst_clear(). A burst that is not whole is reported only if it is long. */
static inline bool motor_burst_quiet(struct motor_burst *b, int64_t tick)
{
        bool silent = motor_burst_silent(b, tick);

        if (b->count >= MOTOR_BURST_LONG || (silent && b->whole && b->count > 0))
                return true;
        if (silent) {
                b->whole = true;
                b->count = 0;
        }
        if (!b->timed) {
                b->timed = true;
                b->last_tick = tick;
        }
        return false;
}

static inline void motor_burst_clear(struct motor_burst *b, int64_t tick)
{
        b->whole = motor_burst_silent(b, tick);
        b->count = 0;
}

/* After motor_burst_quiet() of the same tick. */
static inline void motor_burst_add(struct motor_burst *b, int64_t tick, bool level)
{
        b->timed = true;
        b->last_tick = tick;
        if (b->count == 0) {
                b->start_tick = tick;
                b->first_level = level;
        }
        if (b->count < MOTOR_BURST_EDGES)
                b->at[b->count] = (int32_t)(tick - b->start_tick);
        b->count++;
}
