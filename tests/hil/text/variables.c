#include <stdlib.h>

#include "hil/text/variables.h"

#include "tests/suites.h"

static char missing[40];

static void expect_expanded(const char *text, const char *wanted)
{
        char *out = variables_expand(text, missing, sizeof missing);

        ck_assert_ptr_nonnull(out);
        ck_assert_str_eq(out, wanted);
        ck_assert_str_eq(missing, "");
        free(out);
}

TEST(names_in_braces_are_the_environments_and_other_dollars_stay)
{
        setenv("HERE", "a b", 1);
        setenv("EMPTY", "", 1);
        expect_expanded("", "");
        expect_expanded("plain", "plain");
        expect_expanded("${HERE}", "a b");
        expect_expanded("x${HERE}y${EMPTY}${HERE}", "xa bya b");
        expect_expanded("${} ${HERE}", "${} a b");
        expect_expanded("$HERE $$ $(ls) {HERE} ${HERE", "$HERE $$ $(ls) {HERE} ${HERE");
}

TEST(a_name_that_the_environment_has_not_is_told)
{
        unsetenv("NOWHERE");
        ck_assert_ptr_null(variables_expand("a ${NOWHERE} b", missing, sizeof missing));
        ck_assert_str_eq(missing, "NOWHERE");
}
