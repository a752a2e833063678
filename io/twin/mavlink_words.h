/* MAVLink frames of one aircraft to words. Pure functions: no link, no clock. */
#pragma once

#include "io/codec/mavlink_messages.h"
#include "io/twin/source.h"

enum mavlink_heard { MAVLINK_WORD, MAVLINK_OVERHEARD, MAVLINK_MALFORMED };

struct mavlink_words {
        uint8_t aircraft; /* system id; words are of its autopilot, component 1 */
        struct codec_origin origin;

        bool alive; /* its heartbeat came */
        uint32_t position_by; /* message whose frame the position is in; 0: none yet */
        int64_t position_ns, attitude_ns, throttle_ns; /* host time, when last said */
        bool clocked;
        uint32_t boot_ms; /* last */
        int64_t clock_ms; /* carried on over the wrap after 49.7 days */
};

void mavlink_words_init(struct mavlink_words *w, uint8_t aircraft,
                        const struct codec_origin *origin);
/* word is written with MAVLINK_WORD alone. */
enum mavlink_heard mavlink_words_take(struct mavlink_words *w, int64_t now_ns,
                                      const struct mavlink_frame *frame,
                                      struct twin_word *word);
