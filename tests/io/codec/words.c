/* What a board says, as users are shown it. */
#include "io/codec/codec.h"
#include "tests/suites.h"

TEST(words_are_printable_ascii_and_fit)
{
        const char said[] = { 'I', '\x1b', '[', '\xff', 'v', '\n' };
        char whole[10], cut[4], none[1];

        codec_copy_words(whole, sizeof whole, said, sizeof said);
        ck_assert_str_eq(whole, "I?[?v?");
        codec_copy_words(cut, sizeof cut, said, sizeof said);
        ck_assert_str_eq(cut, "I?[");
        codec_copy_words(none, sizeof none, said, sizeof said);
        ck_assert_str_eq(none, "");
}

TEST(words_end_at_a_nul_or_with_the_field)
{
        const char said[] = { 'S', 'I', 'T', 'L', '\0', 'x', 'y', '\0' };
        char text[16];

        codec_copy_words(text, sizeof text, said, sizeof said);
        ck_assert_str_eq(text, "SITL");
        codec_copy_words(text, sizeof text, said, 3);
        ck_assert_str_eq(text, "SIT");
        codec_copy_words(text, sizeof text, said, 0);
        ck_assert_str_eq(text, "");
}

TEST(words_may_be_cleaned_where_they_stand)
{
        char text[] = "a\tb";

        codec_copy_words(text, sizeof text, text, 3);
        ck_assert_str_eq(text, "a?b");
}
