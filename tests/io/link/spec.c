/* The link as the user writes it: what is read from good text, and what is said about bad text. */
#include "io/link/link.h"

#include <stdio.h>
#include <string.h>

#include "tests/suites.h"

static struct link_spec parsed(const char *text)
{
        struct link_spec spec;
        struct link_error why = { "" };

        ck_assert_msg(link_spec_parse(&spec, text, &why), "%s: %s", text, why.text);
        return spec;
}

TEST(spec_reads_a_serial_port_by_path)
{
        struct link_spec s = parsed("uart:/dev/ttyACM0@921600");

        ck_assert_int_eq(s.kind, LINK_UART);
        ck_assert_str_eq(s.path, "/dev/ttyACM0");
        ck_assert_uint_eq(s.baud, 921600);
        ck_assert_int_eq(s.usb_vid, -1);
}

static const struct {
        const char *text;
        enum link_parity parity;
        int data_bits, stop_bits;
} framings[] = {
        { "uart:/dev/ttyUSB0@100000", LINK_PARITY_NONE, 8, 1 },
        { "uart:/dev/ttyUSB0@100000,8N1", LINK_PARITY_NONE, 8, 1 },
        { "uart:/dev/ttyUSB0@100000,8E2", LINK_PARITY_EVEN, 8, 2 },
        { "uart:usb=0403:6001:A,B@100000,7O1", LINK_PARITY_ODD, 7, 1 },
        { "uart:/dev/tty,8N1@100000,5N2", LINK_PARITY_NONE, 5, 2 },
};

TEST_EACH(spec_reads_data_bits_parity_and_stop_bits, sizeof framings / sizeof framings[0])
{
        struct link_spec s = parsed(framings[_i].text);

        ck_assert_uint_eq(s.baud, 100000);
        ck_assert_int_eq(s.parity, framings[_i].parity);
        ck_assert_int_eq(s.data_bits, framings[_i].data_bits);
        ck_assert_int_eq(s.stop_bits, framings[_i].stop_bits);
}

TEST(spec_takes_the_last_at_sign_for_the_baud_rate)
{
        struct link_spec s =
                parsed("uart:/dev/serial/by-path/pci@1:00:14.0-usb-0:1@12000000");

        ck_assert_str_eq(s.path, "/dev/serial/by-path/pci@1:00:14.0-usb-0:1");
        ck_assert_uint_eq(s.baud, 12000000);
}

TEST(spec_reads_a_serial_port_by_usb_ids)
{
        struct link_spec s = parsed("uart:usb=0403:6001@115200");

        ck_assert_int_eq(s.kind, LINK_UART);
        ck_assert_int_eq(s.usb_vid, 0x0403);
        ck_assert_int_eq(s.usb_pid, 0x6001);
        ck_assert_str_eq(s.usb_serial, "");
        ck_assert_str_eq(s.path, "");
        ck_assert_uint_eq(s.baud, 115200);
}

TEST(spec_reads_a_usb_serial_number_with_a_colon_in_it)
{
        struct link_spec s = parsed("uart:usb=10C4:ea60:A5:0285BI@1");

        ck_assert_int_eq(s.usb_vid, 0x10c4);
        ck_assert_int_eq(s.usb_pid, 0xea60);
        ck_assert_str_eq(s.usb_serial, "A5:0285BI");
        ck_assert_uint_eq(s.baud, 1);
}

TEST(spec_reads_a_new_and_an_existing_pseudo_terminal)
{
        struct link_spec s = parsed("pty");

        ck_assert_int_eq(s.kind, LINK_PTY);
        ck_assert_str_eq(s.path, "");
        s = parsed("pty-link:/tmp/gps");
        ck_assert_int_eq(s.kind, LINK_PTY_LINK);
        ck_assert_str_eq(s.path, "/tmp/gps");
        s = parsed("pty:/dev/pts/5");
        ck_assert_int_eq(s.kind, LINK_PTY);
        ck_assert_str_eq(s.path, "/dev/pts/5");
}

static const struct {
        const char *text;
        enum link_kind kind;
        const char *host;
        uint16_t port, local_port;
} sockets[] = {
        { "tcp:127.0.0.1:5760", LINK_TCP, "127.0.0.1", 5760, 0 },
        { "tcp-listen:0.0.0.0:65535", LINK_TCP_LISTEN, "0.0.0.0", 65535, 0 },
        { "udp:192.168.10.200:1", LINK_UDP, "192.168.10.200", 1, 0 },
        { "udp:127.0.0.1:9003:9002", LINK_UDP, "127.0.0.1", 9003, 9002 },
        { "udp-listen:127.0.0.1:9002", LINK_UDP_LISTEN, "127.0.0.1", 9002, 0 },
};

