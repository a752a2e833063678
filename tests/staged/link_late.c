/* Links to a peer that starts late, or never. */
#include "tests/staged/late_peer.h"
#include "tests/suites.h"

#define LONG_MS 600000 /* nobody waits for it: the peer comes at a number of tries */

static char folder[32], text[LINK_TEXT_MAX + 1];
static struct link_error why;

static void begin(void)
{
        make_folder(folder);
}

static void end(void)
{
        late_peer_end();
        rmdir(folder);
}

FIXTURE(begin, end)

static struct link *open_with(int patience_ms)
{
        struct link_spec spec;

        ck_assert_msg(link_spec_parse(&spec, text, &why), "%s", why.text);
        ck_assert_int_eq(spec.patience_ms, 0);
        spec.patience_ms = patience_ms;
        return link_open(&spec, &why);
}

TEST_EACH(a_peer_that_starts_late_is_reached_at_the_first_try_after_that, 2)
{
        struct link *l;
        char word[4];

        late_peer_set(4, _i == 0, folder, text, sizeof text);
        l = open_with(LONG_MS);
        ck_assert_msg(l != NULL, "%s", why.text);
        ck_assert_int_eq(late.tries, 4);
        ck_assert_int_eq(link_write(l, "late", 4), 4);
        read_all(late.link, word, 4);
        ck_assert_mem_eq(word, "late", 4);
        link_close(l);
}

TEST_EACH(one_that_never_comes_is_refused_with_for_how_long, 2)
{
        late_peer_set(0, _i == 0, folder, text, sizeof text);
        ck_assert_ptr_null(open_with(1));
        ck_assert_int_ge(late.tries, 1);
        ck_assert_msg(strstr(why.text, _i == 0 ? ": connection refused, tried for 0.001 s"
                                               : ": no such file or directory, tried for "
                                                 "0.001 s") != NULL,
                      "%s", why.text);
}

TEST_EACH(without_patience_one_is_tried_once, 2)
{
        late_peer_set(2, _i == 0, folder, text, sizeof text);
        ck_assert_ptr_null(open_with(0));
        ck_assert_int_eq(late.tries, 1);
        ck_assert(why.absent);
        ck_assert_ptr_null(strstr(why.text, "tried"));
}

TEST(what_waiting_cannot_mend_is_not_tried_again)
{
        late_peer_set(2, false, folder, text, sizeof text);
        snprintf(text, sizeof text, "unix:/dev/null/late.sock");
        ck_assert_ptr_null(open_with(LONG_MS));
        ck_assert_int_eq(late.tries, 1);
        ck_assert(!why.absent);
        ck_assert_str_eq(why.text, "link: unix /dev/null/late.sock: not a directory");
        snprintf(text, sizeof text, "pty:/dev/null");
        ck_assert_ptr_null(open_with(LONG_MS));
        ck_assert(!why.absent);
}
