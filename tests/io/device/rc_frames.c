/* Radio receivers' frames, against frames that others captured or wrote down. */
#include "io/device/rc_frames.h"

#include <stdlib.h>
#include <string.h>

#include "tests/suites.h"

/* Betaflight, src/test/unit/rx_crsf_unittest.cc: capturedData, with the ticks that its test reads. */
static const uint8_t crsf_captured[2][26] = {
        { 0x00, 0x18, 0x16, 0xBD, 0x08, 0x9F, 0xF4, 0xAE, 0xF7, 0xBD, 0xEF, 0x7D, 0xEF,
          0xFB, 0xAD, 0xFD, 0x45, 0x2B, 0x5A, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x6C },
        { 0x00, 0x18, 0x16, 0xBD, 0x08, 0x9F, 0xF4, 0xAA, 0xF7, 0xBD, 0xEF, 0x7D, 0xEF,
          0xFB, 0xAD, 0xFD, 0x45, 0x2B, 0x5A, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x94 },
};
static const uint16_t crsf_ticks[2][4] = { { 189, 993, 978, 983 },
                                           { 189, 993, 978, 981 } };

/* There, too: buadrateNegotiationFrame. */
static const uint8_t crsf_command[] = { 0xC8, 0x0C, 0x32, 0xC8, 0xEC, 0x0A, 0x70,
                                        0x01, 0x00, 0x1E, 0x84, 0x80, 0x22, 0x72 };

/* ArduPilot, AP_RCProtocol/examples/RCProtocolTest: sbus_bytes, ibus_bytes. ArduPilot scales SBUS
 * 5 us less: 875 + 0.625 v, whence 1562 1496 1000 1531 1806 2006 1495 1495. */
static const uint8_t sbus_published[SBUS_FRAME_BYTES] = { 0x0F, 0x4C, 0x1C, 0x5F,
                                                          0x32, 0x34, 0x38, 0xDD,
                                                          0x89, 0x83, 0x0F, 0x7C };
static const int sbus_us_less_5[] = { 1562, 1496, 1000, 1531, 1806, 2006, 1495, 1495 };

static const uint8_t ibus_published[IBUS_FRAME_BYTES] = {
        0x20, 0x40, 0xdc, 0x05, 0xdc, 0x05, 0xe8, 0x03, 0xdc, 0x05, 0xdc,
        0x05, 0xdc, 0x05, 0xdc, 0x05, 0xdc, 0x05, 0xdc, 0x05, 0xdc, 0x05,
        0xdc, 0x05, 0xdc, 0x05, 0xdc, 0x05, 0xdc, 0x05, 0x47, 0xf3
};

/* Betaflight, rx_ibus_unittest.cc: all 18 channels, channel n is n - 1. */
static const uint8_t ibus_18[IBUS_FRAME_BYTES] = {
        0x20, 0x00, 0x00, 0xE0, 0x01, 0x00, 0x02, 0x00, 0x03, 0xF0, 0x04,
        0x00, 0x05, 0x00, 0x06, 0x00, 0x07, 0x10, 0x08, 0x00, 0x09, 0x10,
        0x0a, 0x10, 0x0b, 0x00, 0x0c, 0x00, 0x0d, 0x00, 0x84, 0xfd
};

TEST_EACH(crsf_frames_that_betaflight_captured_are_read_and_written_again, 2)
{
        struct crsf_frame frame = { 0 };
        uint8_t again[CRSF_FRAME_MAX];
        uint16_t ticks[RC_PACKED];
        enum crsf_found found;

        ck_assert_uint_eq(crsf_find(crsf_captured[_i], 26, &frame, &found), 26);
        ck_assert_int_eq(found, CRSF_FRAME);
        ck_assert_uint_eq(frame.type, CRSF_RC_CHANNELS_PACKED);
        rc_unpack(ticks, frame.payload);
        for (int i = 0; i < 4; i++)
                ck_assert_uint_eq(ticks[i], crsf_ticks[_i][i]);
        rc_pack(frame.payload, ticks);
        ck_assert_uint_eq(crsf_encode(&frame, again), 26);
        ck_assert_mem_eq(again, crsf_captured[_i], 26);
}

