/* The conformance test's results: lines for people, or one JSON object. */
#include <stdlib.h>

#include "hil/conform.h"
#include "hil/json.h"

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

void conform_print_step(const struct conform *c, int i, FILE *out)
{
        const struct conform_result *r = &c->result[i];

        fprintf(out, "%-7s  %-11s  %s\n", words[r->is], conform_steps[i].name, r->text);
        if (r->is == CONFORM_FAILED)
                fprintf(out, "%-7s  %-11s  claim: %s; docs/protocol.md, \"%s\"\n", "", "",
                        conform_steps[i].claim, r->section);
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

bool conform_print_json(const struct conform *c, const char *link, const bool *chosen,
                        FILE *out)
{
        struct json *root = json_new_object(), *steps;
        char *text;

        json_add_string(root, "board", c->name);
        json_add_string(root, "link", link);
        json_add_i64(root, "passed", count(c, chosen, CONFORM_PASSED));
        json_add_i64(root, "failed", count(c, chosen, CONFORM_FAILED));
        json_add_i64(root, "skipped", count(c, chosen, CONFORM_SKIPPED));
        steps = json_add_array(root, "steps");
        for (int i = 0; i < conform_step_count(); i++)
                if (chosen[i])
                        add_step(steps, c, i);
        text = json_print(root);
        json_free(root);
        if (text == NULL)
                return false;
        fputs(text, out);
        free(text);
        return true;
}
