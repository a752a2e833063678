/* Who may have the page: addresses, hosts, origins, tokens. */
#include <string.h>

#include "hil/live/request.h"

#include "tests/suites.h"

static struct live_address read_address(const char *text)
{
        struct live_address a;
        char why[200];

        ck_assert_msg(live_address_read(&a, text, why, sizeof why), "%s", text);
        return a;
}

TEST(without_words_it_is_this_machine_alone)
{
        struct live_address a = read_address(NULL);

        ck_assert_str_eq(a.ip, "127.0.0.1");
        ck_assert_int_eq(a.port, 0);
        ck_assert(!a.beyond);
        a = read_address("8080");
        ck_assert_str_eq(a.ip, "127.0.0.1");
        ck_assert_int_eq(a.port, 8080);
        a = read_address(":8081");
        ck_assert_str_eq(a.ip, "127.0.0.1");
        ck_assert_int_eq(a.port, 8081);
        a = read_address("127.0.0.9");
        ck_assert_str_eq(a.ip, "127.0.0.9");
        ck_assert(!a.beyond);
}

TEST(whatever_others_reach_is_beyond)
{
        static const char *const text[] = { "0.0.0.0:80", "192.0.2.1:8080", "10.0.0.1",
                                            "128.0.0.1:1", "126.255.255.255:1" };

        for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
                ck_assert_msg(read_address(text[i]).beyond, "%s", text[i]);
}

TEST(what_is_no_address_is_refused_by_its_words)
{
        static const char *const text[] = { "65536",
                                            "127.0.0.1:65536",
                                            "127.0.0.1:",
                                            "127.0.0.1:80x",
                                            "127.0.0:80",
                                            "localhost:80",
                                            "::1",
                                            "1.2.3.4.5:6",
                                            "-1",
                                            "127.0.0.1:-1",
                                            "256.0.0.1:80",
                                            "1111.2222.3333.4444:1",
                                            "127.0.0.1:+80",
                                            " 80" };
        struct live_address a;

        for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
                char why[200] = "";

                ck_assert_msg(!live_address_read(&a, text[i], why, sizeof why), "%s",
                              text[i]);
                ck_assert(strstr(why, text[i]) != NULL);
        }
}

TEST(a_name_that_was_made_to_point_here_is_not_ours)
{
        static const char *const not_ours[] = {
                "evil.example",
                "evil.example:8080",
                "127.0.0.1.evil:8080",
                "127.0.0.1",
                "127.0.0.1:8081",
                "localhost",
                "localhost.evil:8080",
                "192.0.2.1:8080",
                "",
                ":8080",
                "127.0.0.1:8080:8080",
                "127.0.0.1:08080x",
                "localhost.localdomain.of.a.very.long.name.indeed:8080"
        };
        struct live_address a = read_address("127.0.0.1:8080");

        for (size_t i = 0; i < sizeof not_ours / sizeof not_ours[0]; i++)
                ck_assert_msg(!live_host_is_ours(&a, not_ours[i]), "%s", not_ours[i]);
        ck_assert(live_host_is_ours(&a, "127.0.0.1:8080"));
        ck_assert(live_host_is_ours(&a, "localhost:8080"));
        a = read_address("0.0.0.0:8080");
        ck_assert(live_host_is_ours(&a, "192.0.2.1:8080"));
        ck_assert(!live_host_is_ours(&a, "evil.example:8080"));
}

TEST(only_the_page_itself_is_its_origin)
{
        static const char *const not_ours[] = { "null",
                                                "",
                                                "http://",
                                                "https://127.0.0.1:8080",
                                                "http://127.0.0.1",
                                                "http://127.0.0.1:8080/",
                                                "http://127.0.0.1:80801",
                                                "127.0.0.1:8080" };

        ck_assert(live_origin_is_ours("http://127.0.0.1:8080", "127.0.0.1:8080"));
        for (size_t i = 0; i < sizeof not_ours / sizeof not_ours[0]; i++)
                ck_assert_msg(!live_origin_is_ours(not_ours[i], "127.0.0.1:8080"), "%s",
                              not_ours[i]);
}

TEST(a_token_is_that_token_alone)
{
        static const char token[] = "0123456789abcdef";
        char given[sizeof token + 1];

        ck_assert(live_token_is(token, token));
        ck_assert(!live_token_is(token, ""));
        ck_assert(!live_token_is(token, "0123456789abcde"));
        ck_assert(!live_token_is(token, "0123456789abcdef0"));
        for (size_t i = 0; i < sizeof token - 1; i++) {
                snprintf(given, sizeof given, "%s", token);
                given[i] ^= 1;
                ck_assert(!live_token_is(token, given));
        }
}