TEST(crsf_crc_is_the_one_of_betaflights_command)
{
        struct crsf_frame frame = { 0 };
        enum crsf_found found;

        ck_assert_uint_eq(crsf_find(crsf_command, sizeof crsf_command, &frame, &found),
                          sizeof crsf_command);
        ck_assert_int_eq(found, CRSF_FRAME);
        ck_assert_uint_eq(frame.type, 0x32);
        /* The check value of CRC-8/DVB-S2, "123456789". */
        ck_assert_uint_eq(crsf_crc((const uint8_t *)"123456789", 9), 0xBC);
}

TEST(crsf_is_found_again_behind_damage)
{
        uint8_t bytes[100] = { 1, 2, 0xC8, 0x18, 0xC8, 200 };
        struct crsf_frame frame = { 0 };
        int frames = 0;
        size_t used = 0;
        enum crsf_found found;

        memcpy(bytes + 6, crsf_captured[0], 26);
        memcpy(bytes + 32, crsf_captured[1], 26);
        bytes[36] ^= 1;
        memcpy(bytes + 58, crsf_command, sizeof crsf_command);
        do {
                used += crsf_find(bytes + used, 58 + sizeof crsf_command - used, &frame,
                                  &found);
                frames += found == CRSF_FRAME;
        } while (found != CRSF_INCOMPLETE && used < 58 + sizeof crsf_command);
        ck_assert_int_eq(frames, 2);
        ck_assert_uint_eq(frame.type, 0x32);
}

TEST(crsf_of_impossible_length_is_broken)
{
        static const uint8_t lengths[] = { 0, 1, 63, 255 };
        struct crsf_frame frame = { .len = CRSF_PAYLOAD_MAX + 1 };
        enum crsf_found found;
        uint8_t out[CRSF_FRAME_MAX];

        for (size_t i = 0; i < sizeof lengths; i++) {
                uint8_t bytes[] = { 0xC8, lengths[i] };

                ck_assert_uint_eq(crsf_find(bytes, 2, &frame, &found), 1);
                ck_assert_int_eq(found, CRSF_BROKEN);
        }
        ck_assert_uint_eq(crsf_encode(&frame, out), 0);
}

TEST(crsf_link_statistics_survive)
{
        const struct crsf_link link = { { 60, 70 }, 99, -5, 1, 2, 3, 80, 88, -9 };
        uint8_t bytes[CRSF_LINK_BYTES];
        struct crsf_link again;

        crsf_put_link(bytes, &link);
        crsf_get_link(&again, bytes);
        ck_assert_mem_eq(&again, &link, sizeof link);
        ck_assert_uint_eq(bytes[3], 0xFB);
}

TEST(sbus_frame_of_ardupilots_test_is_read_and_written_again)
{
        struct sbus_frame frame;
        uint8_t again[SBUS_FRAME_BYTES];

        ck_assert(sbus_decode(&frame, sbus_published));
        for (int i = 0; i < 8; i++)
                ck_assert_int_eq(frame.ticks[i] * 5 / 8 + 875, sbus_us_less_5[i]);
        ck_assert_uint_eq(frame.ticks[8], 0);
        ck_assert_uint_eq(frame.flags, 0);
        sbus_encode(&frame, again);
        ck_assert_mem_eq(again, sbus_published, sizeof again);
}

TEST(sbus_refuses_what_does_not_begin_or_end_like_a_frame)
{
        uint8_t bytes[SBUS_FRAME_BYTES];
        struct sbus_frame frame = { .flags = SBUS_FRAME_LOST | SBUS_FAILSAFE };

        sbus_encode(&frame, bytes);
        ck_assert_uint_eq(bytes[23], 0x0C);
        bytes[24] = 0x34;
        ck_assert(sbus_decode(&frame, bytes));
        ck_assert_uint_eq(frame.flags, 0x0C);
        bytes[24] = 0x35;
        ck_assert(!sbus_decode(&frame, bytes));
        bytes[24] = 0;
        bytes[0] = 0xF0;
        ck_assert(!sbus_decode(&frame, bytes));
}

