/* `hilrig history`: requirements and metrics over releases, and where they change. It flies nothing. */
#include <stdlib.h>
#include <string.h>

#include "hil/cmd/bisect.h"
#include "hil/cmd/commands.h"
#include "hil/console/options.h"
#include "hil/config/config.h"
#include "hil/history/history.h"
#include "hil/text/files.h"
#include "hil/text/terminal.h"

struct history_command {
        const char *builds, *html, *json;
        struct history_options options;
};

static const struct option_spec specs[] = {
        { "--builds", "FILE",
          "the releases in their order, as for hilrig bisect; instead of every folder, "
          "by its version",
          TEXT(history_command, builds) },
        { "--html", "FILE", "write a page with every row as a curve",
          TEXT(history_command, html) },
        { "--json", "FILE", "write everything there", TEXT(history_command, json) },
        { "--error", "PERCENT", "chance of any false alarm, over all rows (5)",
          PERCENT(history_command, options.doubt, 50) },
        { "--margin", "PERCENT",
          "a shift of this share of a row's mean counts as none (1)",
          PERCENT(history_command, options.margin, 1000) },
        { NULL },
};

static const struct options options = {
        .command = "history",
        .specs = specs,
        .operand = { "folder", .help = "a folder of releases",
                     TEXT(history_command, options.folder) },
        .usage = "history DIR [--builds FILE] [--html FILE] [--json FILE]\n"
                 "           [--error PERCENT] [--margin PERCENT]\n\n"
                 "DIR has a folder for each release, as hilrig bisect leaves them, or "
                 "several of\nhilrig suite side by side. Exit status: 0: the newest "
                 "release shows nothing\nworse that was not found before it; 1: it does; "
                 "2: it could not be told.",
};

static void print_row(const struct history *h, const struct history_row *row,
                      const struct history_change *c)
{
        terminal_print(stdout, "%-8s %s, %s%s: %.4g to %.4g %s",
                       history_turn_name(history_turn(row, c)), row->group, row->name,
                       row->kind == COMPARED_OUTCOME ? ", passed" : "", c->from, c->to,
                       row->unit);
        if (c->first != c->last)
                terminal_print(stdout, "; from one of %s to %s on",
                               h->release[c->first].name, h->release[c->last].name);
        putchar('\n');
}

/* The newest release first. */
static void print_changes(const struct history *h)
{
        for (int r = h->releases - 1; r > 0; r--) {
                int n = 0;

                for (int k = 0; k < h->rows; k++)
                        for (int i = 0; i < h->row[k].changes.count; i++) {
                                const struct history_change *c = &h->row[k].changes.of[i];

                                if (c->at != r)
                                        continue;
                                if (n++ == 0)
                                        terminal_print(stdout, "\nfrom %s on\n",
                                                       h->release[r].name);
                                print_row(h, &h->row[k], c);
                        }
        }
}

static void print_wavering(const struct history *h)
{
        bool any = false;

        for (int k = 0; k < h->rows; k++) {
                const struct history_row *row = &h->row[k];
                int n = history_wavers(h, row);

                if (n == 0)
                        continue;
                if (!any)
                        puts("\nneither always nor never passed");
                any = true;
                terminal_print(stdout, "%s, %s: in %d of %d releases\n", row->group,
                               row->name, n, h->releases);
        }
}

static void print_history(const struct history *h)
{
        int flights = 0, worse = history_newly_worse(h);

        for (int r = 0; r < h->releases; r++)
                flights += h->release[r].side.runs;
        terminal_print(stdout, "%d releases, %s to %s: %d flights, %d rows\n",
                       h->releases, h->release[0].name, h->release[h->releases - 1].name,
                       flights, h->rows);
        if (h->left_out > 0)
                printf("%d without a finished flight: left out\n", h->left_out);
        if (h->unreadable > 0)
                terminal_complain("history", "%d summaries could not be read: %s",
                                  h->unreadable, h->problem);
        print_changes(h);
        print_wavering(h);
        terminal_print(stdout, "\n%s: %s", worse > 0 ? "worse" : "no worse",
                       h->release[h->releases - 1].name);
        if (worse > 0)
                printf(" has %d row%s newly found worse\n", worse, worse == 1 ? "" : "s");
        else
                puts(" is no worse than what came before it");
}

static int show(const struct history_command *c, const struct history *h)
{
        bool ok = true;

        print_history(h);
        if (c->json != NULL) {
                struct json *document = history_document(h);

                ok = text_file_leave("history", c->json, json_print(document));
                json_free(document);
        }
        if (c->html != NULL)
                ok = text_file_leave("history", c->html, history_html(h)) && ok;
        return !ok ? 2 : history_newly_worse(h) > 0;
}

static int history(struct history_command *c)
{
        struct builds b = { 0 };
        struct history h = { 0 };
        const char **names = NULL;
        char why[CONFIG_ERROR_TEXT] = "";
        int status = 2;
        bool ok = c->builds == NULL || bisect_read_builds(&b, c->builds, why, sizeof why);

        if (ok && c->builds != NULL) {
                names = calloc((size_t)b.count + 1, sizeof *names);
                ok = names != NULL;
                for (int i = 0; ok && i < b.count; i++)
                        names[i] = b.build[i].name;
                c->options.order = names;
                c->options.ordered = b.count;
        }
        if (ok && history_read(&h, &c->options, why, sizeof why))
                status = show(c, &h);
        else
                options_complain("history", why);
        history_free(&h);
        free(names);
        builds_free(&b);
        return status;
}

int history_command(int argc, char **argv)
{
        struct history_command c = { .options = { .doubt = 0.05, .margin = 0.01 } };
        int status = options_read(&options, argc, argv, &c);

        return status == OPTIONS_READ ? history(&c) : status;
}
