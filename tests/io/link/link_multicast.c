/* A multicast group on the loopback interface: all hear what one says, and nobody hears himself. */
#include "tests/io/link/link_ends.h"
#include "tests/suites.h"

static struct link *join(void)
{
        struct link_spec spec;
        struct link_error why;
        struct link *l;

        ck_assert(link_spec_parse(&spec, "udp-multicast:239.65.82.77:57732", &why));
        l = link_open(&spec, &why);
        ck_assert_msg(l != NULL, "%s", why.text);
        return l;
}

TEST(multicast_reaches_all_others_and_not_its_sender)
{
        struct link *a = join(), *b = join(), *c = join();
        char got[16];

        ck_assert(a->packets);
        ck_assert_int_eq(link_write(a, "hello", 5), 5);
        ck_assert_int_eq(link_write(a, "again", 5), 5);
        ck_assert_int_eq(read_soon(b, got, sizeof got), 5);
        ck_assert_mem_eq(got, "hello", 5);
        ck_assert_int_eq(read_soon(b, got, sizeof got), 5);
        ck_assert_mem_eq(got, "again", 5);
        ck_assert_int_eq(read_soon(c, got, sizeof got), 5);
        /* Both of its own would have come before this one. */
        ck_assert_int_eq(link_write(b, "b", 1), 1);
        ck_assert_int_eq(read_soon(a, got, sizeof got), 1);
        ck_assert_int_eq(got[0], 'b');
        link_close(a);
        link_close(b);
        link_close(c);
}

TEST(multicast_wants_a_group)
{
        struct link_spec spec;
        struct link_error why;

        ck_assert(!link_spec_parse(&spec, "udp-multicast:127.0.0.1:57732", &why));
        ck_assert_ptr_nonnull(strstr(why.text, "224.0.0.0 to 239.255.255.255"));
        ck_assert(!link_spec_parse(&spec, "udp-multicast:239.65.82.0", &why));
        ck_assert(link_spec_parse(&spec, "udp-multicast:239.65.82.0:57732", &why));
        ck_assert_int_eq(spec.kind, LINK_UDP_MULTICAST);
}