TEST(ibus_frame_of_ardupilots_test_is_read_and_written_again)
{
        uint16_t us[IBUS_CHANNELS_MAX];
        uint8_t again[IBUS_FRAME_BYTES];

        ck_assert(ibus_decode(us, ibus_published));
        for (int i = 0; i < IBUS_CHANNELS_MAX; i++)
                ck_assert_uint_eq(us[i], i >= 14 ? 0 : i == 2 ? 1000 : 1500);
        ibus_encode(us, again);
        ck_assert_mem_eq(again, ibus_published, sizeof again);
}

TEST(ibus_frame_of_betaflights_test_has_18_channels)
{
        static const uint16_t extra[] = { 0x0E, 0x0F, 0x10, 0x11 };
        uint16_t us[IBUS_CHANNELS_MAX], twice[IBUS_CHANNELS_MAX];
        uint8_t again[IBUS_FRAME_BYTES];

        ck_assert(ibus_decode(us, ibus_18));
        for (uint16_t i = 0; i < IBUS_CHANNELS; i++)
                ck_assert_uint_eq(us[i], i);
        /* What its test expects of channel n: n - 1. */
        for (int i = 0; i < 4; i++)
                ck_assert_uint_eq(us[IBUS_CHANNELS + i], extra[i]);
        ibus_encode(us, again);
        ck_assert_mem_eq(again + 2, ibus_18 + 2, IBUS_FRAME_BYTES - 4);
        ck_assert(ibus_decode(twice, again));
        ck_assert_mem_eq(twice, us, sizeof us);
        again[5] ^= 1;
        ck_assert(!ibus_decode(twice, again));
        again[5] ^= 1;
        again[0] = 0x04;
        ck_assert(!ibus_decode(twice, again));
}

TEST(ticks_are_what_radios_and_boards_make_of_us)
{
        /* TBS: 172, 992 and 1811 are 988, 1500 and 2012 us. */
        ck_assert_uint_eq(rc_us_of_ticks(172), 988);
        ck_assert_uint_eq(rc_us_of_ticks(992), 1500);
        ck_assert_uint_eq(rc_us_of_ticks(1811), 2012);
        for (uint16_t us = 881; us < 2159; us++) {
                uint16_t ticks = rc_ticks_of_us(us);

                ck_assert_uint_eq(rc_us_of_ticks(ticks), us);
                /* INAV, rx/crsf.c and rx/sbus_channels.c, which round down. */
                ck_assert_int_le(abs(ticks * 1024 / 1639 + 881 - us), 1);
                ck_assert_int_le(abs(5 * ticks / 8 + 880 - us), 1);
        }
        ck_assert_uint_eq(rc_ticks_of_us(0), 0);
        ck_assert_uint_eq(rc_ticks_of_us(UINT16_MAX), RC_TICKS_MAX);
}

TEST(every_bit_of_every_channel_has_its_place)
{
        for (int channel = 0; channel < RC_PACKED; channel++)
                for (int bit = 0; bit < 11; bit++) {
                        uint16_t ticks[RC_PACKED] = { 0 }, again[RC_PACKED];
                        uint8_t bytes[RC_PACKED_BYTES];
                        int at = 11 * channel + bit;

                        ticks[channel] = (uint16_t)(1 << bit);
                        rc_pack(bytes, ticks);
                        for (int i = 0; i < RC_PACKED_BYTES; i++)
                                ck_assert_uint_eq(bytes[i],
                                                  i == at / 8 ? 1U << at % 8 : 0U);
                        rc_unpack(again, bytes);
                        ck_assert_mem_eq(again, ticks, sizeof ticks);
                }
}
