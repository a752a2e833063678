/* What a user of the conformance test reads, on a terminal and elsewhere, and what a program does. */
#include <stdio.h>
#include <stdlib.h>

#include "hil/text/json.h"
#include "tests/boards/conform_asked.h"
#include "tests/suites.h"

/* What a user reads of the chosen steps; with results as they come, one by one. */
static const char *read_out(const bool *chosen, int width)
{
        static char text[16384];
        FILE *out = fmemopen(text, sizeof text, "w");
        int printed = 0;

        ck_assert_ptr_nonnull(out);
        for (int i = 0; i < conform_step_count(); i++) {
                if (chosen[i])
                        conform_run_step(asked, i);
                printed = conform_print_steps(asked, chosen, printed, i + 1, width, out);
        }
        ck_assert_int_eq(printed, conform_step_count());
        fclose(out);
        return text;
}

static int lines_of(const char *text)
{
        int n = 0;

        for (; *text != '\0'; text++)
                n += *text == '\n';
        return n;
}

static void check_page(const char *text)
{
        static char page[1 << 16], line[200];
        FILE *f = fopen("docs/porting.md", "r");

        ck_assert_ptr_nonnull(f);
        page[fread(page, 1, sizeof page - 1, f)] = '\0';
        fclose(f);
        for (const char *at = text; *at != '\0'; at = strchr(at, '\n') + 1) {
                snprintf(line, sizeof line, "    %.*s\n", (int)strcspn(at, "\n"), at);
                ck_assert_msg(strstr(page, line) != NULL, "docs/porting.md lacks %s",
                              line);
        }
}

TEST(steps_skipped_for_one_reason_share_a_line)
{
        bool chosen[CONFORM_STEPS_MAX] = { false };
        const char *text;

        for (int i = 0; i < conform_step_count(); i++)
                chosen[i] = i == 0 || conform_steps[i].turns_motors;
        chosen[conform_step_find("signs")] = false;
        open_board(NEVER_ARMS, NULL);
        text = read_out(chosen, 0);
        /* hello; arm and its claim; the reason and the names of the ten others, in two lines. */
        ck_assert_int_eq(lines_of(text), 6);
        check_page(strstr(text, "skipped"));
        close_board();
}

TEST(names_of_skipped_steps_are_broken_into_lines)
{
        bool chosen[CONFORM_STEPS_MAX] = { false };
        const char *text, *reason;

        for (int i = 0; i < conform_step_count(); i++)
                chosen[i] = true;
        open_board(SILENT, NULL);
        text = read_out(chosen, 0);
        reason = strstr(text, "skipped  30 steps     the board does not answer HELLO");
        ck_assert_ptr_nonnull(reason);
        for (int i = 1; i < conform_step_count(); i++)
                ck_assert_msg(strstr(reason, conform_steps[i].name) != NULL, "no %s",
                              conform_steps[i].name);
        for (const char *at = strchr(reason, '\n') + 1; *at != '\0';
             at = strchr(at, '\n') + 1)
                ck_assert_uint_le(strcspn(at, "\n"), 104);
        close_board();
}

/* As on a terminal: no line is longer, and what follows the first stands under it. */
TEST(long_texts_are_broken_at_the_width_and_nothing_is_lost)
{
        bool chosen[CONFORM_STEPS_MAX] = { false };
        static char whole[16384];
        const char *text;
        size_t n = 0;

        for (int i = 0; i < conform_step_count(); i++)
                chosen[i] = i == 0 || conform_steps[i].turns_motors;
        open_board(NEVER_ARMS, NULL);
        snprintf(whole, sizeof whole, "%s", read_out(chosen, 0));
        text = read_out(chosen, 79);
        ck_assert_int_gt(lines_of(text), lines_of(whole));
        for (const char *at = text; *at != '\0'; at = strchr(at, '\n') + 1) {
                ck_assert_uint_le(strcspn(at, "\n"), 79);
                if (strncmp(at, "passed", 6) != 0 && strncmp(at, "FAILED", 6) != 0 &&
                    strncmp(at, "skipped", 7) != 0 && *at == ' ')
                        ck_assert_uint_eq(strspn(at, " "), 22);
        }
        /* The same words in the same order. */
        for (const char *at = text; *at != '\0'; at++) {
                if (*at == ' ' || *at == '\n')
                        continue;
                n += strspn(whole + n, " \n");
                ck_assert_int_eq(whole[n], *at);
                n++;
        }
        ck_assert_uint_eq(strspn(whole + n, " \n"), strlen(whole + n));
        close_board();
}

TEST(what_is_skipped_alone_has_its_own_line)
{
        bool chosen[CONFORM_STEPS_MAX] = { true };
        const char *text;

        chosen[conform_step_find("rates")] = true;
        open_board(SILENT, NULL);
        text = read_out(chosen, 0);
        ck_assert_ptr_nonnull(strstr(text, "\nskipped  rates        the board does"));
        ck_assert_int_eq(lines_of(text), 3);
        close_board();
}

/* Two reasons: what --no-arm leaves out, and a link that is gone. */
TEST(each_reason_has_a_line)
{
        bool chosen[CONFORM_STEPS_MAX] = { false };
        char text[2000] = "";
        FILE *out = fmemopen(text, sizeof text, "w");
        int printed = 0;

        open_board(NONE, NULL);
        for (int i = 0; i < 6; i++) {
                chosen[i] = true;
                asked->result[i].is = i == 3 ? CONFORM_PASSED : CONFORM_SKIPPED;
                snprintf(asked->result[i].text, CONFORM_TEXT_MAX, "%s",
                         i < 2   ? "one"
                         : i < 4 ? "two"
                                 : "three");
                printed = conform_print_steps(asked, chosen, printed, i + 1, 0, out);
                /* The last of them may not be alone. */
                ck_assert_int_eq(printed, i < 2 ? 0 : i < 3 ? 2 : 4);
        }
        conform_print_steps(asked, chosen, printed, conform_step_count(), 0, out);
        fclose(out);
        ck_assert_str_eq(text, "skipped  2 steps      one\n"
                               "                      hello, answers\n"
                               "skipped  versions     two\n"
                               "passed   hello_again  two\n"
                               "skipped  2 steps      three\n"
                               "                      byte_order, sequence\n");
        close_board();
}

TEST(json_has_each_step_that_was_skipped_with_its_reason)
{
        bool chosen[CONFORM_STEPS_MAX] = { false };
        static char text[32768];
        FILE *out = fmemopen(text, sizeof text, "w");
        struct json_error why;
        struct json *root;
        char path[40];
        uint64_t skipped;

        for (int i = 0; i < conform_step_count(); i++)
                chosen[i] = true;
        open_board(SILENT, NULL);
        read_out(chosen, 0);
        ck_assert(conform_print_json(asked, "a wire", chosen, out));
        fclose(out);
        root = json_parse(text, strlen(text), NULL, &why);
        ck_assert_ptr_nonnull(root);
        ck_assert(json_u64(root, "skipped", &skipped) && skipped == 30);
        for (int i = 1; i < conform_step_count(); i++) {
                snprintf(path, sizeof path, "steps.%d.name", i);
                ck_assert_str_eq(json_string(root, path), conform_steps[i].name);
                snprintf(path, sizeof path, "steps.%d.result", i);
                ck_assert_str_eq(json_string(root, path), "skipped");
                snprintf(path, sizeof path, "steps.%d.text", i);
                ck_assert_ptr_nonnull(strstr(json_string(root, path), "see the step"));
        }
        json_free(root);
        close_board();
}
