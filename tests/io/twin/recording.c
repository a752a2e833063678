/* Captures and texts as what one side said: in order, once, and what is missing counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/le.h"
#include "io/twin/recording.h"
#include "tests/suites.h"

#define SERVER   0x0a000001u
#define CLIENT   0x0a000002u
#define STRANGER 0x0a000003u
#define GROUP    0xefff2a63u
#define SYN      2

struct capture {
        uint8_t bytes[4096];
        size_t len;
};

static void put_be(uint8_t *p, uint32_t value, int bytes)
{
        for (int i = 0; i < bytes; i++)
                p[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
}

static void begin(struct capture *c, uint32_t magic, uint32_t kind)
{
        memset(c, 0, sizeof *c);
        le_put_u32(c->bytes, magic);
        le_put_u32(c->bytes + 20, kind);
        c->len = 24;
}

struct where {
        uint32_t from, to;
        uint16_t from_port, to_port;
};

static const struct where to_server = { CLIENT, SERVER, 40000, 1510 };
static const struct where to_client = { SERVER, CLIENT, 1510, 40000 };

/* A packet of raw IP, a ms after the one before: UDP, or TCP of that sequence. Its bytes can still be changed. */
static uint8_t *add(struct capture *c, struct where w, int64_t sequence, int flags,
                    const char *said)
{
        size_t head = sequence < 0 ? 8 : 20, len = strlen(said), all = 20 + head + len;
        uint8_t *p = c->bytes + c->len, *ip = p + 16;

        le_put_u32(p, 7);
        le_put_u32(p + 4, 1000 * (uint32_t)c->len);
        le_put_u32(p + 8, (uint32_t)all);
        ip[0] = 0x45;
        put_be(ip + 2, (uint32_t)all, 2);
        ip[9] = sequence < 0 ? 17 : 6;
        put_be(ip + 12, w.from, 4);
        put_be(ip + 16, w.to, 4);
        put_be(ip + 20, w.from_port, 2);
        put_be(ip + 22, w.to_port, 2);
        if (sequence < 0) {
                put_be(ip + 24, (uint32_t)(8 + len), 2);
        } else {
                put_be(ip + 24, (uint32_t)sequence, 4);
                ip[32] = 0x50;
                ip[33] = (uint8_t)flags;
        }
        memcpy(ip + 20 + head, said, len);
        c->len += 16 + all;
        return p;
}

static struct recording open_it(const struct capture *c, bool caller_serves)
{
        struct link_error why = { "" };
        struct recording r;

        ck_assert_msg(recording_open(&r, c->bytes, c->len, caller_serves, "c", &why),
                      "%s", why.text);
        return r;
}

/* All that is said, with a bar between the pieces. */
static const char *say_all(struct recording *r)
{
        static char text[1000];
        struct recording_said said;

        text[0] = '\0';
        while (recording_next(r, &said))
                snprintf(text + strlen(text), sizeof text - strlen(text), "%.*s|",
                         (int)said.len, (const char *)said.bytes);
        return text;
}

TEST(a_server_is_who_was_spoken_to_and_its_frames_to_a_group_count)
{
        const struct where to_group = { SERVER, GROUP, 1511, 1511 };
        const struct where of_others = { STRANGER, CLIENT, 1510, 40000 };
        struct capture c;
        struct recording r;

        begin(&c, 0xa1b2c3d4, 101);
        add(&c, to_server, -1, 0, "hello");
        add(&c, to_client, -1, 0, "one");
        add(&c, of_others, -1, 0, "not me");
        add(&c, to_server, -1, 0, "alive");
        add(&c, to_group, -1, 0, "two");
        r = open_it(&c, false);
        ck_assert(r.packets);
        ck_assert_str_eq(say_all(&r), "one|two|");
        ck_assert_uint_eq(r.skipped, 0);
}

TEST(an_aircraft_that_speaks_first_is_the_one_that_is_played)
{
        struct capture c;
        struct recording r;

        begin(&c, 0xa1b2c3d4, 101);
        add(&c, to_client, -1, 0, "one");
        add(&c, to_server, -1, 0, "and you");
        add(&c, to_client, -1, 0, "two");
        r = open_it(&c, true);
        ck_assert_str_eq(say_all(&r), "one|two|");
}

