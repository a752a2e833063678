/* What a MAVLink message is made of, by which its struct becomes a frame's payload and the payload the struct. The
 * messages themselves: mavlink_messages.h. */
#pragma once

#include "io/codec/mavlink.h"

enum mavlink_type {
        MAVLINK_CHAR,
        MAVLINK_U8,
        MAVLINK_I8,
        MAVLINK_U16,
        MAVLINK_I16,
        MAVLINK_U32,
        MAVLINK_I32,
        MAVLINK_U64,
        MAVLINK_I64,
        MAVLINK_FLOAT
};

struct mavlink_field {
        const char *name;
        enum mavlink_type type;
        uint16_t offset; /* in the struct */
        uint8_t count; /* of an array; 0: not one */
};

struct mavlink_message {
        uint32_t id;
        const char *name;
        uint8_t crc_extra;
        uint8_t len; /* with the extensions that version 2 has */
        uint8_t len_v1;
        uint8_t field_count;
        uint16_t size; /* of the struct */
        const struct mavlink_field *fields;
};

/* NULL: none that we know. */
const struct mavlink_message *mavlink_message_find(uint32_t id);
/* All of them by id, an entry with the name NULL at the end. */
const struct mavlink_message *mavlink_message_all(void);

/* Bytes of one element on the wire. */
size_t mavlink_type_size(enum mavlink_type type);

/* values is the message's struct. Writes id, len and payload; the caller adds the rest. */
void mavlink_pack(struct mavlink_frame *frame, const struct mavlink_message *message,
                  const void *values);
/* False: the frame is of another message or too short. What a sender cut off or did not know is 0. */
bool mavlink_unpack(const struct mavlink_frame *frame,
                    const struct mavlink_message *message, void *values);

/* Who sends: a sequence number runs for each component. */
struct mavlink_sender {
        int version; /* 1 or 2 */
        uint8_t system, component, sequence;
};

/* The sender's next frame with this message as bytes (room for MAVLINK_FRAME_MAX in out), and how
 * many. The message is a known one; version 1 carries ids up to 255. */
size_t mavlink_send(struct mavlink_sender *s, uint32_t id, const void *values,
                    uint8_t *out);
