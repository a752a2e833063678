/* What radio receivers send to a flight controller: CRSF, SBUS and IBUS frames, both ways. Pure
 * functions on buffers; no timing. Sources: TBS, "CRSF: serial protocol" (github.com/crsf-wg/crsf, and
 * tbs-fpv/tbs-crsf-spec); Betaflight, rx/sbus_channels.c and rx/ibus.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* CRSF and SBUS carry 16 channels of 11 bits, in ticks: 992 is 1500 us, 8 ticks are 5 us, 172 and 1811
 * are a radio's ends of travel (988 and 2012 us). */
#define RC_PACKED       16
#define RC_PACKED_BYTES 22
#define RC_TICKS_MAX    2047

/* The nearest tick, clamped to 11 bits. */
uint16_t rc_ticks_of_us(uint16_t us);
uint16_t rc_us_of_ticks(uint16_t ticks);

/* Least significant bit first. Ticks above RC_TICKS_MAX lose their upper bits. */
void rc_pack(uint8_t out[RC_PACKED_BYTES], const uint16_t ticks[RC_PACKED]);
void rc_unpack(uint16_t ticks[RC_PACKED], const uint8_t bytes[RC_PACKED_BYTES]);

/* CRSF: address, length of what follows, type, payload, CRC-8 (polynomial D5) of type and payload. */
#define CRSF_FRAME_MAX   64
#define CRSF_PAYLOAD_MAX (CRSF_FRAME_MAX - 4)

enum crsf_address {
        CRSF_BROADCAST = 0x00,
        CRSF_FLIGHT_CONTROLLER = 0xC8, /* and the first byte of its own frames */
        CRSF_HANDSET = 0xEA,
        CRSF_RECEIVER = 0xEC,
        CRSF_TRANSMITTER = 0xEE
};

enum crsf_type {
        CRSF_LINK_STATISTICS = 0x14,
        CRSF_RC_CHANNELS_PACKED = 0x16,
        /* From here on a payload begins with destination and origin. */
        CRSF_DEVICE_PING = 0x28,
        CRSF_DEVICE_INFO = 0x29
};

struct crsf_frame {
        uint8_t address, type;
        uint8_t len;
        uint8_t payload[CRSF_PAYLOAD_MAX];
};

enum crsf_found {
        CRSF_INCOMPLETE, /* more bytes are needed */
        CRSF_FRAME, /* whole, CRC right */
        CRSF_BROKEN, /* wrong CRC or impossible length */
        CRSF_NOISE /* bytes before the next address */
};

/* As both ends compute it: over type and payload. */
uint8_t crsf_crc(const uint8_t *bytes, size_t len);
/* Bytes written; 0: the payload is too long. */
size_t crsf_encode(const struct crsf_frame *frame, uint8_t out[CRSF_FRAME_MAX]);
/* What the bytes begin with, and how many of them it consumes; 0 with CRSF_INCOMPLETE. With
 * CRSF_BROKEN only the address is consumed, so that a frame inside a damaged one is found. frame is
 * written for CRSF_FRAME only. */
size_t crsf_find(const uint8_t *bytes, size_t len, struct crsf_frame *frame,
                 enum crsf_found *found);

/* The receiver's radio link statistics, CRSF_LINK_STATISTICS: 10 bytes. */
#define CRSF_LINK_BYTES 10

struct crsf_link {
        uint8_t up_rssi_dbm[2]; /* negated, of each antenna */
        uint8_t up_quality_percent;
        int8_t up_snr_db;
        uint8_t antenna; /* 0 or 1 */
        uint8_t rf_mode; /* Crossfire: 0 4 Hz, 1 50 Hz, 2 150 Hz */
        uint8_t power; /* 0 0 mW, 1 10, 2 25, 3 100, 4 500, 5 1000, 6 2000, 7 250, 8 50 */
        uint8_t down_rssi_dbm;
        uint8_t down_quality_percent;
        int8_t down_snr_db;
};

void crsf_put_link(uint8_t out[CRSF_LINK_BYTES], const struct crsf_link *link);
void crsf_get_link(struct crsf_link *link, const uint8_t bytes[CRSF_LINK_BYTES]);

/* SBUS: 0F, the packed channels, flags, an end byte. No checksum. */
#define SBUS_FRAME_BYTES 25

enum sbus_flag {
        SBUS_CHANNEL_17 = 1 << 0,
        SBUS_CHANNEL_18 = 1 << 1,
        SBUS_FRAME_LOST =
                1 << 2, /* nothing came from the radio; the channels are the last ones */
        SBUS_FAILSAFE = 1 << 3
};

struct sbus_frame {
        uint16_t ticks[RC_PACKED];
        uint8_t flags; /* enum sbus_flag */
};

void sbus_encode(const struct sbus_frame *frame, uint8_t out[SBUS_FRAME_BYTES]);
/* False: wrong first or last byte. The end bytes of SBUS2 are also accepted. */
bool sbus_decode(struct sbus_frame *frame, const uint8_t bytes[SBUS_FRAME_BYTES]);

/* IBUS: 20 40, 14 words of 12 bits of us, FFFF minus the sum of all bytes before. Channels 15 to 18
 * are in the upper four bits of three words each; 0: not sent. */
#define IBUS_FRAME_BYTES  32
#define IBUS_CHANNELS     14
#define IBUS_CHANNELS_MAX 18

/* Values above 4095 us lose their upper bits. */
void ibus_encode(const uint16_t us[IBUS_CHANNELS_MAX], uint8_t out[IBUS_FRAME_BYTES]);
/* False: wrong length byte or checksum. */
bool ibus_decode(uint16_t us[IBUS_CHANNELS_MAX], const uint8_t bytes[IBUS_FRAME_BYTES]);
