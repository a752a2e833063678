/* Where motor signals are captured: a logic analyzer, a capture board, a file. It gives blocks of
 * samples or of records, in order, and says where some are missing. It does not decode. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/link/link.h"
#include "io/motor/signal.h"

#define CAPTURE_GONE (-1) /* unplugged, or failed: close it */
#define CAPTURE_END  (-2) /* of a file */

struct capture;

/* What a capture board saw. */
enum capture_record_kind { CAPTURE_EDGE, CAPTURE_PULSE, CAPTURE_FRAME };

struct capture_record {
        enum capture_record_kind kind;
        uint8_t pad;
        bool level; /* EDGE: from tick on */
        bool inverted; /* FRAME; PULSE: its low time was measured */
        enum motor_protocol protocol; /* FRAME */
        uint16_t raw; /* FRAME: all 16 bits */
        int64_t tick; /* first edge */
        int64_t width_ticks; /* PULSE, FRAME: to the last edge */
};

/* Valid until the next read. */
struct capture_block {
        bool gap; /* everything between the last block's end and this block is lost */
        int64_t first_tick; /* of the samples; ticks count on through gaps as well as they are known */
        const uint8_t *samples; /* one byte per tick, bit i is pad i; NULL: records */
        size_t count; /* of samples, or of records */
        const struct capture_record *records;
        int64_t until_tick; /* nothing from before this tick will follow */
        int64_t arrived_ns; /* host time at which the host had all of it; 0: a file */
};

struct capture_counts {
        uint64_t blocks; /* transfers or frames taken */
        uint64_t bytes;
        uint64_t short_blocks; /* transfers that were cut */
        uint64_t
                failed; /* transfers that ended with an error, or frames with a wrong CRC */
        uint64_t overruns; /* samples were lost: reported by the device, or visible */
        uint64_t stalls; /* the stream stopped on its own */
        uint64_t restarts; /* of the stream, after one of these */
};

struct capture_ops {
        /* The next block: 1. 0: none within timeout_ns of host time. Or CAPTURE_GONE, CAPTURE_END.
         * It may restart a stream that stalled, and counts it. */
        int (*read)(struct capture *c, int64_t timeout_ns, struct capture_block *out);
        /* Restarts the stream, and returns when it runs, or cannot; the next block has a gap before
         * it. NULL: it is not a stream. */
        void (*restart)(struct capture *c);
        /* Releases everything, c itself too. */
        void (*close)(struct capture *c);
};

struct capture {
        const struct capture_ops *ops;
        double tick_hz; /* nominal */
        int pads; /* number of inputs */
        bool live; /* time passes outside: a device, not a file */
        bool unfinished; /* a recording without its end */
        char name[128]; /* for messages: "fx2lafw 1-4", "flight.sr" */
        char note[200]; /* what the user should know, or "" */
        struct capture_counts counts;
};

static inline int capture_read(struct capture *c, int64_t timeout_ns,
                               struct capture_block *out)
{
        return c->ops->read(c, timeout_ns, out);
}

static inline void capture_close(struct capture *c)
{
        c->ops->close(c);
}

/* A source as the user writes it, in at most LINK_TEXT_MAX characters:
 *
 *   fx2                          the only fx2lafw analyzer that is plugged in
 *   fx2:1-4.2                    the one at this bus path
 *   fx2:0925:3881                by vendor and product id
 *   board:uart:/dev/ttyACM1@921600   a capture board (docs/motor_pads.md) on any link
 *   sr:FILE.sr                   a recording of sigrok's format
 */
enum capture_kind { CAPTURE_FX2, CAPTURE_BOARD, CAPTURE_SR };

struct capture_spec {
        enum capture_kind kind;
        int usb_vid, usb_pid; /* -1: any */
        char bus_path[32]; /* "": any */
        struct link_spec link; /* board */
        char path[160]; /* sr */
        double rate_hz; /* fx2: wanted samples per second; 0: 24 MHz */
        /* fx2: an emulated one that samples simulated time: silence is not a stall, losses are known
         * from its bytes and not from the host's clock, and a caller that waits in vain for samples
         * requests a restart. */
        bool simulated;
};

/* Both return false or NULL with a reason that names the part and the expectation. */
bool capture_spec_parse(struct capture_spec *spec, const char *text,
                        struct link_error *why);
struct capture *capture_open(const struct capture_spec *spec, struct link_error *why);

/* The makers behind capture_open(), one file each. */
struct capture *capture_fx2_open(const struct capture_spec *spec, struct link_error *why);
struct capture *capture_board_open(const struct capture_spec *spec,
                                   struct link_error *why);
struct capture *capture_sr_open(const struct capture_spec *spec, struct link_error *why);
