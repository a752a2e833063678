/* A device's end of a CAN bus of 1 Mbit/s: frames wait until the bus has had time for them, and travel as its carrier has
 * them. */
#pragma once

#include "io/can/can.h"
#include "io/codec/codec.h"

#define DRONECAN_BUS_FRAMES 512 /* waiting */

enum dronecan_carrier { BY_SLCAN, BY_DATAGRAM, BY_SOCKET };

/* All zero at first but for its carrier. */
struct dronecan_bus {
        enum dronecan_carrier carrier;
        bool opened; /* the adapter was told to */
        struct can_frame frame[DRONECAN_BUS_FRAMES];
        size_t first, waiting;
        int64_t free_ns;
        size_t line_len;
        uint8_t line[64]; /* of the adapter, not whole yet */
};

/* False: there is no room for all of them, and none waits. */
bool dronecan_bus_queue(struct dronecan_bus *b, const struct can_frame *frames,
                        int count);
/* What the bus has had time for by now_ns, which is asked every period_ns. */
void dronecan_bus_give(struct dronecan_bus *b, int64_t now_ns, int64_t period_ns,
                       struct packets *out);
/* The first thing in the bytes, of which there is at least one; returns how many it took. */
size_t dronecan_bus_take(struct dronecan_bus *b, const uint8_t *bytes, size_t len,
                         struct can_frame *frame, enum slcan_found *found);
/* The link was lost: the adapter has to be told again. */
void dronecan_bus_left(struct dronecan_bus *b);
