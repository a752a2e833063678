/* Text from outside on a terminal: it is shown, and obeyed in nothing. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "hil/text/terminal.h"

#include "tests/suites.h"

static void shows(const char *text, const char *shown)
{
        char *buffer = NULL, wanted[200];
        size_t len;
        FILE *out = open_memstream(&buffer, &len);

        ck_assert_ptr_nonnull(out);
        terminal_print(out, "\n%-2s|%s\n", text, "after");
        fclose(out);
        snprintf(wanted, sizeof wanted, "\n%s|after\n", shown);
        ck_assert_str_eq(buffer, wanted);
        free(buffer);
}

TEST(text_is_shown_as_it_is)
{
        shows("hover and way-points", "hover and way-points");
        shows("a", "a ");
        shows("\xC3\xA4\xE2\x82\xAC\xF0\x9F\x9A\x81",
              "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x9A\x81");
        shows("a \xEF\xBF\xBD that somebody wrote", "a \xEF\xBF\xBD that somebody wrote");
        shows("back\\slash", "back\\slash");
}

TEST(what_moves_a_cursor_or_forges_a_line_is_shown_by_its_code)
{
        shows("\033[2J\a", "\\x1b[2J\\x07");
        shows("passed\r\n\tfailed\x7F\n", "passed\\x0d\\x0a\\x09failed\\x7f\\x0a");
        shows("\xC2\x9B"
              "31m",
              "\\u009b31m");
        shows("txt.\xE2\x80\xAE"
              "exe\xE2\x81\xA6",
              "txt.\\u202eexe\\u2066");
}

TEST(bytes_that_are_no_character_are_shown_one_by_one)
{
        shows("\x9B"
              "31m",
              "\\x9b31m");
        shows("\xC0\xAF\xED\xA0\x80\xFF", "\\xc0\\xaf\\xed\\xa0\\x80\\xff");
        shows("cut \xE2\x82", "cut \\xe2\\x82");
}
