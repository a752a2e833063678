/* The conformance test's results: lines for people, or one JSON object. */
#include <stdlib.h>
#include <string.h>

#include "hil/conform/conform.h"
#include "hil/text/json.h"
#include "hil/text/terminal.h"

#define INDENT 22 /* result and name stand before it */
#define WIDTH  104 /* of the lines that name skipped steps, where none is given */

static const char *const words[] = { "passed", "FAILED", "skipped", "void" };
static const char *const json_words[] = { "passed", "failed", "skipped", "void" };

static int count(const struct conform *c, const bool *chosen, enum conform_is is)
{
        int n = 0;

        for (int i = 0; i < conform_step_count(); i++)
                n += chosen[i] && c->result[i].is == is;
        return n;
}

int conform_left_out(const struct conform *c, const bool *chosen)
{
        return count(c, chosen, CONFORM_SKIPPED) + count(c, chosen, CONFORM_VOID);
}

int conform_failures(const struct conform *c, const bool *chosen)
{
        return count(c, chosen, CONFORM_FAILED);
}

void conform_print_board(const struct conform *c, const char *link, FILE *out)
{
        terminal_print(out, "conform: %s\n", link);
        if (c->options.arm)
                fprintf(out, "conform: motors will turn if any are connected: take the "
                             "propellers off\n");
}

/* Words, broken where the line is full, under the place where they begin. */
static void print_text(const char *text, int width, FILE *out)
{
        int column = INDENT;

        while (width > 0 && *text != '\0') {
                int word = (int)strcspn(text, " ");

                if (column > INDENT && column + 1 + word > width)
                        column = fprintf(out, "\n%*s", INDENT, "") - 1;
                column += fprintf(out, "%s%.*s", column > INDENT ? " " : "", word, text);
                text += word;
                text += strspn(text, " ");
        }
        fprintf(out, "%s\n", text);
}

static void print_step(const struct conform *c, int i, int width, FILE *out)
{
        const struct conform_result *r = &c->result[i];
        char claim[300];

        fprintf(out, "%-7s  %-11s  ", words[r->is], conform_steps[i].name);
        print_text(r->text, width, out);
        if (r->is != CONFORM_FAILED)
                return;
        snprintf(claim, sizeof claim, "claim: %s; docs/protocol.md, \"%s\"",
                 conform_steps[i].claim, r->section);
        fprintf(out, "%*s", INDENT, "");
        print_text(claim, width, out);
}

static int chosen_between(const bool *chosen, int from, int end)
{
        int n = 0;

        for (int i = from; i < end; i++)
                n += chosen[i];
        return n;
}

/* The reason, then the names. */
static void print_skipped(const struct conform *c, const bool *chosen, int from, int end,
                          int width, FILE *out)
{
        char count[20], names[CONFORM_STEPS_MAX * 16];
        size_t used = 0;

        snprintf(count, sizeof count, "%d steps", chosen_between(chosen, from, end));
        fprintf(out, "%-7s  %-11s  ", words[CONFORM_SKIPPED], count);
        print_text(c->result[from].text, width, out);
        for (int i = from; i < end; i++)
                if (chosen[i] && used < sizeof names)
                        used += (size_t)snprintf(names + used, sizeof names - used,
                                                 "%s%s", used > 0 ? ", " : "",
                                                 conform_steps[i].name);
        fprintf(out, "%*s", INDENT, "");
        print_text(names, width > 0 ? width : WIDTH, out);
}

/* The first chosen step behind `from` of which something else is to be said. */
static int alike_until(const struct conform *c, const bool *chosen, int from, int until)
{
        const struct conform_result *r = &c->result[from];
        int end = from + 1;

        while (end < until &&
               (!chosen[end] ||
                (r->is == CONFORM_SKIPPED && c->result[end].is == CONFORM_SKIPPED &&
                 strcmp(c->result[end].text, r->text) == 0)))
                end++;
        return end;
}

int conform_print_steps(const struct conform *c, const bool *chosen, int from, int until,
                        int width, FILE *out)
{
        while (from < until) {
                int end = alike_until(c, chosen, from, until);

                if (!chosen[from]) {
                        from++;
                        continue;
                }
                if (c->result[from].is == CONFORM_SKIPPED && end == until &&
                    until < conform_step_count())
                        break;
                if (chosen_between(chosen, from, end) == 1)
                        print_step(c, from, width, out);
                else
                        print_skipped(c, chosen, from, end, width, out);
                from = end;
        }
        return from;
}

void conform_print_sum(const struct conform *c, const bool *chosen, FILE *out)
{
        int left_out = conform_left_out(c, chosen);

        fprintf(out,
                "%d steps passed, %d failed, %d skipped, %d void; %llu sensor frames\n",
                count(c, chosen, CONFORM_PASSED), count(c, chosen, CONFORM_FAILED),
                count(c, chosen, CONFORM_SKIPPED), count(c, chosen, CONFORM_VOID),
                (unsigned long long)c->talk.frames);
        if (left_out > 0)
                fprintf(out,
                        "%d of %d steps were left out, for the reasons above: what "
                        "they claim is not known of this board\n",
                        left_out, chosen_between(chosen, 0, conform_step_count()));
}

static void add_step(struct json *list, const struct conform *c, int i)
{
        const struct conform_result *r = &c->result[i];
        struct json *o = json_add_object(list, NULL);

        json_add_string(o, "name", conform_steps[i].name);
        json_add_string(o, "claim", conform_steps[i].claim);
        json_add_string(o, "result", json_words[r->is]);
        json_add_string(o, "text", r->text);
        json_add_string(o, "section", r->section);
        json_add_u64(o, "frames", r->frames);
        json_add_number(o, "simulated_s", r->simulated_s);
}

static bool print_and_free(struct json *root, FILE *out)
{
        char *text = json_print_free(root);

        if (text == NULL)
                return false;
        fputs(text, out);
        free(text);
        return true;
}

bool conform_print_json(const struct conform *c, const char *link, const bool *chosen,
                        FILE *out)
{
        struct json *root = json_new_object(), *steps;

        json_add_string(root, "board", c->name);
        json_add_string(root, "link", link);
        json_add_i64(root, "passed", count(c, chosen, CONFORM_PASSED));
        json_add_i64(root, "failed", count(c, chosen, CONFORM_FAILED));
        json_add_i64(root, "skipped", count(c, chosen, CONFORM_SKIPPED));
        json_add_i64(root, "void", count(c, chosen, CONFORM_VOID));
        steps = json_add_array(root, "steps");
        for (int i = 0; i < conform_step_count(); i++)
                if (chosen[i])
                        add_step(steps, c, i);
        return print_and_free(root, out);
}

bool conform_print_list_json(FILE *out)
{
        struct json *root = json_new_object(), *steps = json_add_array(root, "steps");

        for (int i = 0; i < conform_step_count(); i++) {
                struct json *o = json_add_object(steps, NULL);

                json_add_string(o, "name", conform_steps[i].name);
                json_add_string(o, "claim", conform_steps[i].claim);
                json_add_bool(o, "turns_motors", conform_steps[i].turns_motors);
        }
        return print_and_free(root, out);
}
