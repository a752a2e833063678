/* DroneCAN (UAVCAN v0): transfers of one or many CAN frames, and the fields in them, packed bit by bit.
 * Source: DroneCAN's specification, chapters "CAN bus transport layer" and "Data structure description
 * language"; data type ids and signatures from the public definitions (dronecan/DSDL). */
#pragma once

#include "io/can/can.h"

#define DRONECAN_PAYLOAD_MAX                                                             \
        400 /* longest that is taken: an answer of GetNodeInfo has 377 */
#define DRONECAN_FRAMES_MAX 58 /* of such a transfer: 402 bytes, 7 in a frame */
#define DRONECAN_JOINS_MAX  16 /* transfers that can arrive at a time */
#define DRONECAN_NODE_MAX   127

enum dronecan_kind { DRONECAN_MESSAGE, DRONECAN_REQUEST, DRONECAN_RESPONSE };

struct dronecan_type {
        const char *name;
        uint16_t id;
        bool service;
        uint64_t signature;
};

enum dronecan_type_index {
        DRONECAN_NODE_STATUS,
        DRONECAN_GET_NODE_INFO,
        DRONECAN_ALLOCATION,
        DRONECAN_RAW_IMU,
        DRONECAN_MAG,
        DRONECAN_PRESSURE,
        DRONECAN_TEMPERATURE,
        DRONECAN_FIX2,
        DRONECAN_AUXILIARY,
        DRONECAN_RANGE,
        DRONECAN_BATTERY,
        DRONECAN_RAW_COMMAND,
        DRONECAN_ESC_STATUS,
        DRONECAN_ARMING_STATUS,
        DRONECAN_TYPES
};

extern const struct dronecan_type dronecan_types[DRONECAN_TYPES];

struct dronecan_transfer {
        enum dronecan_kind kind;
        int type; /* index in dronecan_types */
        uint8_t priority; /* 0 (highest) to 31 */
        uint8_t source; /* 1 to DRONECAN_NODE_MAX; 0: anonymous, a message of one frame alone */
        uint8_t destination; /* of a service */
        uint8_t number; /* transfer id, 0 to 31 */
        size_t len;
        uint8_t payload[DRONECAN_PAYLOAD_MAX];
};

/* Returns the number of frames. The transfer is the caller's own: it must fit. */
int dronecan_split(const struct dronecan_transfer *t,
                   struct can_frame frames[DRONECAN_FRAMES_MAX]);

/* Never reset. */
struct dronecan_counts {
        uint64_t transfers;
        uint64_t
                foreign; /* frames of types that are not in the table, or for another node */
        uint64_t broken; /* transfers with a frame missing, a wrong toggle or CRC */
        uint64_t repeated; /* frames that came again */
        uint64_t
                malformed; /* frames without a tail byte, or of more than a transfer may have */
};

struct dronecan_join {
        bool busy;
        uint32_t id; /* of its frames */
        uint8_t number;
        bool toggle; /* that the next frame must have */
        int64_t begun_ns;
        uint16_t crc;
        size_t len;
        uint8_t payload[DRONECAN_PAYLOAD_MAX];
};

/* All zero but for the node at the beginning. */
struct dronecan_reader {
        uint8_t node; /* whose services are taken; 0: none */
        struct dronecan_counts counts;
        struct dronecan_join join[DRONECAN_JOINS_MAX];
};

/* A transfer that has not ended by then is given up. */
#define DRONECAN_PATIENCE_NS INT64_C(2000000000)

/* One frame, at any time that does not go back. True: `out` is whole with it. */
bool dronecan_read(struct dronecan_reader *r, const struct can_frame *frame, int64_t t_ns,
                   struct dronecan_transfer *out);

/* Fields, one behind the other. A writer that is full, and a reader that is empty, says so in `over`;
 * what is read then is 0. */
struct dronecan_bits {
        uint8_t *bytes; /* all zero before a writer writes */
        size_t bits; /* room, or what there is */
        size_t at;
        bool over;
};

void dronecan_put(struct dronecan_bits *b, uint64_t value, int bits);
void dronecan_put_signed(struct dronecan_bits *b, double value, int bits); /* saturates */
void dronecan_put_f16(struct dronecan_bits *b, double value);
void dronecan_put_f32(struct dronecan_bits *b, double value);
uint64_t dronecan_get(struct dronecan_bits *b, int bits);
int64_t dronecan_get_signed(struct dronecan_bits *b, int bits);

/* IEEE 754 binary16, to nearest, ties to even. */
uint16_t dronecan_half(double value);
double dronecan_half_value(uint16_t half);
