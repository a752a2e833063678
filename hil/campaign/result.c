/* What a campaign has come to. */
#include <stdlib.h>
#include <string.h>

#include "hil/campaign/campaign.h"
#include "hil/text/json.h"
#include "hil/text/version.h"

struct suite_count campaign_count(const struct campaign *c)
{
        struct suite_count all = { 0 };

        for (int v = 0; v < c->file.versions; v++) {
                struct suite_count own = suite_count(&c->suite[v]);

                for (int i = 0; i < 4; i++)
                        all.verdict[i] += own.verdict[i];
                all.kept += own.kept;
                all.open += own.open;
                all.asked_nothing += own.asked_nothing;
        }
        return all;
}

int campaign_exit_status(const struct campaign *c)
{
        struct suite_count n = campaign_count(c);

        if (n.open > 0)
                return 3;
        return n.verdict[RUN_FAILED] > 0  ? 1
               : n.verdict[RUN_ERROR] > 0 ? 2
               : n.verdict[RUN_VOID] > 0  ? 3
                                          : 0;
}

const char *campaign_verdict_name(const struct campaign *c)
{
        static const char *const name[] = { "passed", "failed", "error", "void" };

        if (campaign_count(c).open == 0)
                return name[campaign_exit_status(c)];
        return c->stop == CAMPAIGN_GOES_ON       ? "not whole"
               : c->stop == CAMPAIGN_INTERRUPTED ? "interrupted"
                                                 : "stopped";
}

const char **campaign_groups(const struct campaign *c, int *groups)
{
        const char **list = calloc((size_t)c->flights + 1, sizeof *list);

        *groups = 0;
        for (int i = 0; list != NULL && i < c->flights; i++) {
                const char *group = c->flight[i].run->group;
                int k = *groups - 1;

                /* Flights of one group stand together, and each version has the same ones. */
                while (k >= 0 && strcmp(list[k], group) != 0)
                        k--;
                if (k < 0)
                        list[(*groups)++] = group;
        }
        return list;
}

struct campaign_cell campaign_cell(const struct campaign *c, int version,
                                   const char *group)
{
        const struct suite *s = &c->suite[version];
        struct campaign_cell cell = { 0 };

        for (int i = 0; i < s->runs; i++) {
                const struct suite_run *r = &s->run[i];

                if (strcmp(r->group, group) != 0)
                        continue;
                if (r->state == SUITE_KEPT || r->state == SUITE_FLOWN)
                        cell.count[r->verdict]++;
                else
                        cell.open++;
        }
        return cell;
}

bool campaign_is_flaky(const struct campaign_cell *cell)
{
        return cell->count[RUN_PASSED] > 0 && cell->count[RUN_FAILED] > 0;
}

static void add_cell(const struct campaign *c, struct json *list, int version,
                     const char *group)
{
        struct campaign_cell cell = campaign_cell(c, version, group);
        struct json *o = json_add_object(list, NULL);
        int judged = cell.count[RUN_PASSED] + cell.count[RUN_FAILED];

        json_add_string(o, "version", c->file.version[version].name);
        for (int v = RUN_PASSED; v <= RUN_ERROR; v++)
                json_add_i64(o, compared_run_name((enum compared_run)v), cell.count[v]);
        json_add_i64(o, "open", cell.open);
        json_add_bool(o, "flaky", campaign_is_flaky(&cell));
        if (judged > 0)
                json_add_number(o, "rate", (double)cell.count[RUN_PASSED] / judged);
}

static void add_matrix(const struct campaign *c, struct json *root)
{
        struct json *list = json_add_array(root, "matrix");
        const char **group;
        int groups;

        group = campaign_groups(c, &groups);
        for (int g = 0; g < groups; g++) {
                struct json *row = json_add_object(list, NULL);
                struct json *cells;

                json_add_string(row, "group", group[g]);
                cells = json_add_array(row, "versions");
                for (int v = 0; v < c->file.versions; v++)
                        add_cell(c, cells, v, group[g]);
        }
        free(group);
}

static void add_flight(const struct campaign *c, struct json *list,
                       const struct campaign_flight *f)
{
        const struct suite_run *r = f->run;
        struct json *o = json_add_object(list, NULL);

        json_add_i64(o, "number", f->number);
        json_add_string(o, "version", c->file.version[f->version].name);
        json_add_string(o, "group", r->group);
        json_add_u64(o, "seed", r->seed);
        json_add_i64(o, "repeat", r->repeat);
        json_add_string(o, "folder", campaign_flight_name(c, f));
        json_add_string(o, "verdict",
                        campaign_is_open(f) ? "open" : compared_run_name(r->verdict));
        json_add_string(o, "reason", campaign_is_open(f) ? "" : r->reason);
        json_add_string(o, "firmware", r->firmware);
        json_add_string(o, "board", f->board);
        json_add_i64(o, "attempts", f->attempts);
        json_add_i64(o, "requirements", r->requirements);
        json_add_i64(o, "requirements_failed", r->failed);
        json_add_number(o, "wall_time_s", r->wall_s);
}

struct json *campaign_document(const struct campaign *c)
{
        struct suite_count n = campaign_count(c);
        struct json *root = json_new_object(), *list;

        json_add_string(root, "name", c->file.suite.name);
        json_add_string(root, "file", c->options.file);
        json_add_string(root, "version", hilrig_version());
        json_add_string(root, "verdict", campaign_verdict_name(c));
        json_add_string(root, "stopped", c->stop_reason);
        json_add_i64(root, "flights", c->flights);
        for (int v = RUN_PASSED; v <= RUN_ERROR; v++)
                json_add_i64(root, compared_run_name((enum compared_run)v), n.verdict[v]);
        json_add_i64(root, "open", n.open);
        json_add_i64(root, "kept", n.kept);
        json_add_i64(root, "nothing_required", n.asked_nothing);
        list = json_add_array(root, "versions");
        for (int v = 0; v < c->file.versions; v++)
                json_add_string(list, NULL, c->file.version[v].name);
        add_matrix(c, root);
        list = json_add_array(root, "flight");
        for (int i = 0; i < c->flights; i++)
                add_flight(c, list, &c->flight[i]);
        return root;
}

char *campaign_json(const struct campaign *c)
{
        return json_print_free(campaign_document(c));
}
