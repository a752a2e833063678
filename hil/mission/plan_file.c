/* QGroundControl's .plan, version 1 (docs.qgroundcontrol.com, "Plan File Format"), read. A complex item is the simple
 * items that it stands for, where the file has them. */
#include "hil/mission/mission.h"
#include "hil/text/json.h"

#include <math.h>
#include <string.h>

struct plan_reader {
        struct mission_plan *plan;
        const char *file;
        struct mission_error *why;
        int id[MISSION_ITEMS_MAX]; /* of each item: its doJumpId; 0: it has none */
};

static bool refuse_value(struct plan_reader *r, const struct json *at, const char *key,
                         const char *expected)
{
        const struct json *value = key ? json_member(at, key) : at;
        char path[160], is[60] = "missing";

        json_path(at, path, sizeof path);
        if (value != NULL)
                json_describe(value, is, sizeof is);
        snprintf(r->why->text, sizeof r->why->text, "%s: %s%s%s: must be %s, is %s",
                 r->file, path, path[0] && key ? "." : "", key ? key : "", expected, is);
        return false;
}

static bool read_whole(struct plan_reader *r, const struct json *at, const char *key,
                       int most, int *value)
{
        uint64_t v;
        char expected[40];

        snprintf(expected, sizeof expected, "a whole number up to %d", most);
        if (!json_u64(at, key, &v) || v > (uint64_t)most)
                return refuse_value(r, at, key, expected);
        *value = (int)v;
        return true;
}

/* [lat, lon] or [lat, lon, altitude]. */
static bool read_place(struct plan_reader *r, const struct json *place, double *lat_deg,
                       double *lon_deg, double *altitude_m)
{
        double v[3] = { NAN, NAN, 0.0 };

        if (!json_is(place, JSON_ARRAY) || place->count < 2)
                return refuse_value(r, place, NULL, "[latitude, longitude]");
        for (int i = 0; i < 3 && i < place->count; i++)
                v[i] = json_item(place, i)->type == JSON_NUMBER
                               ? json_item(place, i)->number
                               : (i < 2 ? (double)NAN : 0.0);
        if (!(fabs(v[0]) <= 90.0))
                return refuse_value(r, json_item(place, 0), NULL,
                                    "a latitude in degrees");
        if (!(fabs(v[1]) <= 180.0))
                return refuse_value(r, json_item(place, 1), NULL,
                                    "a longitude in degrees");
        if (!(fabs(v[2]) <= 1e5))
                return refuse_value(r, json_item(place, 2), NULL,
                                    "an altitude in metres");
        *lat_deg = v[0];
        *lon_deg = v[1];
        *altitude_m = v[2];
        return true;
}

static struct mission_item *add_item(struct plan_reader *r, const struct json *at,
                                     enum mission_list_kind list)
{
        struct mission_item *item = mission_add(r->plan, list);

        if (item == NULL)
                refuse_value(r, at, NULL, "one of 5000 at most");
        return item;
}

static bool read_param(struct plan_reader *r, const struct json *params, int n,
                       double limit, double *value)
{
        const struct json *v = json_item(params, n);

        *value = NAN;
        if (json_is(v, JSON_NULL))
                return true;
        if (!json_is(v, JSON_NUMBER) || !(fabs(v->number) <= limit))
                return refuse_value(r, v, NULL, "a number in its range, or null");
        *value = v->number;
        return true;
}

