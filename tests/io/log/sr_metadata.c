/* The text in a recording of sigrok's that says its rate and its channels. */
#include <string.h>

#include "io/log/sr_metadata.h"
#include "tests/suites.h"

static struct link_error why;

static bool parses(const char *text, struct sr_info *info)
{
        char capture[SR_CAPTURE_MAX + 1];

        return sr_metadata_parse(text, strlen(text), info, capture, &why);
}

TEST(metadata_of_other_versions_is_understood)
{
        struct sr_info info;

        ck_assert(parses("[global]\r\nsigrok version = 0.2.0\r\n\r\n[device 1]\r\n"
                         "driver=fx2lafw\r\ncapturefile = logic-1\r\nunitsize=1\r\n"
                         "total probes = 3\r\nsamplerate = 500000\r\nprobe1 = SCL\r\n"
                         "probe3=a\\sb\x1b[m",
                         &info));
        ck_assert_double_eq(info.rate_hz, 5e5);
        ck_assert_int_eq(info.pads, 3);
        ck_assert_str_eq(info.pad_name[0], "SCL");
        ck_assert_str_eq(info.pad_name[1], "");
        ck_assert_str_eq(info.pad_name[2], "a b?[m");
        /* The first device is an oscilloscope; no unit size. */
        ck_assert(parses("[device 1]\ntotal analog=2\n[device 2]\ncapturefile=logic-2\n"
                         "total probes=34\nsamplerate=12.5 kHz\n",
                         &info));
        ck_assert_int_eq(info.pads, 8);
        ck_assert_int_eq(info.unit_bytes, 5);
        ck_assert_double_eq(info.rate_hz, 12500);
}

TEST(channels_that_the_samples_have_no_room_for_are_none)
{
        struct sr_info info;

        ck_assert(parses("[device 1]\ncapturefile=l\ntotal probes=1024\n"
                         "samplerate=1 MHz\nunitsize=1\n",
                         &info));
        ck_assert_int_eq(info.pads, 8);
        ck_assert_int_eq(info.more_pads, 0);
        ck_assert(parses("[device 1]\ncapturefile=l\ntotal probes=13\n"
                         "samplerate=1 MHz\nunitsize=2\n",
                         &info));
        ck_assert_int_eq(info.more_pads, 5);
}

/* sigrok names those that are in use. */
TEST(channels_without_a_name_were_not_recorded_where_others_have_one)
{
        struct sr_info info;

        ck_assert(parses("[device 1]\ncapturefile=l\ntotal probes=4\nsamplerate=1 MHz\n"
                         "probe1=D0\nprobe3=D2\n",
                         &info));
        ck_assert_uint_eq(sr_recorded(&info), 0x5);
        ck_assert(parses("[device 1]\ncapturefile=l\ntotal probes=4\nsamplerate=1 MHz\n",
                         &info));
        ck_assert_uint_eq(sr_recorded(&info), 0xF);
}

/* Cut between characters; what is no UTF-8, or controls a terminal of it, is none of the name. */
TEST(names_are_text_and_nothing_else)
{
        struct sr_info info;

        ck_assert(parses("[device 1]\ncapturefile=l\ntotal probes=8\nsamplerate=1 MHz\n"
                         "probe1=Mot\xc3\xb6r\xe2\x86\x92"
                         "1\n"
                         "probe2=\xc2\x9b"
                         "31m\xff\xc3\n"
                         "probe3=123456789012345678901234567890\xc3\xb6\n"
                         "probe4=\xed\xa0\x80\xf0\x9f\x98\x80\xc0\xaf\n",
                         &info));
        ck_assert_str_eq(info.pad_name[0], "Mot\xc3\xb6r\xe2\x86\x92"
                                           "1");
        ck_assert_str_eq(info.pad_name[1], "??31m??");
        ck_assert_str_eq(info.pad_name[2], "123456789012345678901234567890");
        ck_assert_str_eq(info.pad_name[3], "???\xf0\x9f\x98\x80??");
}

TEST(metadata_that_says_nothing_usable_is_refused)
{
        static const char *const text[] = {
                "",
                "[device 1]\n",
                "[device 1]\ncapturefile=logic-1\ntotal probes=8\n",
                "[device 1]\ncapturefile=logic-1\nsamplerate=1 MHz\n",
                "[device 1]\ncapturefile=l\ntotal probes=8\nsamplerate=0 Hz\n",
                "[device 1]\ncapturefile=l\ntotal probes=8\nsamplerate=-5\n",
                "[device 1]\ncapturefile=l\ntotal probes=8\nsamplerate=1e300\n",
                "[device 1]\ncapturefile=l\ntotal probes=2000\nsamplerate=1\n",
                "[device 1]\ncapturefile=l\ntotal probes=8\nsamplerate=1\nunitsize=0\n",
                "[device 1]\ncapturefile=l\ntotal probes=8\nsamplerate=1\nunitsize=-1\n",
                "[device 1]\ncapturefile=l\ntotal probes=8\nsamplerate=1\nunitsize=1e9\n",
                "[device 1]\ncapturefile=l\ntotal probes=8\nsamplerate=0x10\n",
                "[device 1]\nnonsense\n",
        };
        struct sr_info info;

        for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
                why.text[0] = '\0';
                ck_assert_msg(!parses(text[i], &info), "%s", text[i]);
                ck_assert_msg(why.text[0] != '\0', "%s", text[i]);
        }
}

TEST(rates_are_understood_as_sigrok_writes_them)
{
        ck_assert_double_eq(sr_rate_parse("24 MHz"), 24e6);
        ck_assert_double_eq(sr_rate_parse("24MHz"), 24e6);
        ck_assert_double_eq(sr_rate_parse("1 Hz"), 1);
        ck_assert_double_eq(sr_rate_parse("200 kHz"), 2e5);
        ck_assert_double_eq(sr_rate_parse("24m"), 24e6);
        ck_assert_double_eq(sr_rate_parse("1 GHz"), 1e9);
        ck_assert_double_eq(sr_rate_parse("48000"), 48000);
        ck_assert_double_eq(sr_rate_parse("fast"), 0);
        ck_assert_double_eq(sr_rate_parse("0x10"), 0);
        ck_assert_double_eq(sr_rate_parse("0.5 MHz"), 5e5);
        ck_assert_double_eq(sr_rate_parse("1 MHzz"), 0);
        ck_assert_double_eq(sr_rate_parse(""), 0);
}
