/* What can be wrong with the wire between the rig and a flight controller (FC): faults that a scenario
 * puts on a link, exactly at a tick. They change bytes on their way, never what either side means. */
#ifndef IO_WIRE_WIRE_FAULT_H
#define IO_WIRE_WIRE_FAULT_H

#include <stdint.h>

#include "io/log/wire_capture.h"

enum wire_fault_kind {
        WIRE_DROP, /* a frame does not arrive */
        WIRE_DUPLICATE, /* it arrives twice */
        WIRE_REORDER, /* it arrives behind the frame that was sent after it */
        WIRE_DELAY, /* it arrives `ticks` later; the order is kept */
        WIRE_JITTER, /* 0 to `ticks` later, at random; the order is kept */
        WIRE_TRUNCATE, /* its first `bytes` bytes arrive */
        WIRE_BIT_FLIPS, /* each bit is wrong with error_ratio, or `bits` of them are */
        WIRE_GARBAGE, /* `bytes` bytes of noise arrive before it */
        WIRE_BAUD_DRIFT, /* the sender's UART is fast by clock_error, see io/wire/wire_uart.h */
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

#endif