TEST_EACH(spec_reads_addresses_and_ports, sizeof sockets / sizeof sockets[0])
{
        struct link_spec s = parsed(sockets[_i].text);

        ck_assert_int_eq(s.kind, sockets[_i].kind);
        ck_assert_str_eq(s.host, sockets[_i].host);
        ck_assert_uint_eq(s.port, sockets[_i].port);
        ck_assert_uint_eq(s.local_port, sockets[_i].local_port);
}

TEST(spec_reads_unix_paths_relative_too)
{
        struct link_spec s = parsed("unix:/run/fc:1.sock");

        ck_assert_int_eq(s.kind, LINK_UNIX);
        ck_assert_str_eq(s.path, "/run/fc:1.sock");
        s = parsed("unix-listen:fc.sock");
        ck_assert_int_eq(s.kind, LINK_UNIX_LISTEN);
        ck_assert_str_eq(s.path, "fc.sock");
}

TEST(spec_reads_a_usb_device_by_ids_and_by_bus_path)
{
        struct link_spec s = parsed("usb:1209:5741");

        ck_assert_int_eq(s.kind, LINK_USB);
        ck_assert_int_eq(s.usb_vid, 0x1209);
        ck_assert_int_eq(s.usb_pid, 0x5741);
        ck_assert_str_eq(s.usb_serial, "");
        ck_assert_str_eq(s.path, "");
        ck_assert_str_eq(parsed("usb:1209:5741:3A:21").usb_serial, "3A:21");
        s = parsed("usb:1-4.2");
        ck_assert_int_eq(s.kind, LINK_USB);
        ck_assert_int_eq(s.usb_vid, -1);
        ck_assert_str_eq(s.path, "1-4.2");
        ck_assert_str_eq(parsed("usb:12-1.2.3.4.5.6.7").path, "12-1.2.3.4.5.6.7");
}

