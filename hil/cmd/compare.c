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

static const struct option_spec specs[] = {
        { "--json", NULL, "print the comparison as JSON, and nothing else there" },
        { "--html", "FILE", "write a page with plots" },
        { "--alpha", "P",
          "chance of any false alarm in the comparison, instead of the suite's (0.008)" },
        { "--same-within", "[METRIC=]PERCENT",
          "a shift of this share of the baseline's mean counts as none, whatever the "
          "spread; instead of the suite's" },
        { NULL },
};

static const struct options options = {
        .command = "compare",
        .specs = specs,
        .usage = "compare BASELINE CANDIDATE [--json] [--html FILE] [--alpha P]\n"
                 "           [--same-within [METRIC=]PERCENT]...\n\n"
                 "Each is a run folder, or a folder with run folders below it, as hilrig "
                 "suite leaves\nthem. Exit status 0: the same or improved; 1: regressed; "
                 "2: could not be compared;\n3: too little data.",
};

enum { OPT_JSON, OPT_HTML, OPT_ALPHA, OPT_WITHIN };

struct compare {
        const char *folder[2], *html;
        int folders;
        bool json;
        double alpha; /* 0: the suite's */
        int margins; /* on top of the suite's */
        struct suite_margin margin[SUITE_MARGINS_MAX];
};

static bool refuse_option(int opt, const char *expected, const char *value)
{
        return terminal_complain("compare", "%s: must be %s, is \"%s\"", specs[opt].name,
                                 expected, value);
}

static bool take_margin(struct compare *c, const char *value)
{
        const char *equals = strrchr(value, '=');
        struct suite_margin *margin = &c->margin[c->margins];
        double percent;

        if (c->margins == SUITE_MARGINS_MAX)
                return terminal_complain("compare", "--same-within: at most %d",
                                         SUITE_MARGINS_MAX);
        if (!options_double(equals ? equals + 1 : value, &percent) ||
            !(percent >= 0.0 && percent <= 1000.0))
                return refuse_option(OPT_WITHIN, "[METRIC=]PERCENT, 0 to 1000", value);
        *margin = (struct suite_margin){ .ratio = percent / 100.0, .floor = -1.0 };
        snprintf(margin->row, sizeof margin->row, "%.*s",
                 equals ? (int)(equals - value) : 0, value);
        c->margins++;
        return true;
}

static bool take_option(struct compare *c, int opt, const char *value)
{
        switch (opt) {
        case OPT_JSON:
                c->json = true;
                return true;
        case OPT_HTML:
                c->html = value;
                return true;
        case OPT_ALPHA:
                if (options_double(value, &c->alpha) && c->alpha >= 1e-6 &&
                    c->alpha <= 0.5)
                        return true;
                return refuse_option(opt, "a number from 1e-6 to 0.5", value);
        case OPT_WITHIN:
                return take_margin(c, value);
        default:
                if (c->folders < 2) {
                        c->folder[c->folders++] = value;
                        return true;
                }
                return terminal_complain("compare", "%s: two folders, no more", value);
        }
}

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
        const char *value;
        int at = 0, opt;

        while ((opt = options_next(&options, argc, argv, &at, &value)) != -2) {
                if (opt == -4)
                        return 0;
                if (opt == -3 || !take_option(&c, opt, value))
                        return 2;
        }
        if (c.folders < 2) {
                terminal_complain(
                        "compare",
                        "needs two folders, the baseline's and the candidate's");
                return 2;
        }
        return compare(&c);
}
