/* The conformance test's results: lines for people, or one JSON object. */
#include <stdlib.h>
#include <string.h>

#include "hil/conform.h"
#include "hil/json.h"

#define WIDTH 104 /* of the lines that name skipped steps */

static const char *const words[] = { "passed", "FAILED", "skipped" };
static const char *const json_words[] = { "passed", "failed", "skipped" };

static int count(const struct conform *c, const bool *chosen, enum conform_is is)
{
        int n = 0;

        for (int i = 0; i < conform_step_count(); i++)
                n += chosen[i] && c->result[i].is == is;
        return n;
}

int conform_failures(const struct conform *c, const bool *chosen)
{
        return count(c, chosen, CONFORM_FAILED);
}

void conform_print_board(const struct conform *c, const char *link, FILE *out)
{
        fprintf(out, "conform: %s\n", link);
        if (c->options.arm)
                fprintf(out, "conform: motors will turn if any are connected: take the "
                             "propellers off\n");
}

static void print_step(const struct conform *c, int i, FILE *out)
{
        const struct conform_result *r = &c->result[i];

        fprintf(out, "%-7s  %-11s  %s\n", words[r->is], conform_steps[i].name, r->text);
        if (r->is == CONFORM_FAILED)
                fprintf(out, "%-7s  %-11s  claim: %s; docs/protocol.md, \"%s\"\n", "", "",
                        conform_steps[i].claim, r->section);
}

static int chosen_between(const bool *chosen, int from, int end)
{
        int n = 0;

        for (int i = from; i < end; i++)
                n += chosen[i];
        return n;
}

/* One line with the reason, then the names. */
static void print_skipped(const struct conform *c, const bool *chosen, int from, int end,
                          FILE *out)
{
        char count[20];
        int column = WIDTH;

        snprintf(count, sizeof count, "%d steps", chosen_between(chosen, from, end));
        fprintf(out, "%-7s  %-11s  %s", words[CONFORM_SKIPPED], count,
                c->result[from].text);
        for (int i = from; i < end; i++) {
                int length = (int)strlen(conform_steps[i].name) + 2;

                if (!chosen[i])
                        continue;
                if (column + length > WIDTH)
                        column = fprintf(out, "\n%-7s  %-11s", "", "") - 1;
                column += fprintf(out, "  %s", conform_steps[i].name);
        }
        fputc('\n', out);
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
                        FILE *out)
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
                        print_step(c, from, out);
                else
                        print_skipped(c, chosen, from, end, out);
                from = end;
        }
        return from;
}

void conform_print_sum(const struct conform *c, const bool *chosen, FILE *out)
{
        fprintf(out, "%d steps passed, %d failed, %d skipped; %llu sensor frames\n",
                count(c, chosen, CONFORM_PASSED), count(c, chosen, CONFORM_FAILED),
                count(c, chosen, CONFORM_SKIPPED), (unsigned long long)c->talk.frames);
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
        char *text = json_print(root);

        json_free(root);
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
