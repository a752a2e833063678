/* The reference flight controller as a board: HILP bytes in, HILP bytes out, models/fc between. It
 * reads no clock, opens no link and allocates nothing, so that `hilrig fc` and a board's firmware
 * (tests/firmware) run the same file. It knows of the rig only what the wire says. */
#pragma once

#include "io/codec/hilp/hilp_board.h"
#include "models/fc/fc.h"

/* What one call has to say at most: an answer of its own, to others, motors, state, text, its own words. */
#define FC_BOARD_OUT_MAX (6 * HILP_FRAME_MAX)

struct fc_board {
        const struct fc_params *given; /* borrowed */
        struct fc_params params; /* with what options made of them since the hello */
        struct hilp_board hilp;
        struct fc fc;
        bool goodbye; /* the rig has said so since this was cleared */

        bool flown; /* a sensor frame came */
        int64_t silence_ns; /* up to when fc_silence() has been told */
        int64_t state_ns; /* simulated time of the last STATE */
        int64_t text_ns; /* when the text went out */
        char text[FC_TEXT_MAX]; /* the last one that went out */
        char own[FC_TEXT_MAX]; /* what waits to be told */
};

/* p stays the caller's and must outlive the board. name: firmware and version; unique differs at each
 * start, see hilp_board_init(). It takes every frame, unless hilp.self.frame_every is changed then. */
void fc_board_init(struct fc_board *b, const struct fc_params *p, const char *name,
                   uint32_t unique);

/* Bytes received at now_ns of the board's own clock. Consumes up to and including the first message
 * that is news or has an answer and returns how many bytes that were; *out_len of out's
 * FC_BOARD_OUT_MAX bytes are to be sent. */
size_t fc_board_receive(struct fc_board *b, const uint8_t *bytes, size_t len,
                        int64_t now_ns, uint8_t *out, size_t *out_len);

/* The board's own clock runs on when no frame comes; in lockstep it stands still. To be called some
 * 50 times a second or more often. Returns how many bytes of out are to be sent. */
size_t fc_board_silence(struct fc_board *b, int64_t now_ns, uint8_t *out);

/* Words of the firmware's own, to go out with the answer to the next frame. */
void fc_board_tell(struct fc_board *b, const char *text);