/* Bad text, and two pieces that the message must hold: the part and what was expected. */
static const struct {
        const char *text, *part, *expectation;
} bad[] = {
        { "", "kind", "missing" },
        { "serial:/dev/ttyS0@1", "kind",
          "uart, inside, pty, pty-link, tcp, tcp-listen, udp, udp-listen, "
          "udp-multicast, socketcan, unix, unix-listen or usb" },
        { "inside:fc", "form", "inside, and nothing behind it" },
        { "socketcan:", "form", "socketcan:INTERFACE" },
        { "socketcan:a-name-of-sixteen", "interface", "at most 15" },
        { "socketcan:/dev/can0", "interface", "such as can0" },
        { "TCP:127.0.0.1:1", "kind", "\"TCP\"" },
        { "ptyx", "kind", "\"ptyx\"" },
        { ":127.0.0.1:1", "kind", "missing" },
        { "uart", "form", "uart:PATH@BAUD" },
        { "uart:", "form", "uart:PATH@BAUD" },
        { "pty:", "form", "pty:PATH" },
        { "tcp", "form", "tcp:HOST:PORT" },
        { "unix:", "form", "unix:PATH" },
        { "uart:ttyACM0@9600", "path", "absolute" },
        { "uart:@9600", "path", "absolute" },
        { "pty:5", "path", "absolute" },
        { "uart:/dev/ttyACM0", "baud", "missing" },
        { "uart:/dev/ttyACM0@", "baud", "missing" },
        { "uart:/dev/ttyACM0@0", "baud", "1 to 12000000" },
        { "uart:/dev/ttyACM0@12000001", "baud", "1 to 12000000" },
        { "uart:/dev/ttyACM0@4294967297", "baud", "\"4294967297\"" },
        { "uart:/dev/ttyACM0@0115200", "baud", "whole number" },
        { "uart:/dev/ttyACM0@+9600", "baud", "\"+9600\"" },
        { "uart:/dev/ttyACM0@9600 ", "baud", "\"9600 \"" },
        { "uart:/dev/ttyACM0@9600.0", "baud", "whole number" },
        { "uart:/dev/ttyACM0@-1", "baud", "\"-1\"" },
        { "uart:/dev/ttyACM0@9600,", "framing", "8E2" },
        { "uart:/dev/ttyACM0@9600,8", "framing", "8E2" },
        { "uart:/dev/ttyACM0@9600,8E3", "framing", "\"8E3\"" },
        { "uart:/dev/ttyACM0@9600,9N1", "framing", "\"9N1\"" },
        { "uart:/dev/ttyACM0@9600,4N1", "framing", "data bits" },
        { "uart:/dev/ttyACM0@9600,8e2", "framing", "N, E or O" },
        { "uart:/dev/ttyACM0@9600,8N1,8N1", "framing", "\"8N1,8N1\"" },
        { "uart:/dev/ttyACM0@,8N1", "baud", "missing" },
        { "uart:/dev/ttyACM0@9600 ,8N1", "baud", "\"9600 \"" },
        { "uart:usb=0403@9600", "USB product id", "missing" },
        { "uart:usb=403:6001@9600", "USB vendor id", "four hexadecimal digits" },
        { "uart:usb=0403:6x01@9600", "USB product id", "\"6x01\"" },
        { "uart:usb=0x0403:6001@9600", "USB vendor id", "\"0x0403\"" },
        { "uart:usb=0403:6001:@9600", "USB serial number", "missing" },
        { "uart:usb=@9600", "path", "absolute" },
        { "uart:usb=0403:6001", "baud", "missing" },
        { "tcp:localhost:5760", "host", "numeric IPv4 address" },
        { "tcp:127.1:5760", "host", "\"127.1\"" },
        { "tcp:256.0.0.1:5760", "host", "127.0.0.1" },
        { "tcp:[::1]:5760", "host", "numeric IPv4" },
        { "tcp::5760", "host", "missing" },
        { "tcp:127.0.0.1", "port", "missing" },
        { "tcp:127.0.0.1:", "port", "missing" },
        { "tcp:127.0.0.1:0", "port", "1 to 65535" },
        { "tcp:127.0.0.1:65536", "port", "\"65536\"" },
        { "tcp:127.0.0.1:5760:1", "port", "\"5760:1\"" },
        { "tcp-listen:127.0.0.1:http", "port", "\"http\"" },
        { "udp:127.0.0.1:9003:", "local port", "missing" },
        { "udp:127.0.0.1:9003:0", "local port", "1 to 65535" },
        { "udp:127.0.0.1:9003:9002:1", "local port", "\"9002:1\"" },
        { "udp-listen:127.0.0.1:9002:9003", "port", "\"9002:9003\"" },
        { "usb", "form", "usb:VID:PID[:SERIAL]" },
        { "usb:", "form", "usb:BUS-PORT" },
        { "usb:0403", "bus path", "such as 1-4" },
        { "usb:1-", "bus path", "\"1-\"" },
        { "usb:-4", "bus path", "\"-4\"" },
        { "usb:1-4.", "bus path", "\"1-4.\"" },
        { "usb:1-4..2", "bus path", "1-4.2" },
        { "usb:1-1234", "bus path", "1-4.2" },
        { "usb:1-1.2.3.4.5.6.7.8", "bus path", "1-4.2" },
        { "usb:1209:", "USB product id", "missing" },
        { "usb:1209:574", "USB product id", "four hexadecimal digits" },
        { "usb:1209:5741:", "USB serial number", "missing" },
        { "pty:/dev/pts/5\n", "text", "control characters" },
        { "unix:/run/\033[2J.sock", "text", "control characters" },
};

TEST_EACH(spec_refuses_bad_text_and_names_the_text_the_part_and_the_expectation,
          sizeof bad / sizeof bad[0])
{
        struct link_spec spec;
        struct link_error why = { "" };
        char start[64];

        snprintf(start, sizeof start, "link \"%.6s", bad[_i].text);
        ck_assert_msg(!link_spec_parse(&spec, bad[_i].text, &why), "%s", bad[_i].text);
        ck_assert_msg(strstr(why.text, start) == why.text, "%s", why.text);
        ck_assert_msg(strstr(why.text, bad[_i].part) != NULL, "%s", why.text);
        ck_assert_msg(strstr(why.text, bad[_i].expectation) != NULL, "%s", why.text);
        for (const char *c = why.text; *c != '\0'; c++)
                ck_assert_msg(*c >= ' ' && *c != 127, "not one line of text: %s",
                              why.text);
}

