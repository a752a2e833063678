/* CAN frames as ArduPilot's process exchanges them with whoever is in its multicast group. */
#include "io/can/can.h"

#include <string.h>

#include "io/le.h"

#define MAGIC    0x2934
#define EXTENDED 0x80000000U
#define CRC_FROM 4 /* the CRC is over everything behind itself */

uint16_t can_crc(uint16_t crc, const uint8_t *bytes, size_t len)
{
        for (size_t i = 0; i < len; i++) {
                crc = (uint16_t)(crc ^ bytes[i] << 8);
                for (int bit = 0; bit < 8; bit++)
                        crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
        }
        return crc;
}

size_t can_datagram_encode(const struct can_frame *frame, uint8_t out[CAN_DATAGRAM_MAX])
{
        size_t len = CAN_DATAGRAM_HEAD + (size_t)frame->len;

        le_put_u16(out, MAGIC);
        le_put_u16(out + 4, 0);
        le_put_u32(out + 6, (frame->id & CAN_ID_MASK) | EXTENDED);
        memcpy(out + CAN_DATAGRAM_HEAD, frame->data, frame->len);
        le_put_u16(out + 2, can_crc(CAN_CRC_BEGIN, out + CRC_FROM, len - CRC_FROM));
        return len;
}

bool can_datagram_decode(const uint8_t *bytes, size_t len, struct can_frame *frame)
{
        uint32_t id;

        if (len < CAN_DATAGRAM_HEAD || len > CAN_DATAGRAM_MAX ||
            le_get_u16(bytes) != MAGIC || le_get_u16(bytes + 4) != 0 ||
            le_get_u16(bytes + 2) !=
                    can_crc(CAN_CRC_BEGIN, bytes + CRC_FROM, len - CRC_FROM))
                return false;
        id = le_get_u32(bytes + 6);
        if ((id & ~CAN_ID_MASK) != EXTENDED)
                return false;
        *frame = (struct can_frame){ .id = id & CAN_ID_MASK,
                                     .len = (uint8_t)(len - CAN_DATAGRAM_HEAD) };
        memcpy(frame->data, bytes + CAN_DATAGRAM_HEAD, frame->len);
        return true;
}