static bool read_simple(struct plan_reader *r, const struct json *node)
{
        const struct json *params = json_member(node, "params");
        struct mission_item *item = add_item(r, node, MISSION_LIST_ITEMS);
        int command = 0, frame = 0;

        if (item == NULL || !read_whole(r, node, "command", 65535, &command) ||
            !read_whole(r, node, "frame", 255, &frame))
                return false;
        if (!json_is(params, JSON_ARRAY) || params->count != 7)
                return refuse_value(r, node, "params", "seven numbers");
        item->command = (uint16_t)command;
        item->frame = (uint8_t)frame;
        item->autocontinue = json_bool(node, "autoContinue", true);
        if (json_member(node, "doJumpId") != NULL &&
            !read_whole(r, node, "doJumpId", 65535,
                        &r->id[r->plan->list[MISSION_LIST_ITEMS].count - 1]))
                return false;
        for (int i = 0; i < 4; i++)
                if (!read_param(r, params, i, 1e9, &item->param[i]))
                        return false;
        /* Without a place the last three are parameters, too. */
        return read_param(r, params, 4, mission_has_place(item) ? 90.0 : 1e9,
                          &item->lat_deg) &&
               read_param(r, params, 5, mission_has_place(item) ? 180.0 : 1e9,
                          &item->lon_deg) &&
               read_param(r, params, 6, 1e5, &item->altitude_m);
}

static bool read_item(struct plan_reader *r, const struct json *node, bool inside)
{
        const char *type = json_string(node, "type");
        const struct json *items = json_at(node, "TransectStyleComplexItem.Items");
        const char *complex = json_string(node, "complexItemType");

        if (type != NULL && strcmp(type, "SimpleItem") == 0)
                return read_simple(r, node);
        if (type == NULL || strcmp(type, "ComplexItem") != 0 || inside)
                return refuse_value(r, node, "type",
                                    inside ? "\"SimpleItem\""
                                           : "\"SimpleItem\" or \"ComplexItem\"");
        if (json_is(items, JSON_ARRAY) && items->count > 0) {
                for (const struct json *i = items->first; i; i = i->next)
                        if (!read_item(r, i, true))
                                return false;
                return true;
        }
        return refuse_value(
                r, node, "complexItemType",
                complex ? "one with TransectStyleComplexItem.Items, which has "
                          "what is to be flown"
                        : "given");
}

static bool read_polygon(struct plan_reader *r, const struct json *node)
{
        const struct json *corners = json_member(node, "polygon");

        if (!json_is(corners, JSON_ARRAY) || corners->count < 3)
                return refuse_value(r, node, "polygon", "three corners or more");
        for (const struct json *c = corners->first; c; c = c->next) {
                struct mission_item *item = add_item(r, c, MISSION_LIST_FENCE);
                double altitude_m;

                if (item == NULL ||
                    !read_place(r, c, &item->lat_deg, &item->lon_deg, &altitude_m))
                        return false;
                item->command = json_bool(node, "inclusion", true)
                                        ? MISSION_FENCE_POLYGON_INSIDE
                                        : MISSION_FENCE_POLYGON_OUTSIDE;
                item->param[0] = corners->count;
        }
        return true;
}

static bool read_circle(struct plan_reader *r, const struct json *node)
{
        const struct json *circle = json_member(node, "circle");
        double radius_m = json_number(node, "circle.radius"), altitude_m;
        struct mission_item *item;

        if (circle == NULL)
                return refuse_value(r, node, "circle", "a centre and a radius");
        if (!(radius_m > 0.0 && radius_m <= 1e6))
                return refuse_value(r, circle, "radius", "above 0, at most 1e6 m");
        item = add_item(r, node, MISSION_LIST_FENCE);
        if (item == NULL)
                return false;
        item->command = json_bool(node, "inclusion", true) ? MISSION_FENCE_CIRCLE_INSIDE
                                                           : MISSION_FENCE_CIRCLE_OUTSIDE;
        item->param[0] = radius_m;
        if (!json_at(node, "circle.center"))
                return refuse_value(r, circle, "center", "[latitude, longitude]");
        return read_place(r, json_at(node, "circle.center"), &item->lat_deg,
                          &item->lon_deg, &altitude_m);
}

static bool read_point(struct plan_reader *r, const struct json *node,
                       enum mission_list_kind list, enum mission_command command)
{
        struct mission_item *item = add_item(r, node, list);

        if (item == NULL)
                return false;
        item->command = (uint16_t)command;
        item->frame = MISSION_FRAME_RELATIVE;
        return read_place(r, node, &item->lat_deg, &item->lon_deg, &item->altitude_m);
}

