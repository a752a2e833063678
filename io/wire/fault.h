/* What can be wrong with the wires between the rig and a flight controller (FC): faults that a scenario puts
 * on a link, exactly at a tick; which are in force, on what they act, what they have done. They change bytes
 * on their way, never what either side means. All links to the FC share them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/codec/codec.h"
#include "io/log/wire_capture.h"
#include "models/rng.h"

struct wire_unit;

enum wire_fault_kind {
        WIRE_DROP, /* a frame does not arrive */
        WIRE_DUPLICATE, /* it arrives twice */
        WIRE_REORDER, /* it arrives behind the frame that was sent after it */
        WIRE_DELAY, /* it arrives `ticks` later; the order is kept */
        WIRE_JITTER, /* 0 to `ticks` later, at random; the order is kept */
        WIRE_TRUNCATE, /* its first `bytes` bytes arrive */
        WIRE_BIT_FLIPS, /* each bit is wrong with error_ratio, or `bits` of them are */
        WIRE_GARBAGE, /* `bytes` bytes of noise arrive before it */
        WIRE_BAUD_DRIFT, /* the sender's UART is fast by clock_error, see wire_uart() */
        WIRE_SILENCE, /* nothing arrives */
        WIRE_UNPLUG, /* the link is closed, and cannot be opened before the fault is over */
        WIRE_FAULT_KINDS
};

/* Bits of wire_fault.directions. */
#define WIRE_BIT(direction) (1U << (direction))
#define WIRE_BOTH           (WIRE_BIT(WIRE_TO_FC) | WIRE_BIT(WIRE_FROM_FC))

#define WIRE_FAULT_TICKS_MAX 1000
#define WIRE_FAULT_BYTES_MAX 512
#define WIRE_FAULT_BITS_MAX  64
#define WIRE_CLOCK_ERROR_MAX 0.2

struct wire_fault {
        enum wire_fault_kind kind;
        unsigned directions; /* WIRE_BIT()s */
        double probability; /* of each frame that it could act on, above 0, up to 1 */
        int count; /* acts on so many frames, then no more; 0: no limit */
        int frame; /* the type that it acts on, as struct codec_frame says it; -1: any */
        const char *frame_name; /* what the codec calls it, for the user; NULL: any */
        int port; /* of the vehicle's own; -1: the links to the FC */
        int channel; /* of the codec; -1: each */
        int ticks; /* 1 to WIRE_FAULT_TICKS_MAX */
        int bytes; /* 0 to WIRE_FAULT_BYTES_MAX; of WIRE_GARBAGE at least 1 */
        int bits; /* 1 to WIRE_FAULT_BITS_MAX; 0: error_ratio counts */
        double error_ratio; /* above 0, up to 0.5 */
        double clock_error; /* the sender's clock over the receiver's, less 1; not 0 */
};

/* What one fault has done to a flight controller's links, in all its channels and directions. */
struct wire_fault_counts {
        uint64_t frames; /* that it acted on */
        uint64_t bytes; /* of these frames; of WIRE_GARBAGE what was put in */
};

#define WIRE_IN_FORCE_MAX 16

/* One fault, from its first time on. */
struct wire_fault_entry {
        int id;
        struct wire_fault fault;
        uint64_t seed;
        int64_t end_ns;
        bool in_force;
        int slot; /* while in force: 0 to WIRE_IN_FORCE_MAX - 1, no other's */
        int left; /* of fault.count */
        struct wire_fault_counts counts;
        /* What it could have acted on, of each type (the last: of none): numbers the draws, so that
         * frames which come when they like do not change what happens to the others. */
        uint32_t seen[2][CODEC_CHANNELS_MAX][CODEC_FRAME_TYPES_MAX + 1];
};

/* Which sensor frames reached the FC whole, and what it answered. */
struct wire_talk {
        bool asked;
        uint32_t newest; /* frame that reached it */
        bool awaiting; /* its answer has not come back to this side yet */
        uint64_t answers; /* that came back, whatever then happened to them */
};

struct wire_faults {
        uint32_t vehicle;
        bool lockstep;
        int64_t tick;
        /* In lockstep no tick passes while the rig greets the FC, and faults leave it alone. */
        bool greeting;
        struct wire_talk talk;
        int in_force;
        int order
                [WIRE_IN_FORCE_MAX]; /* entries in force, in the order in which they began */
        int count, capacity;
        struct wire_fault_entry entry[];
};

/* For so many different ids. NULL: no memory. Freed with free(). */
struct wire_faults *wire_faults_create(int capacity, uint32_t vehicle, bool lockstep);

/* From now until end_ns. What it draws depends on seed, vehicle and id; a fault that begins again goes
 * on in its sequence. Its entry, or NULL: too many ids, or too many in force. */
const struct wire_fault_entry *wire_faults_begin(struct wire_faults *all,
                                                 const struct wire_fault *fault, int id,
                                                 uint64_t seed, int64_t end_ns);
/* Its place in `order`, or -1. */
int wire_faults_place(const struct wire_faults *all, int id);
/* The place of one that is over at t_ns, or -1. */
int wire_faults_place_over(const struct wire_faults *all, int64_t t_ns);
void wire_faults_end(struct wire_faults *all, int place);

/* All zero for an id that never began. */
struct wire_fault_counts wire_faults_counts(const struct wire_faults *all, int id);

/* Whether the fault looks at that channel in that direction. */
bool wire_fault_watches(const struct wire_fault_entry *e, enum wire_direction direction,
                        int channel);
/* Some fault does. */
bool wire_faults_watch(const struct wire_faults *all, enum wire_direction direction,
                       int channel);
/* Whether it passes over the unit as if that were not there: in lockstep, what comes when it likes. */
bool wire_fault_overlooks(const struct wire_faults *all, const struct wire_fault_entry *e,
                          const struct wire_unit *u);
/* Whether it acts on the unit; *rng is for what it then draws. */
bool wire_fault_acts(struct wire_faults *all, struct wire_fault_entry *e,
                     enum wire_direction direction, int channel,
                     const struct wire_unit *u, struct rng *rng);
/* It did, on so many bytes. */
void wire_fault_acted(struct wire_fault_entry *e, size_t bytes);
