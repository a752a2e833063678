/* CAN frames as text, as datagrams and as a socket has them, the first two held against frames that others wrote. */
#include "io/can/can.h"

#include <string.h>

#include "tests/suites.h"

static const struct can_frame pressure = {
        .id = 0x1004042A, .len = 7, .data = { 0x80, 0xE6, 0xC5, 0x47, 0x40, 0x56, 0xDF }
};

static void check_same(const struct can_frame *a, const struct can_frame *b)
{
        ck_assert_uint_eq(a->id, b->id);
        ck_assert_uint_eq(a->len, b->len);
        ck_assert_mem_eq(a->data, b->data, CAN_DATA_MAX);
}

static enum slcan_found find(const char *text, size_t used, struct can_frame *frame)
{
        enum slcan_found found;

        ck_assert_uint_eq(slcan_find((const uint8_t *)text, strlen(text), frame, &found),
                          used);
        return found;
}

TEST(slcan_writes_the_line_of_its_manual_and_reads_it)
{
        char line[SLCAN_LINE_MAX + 1] = "";
        struct can_frame frame;

        ck_assert_uint_eq(slcan_encode(&pressure, line), 25);
        ck_assert_str_eq(line, "T1004042A780E6C5474056DF\r");
        ck_assert_int_eq(find(line, 25, &frame), SLCAN_FRAME);
        check_same(&frame, &pressure);
}

TEST(slcan_drops_a_time_stamp_and_takes_small_letters)
{
        struct can_frame frame;

        ck_assert_int_eq(find("T1004042a780e6c5474056df1a2B\rT", 29, &frame),
                         SLCAN_FRAME);
        check_same(&frame, &pressure);
}

TEST(slcan_tells_answers_refusals_and_noise_apart)
{
        static const struct {
                const char *text;
                size_t used;
                enum slcan_found found;
        } cases[] = {
                { "\rT", 1, SLCAN_OTHER },
                { "z\r", 2, SLCAN_OTHER },
                { "t12320102\r", 10, SLCAN_OTHER },
                { "\a", 1, SLCAN_REFUSED },
                { "T1004042A780E6\a", 15, SLCAN_REFUSED },
                { "T1004042A780E6\r", 15, SLCAN_NOISE },
                { "T2004042A0\r", 11, SLCAN_NOISE }, /* 30 bits */
                { "T1004042A9001122334455667788\r", 29, SLCAN_NOISE },
                { "T1004042G0\r", 11, SLCAN_NOISE },
                { "T1004042A10G\r", 13, SLCAN_NOISE },
                { "hello\r", 6, SLCAN_NOISE },
                { "T1004042A780E6C54", 0, SLCAN_INCOMPLETE },
                { "", 0, SLCAN_INCOMPLETE },
        };
        struct can_frame frame;

        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
                ck_assert_int_eq(find(cases[i].text, cases[i].used, &frame),
                                 cases[i].found);
}

TEST(slcan_gives_up_a_line_that_never_ends)
{
        char text[200];
        struct can_frame frame;

        memset(text, '0', sizeof text - 1);
        text[sizeof text - 1] = '\0';
        ck_assert_int_eq(find(text, SLCAN_LINE_MAX + 4, &frame), SLCAN_NOISE);
}

/* Made by pydronecan 1.0.27's driver mcast of the same frame. */
static const uint8_t datagram[] = { 0x34, 0x29, 0xFC, 0x70, 0x00, 0x00, 0x2A, 0x04, 0x04,
                                    0x90, 0x80, 0xE6, 0xC5, 0x47, 0x40, 0x56, 0xDF };

TEST(datagram_is_that_of_pydronecan)
{
        uint8_t out[CAN_DATAGRAM_MAX];
        struct can_frame frame;

        ck_assert_uint_eq(can_datagram_encode(&pressure, out), sizeof datagram);
        ck_assert_mem_eq(out, datagram, sizeof datagram);
        ck_assert(can_datagram_decode(datagram, sizeof datagram, &frame));
        check_same(&frame, &pressure);
}

TEST(datagram_with_any_bit_wrong_is_none)
{
        struct can_frame frame;
        uint8_t bytes[sizeof datagram];

        for (size_t bit = 0; bit < 8 * sizeof datagram; bit++) {
                memcpy(bytes, datagram, sizeof bytes);
                bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
                ck_assert(!can_datagram_decode(bytes, sizeof bytes, &frame));
        }
        for (size_t len = 0; len < sizeof datagram; len++)
                ck_assert(!can_datagram_decode(datagram, len, &frame));
}

TEST(crc_is_ccitt_false)
{
        /* The catalogue's check value (CRC RevEng: CRC-16/IBM-3740). */
        ck_assert_uint_eq(can_crc(CAN_CRC_BEGIN, (const uint8_t *)"123456789", 9),
                          0x29B1);
}

TEST(a_socket_has_frames_as_the_kernel_keeps_them)
{
        const uint32_t id = 0x9004042A; /* EFF, 1004042A */
        uint8_t bytes[CAN_SOCKET_BYTES];
        struct can_frame frame;

        can_socket_encode(&pressure, bytes);
        ck_assert_mem_eq(bytes, &id, sizeof id);
        ck_assert_mem_eq(bytes + 4, "\7\0\0\0\x80\xE6\xC5\x47\x40\x56\xDF\0", 12);
        ck_assert(can_socket_decode(bytes, sizeof bytes, &frame));
        check_same(&frame, &pressure);
        ck_assert(!can_socket_decode(bytes, sizeof bytes - 1, &frame));
        bytes[4] = 9; /* bytes */
        ck_assert(!can_socket_decode(bytes, sizeof bytes, &frame));
        bytes[4] = 7;
        for (int flag = 29; flag < 32; flag++) { /* error, remote, and no EFF */
                bytes[3] ^= (uint8_t)(1 << (flag - 24));
                ck_assert(!can_socket_decode(bytes, sizeof bytes, &frame));
                bytes[3] ^= (uint8_t)(1 << (flag - 24));
        }
}
