/* A suite's requirements, robustness and metrics: of each scenario a table with a column a rig, over all of its flights. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/config.h"
#include "hil/suite/suite.h"

/* What the flights of a group, which is RIG/SCENARIO, said of a row. */
struct cell {
        int flights;
        double sum, least, most;
};

struct row {
        struct compared_value is; /* its name, unit, kind; the value is not used */
        struct cell *cell; /* [groups] */
};

struct table {
        int groups, rows, room;
        const char **group; /* of this scenario, in the order of the suite's runs */
        struct row *row; /* in the order in which summaries name them */
};

static const char *scenario_of(const char *group)
{
        const char *slash = strchr(group, '/');

        return slash != NULL ? slash + 1 : group;
}

static int find(const char *const *list, int n, const char *wanted)
{
        for (int i = n - 1; i >= 0; i--)
                if (strcmp(list[i], wanted) == 0)
                        return i;
        return -1;
}

/* Summaries of one scenario have the same rows in the same order, but for what one of them lacks: what follows the last
 * one found is looked at first. NULL: no memory. */
static struct row *find_row(struct table *t, const struct compared_value *v, int *at)
{
        struct row *r;

        assert(t->groups > 0);
        for (int i = 0; i < t->rows; i++) {
                r = &t->row[(*at + i) % t->rows];
                if (r->is.kind == v->kind && strcmp(r->is.name, v->name) == 0) {
                        *at = (int)(r - t->row) + 1;
                        return r;
                }
        }
        if (t->rows == t->room) {
                int room = t->room > 0 ? 2 * t->room : 64;

                r = realloc(t->row, (size_t)room * sizeof *r);
                if (r == NULL)
                        return NULL;
                t->row = r;
                t->room = room;
        }
        r = &t->row[t->rows];
        *r = (struct row){ *v, calloc((size_t)t->groups, sizeof *r->cell) };
        if (r->cell == NULL)
                return NULL;
        *at = ++t->rows;
        return r;
}

static void count_value(struct cell *c, double value)
{
        c->least = c->flights > 0 ? fmin(c->least, value) : value;
        c->most = c->flights > 0 ? fmax(c->most, value) : value;
        c->sum += value;
        c->flights++;
}

/* Of one vehicle alone the metrics need not say whose they are: rigs are beside each other here, and their vehicles' names
 * differ. */
static bool has_one_vehicle(const struct compared_result *r)
{
        const char *vehicle = NULL;

        for (int i = 0; i < r->values; i++) {
                const char *own = r->value[i].name + r->value[i].name_len;

                if (own[0] != '\0' && vehicle != NULL && strcmp(own, vehicle) != 0)
                        return false;
                vehicle = own[0] != '\0' ? own : vehicle;
        }
        return true;
}

static void take_values(struct table *t, struct compared_result *result, int group)
{
        bool alone = has_one_vehicle(result);
        int at = 0;

        for (int i = 0; compared_is_usable(result) && i < result->values; i++) {
                struct compared_value *v = &result->value[i];
                struct row *row;

                if (alone)
                        v->name[v->name_len] = '\0';
                row = v->kind != COMPARED_HOST ? find_row(t, v, &at) : NULL;
                if (row != NULL && !isnan(v->value))
                        count_value(&row->cell[group], v->value);
        }
}

static void read_run(struct table *t, const struct suite_run *run, int group)
{
        struct config_error error;
        struct compared_result result;
        char path[600], why[600], *text;
        size_t len;

        snprintf(path, sizeof path, "%s/summary.json", run->folder);
        text = config_load_text(path, &len, &error);
        if (text == NULL)
                return;
        if (compared_result_parse(&result, text, len, path, why, sizeof why))
                take_values(t, &result, group);
        free(result.value);
        free(text);
}

/* A number for each group; null where there is none. */
static void add_numbers(struct json *o, const char *key, const struct table *t,
                        const struct row *row, double (*of)(const struct cell *c))
{
        struct json *list = json_add_array(o, key);

        for (int i = 0; i < t->groups; i++)
                json_add_number(list, NULL,
                                row->cell[i].flights > 0 ? of(&row->cell[i])
                                                         : (double)NAN);
}

static double mean_of(const struct cell *c)
{
        return c->sum / c->flights;
}

static double least_of(const struct cell *c)
{
        return c->least;
}

static double most_of(const struct cell *c)
{
        return c->most;
}

static void add_table(struct json *list, const struct table *t)
{
        struct json *o = json_add_object(list, NULL), *rigs, *rows;

        json_add_string(o, "scenario", scenario_of(t->group[0]));
        rigs = json_add_array(o, "rigs");
        for (int i = 0; i < t->groups; i++) {
                char rig[COMPARE_GROUP_MAX];

                snprintf(rig, sizeof rig, "%.*s", (int)strcspn(t->group[i], "/"),
                         t->group[i]);
                json_add_string(rigs, NULL, rig);
        }
        rows = json_add_array(o, "rows");
        for (int i = 0; i < t->rows; i++) {
                const struct row *row = &t->row[i];
                struct json *own = json_add_object(rows, NULL), *flights;

                json_add_string(own, "name", row->is.name);
                json_add_string(own, "kind", compared_kind_name(row->is.kind));
                json_add_string(own, "better", compared_better_name(row->is.better));
                json_add_string(own, "unit", row->is.unit);
                flights = json_add_array(own, "flights");
                for (int g = 0; g < t->groups; g++)
                        json_add_i64(flights, NULL, row->cell[g].flights);
                add_numbers(own, "mean", t, row, mean_of);
                add_numbers(own, "least", t, row, least_of);
                add_numbers(own, "most", t, row, most_of);
        }
}

/* One scenario: that of this run, if it is the first of it. */
static void add_scenario(struct json *list, const struct suite *s, int first)
{
        const char *scenario = scenario_of(s->run[first].group);
        struct table t = { .group = calloc((size_t)s->runs, sizeof *t.group) };

        if (t.group == NULL)
                return;
        for (int i = 0; i < s->runs; i++)
                if (strcmp(scenario_of(s->run[i].group), scenario) == 0 &&
                    find(t.group, t.groups, s->run[i].group) < 0)
                        t.group[t.groups++] = s->run[i].group;
        for (int i = first; i < s->runs; i++) {
                const struct suite_run *r = &s->run[i];

                if ((r->state == SUITE_KEPT || r->state == SUITE_FLOWN) &&
                    strcmp(scenario_of(r->group), scenario) == 0)
                        read_run(&t, r, find(t.group, t.groups, r->group));
        }
        if (t.rows > 0)
                add_table(list, &t);
        for (int i = 0; i < t.rows; i++)
                free(t.row[i].cell);
        free(t.row);
        free(t.group);
}

static bool is_first(const struct suite *s, int run)
{
        for (int i = 0; i < run; i++)
                if (strcmp(scenario_of(s->run[i].group),
                           scenario_of(s->run[run].group)) == 0)
                        return false;
        return true;
}

void suite_add_results(struct json *root, const struct suite *s)
{
        struct json *list = json_add_array(root, "results");

        for (int i = 0; i < s->runs; i++)
                if (is_first(s, i))
                        add_scenario(list, s, i);
}
