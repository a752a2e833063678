/* One direction of a faulty wire: bytes come in, their frames pass the faults in force, in the order in
 * which these began, and queue until they are due. */
#ifndef IO_WIRE_WIRE_LANE_H
#define IO_WIRE_WIRE_LANE_H

#include "io/wire/wire_faults.h"
#include "io/wire/wire_queue.h"

/* Zeroed before wire_lane_init(). */
struct wire_lane {
        struct wire_faults *faults;
        enum wire_direction direction;
        int channel;
        struct wire_split in; /* of a stream */
        struct wire_queue queue;
        bool holds[WIRE_IN_FORCE_MAX];
        struct wire_unit
                held[WIRE_IN_FORCE_MAX]; /* to be overtaken; by the fault's slot */
};

void wire_lane_init(struct wire_lane *l, struct wire_faults *faults,
                    enum wire_direction direction, int channel);
/* A fault may act on it. */
bool wire_lane_watched(const struct wire_lane *l);
/* A unit has come in whole. */
void wire_lane_come(struct wire_lane *l, struct wire_unit *u);
/* With no fault to look at it, half a frame need not wait for the other half. */
void wire_lane_pass_half(struct wire_lane *l);
/* Whether what is due is lost: silence takes what was on its way, too. */
bool wire_lane_silenced(struct wire_lane *l, size_t len);
/* What the fault at that place holds back goes on behind it. */
void wire_lane_let_go(struct wire_lane *l, int place);
void wire_lane_clear(struct wire_lane *l);

#endif
