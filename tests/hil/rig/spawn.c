/* Where the reference flight controller that a rig starts finds its rig. */
#include <stdio.h>
#include <string.h>

#include "hil/bench/bench.h"
#include "hil/rig/spawn.h"

#include "tests/suites.h"

/* Opens the rig's end and the other one, and sends a word from the rig and back. */
static void talk(const char *text)
{
        struct link_spec spec, peer_spec;
        struct link_error why;
        struct link *rig, *peer;
        char buf[16] = { 0 };

        ck_assert_msg(link_spec_parse(&spec, text, &why), "%s", why.text);
        rig = link_open(&spec, &why);
        ck_assert_msg(rig != NULL, "%s", why.text);
        ck_assert(link_other_end(rig, &spec, &peer_spec));
        peer = link_open(&peer_spec, &why);
        ck_assert_msg(peer != NULL, "%s: %s", text, why.text);

        for (int i = 0; i < 100000 && link_write(rig, "to", 2) == 0; i++)
                ;
        for (int i = 0; i < 100000 && link_read(peer, buf, sizeof buf) == 0; i++)
                ;
        ck_assert_str_eq(buf, "to");
        link_confirm(peer);
        ck_assert_int_eq(link_write(peer, "fro", 3), 3);
        for (int i = 0; i < 100000 && link_read(rig, buf, sizeof buf) == 0; i++)
                ;
        ck_assert_str_eq(buf, "fro");
        link_close(peer);
        link_close(rig);
}

TEST(the_two_ends_talk)
{
        static const char *const kinds[] = { "pty", "unix", "tcp", "udp" };
        char text[100];

        /* At ports that nobody has. */
        for (int i = 0; i < 4; i++) {
                bench_link_text(kinds[i], text, sizeof text);
                talk(text);
        }
}

TEST(what_the_rig_does_not_make_has_no_other_end)
{
        static const char *const text[] = { "uart:/dev/ttyACM0@921600", "pty:/dev/pts/5",
                                            "tcp:127.0.0.1:45871",
                                            "udp-listen:127.0.0.1:45872",
                                            "unix:/tmp/fc.sock" };
        const struct link link = { .name = "link" };
        struct link_spec spec, peer;
        struct link_error why;

        for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
                ck_assert(link_spec_parse(&spec, text[i], &why));
                ck_assert_msg(!link_other_end(&link, &spec, &peer), "%s", text[i]);
        }
}
