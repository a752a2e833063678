/* CRSF, SBUS and IBUS, byte by byte. */
#include "io/device/rc_frames.h"

#include <string.h>

#include "io/le.h"

#define TICKS_MIDDLE 992
#define US_MIDDLE    1500

uint16_t rc_ticks_of_us(uint16_t us)
{
        /* Twice the difference, so that integers suffice for rounding. */
        int doubled = 2 * (TICKS_MIDDLE * 5 + (us - US_MIDDLE) * 8);
        int ticks = doubled < 0 ? 0 : (doubled + 5) / 10;

        return (uint16_t)(ticks < RC_TICKS_MAX ? ticks : RC_TICKS_MAX);
}

uint16_t rc_us_of_ticks(uint16_t ticks)
{
        return (uint16_t)((ticks * 5 + US_MIDDLE * 8 - TICKS_MIDDLE * 5 + 4) / 8);
}

void rc_pack(uint8_t out[RC_PACKED_BYTES], const uint16_t ticks[RC_PACKED])
{
        uint32_t bits = 0;
        int have = 0;

        for (int i = 0; i < RC_PACKED; i++) {
                bits |= (uint32_t)(ticks[i] & RC_TICKS_MAX) << have;
                for (have += 11; have >= 8; have -= 8) {
                        *out++ = (uint8_t)bits;
                        bits >>= 8;
                }
        }
}

void rc_unpack(uint16_t ticks[RC_PACKED], const uint8_t bytes[RC_PACKED_BYTES])
{
        uint32_t bits = 0;
        int have = 0;

        for (int i = 0; i < RC_PACKED; i++) {
                for (; have < 11; have += 8)
                        bits |= (uint32_t)*bytes++ << have;
                ticks[i] = (uint16_t)(bits & RC_TICKS_MAX);
                bits >>= 11;
                have -= 11;
        }
}

uint8_t crsf_crc(const uint8_t *bytes, size_t len)
{
        uint8_t crc = 0;

        for (size_t i = 0; i < len; i++) {
                crc ^= bytes[i];
                for (int bit = 0; bit < 8; bit++)
                        crc = (uint8_t)(crc << 1 ^ (crc & 0x80 ? 0xD5 : 0));
        }
        return crc;
}

size_t crsf_encode(const struct crsf_frame *frame, uint8_t out[CRSF_FRAME_MAX])
{
        if (frame->len > CRSF_PAYLOAD_MAX)
                return 0;
        out[0] = frame->address;
        out[1] = (uint8_t)(frame->len + 2);
        out[2] = frame->type;
        memcpy(out + 3, frame->payload, frame->len);
        out[3 + frame->len] = crsf_crc(out + 2, frame->len + 1U);
        return frame->len + 4U;
}

static bool is_address(uint8_t byte)
{
        return byte == CRSF_FLIGHT_CONTROLLER || byte == CRSF_RECEIVER ||
               byte == CRSF_TRANSMITTER || byte == CRSF_HANDSET || byte == CRSF_BROADCAST;
}

size_t crsf_find(const uint8_t *bytes, size_t len, struct crsf_frame *frame,
                 enum crsf_found *found)
{
        size_t noise = 0;

        while (noise < len && !is_address(bytes[noise]))
                noise++;
        *found = noise > 0 ? CRSF_NOISE : CRSF_INCOMPLETE;
        if (noise > 0 || len < 2)
                return noise;
        *found = CRSF_BROKEN;
        if (bytes[1] < 2 || bytes[1] > CRSF_FRAME_MAX - 2)
                return 1;
        *found = CRSF_INCOMPLETE;
        if (len < bytes[1] + 2U)
                return 0;
        *found = CRSF_BROKEN;
        if (crsf_crc(bytes + 2, bytes[1] - 1U) != bytes[bytes[1] + 1])
                return 1;
        *found = CRSF_FRAME;
        frame->address = bytes[0];
        frame->type = bytes[2];
        frame->len = (uint8_t)(bytes[1] - 2);
        memcpy(frame->payload, bytes + 3, frame->len);
        return bytes[1] + 2U;
}

