/* What a board's tools print: lines that changed over a boot, and words of its storage. */
#include <math.h>

#include "hil/health/said.h"
#include "tests/suites.h"

TEST(lines_are_compared_in_any_order)
{
        static const struct {
                const char *before, *after, *names;
                int changes;
        } cases[] = {
                { "A 1\nB 2\n", "B 2\nA 1\n", "", 0 },
                { "A 1\r\nB 2\r\n", "A 1\nB 2", "", 0 },
                { "A 1\nB 2\n", "A 1\nB 3\n", "B", 1 },
                { "A=1\nB=2\n", "A=2\nB=3\n", "A, B", 2 },
                { "A 1\n", "A 1\nC 3\n", "C", 1 },
                { "A 1\nC 3\n", "A 1\n", "C", 1 },
                { "", "", "", 0 },
                { "A 1\nA 1\n", "A 1\n", "A", 1 },
                { "A 1\nB 1\nC 1\nD 1\nE 1\nF 1\n", "", "A, B, C, D, ...", 6 },
        };

        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
                char names[100];

                ck_assert_int_eq(said_lines_changed(cases[i].before, cases[i].after,
                                                    names, sizeof names),
                                 cases[i].changes);
                ck_assert_str_eq(names, cases[i].names);
        }
}

TEST(storage_is_what_is_said_of_it)
{
        static const struct {
                const char *text;
                double free_bytes, errors;
        } cases[] = {
                { "free_bytes 4096\nerrors 0\n", 4096, 0 },
                { "errors=3\r\nfree_bytes: 12", 12, 3 },
                { "errors none\n", (double)NAN, (double)NAN },
                { "errors -1\nfree_bytes 5 MB\n", 5, (double)NAN },
                { "error_s 1\nfree_bytes_1 2\n", (double)NAN, (double)NAN },
                { "", (double)NAN, (double)NAN },
        };

        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
                double free_bytes, errors;

                said_storage(cases[i].text, &free_bytes, &errors);
                ck_assert(free_bytes == cases[i].free_bytes ||
                          (isnan(free_bytes) && isnan(cases[i].free_bytes)));
                ck_assert(errors == cases[i].errors ||
                          (isnan(errors) && isnan(cases[i].errors)));
        }
}
