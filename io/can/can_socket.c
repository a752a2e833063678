/* CAN frames as Linux's CAN sockets give and take them. */
#include "io/can/can.h"

#include <string.h>

#define EXTENDED 0x80000000U
#define LEN_AT   4
#define DATA_AT  8

void can_socket_encode(const struct can_frame *frame, uint8_t out[CAN_SOCKET_BYTES])
{
        uint32_t id = (frame->id & CAN_ID_MASK) | EXTENDED;

        memset(out, 0, CAN_SOCKET_BYTES);
        memcpy(out, &id, sizeof id);
        out[LEN_AT] = frame->len;
        memcpy(out + DATA_AT, frame->data, frame->len);
}

bool can_socket_decode(const uint8_t *bytes, size_t len, struct can_frame *frame)
{
        uint32_t id;

        if (len != CAN_SOCKET_BYTES || bytes[LEN_AT] > CAN_DATA_MAX)
                return false;
        memcpy(&id, bytes, sizeof id);
        if ((id & ~CAN_ID_MASK) != EXTENDED)
                return false;
        *frame = (struct can_frame){ .id = id & CAN_ID_MASK, .len = bytes[LEN_AT] };
        memcpy(frame->data, bytes + DATA_AT, frame->len);
        return true;
}
