/* The messages of vhci_hcd against the examples of the kernel's documentation. make guest-test asks the kernel. */
#include <errno.h>
#include <string.h>

#include "tests/io/codec/hilp/hilp_random.h"
#include "tests/usb/usbip.h"
#include "tests/suites.h"

/* Linux, Documentation/usb/usbip_protocol.rst, "EXAMPLE", word by word. An answer's start_frame, its sixth
 * number, means something to isochronous transfers alone. */
static const uint32_t submit_in[12] = { 1, 0xd05, 0x1000f, 1, 1, 0x200, 0x40, ~0U, 0, 4 };
static const uint32_t submit_out[12] = { 1, 0xd06, 0x1000f, 0, 1, 0, 0x40, ~0U, 0, 4 };
static const uint32_t submitted_in[12] = { 3, 0xd05, 0, 0, 0, 0, 0x40, ~0U };

static void bytes_of(const uint32_t words[12], uint8_t bytes[USBIP_HEADER])
{
        for (int i = 0; i < 12; i++)
                usbip_put_u32(bytes + 4 * i, words[i]);
}

TEST(the_requests_of_the_documentation)
{
        uint8_t bytes[USBIP_HEADER];
        struct usbip_request r;

        bytes_of(submit_in, bytes);
        ck_assert(usbip_decode(&r, bytes));
        ck_assert_int_eq(r.command, USBIP_SUBMIT);
        ck_assert_uint_eq(r.seqnum, 0xd05);
        ck_assert_uint_eq(r.devid, 0x1000f);
        ck_assert(r.in);
        ck_assert_uint_eq(r.endpoint, 1);
        ck_assert_uint_eq(r.len, 64);
        ck_assert_uint_eq(usbip_data_behind(&r), 0);
        bytes_of(submit_out, bytes);
        ck_assert(usbip_decode(&r, bytes));
        ck_assert(!r.in);
        ck_assert_uint_eq(usbip_data_behind(&r), 64);
}

TEST(the_answer_of_the_documentation)
{
        const struct usbip_request r = { .command = USBIP_SUBMIT, .seqnum = 0xd05 };
        uint8_t wanted[USBIP_HEADER], bytes[USBIP_HEADER];

        bytes_of(submitted_in, wanted);
        usbip_put_u32(wanted + 28, 0);
        usbip_encode_submitted(bytes, &r, 0, 64);
        ck_assert_mem_eq(bytes, wanted, USBIP_HEADER);
}

TEST(a_taken_back_submit_is_told_by_its_error)
{
        const uint32_t unlink[12] = { 2, 0xd07, 0x1000f, 0, 0, 0xd05 };
        uint8_t bytes[USBIP_HEADER];
        struct usbip_request r;

        bytes_of(unlink, bytes);
        ck_assert(usbip_decode(&r, bytes));
        ck_assert_int_eq(r.command, USBIP_UNLINK);
        ck_assert_uint_eq(r.unlinks, 0xd05);
        ck_assert_uint_eq(usbip_data_behind(&r), 0);
        usbip_encode_unlinked(bytes, &r, -ECONNRESET);
        ck_assert_uint_eq(usbip_get_u32(bytes), USBIP_UNLINKED);
        ck_assert_uint_eq(usbip_get_u32(bytes + 4), 0xd07);
        ck_assert_int_eq((int32_t)usbip_get_u32(bytes + 20), -ECONNRESET);
}

TEST(a_setup_packet_stands_behind_the_numbers)
{
        static const uint8_t get_device_descriptor[8] = { 0x80, 6, 0, 1, 0, 0, 18, 0 };
        const uint32_t control[12] = { 1, 1, 0x10001, 1, 0, 0x200, 18 };
        uint8_t bytes[USBIP_HEADER];
        struct usbip_request r;

        bytes_of(control, bytes);
        memcpy(bytes + 40, get_device_descriptor, 8);
        ck_assert(usbip_decode(&r, bytes));
        ck_assert_uint_eq(r.endpoint, 0);
        ck_assert_mem_eq(r.setup, get_device_descriptor, 8);
}

static void expect_refused(int word, uint32_t value)
{
        uint8_t bytes[USBIP_HEADER];
        struct usbip_request r;

        bytes_of(submit_in, bytes);
        usbip_put_u32(bytes + 4 * word, value);
        ck_assert(!usbip_decode(&r, bytes));
}

TEST(what_it_does_not_know_is_refused)
{
        expect_refused(0, 0);
        expect_refused(0, USBIP_SUBMITTED);
        expect_refused(3, 2); /* direction */
        expect_refused(4, 16); /* endpoint */
        expect_refused(6, USBIP_DATA_MAX + 1);
        expect_refused(6, (uint32_t)-1);
        expect_refused(8, 8); /* isochronous packets */
}

TEST(no_request_asks_for_more_than_there_is_room_for)
{
        struct dice d = { 1 };

        for (int i = 0; i < 100000; i++) {
                uint8_t bytes[USBIP_HEADER];
                struct usbip_request r;

                for (int k = 0; k < USBIP_HEADER; k++)
                        bytes[k] =
                                (uint8_t)(dice_below(&d, 4) != 0 ? 0
                                                                 : dice_below(&d, 256));
                bytes[3] = (uint8_t)dice_below(&d, 5);
                if (!usbip_decode(&r, bytes))
                        continue;
                ck_assert_uint_le(usbip_data_behind(&r), USBIP_DATA_MAX);
                ck_assert_uint_le(r.len, USBIP_DATA_MAX);
                ck_assert_uint_le(r.endpoint, 15);
        }
}
