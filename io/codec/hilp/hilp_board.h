/* The board's side of HILP with SI structs: what the reference flight controller speaks,
 * and an example for a firmware's own. Bytes in, news and an answer out; no clock, no
 * link, no allocation. Several boards are several structs. */
#pragma once

#include <stdbool.h>

#include "io/codec/hilp/hilp.h"
#include "models/signals.h"

struct hilp_board {
        /* Given at the start */
        struct hilp_hello_ack self; /* version is filled in for each hello */

        /* Of the bytes that are received next, where the board knows: how long before
         * board_time_us the last of them came in, and how long after it an answer's first
         * byte goes out, in us. 0: at once. For the time sync. */
        uint32_t arrived_us_ago, leaves_us_later;

        /* The conversation; forgotten at each hello */
        bool ready; /* a hello was heard and a version found */
        struct hilp_hello hello; /* units, periods, flags, the rig's name */
        struct hilp_parts
                parts; /* all zero until they are told, before the first frame */
        struct hilp_radio radio; /* all zero: it has none */
        struct hilp_sequence heard;
        bool frame_seen;
        uint32_t newest_frame; /* what the next motors answer */
        struct sensor_frame frame; /* the newest sample of each sensor */
        uint32_t sonars_heard; /* new in `frame` for the next sensor frame */

        struct hilp_receiver receiver;
        uint8_t sequence; /* of the next message out */
        bool asked; /* for a hello, at asked_us */
        uint64_t asked_us;
        uint32_t malformed; /* whole frames with impossible content */
};

enum hilp_board_event {
        HILP_BOARD_NOTHING, /* all bytes are consumed; there may be an answer even so */
        HILP_BOARD_HELLO, /* a new conversation: begin as if just switched on */
        HILP_BOARD_SENSORS, /* answer with hilp_board_motors(), once */
        HILP_BOARD_INPUT,
        HILP_BOARD_OPTION, /* answer with hilp_board_option_ack(), once */
        HILP_BOARD_PEER, /* another board's bytes came by radio */
        HILP_BOARD_GOODBYE /* disarm: the run is over */
};

struct hilp_board_news {
        enum hilp_board_event event;
        struct sensor_frame sensors; /* with HILP_BOARD_SENSORS */
        struct pilot_input input; /* with HILP_BOARD_INPUT */
        struct hilp_option option; /* with HILP_BOARD_OPTION */
        struct hilp_peer peer; /* with HILP_BOARD_PEER */
        /* To be written to the rig before anything else; 0: nothing. */
        size_t out_len;
        uint8_t out[HILP_FRAME_MAX];
};

/* unique must differ at each start of the board, so that the rig notices a restart;
 * frame_every is the number of ticks from one sensor frame to the next that the board can
 * take, 1 or more. */
void hilp_board_init(struct hilp_board *b, const char *name, int rotors, int frame_every,
                     uint32_t unique);

/* True when simulated time waits for this board's answers. */
bool hilp_board_lockstep(const struct hilp_board *b);

/* Bytes received at board_time_us, any monotonic clock of the board's. Consumes up to and
 * including the first message that is news or has an answer and returns how many bytes
 * that were. A sensor frame not newer than the last is dropped. */
size_t hilp_board_receive(struct hilp_board *b, const uint8_t *bytes, size_t len,
                          uint64_t board_time_us, struct hilp_board_news *news);

/* Messages to the rig. out holds HILP_FRAME_MAX bytes; they return the frame's length, 0
 * before the first hello (motors: before its first sensor frame) and for what cannot be
 * said. */
size_t hilp_board_motors(struct hilp_board *b, const struct motor_command *command,
                         int count, bool armed, bool failsafe, enum flight_mode mode,
                         uint8_t *out);
size_t hilp_board_state(struct hilp_board *b, const struct fc_estimate *estimate,
                        uint8_t *out);
/* What the board's own sonars measured just now, INFINITY where they see nothing. */
size_t hilp_board_real_ranges(struct hilp_board *b, const double range_m[SONARS_MAX],
                              uint8_t *out);
/* The board's own bytes to another's radio, or HILP_PEER_ALL; in lockstep before the motors. 0 too where the board has no
 * radio, or they are more than it takes. */
size_t hilp_board_peer_send(struct hilp_board *b, int to, const uint8_t *bytes,
                            size_t len, uint8_t *out);
/* Whether an option of that key was set. */
size_t hilp_board_option_ack(struct hilp_board *b, const char *key, bool accepted,
                             uint8_t *out);
/* severity: 0 information, 1 warning, 2 error. Cut at HILP_TEXT_MAX characters. */
size_t hilp_board_text(struct hilp_board *b, int severity, const char *text,
                       uint8_t *out);
