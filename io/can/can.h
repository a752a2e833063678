/* Frames of a CAN bus (2.0B, 29-bit identifiers) and the three ways in which they travel: as text
 * through a serial adapter (slcan, "Lawicel"), as datagrams of the multicast group that ArduPilot's process takes
 * for its bus, and through a CAN interface of Linux. Pure functions on buffers; reads any bytes at all. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CAN_DATA_MAX 8
#define CAN_ID_MASK  0x1FFFFFFFU

struct can_frame {
        uint32_t id; /* 29 bits */
        uint8_t len; /* 0 to CAN_DATA_MAX; the bytes of data behind it are 0 */
        uint8_t data[CAN_DATA_MAX];
};

/* "T", 8 hex digits of the identifier, one of the length, the data, CR. */
#define SLCAN_LINE_MAX (1 + 8 + 1 + 2 * CAN_DATA_MAX + 1)
/* Closes the adapter's channel, sets 1 Mbit/s, opens it: DroneCAN's usual rate. */
#define SLCAN_OPEN "C\rS8\rO\r"

enum slcan_found {
        SLCAN_INCOMPLETE, /* no whole line yet: nothing was used */
        SLCAN_FRAME, /* extended, of data */
        SLCAN_OTHER, /* an acknowledgement, or a frame that is of no use: 11 bits, remote */
        SLCAN_REFUSED, /* the adapter's BEL: it could not do what it was told */
        SLCAN_NOISE /* not slcan, or a line that is too long */
};

/* Writes the line and returns its length. */
size_t slcan_encode(const struct can_frame *frame, char line[SLCAN_LINE_MAX]);
/* What stands at the beginning of the bytes; returns how many of them it takes. A time stamp of four digits
 * behind the data, which some adapters add, is dropped. */
size_t slcan_find(const uint8_t *bytes, size_t len, struct can_frame *frame,
                  enum slcan_found *found);

/* ArduPilot's datagram, little-endian: magic 2934 hex, CRC-16 of what follows it, flags, identifier with
 * bit 31 set (AP_HAL_SITL/CAN_Multicast.cpp; pydronecan's driver mcast has the same). */
#define CAN_DATAGRAM_HEAD 10
#define CAN_DATAGRAM_MAX  (CAN_DATAGRAM_HEAD + CAN_DATA_MAX)

size_t can_datagram_encode(const struct can_frame *frame, uint8_t out[CAN_DATAGRAM_MAX]);
/* False: it is none, is damaged, or holds no extended data frame (CAN FD, for instance). */
bool can_datagram_decode(const uint8_t *bytes, size_t len, struct can_frame *frame);

/* Linux's struct can_frame (linux/can.h): identifier in the host's byte order with bit 31 set, length, three bytes, the
 * data. */
#define CAN_SOCKET_BYTES 16
void can_socket_encode(const struct can_frame *frame, uint8_t out[CAN_SOCKET_BYTES]);
/* False: none, or an error, remote or 11-bit frame. */
bool can_socket_decode(const uint8_t *bytes, size_t len, struct can_frame *frame);

/* CRC-16/CCITT-FALSE's step: polynomial 1021 hex, begins with FFFF hex, most significant bit first. */
#define CAN_CRC_BEGIN 0xFFFF
uint16_t can_crc(uint16_t crc, const uint8_t *bytes, size_t len);
