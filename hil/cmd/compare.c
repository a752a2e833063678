/* `hilrig compare`: reads two folders of runs and says whether the second is better, worse or the
 * same. It flies nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/cmd/commands.h"
#include "hil/suite/compare.h"
#include "hil/console/options.h"
#include "hil/text/files.h"
#include "hil/text/terminal.h"

struct compare {
        const char *folder[2], *html;
        int folders;
        bool json;
        double alpha; /* 0: the suite's */
        int margins; /* on top of the suite's */
        struct suite_margin margin[SUITE_MARGINS_MAX];
};

static bool take_margin(void *of, const struct option_spec *spec, const char *value)
{
        struct compare *c = of;
        const char *equals = strrchr(value, '=');
        struct suite_margin *margin = &c->margin[c->margins];
        double percent;

        if (c->margins == SUITE_MARGINS_MAX)
                return terminal_complain("compare", "%s: at most %d", spec->name,
                                         SUITE_MARGINS_MAX);
        if (!options_double(equals ? equals + 1 : value, &percent) ||
            !(percent >= 0.0 && percent <= 1000.0))
                return terminal_complain(
                        "compare", "%s: must be [METRIC=]PERCENT, 0 to 1000, is \"%s\"",
                        spec->name, value);
        *margin = (struct suite_margin){ .ratio = percent / 100.0, .floor = -1.0 };
        snprintf(margin->row, sizeof margin->row, "%.*s",
                 equals ? (int)(equals - value) : 0, value);
        c->margins++;
        return true;
}

static const struct option_spec specs[] = {
        { "--json", NULL, "print the comparison as JSON, and nothing else there",
          FLAG(compare, json) },
        { "--html", "FILE", "write a page with plots", TEXT(compare, html) },
        { "--alpha", "P",
          "chance of any false alarm in the comparison, instead of the suite's (0.008)",
          NUMBER(compare, alpha, 1e-6, 0.5) },
        { "--same-within", "[METRIC=]PERCENT",
          "a shift of this share of the baseline's mean counts as none, whatever the "
          "spread; instead of the suite's",
          OTHER(take_margin) },
        { NULL },
};

static const struct options options = {
        .command = "compare",
        .specs = specs,
        .operand = { "folder", TEXTS(compare, folder, folders) },
        .usage = "compare BASELINE CANDIDATE [--json] [--html FILE] [--alpha P]\n"
                 "           [--same-within [METRIC=]PERCENT]...\n\n"
                 "Each is a run folder, or a folder with run folders below it, as hilrig "
                 "suite leaves\nthem. Exit status 0: the same or improved; 1: regressed; "
                 "2: could not be compared;\n3: too little data.",
};

static bool show(const struct compare *c, const struct comparison *result,
                 const struct compared_side side[2])
{
        bool ok = true;

        if (c->json) {
                char *text = compare_json(result);

                ok = text != NULL && fputs(text, stdout) >= 0;
                free(text);
        } else {
                compare_print(stdout, result);
        }
        if (c->html != NULL)
                ok = text_file_leave("compare", c->html, compare_html(result, side)) &&
                     ok;
        return ok;
}

/* As the candidate's suite says, and what the command line says instead. */
static bool take_rules(const struct compare *c, const struct compared_side *candidate,
                       struct compare_options *o, char *why, size_t cap)
{
        *o = (struct compare_options){ .rules = candidate->rules, .part = 1.0 };
        if (c->alpha > 0.0)
                o->rules.alpha = c->alpha;
        /* What is said of every row leaves nothing of what the suite says of some. */
        for (int i = 0; i < c->margins; i++)
                if (c->margin[i].row[0] == '\0')
                        o->rules.margins = 0;
        if (o->rules.margins + c->margins > SUITE_MARGINS_MAX) {
                snprintf(why, cap,
                         "%s/suite.json and --same-within: more than %d margins",
                         candidate->folder, SUITE_MARGINS_MAX);
                return false;
        }
        memcpy(o->rules.margin + o->rules.margins, c->margin,
               (size_t)c->margins * sizeof *c->margin);
        o->rules.margins += c->margins;
        return true;
}

static int compare(const struct compare *c)
{
        struct compare_options o;
        struct compared_side side[2] = { 0 };
        struct comparison result = { 0 };
        char why[700] = "";
        int status = 2;
        bool read = compared_side_read(&side[0], c->folder[0], why, sizeof why) &&
                    compared_side_read(&side[1], c->folder[1], why, sizeof why);

        if (read && take_rules(c, &side[1], &o, why, sizeof why) &&
            compare_sides(&result, &o, &side[0], &side[1], why, sizeof why)) {
                for (int i = 0; i < 2; i++)
                        if (side[i].unreadable > 0)
                                terminal_complain("compare",
                                                  "%d run%s of %s could not be read: %s",
                                                  side[i].unreadable,
                                                  side[i].unreadable == 1 ? "" : "s",
                                                  side[i].folder, side[i].problem);
                if (show(c, &result, side))
                        status = compare_exit_status(result.verdict);
        } else {
                terminal_complain("compare", "%s", why);
        }
        comparison_free(&result);
        compared_side_free(&side[0]);
        compared_side_free(&side[1]);
        return status;
}

int compare_command(int argc, char **argv)
{
        struct compare c = { 0 };
        int status = options_read(&options, argc, argv, &c);

        if (status != OPTIONS_READ)
                return status;
        if (c.folders < 2) {
                terminal_complain(
                        "compare",
                        "needs two folders, the baseline's and the candidate's");
                return 2;
        }
        return compare(&c);
}