/* Jumps name items by these numbers, which need not be those of their places in the file. */
static bool number_jumps(struct plan_reader *r, const struct json *items)
{
        struct mission_list *list = &r->plan->list[MISSION_LIST_ITEMS];

        for (int i = 0; i < list->count; i++) {
                double *to = &list->item[i].param[0];
                int at = 0;

                if (list->item[i].command != MISSION_JUMP || r->id[i] == 0)
                        continue;
                while (at < list->count && (double)r->id[at] != *to)
                        at++;
                if (at == list->count) {
                        snprintf(
                                r->why->text, sizeof r->why->text,
                                "%s: %s: item %d jumps to doJumpId %g, which no item has",
                                r->file, items->key, i + 1, *to);
                        return false;
                }
                *to = at + 1;
        }
        return true;
}

/* NULL where there is none; false: it is none. */
static bool find_list(struct plan_reader *r, const struct json *root, const char *path,
                      const struct json **list)
{
        *list = json_at(root, path);
        return *list == NULL || json_is(*list, JSON_ARRAY) || json_is(*list, JSON_NULL) ||
               refuse_value(r, *list, NULL, "a list");
}

static bool read_fence(struct plan_reader *r, const struct json *root)
{
        const struct json *polygons, *circles, *rally,
                *back = json_at(root, "geoFence.breachReturn");

        if (!find_list(r, root, "geoFence.polygons", &polygons) ||
            !find_list(r, root, "geoFence.circles", &circles) ||
            !find_list(r, root, "rallyPoints.points", &rally))
                return false;
        for (const struct json *n = polygons ? polygons->first : NULL; n; n = n->next)
                if (!read_polygon(r, n))
                        return false;
        for (const struct json *n = circles ? circles->first : NULL; n; n = n->next)
                if (!read_circle(r, n))
                        return false;
        if (back != NULL && back->count > 0 &&
            !read_point(r, back, MISSION_LIST_FENCE, MISSION_FENCE_RETURN_POINT))
                return false;
        for (const struct json *n = rally ? rally->first : NULL; n; n = n->next)
                if (!read_point(r, n, MISSION_LIST_RALLY, MISSION_RALLY_POINT))
                        return false;
        return true;
}

static bool read_root(struct plan_reader *r, const struct json *root)
{
        const char *type = json_string(root, "fileType");
        const struct json *items = json_at(root, "mission.items"),
                          *home = json_at(root, "mission.plannedHomePosition");
        struct mission_plan *p = r->plan;

        if (type == NULL || strcmp(type, "Plan") != 0)
                return refuse_value(r, root, "fileType", "\"Plan\"");
        if (json_number(root, "version") != 1.0)
                return refuse_value(r, root, "version", "1");
        if (!json_is(items, JSON_ARRAY) || items->count == 0)
                return refuse_value(r, root, "mission",
                                    "an object whose \"items\" has one or more");
        if (home != NULL && home->type != JSON_NULL) {
                if (!read_place(r, home, &p->home_lat_deg, &p->home_lon_deg,
                                &p->home_altitude_m))
                        return false;
                p->has_home = p->home_lat_deg != 0.0 || p->home_lon_deg != 0.0;
        }
        for (const struct json *i = items->first; i; i = i->next)
                if (!read_item(r, i, false))
                        return false;
        return number_jumps(r, items) && read_fence(r, root);
}

bool mission_read_plan(struct mission_plan *p, const char *file, const char *text,
                       size_t len, struct mission_error *why)
{
        struct plan_reader r = { .plan = p, .file = file, .why = why };
        struct json_error error;
        struct json *root = json_parse(text, len, file, &error);
        bool ok;

        if (root == NULL) {
                snprintf(why->text, sizeof why->text, "%s: %s", file, error.text);
                return false;
        }
        ok = read_root(&r, root);
        json_free(root);
        return ok;
}