TEST_EACH(times_are_the_captures_own_in_its_own_unit, 2)
{
        static const uint32_t magics[] = { 0xa1b2c3d4, 0xa1b23c4d };
        struct recording_said said;
        struct capture c;
        struct recording r;

        begin(&c, magics[_i], 101);
        add(&c, to_server, -1, 0, "hello");
        le_put_u32(add(&c, to_client, -1, 0, "one") + 4, 250);
        r = open_it(&c, false);
        ck_assert(recording_next(&r, &said));
        ck_assert_int_eq(said.t_ns, INT64_C(7000000000) + (_i == 0 ? 250000 : 250));
}

TEST(a_stream_is_said_once_and_in_order_and_ends_where_a_piece_is_missing)
{
        struct capture c;
        struct recording r;

        begin(&c, 0xa1b2c3d4, 101);
        add(&c, to_server, 99, SYN, "");
        add(&c, to_client, 0xfffffffe, SYN, "");
        add(&c, to_client, 0xffffffff, 0, "abc");
        add(&c, to_client, 0xffffffff, 0, "abc"); /* again */
        add(&c, to_client, 0, 0, "bcde"); /* and more */
        add(&c, to_server, 100, 0, "thanks");
        r = open_it(&c, false);
        ck_assert(!r.packets);
        ck_assert_str_eq(say_all(&r), "abc|de|");
        ck_assert(!r.broken);
        add(&c, to_client, 5, 0, "g"); /* f is missing */
        add(&c, to_client, 6, 0, "h");
        r = open_it(&c, false);
        ck_assert_str_eq(say_all(&r), "abc|de|");
        ck_assert(r.broken);
}

TEST(what_cannot_be_read_is_skipped_and_counted)
{
        struct capture c;
        struct recording r;

        begin(&c, 0xa1b2c3d4, 101);
        add(&c, to_server, -1, 0, "hello");
        add(&c, to_client, -1, 0, "a fragment")[16 + 6] = 0x20;
        add(&c, to_client, -1, 0, "IP six")[16] = 0x60;
        put_be(add(&c, to_client, -1, 0, "longer than kept") + 16 + 2, 1000, 2);
        add(&c, to_client, -1, 0, "one");
        r = open_it(&c, false);
        ck_assert_str_eq(say_all(&r), "one|");
        ck_assert_uint_eq(r.skipped, 3);
        /* A file that was cut. */
        c.len -= 2;
        r = open_it(&c, false);
        ck_assert_str_eq(say_all(&r), "");
        ck_assert_uint_eq(r.skipped, 4);
}

TEST(a_log_of_paparazzis_is_texts_with_times)
{
        static const char log[] = "0.500 147 ROTORCRAFT_FP 1 2 3\r\n"
                                  "\n"
                                  "no time 147 ALIVE 1\n"
                                  "-1 147 ALIVE 1\n"
                                  "1e300 147 ALIVE 1\n"
                                  "1.25 4 ALIVE 9";
        struct link_error why;
        struct recording_said said;
        struct recording r;

        ck_assert(recording_open(&r, (const uint8_t *)log, sizeof log - 1, false, "log",
                                 &why));
        ck_assert(recording_next(&r, &said));
        ck_assert_int_eq(said.t_ns, 500000000);
        ck_assert_str_eq(say_all(&r), "4 ALIVE 9|");
        ck_assert_uint_eq(r.skipped, 3);
}

TEST(what_is_no_recording_is_refused_with_what_it_must_be)
{
        struct link_error why;
        struct recording r;
        struct capture c;

        ck_assert(!recording_open(&r, (const uint8_t *)"t_s,north_m\n0,1\n", 16, false,
                                  "table.csv", &why));
        ck_assert_str_eq(
                why.text,
                "table.csv: must be a capture (pcap) or a log of Paparazzi's (.data)");
        begin(&c, 0xa1b2c3d4, 147);
        ck_assert(!recording_open(&r, c.bytes, c.len, false, "wire.cap", &why));
        ck_assert_str_eq(
                why.text,
                "wire.cap: must be a capture of Ethernet, of raw IP or of \"any\"");
        begin(&c, 0xa1b2c3d4, 1);
        ck_assert(!recording_open(&r, c.bytes, c.len, false, "none.pcap", &why));
        ck_assert_str_eq(why.text,
                         "none.pcap: has no whole packet of UDP or TCP over IPv4");
        ck_assert_int_eq(recording_kind(c.bytes, 3), RECORDING_NONE);
}
