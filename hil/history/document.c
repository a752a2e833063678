/* A history as JSON: what its page shows, and what `--json` writes. */
#include <math.h>

#include "hil/history/history.h"
#include "hil/text/version.h"

static void add_releases(struct json *root, const struct history *h)
{
        struct json *list = json_add_array(root, "releases");

        for (int i = 0; i < h->releases; i++) {
                const struct history_release *r = &h->release[i];
                struct json *o = json_add_object(list, NULL);

                json_add_string(o, "name", r->name);
                json_add_string(o, "folder", r->folder);
                json_add_string(o, "firmware", r->firmware);
                json_add_string(o, "version", r->version);
                for (enum compared_run v = RUN_PASSED; v <= RUN_ERROR; v++)
                        json_add_i64(o, compared_run_name(v), r->count[v]);
        }
}

static void add_changes(struct json *o, const struct history *h,
                        const struct history_row *row)
{
        struct json *list = json_add_array(o, "changes");

        for (int i = 0; i < row->changes.count; i++) {
                const struct history_change *c = &row->changes.of[i];
                struct json *change = json_add_object(list, NULL);

                json_add_i64(change, "at", c->at);
                json_add_string(change, "release", h->release[c->at].name);
                json_add_i64(change, "first", c->first);
                json_add_i64(change, "last", c->last);
                json_add_number(change, "from", c->from);
                json_add_number(change, "to", c->to);
                json_add_string(change, "turn", history_turn_name(history_turn(row, c)));
        }
}

/* A number for each release; null where there is none. */
static void add_points(struct json *o, const char *key, const struct history *h,
                       const struct history_row *row,
                       double (*of)(const struct history_point *p))
{
        struct json *list = json_add_array(o, key);

        for (int r = 0; r < h->releases; r++)
                json_add_number(list, NULL,
                                row->point[r].flights > 0 ? of(&row->point[r])
                                                          : (double)NAN);
}

static double flights_of(const struct history_point *p)
{
        return p->flights;
}

static double level_of(const struct history_point *p)
{
        return p->level;
}

static double mean_of(const struct history_point *p)
{
        return p->mean;
}

static double least_of(const struct history_point *p)
{
        return p->least;
}

static double most_of(const struct history_point *p)
{
        return p->most;
}

static void add_row(struct json *list, const struct history *h,
                    const struct history_row *row)
{
        struct json *o = json_add_object(list, NULL);

        json_add_string(o, "group", row->group);
        json_add_string(o, "name", row->name);
        json_add_string(o, "kind", compared_kind_name(row->kind));
        json_add_string(o, "unit", row->unit);
        json_add_string(o, "better", compared_better_name(row->better));
        json_add_number(o, "noise", row->noise);
        json_add_number(o, "spread", row->changes.spread);
        json_add_i64(o, "wavers", history_wavers(h, row));
        add_points(o, "flights", h, row, flights_of);
        add_points(o, "level", h, row, level_of);
        add_points(o, "mean", h, row, mean_of);
        add_points(o, "least", h, row, least_of);
        add_points(o, "most", h, row, most_of);
        add_changes(o, h, row);
}

struct json *history_document(const struct history *h)
{
        struct json *root = json_new_object(), *rows;

        json_add_string(root, "version", hilrig_version());
        json_add_i64(root, "left_out", h->left_out);
        json_add_i64(root, "unreadable", h->unreadable);
        json_add_i64(root, "newly_worse", history_newly_worse(h));
        add_releases(root, h);
        rows = json_add_array(root, "rows");
        for (int k = 0; k < h->rows; k++)
                add_row(rows, h, &h->row[k]);
        return root;
}