static struct link_spec parsed_by(const struct link_line *line, const char *text)
{
        struct link_spec spec;
        struct link_error why;

        ck_assert_msg(link_spec_parse_line(&spec, text, line, &why), "%s", why.text);
        return spec;
}

TEST(spec_takes_from_a_devices_line_what_the_text_leaves_out)
{
        const struct link_line sbus = { 100000, "8E2" }, gps = { .baud = 9600 };
        struct link_spec s = parsed_by(&sbus, "uart:/dev/ttyUSB1");

        ck_assert_uint_eq(s.baud, 100000);
        ck_assert_int_eq(s.data_bits, 8);
        ck_assert_int_eq(s.parity, LINK_PARITY_EVEN);
        ck_assert_int_eq(s.stop_bits, 2);
        s = parsed_by(&sbus, "uart:usb=0403:6001@200000");
        ck_assert_uint_eq(s.baud, 200000);
        ck_assert_int_eq(s.parity, LINK_PARITY_EVEN);
        s = parsed_by(&sbus, "uart:/dev/ttyUSB1@100000,8E2");
        ck_assert_int_eq(s.stop_bits, 2);
        s = parsed_by(&gps, "uart:/dev/ttyUSB1");
        ck_assert_uint_eq(s.baud, 9600);
        ck_assert_int_eq(s.parity, LINK_PARITY_NONE);
        ck_assert_int_eq(s.stop_bits, 1);
        s = parsed_by(&gps, "uart:/dev/ttyUSB1@9600,7O1");
        ck_assert_int_eq(s.data_bits, 7);
        ck_assert_int_eq(parsed_by(&sbus, "pty").kind, LINK_PTY);
        ck_assert_int_eq(parsed_by(&sbus, "tcp:127.0.0.1:5762").kind, LINK_TCP);
}

TEST(spec_refuses_a_framing_that_is_not_the_devices)
{
        const struct link_line sbus = { 100000, "8E2" };
        struct link_spec spec;
        struct link_error why;

        ck_assert(!link_spec_parse_line(&spec, "uart:/dev/ttyUSB1@100000,8N1", &sbus,
                                        &why));
        ck_assert_str_eq(why.text,
                         "link \"uart:/dev/ttyUSB1@100000,8N1\": framing after the baud "
                         "rate: must be 8E2, as the device's line is, or left out, is "
                         "\"8N1\"");
        ck_assert(!link_spec_parse_line(&spec, "uart:/dev/ttyUSB1@", &sbus, &why));
        ck_assert(!link_spec_parse_line(&spec, "uart:/dev/ttyUSB1@100000,", &sbus, &why));
        ck_assert(!link_spec_parse(&spec, "uart:/dev/ttyUSB1", &why));
        ck_assert_ptr_nonnull(strstr(why.text, "baud rate after @"));
}

/* "before" and then n letters x and then "after". */
static char *stretched(char *text, const char *before, size_t n, const char *after)
{
        size_t len = strlen(before);

        memcpy(text, before, len);
        memset(text + len, 'x', n);
        strcpy(text + len + n, after);
        return text;
}

TEST(spec_takes_the_longest_parts_and_nothing_longer)
{
        struct link_spec spec;
        struct link_error why;
        char text[400];

        ck_assert_uint_eq(strlen(parsed(stretched(text, "unix:", 107, "")).path), 107);
        ck_assert(!link_spec_parse(&spec, stretched(text, "unix:", 108, ""), &why));
        ck_assert_ptr_nonnull(strstr(why.text, "107 characters"));

        stretched(text, "uart:usb=0403:6001:", 63, "@9600");
        ck_assert_uint_eq(strlen(parsed(text).usb_serial), 63);
        stretched(text, "uart:usb=0403:6001:", 64, "@9600");
        ck_assert(!link_spec_parse(&spec, text, &why));
        ck_assert_ptr_nonnull(strstr(why.text, "63 characters"));

        stretched(text, "tcp:", 64, ":80");
        ck_assert(!link_spec_parse(&spec, text, &why));
        ck_assert_ptr_nonnull(strstr(why.text, "host"));

        stretched(text, "tcp:", 380, ":80");
        ck_assert(!link_spec_parse(&spec, text, &why));
        ck_assert_ptr_nonnull(strstr(why.text, "at most 159 characters"));
}