void crsf_put_link(uint8_t out[CRSF_LINK_BYTES], const struct crsf_link *link)
{
        out[0] = link->up_rssi_dbm[0];
        out[1] = link->up_rssi_dbm[1];
        out[2] = link->up_quality_percent;
        out[3] = (uint8_t)link->up_snr_db;
        out[4] = link->antenna;
        out[5] = link->rf_mode;
        out[6] = link->power;
        out[7] = link->down_rssi_dbm;
        out[8] = link->down_quality_percent;
        out[9] = (uint8_t)link->down_snr_db;
}

void crsf_get_link(struct crsf_link *link, const uint8_t bytes[CRSF_LINK_BYTES])
{
        *link = (struct crsf_link){
                .up_rssi_dbm = { bytes[0], bytes[1] },
                .up_quality_percent = bytes[2],
                .up_snr_db = (int8_t)bytes[3],
                .antenna = bytes[4],
                .rf_mode = bytes[5],
                .power = bytes[6],
                .down_rssi_dbm = bytes[7],
                .down_quality_percent = bytes[8],
                .down_snr_db = (int8_t)bytes[9],
        };
}

void sbus_encode(const struct sbus_frame *frame, uint8_t out[SBUS_FRAME_BYTES])
{
        out[0] = 0x0F;
        rc_pack(out + 1, frame->ticks);
        out[23] = frame->flags;
        out[24] = 0x00;
}

bool sbus_decode(struct sbus_frame *frame, const uint8_t bytes[SBUS_FRAME_BYTES])
{
        uint8_t end = bytes[24];

        /* 04, 14, 24, 34: a telemetry slot of SBUS2 follows. 08: its fast frames. */
        if (bytes[0] != 0x0F || (end != 0x00 && end != 0x08 && (end & 0xCF) != 0x04))
                return false;
        rc_unpack(frame->ticks, bytes + 1);
        frame->flags = bytes[23];
        return true;
}

static uint16_t ibus_sum(const uint8_t bytes[IBUS_FRAME_BYTES])
{
        uint16_t sum = 0xFFFF;

        for (int i = 0; i < IBUS_FRAME_BYTES - 2; i++)
                sum = (uint16_t)(sum - bytes[i]);
        return sum;
}

void ibus_encode(const uint16_t us[IBUS_CHANNELS_MAX], uint8_t out[IBUS_FRAME_BYTES])
{
        out[0] = IBUS_FRAME_BYTES;
        out[1] = 0x40;
        for (int i = 0; i < IBUS_CHANNELS; i++) {
                int extra = IBUS_CHANNELS + i / 3;
                int nibble = extra < IBUS_CHANNELS_MAX ? us[extra] >> i % 3 * 4 & 0xF : 0;

                le_put_u16(out + 2 + 2 * i, (uint16_t)((us[i] & 0xFFF) | nibble << 12));
        }
        le_put_u16(out + IBUS_FRAME_BYTES - 2, ibus_sum(out));
}

bool ibus_decode(uint16_t us[IBUS_CHANNELS_MAX], const uint8_t bytes[IBUS_FRAME_BYTES])
{
        if (bytes[0] != IBUS_FRAME_BYTES ||
            le_get_u16(bytes + IBUS_FRAME_BYTES - 2) != ibus_sum(bytes))
                return false;
        for (int i = IBUS_CHANNELS; i < IBUS_CHANNELS_MAX; i++)
                us[i] = 0;
        for (int i = 0; i < IBUS_CHANNELS; i++) {
                uint16_t word = le_get_u16(bytes + 2 + 2 * i);

                us[i] = word & 0xFFF;
                if (IBUS_CHANNELS + i / 3 < IBUS_CHANNELS_MAX)
                        us[IBUS_CHANNELS + i / 3] |= (uint16_t)(word >> 12 << i % 3 * 4);
        }
        return true;
}
