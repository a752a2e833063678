/* The hub as a board: HILP bytes in, HILP bytes out, models/fc/hub between. It has no motors and no sensors: it goes by the
 * time of its frames, hears its members by radio and tells them what the hub decides. No clock, no link, no allocation. */
#pragma once

#include "io/codec/hilp/hilp_board.h"
#include "models/fc/hub.h"

/* A hello's answer, a word to each group, news, motors. */
#define HUB_BOARD_OUT_MAX ((HUB_GROUPS_MAX + 3) * HILP_FRAME_MAX)

struct hub_board {
        const struct hub_params *params; /* borrowed */
        struct hilp_board hilp;
        struct hub hub;
        bool goodbye; /* the rig has said so since this was cleared */
};

/* As fc_board_init() and fc_board_receive(). */
void hub_board_init(struct hub_board *b, const struct hub_params *p, const char *name,
                    uint32_t unique);
size_t hub_board_receive(struct hub_board *b, const uint8_t *bytes, size_t len,
                         int64_t now_ns, uint8_t *out, size_t *out_len);
