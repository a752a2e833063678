/* A source of motor signals as the user writes it. */
#include "io/capture/capture.h"

#include "io/capture/fx2lafw.h"
#include "tests/io/link/link_ends.h"
#include "tests/suites.h"

static struct capture_spec parsed(const char *text)
{
        struct capture_spec spec;
        struct link_error why = { "" };

        ck_assert_msg(capture_spec_parse(&spec, text, &why), "%s: %s", text, why.text);
        return spec;
}

TEST(spec_reads_an_analyzer_by_nothing_by_bus_path_and_by_ids)
{
        struct capture_spec s = parsed("fx2");

        ck_assert_int_eq(s.kind, CAPTURE_FX2);
        ck_assert_int_eq(s.usb_vid, -1);
        ck_assert_str_eq(s.bus_path, "");
        ck_assert_double_eq(s.rate_hz, 0.0);
        s = parsed("fx2:1-4.2");
        ck_assert_int_eq(s.usb_vid, -1);
        ck_assert_str_eq(s.bus_path, "1-4.2");
        s = parsed("fx2:08A9:0014");
        ck_assert_int_eq(s.usb_vid, 0x08a9);
        ck_assert_int_eq(s.usb_pid, 0x0014);
}

TEST(spec_reads_a_board_on_any_link_and_a_file)
{
        struct capture_spec s = parsed("board:uart:/dev/ttyACM1@921600");

        ck_assert_int_eq(s.kind, CAPTURE_BOARD);
        ck_assert_int_eq(s.link.kind, LINK_UART);
        ck_assert_uint_eq(s.link.baud, 921600);
        s = parsed("board:usb:1-4");
        ck_assert_int_eq(s.link.kind, LINK_USB);
        s = parsed("sr:/tmp/a:b.sr");
        ck_assert_int_eq(s.kind, CAPTURE_SR);
        ck_assert_str_eq(s.path, "/tmp/a:b.sr");
}

TEST(rules_let_the_user_open_every_analyzer)
{
        static char rules[16384];
        char wanted[64];
        FILE *f = fopen("scripts/60-hilrig.rules", "r");

        ck_assert_ptr_nonnull(f);
        rules[fread(rules, 1, sizeof rules - 1, f)] = '\0';
        fclose(f);
        for (int i = 0; i < FX2LAFW_KINDS; i++) {
                snprintf(wanted, sizeof wanted,
                         "ATTR{idVendor}==\"%04x\", ATTR{idProduct}==\"%04x\"",
                         fx2lafw_kinds[i].id.vid, fx2lafw_kinds[i].id.pid);
                ck_assert_msg(strstr(rules, wanted) != NULL, "no %s", wanted);
        }
}

static const struct {
        const char *text, *reason;
} bad[] = {
        { "", "capture \"\": kind: must be fx2, board or sr" },
        { "fx", "capture \"fx\": kind: must be fx2, board or sr" },
        { "fx22", "capture \"fx22\": kind: must be fx2, board or sr" },
        { "fx2:", "capture \"fx2:\": bus path: must be such as 1-4 or 1-4.2" },
        { "fx2:1", "capture \"fx2:1\": bus path: must be such as 1-4 or 1-4.2" },
        { "fx2:925:3881", "capture \"fx2:925:3881\": USB ids: must be four hexadecimal "
                          "digits each, such as "
                          "0925:3881" },
        { "fx2:0925:38811", "capture \"fx2:0925:38811\": USB ids: must be four "
                            "hexadecimal digits each, such "
                            "as 0925:3881" },
        { "fx2:0925:3882",
          "capture \"fx2:0925:3882\": USB ids: must be 0925:3881, 08a9:0014, "
          "04b4:8613 or 1d50:608c" },
        { "board", "capture \"board\": form: must be board:LINK, such as "
                   "board:uart:/dev/ttyACM1@921600" },
        { "board:", "capture \"board:\": form: must be board:LINK, such as "
                    "board:uart:/dev/ttyACM1@921600" },
        { "board:udp:1.2.3.4",
          "link \"udp:1.2.3.4\": port: must be a whole number from 1 to "
          "65535, is missing" },
        { "sr:", "capture \"sr:\": form: must be sr:FILE.sr" },
        { "sr:a\nb", "capture \"sr:a?b\": text: must be free of control characters" },
};

TEST_EACH(spec_refuses_bad_text_and_says_what_must_be, sizeof bad / sizeof bad[0])
{
        struct capture_spec spec;
        struct link_error why = { "" };

        ck_assert(!capture_spec_parse(&spec, bad[_i].text, &why));
        ck_assert_str_eq(why.text, bad[_i].reason);
}

TEST(spec_takes_the_longest_text_and_nothing_longer)
{
        struct capture_spec spec;
        struct link_error why;
        char text[200];

        memset(text, 'x', sizeof text);
        memcpy(text, "sr:", 3);
        text[159] = '\0';
        ck_assert_uint_eq(strlen(parsed(text).path), 156);
        text[159] = 'x';
        text[160] = '\0';
        ck_assert(!capture_spec_parse(&spec, text, &why));
        ck_assert_ptr_nonnull(strstr(why.text, "...\": length: must be at most 159"));
}
