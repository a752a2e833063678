/* Edges between two silences: what a DShot frame, a ProShot frame or an ESC's answer is on the
 * wire. */
#ifndef IO_MOTOR_BURST_H
#define IO_MOTOR_BURST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an edge, or a silence, made complete. */
enum motor_found {
        MOTOR_FOUND_NONE,
        MOTOR_FOUND_FRAME, /* from the flight controller, well or damaged */
        MOTOR_FOUND_ANSWER /* from the ESC, well or damaged */
};

/* More are counted, not kept: no frame has them. After MOTOR_BURST_LONG a burst counts as ended even
 * without a silence. */
#define MOTOR_BURST_EDGES 36
#define MOTOR_BURST_LONG  128

struct motor_burst {
        int32_t silence_ticks; /* so much without an edge is between two bursts */
        bool synced; /* a silence was seen since the beginning or a gap */
        bool timed; /* last_tick is known */
        bool first_level; /* of the first edge */
        uint16_t count;
        int32_t at[MOTOR_BURST_EDGES]; /* ticks from start_tick */
        int64_t start_tick, last_tick;
};

static inline void motor_burst_gap(struct motor_burst *b)
{
        b->synced = false;
        b->timed = false;
        b->count = 0;
}

static inline void motor_burst_init(struct motor_burst *b, double silence_ticks)
{
        b->silence_ticks = (int32_t)silence_ticks;
        motor_burst_gap(b);
}

/* Is there a burst that is complete, as nothing happened before this tick? It is to be read, then
 * forgotten by motor_burst_clear(). */
static inline bool motor_burst_complete(const struct motor_burst *b, int64_t tick)
{
        return b->count > 0 &&
               (tick - b->last_tick > b->silence_ticks || b->count >= MOTOR_BURST_LONG);
}

/* Out of sync, too: what follows at once is not the beginning of anything. */
static inline void motor_burst_clear(struct motor_burst *b)
{
        b->synced = b->count < MOTOR_BURST_LONG;
        b->count = 0;
}

/* The level did not change before this tick. */
static inline void motor_burst_quiet(struct motor_burst *b, int64_t tick)
{
        if (!b->timed) {
                b->timed = true;
                b->last_tick = tick;
        } else if (b->count == 0 && tick - b->last_tick > b->silence_ticks) {
                b->synced = true;
        }
}

/* After motor_burst_complete() or motor_burst_quiet() of the same tick. */
static inline void motor_burst_add(struct motor_burst *b, int64_t tick, bool level)
{
        b->timed = true;
        b->last_tick = tick;
        if (!b->synced)
                return;
        if (b->count == 0) {
                b->start_tick = tick;
                b->first_level = level;
        }
        if (b->count < MOTOR_BURST_EDGES)
                b->at[b->count] = (int32_t)(tick - b->start_tick);
        b->count++;
}

#endif
