/* Where links are measured: two benches on one machine do not meet. */
#include "tests/io/link/link_ends.h"
#include "tests/suites.h"

#include "hil/bench/bench.h"
#include "hil/rig/spawn.h"

static const char *const kinds[] = { "pty", "unix", "tcp", "udp" };

static void ends_of(const char *kind, struct link **rig, struct link **peer)
{
        struct link_spec spec, other;
        struct link_error why;
        char text[100];

        /* Between the look for a free port and its use somebody else may take it. */
        do {
                bench_link_text(kind, text, sizeof text);
                ck_assert_msg(link_spec_parse(&spec, text, &why), "%s", why.text);
                *rig = link_open(&spec, &why);
        } while (!*rig && strstr(why.text, "in use by another program"));
        ck_assert_msg(*rig != NULL, "%s", why.text);
        ck_assert(link_other_end(*rig, &spec, &other));
        *peer = opened(&other);
}

TEST_EACH(two_benches_at_once_have_links_of_their_own, 4)
{
        struct link *rig[2], *peer[2];
        char word[4];

        ends_of(kinds[_i], &rig[0], &peer[0]);
        ends_of(kinds[_i], &rig[1], &peer[1]);
        for (int i = 0; i < 2; i++)
                ck_assert_int_eq(link_write(rig[i], i == 0 ? "one" : "two", 3), 3);
        for (int i = 1; i >= 0; i--) {
                read_all(peer[i], word, 3);
                ck_assert_mem_eq(word, i == 0 ? "one" : "two", 3);
                link_close(peer[i]);
                link_close(rig[i]);
        }
}
