/* Lists of builds. */
#include <stdlib.h>
#include <string.h>

#include "hil/bisect/builds.h"
#include "tests/suites.h"

TEST(a_line_is_a_name_settings_and_variables)
{
        struct builds b = { 0 };
        char why[300], *text;

        ck_assert_msg(
                builds_parse(&b, "f",
                             "# releases\n\n4.5.0\tARDUCOPTER=/b/4.5.0/arducopter\r\n"
                             "v2-rc+1 vehicles.0.fc.link=\"tcp:a b\" A_2=\"x=y\" # ok\n"
                             "last",
                             why, sizeof why),
                "%s", why);
        ck_assert_int_eq(b.count, 3);
        ck_assert_str_eq(b.build[0].name, "4.5.0");
        ck_assert_int_eq(b.build[0].sets, 0);
        ck_assert_str_eq(b.build[0].variable[0], "ARDUCOPTER=/b/4.5.0/arducopter");
        ck_assert_str_eq(b.build[1].set[0], "vehicles.0.fc.link=tcp:a b");
        ck_assert_str_eq(b.build[1].variable[0], "A_2=x=y");
        ck_assert_int_eq(b.build[1].variables, 1);
        ck_assert_str_eq(b.build[2].name, "last");
        text = build_expand(&b.build[1], "{build}/x-{build}.bin");
        ck_assert_str_eq(text, "v2-rc+1/x-v2-rc+1.bin");
        free(text);
        builds_free(&b);
}

TEST(what_is_wrong_is_named_with_its_line)
{
        static const char *const wrong[][2] = {
                { "a\na\n", "f: line 2: a build's name must be its own, is \"a\"" },
                { "../a\n", "f: line 1: a build's name must have" },
                { "a/b\n", "f: line 1: a build's name must have" },
                { "a\nb word\n", "f: line 2: must be KEY=VALUE, is \"word\"" },
                { "a =1\n", "f: line 1: must be KEY=VALUE" },
                { "a X=\"1\n", "f: line 1: a quote does not end" },
        };

        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
                struct builds b = { 0 };
                char why[300] = "";

                ck_assert(!builds_parse(&b, "f", wrong[i][0], why, sizeof why));
                ck_assert_msg(strncmp(why, wrong[i][1], strlen(wrong[i][1])) == 0, "%s",
                              why);
                builds_free(&b);
        }
}
