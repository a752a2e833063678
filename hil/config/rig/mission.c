/* The mission of a rig: a mission file becomes items in the tree, so that config.json has all of it; a scenario without
 * a pilot stands beside it. */
#include "hil/config/rig/rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/config/load.h"

/* Farther away, coordinates are those of another place. */
#define FAR_M     20000.0
#define LONGEST_S 86400.0

#define GIVEN(field) .given = offsetof(struct mission_item_file, field##_given)

static const struct config_field item_fields[] = {
        { "command", CONFIG_INTEGER, "MAV_CMD: 16 way-point, 22 take-off, 21 land.",
          BETWEEN(0, 65535), AT(mission_item_file, command) },
        { "frame", CONFIG_INTEGER, "MAV_FRAME of the altitude: 0 sea, 3 home, 10 ground.",
          BETWEEN(0, 255), .preset = "3", AT(mission_item_file, frame) },
        { "autocontinue", CONFIG_BOOL, "Go on by itself.", .preset = "true",
          AT(mission_item_file, autocontinue) },
        { "param_1", CONFIG_NUMBER, "As MAV_CMD defines it.", BETWEEN(-1e9, 1e9),
          .optional = true, AT(mission_item_file, param[0]),
          .given = offsetof(struct mission_item_file, param_given[0]) },
        { "param_2", CONFIG_NUMBER, "As MAV_CMD defines it.", BETWEEN(-1e9, 1e9),
          .optional = true, AT(mission_item_file, param[1]),
          .given = offsetof(struct mission_item_file, param_given[1]) },
        { "param_3", CONFIG_NUMBER, "As MAV_CMD defines it.", BETWEEN(-1e9, 1e9),
          .optional = true, AT(mission_item_file, param[2]),
          .given = offsetof(struct mission_item_file, param_given[2]) },
        { "param_4", CONFIG_NUMBER, "As MAV_CMD defines it.", BETWEEN(-1e9, 1e9),
          .optional = true, AT(mission_item_file, param[3]),
          .given = offsetof(struct mission_item_file, param_given[3]) },
        { "latitude", CONFIG_NUMBER, "In degrees, or the fifth parameter.",
          BETWEEN(-1e9, 1e9), .optional = true, AT(mission_item_file, lat_deg),
          GIVEN(lat) },
        { "longitude", CONFIG_NUMBER, "In degrees, or the sixth parameter.",
          BETWEEN(-1e9, 1e9), .optional = true, AT(mission_item_file, lon_deg),
          GIVEN(lon) },
        { "altitude_m", CONFIG_NUMBER,
          "As the frame defines it, or the seventh parameter.", BETWEEN(-1e5, 1e5),
          .optional = true, AT(mission_item_file, altitude_m), GIVEN(altitude) },
        { NULL },
};

static const struct config_table item_table = {
        .name = "mission_item",
        .about = "An item of a mission, its fence or its rally points.",
        .field = item_fields,
};

static const struct config_field home_fields[] = {
        { "latitude_deg", CONFIG_NUMBER, "Latitude.", BETWEEN(-90, 90),
          AT(mission_home_file, lat_deg) },
        { "longitude_deg", CONFIG_NUMBER, "Longitude.", BETWEEN(-180, 180),
          AT(mission_home_file, lon_deg) },
        { "altitude_m", CONFIG_NUMBER, "Above the sea.", BETWEEN(-1e5, 1e5),
          .preset = "0", AT(mission_home_file, altitude_m) },
        { NULL },
};

static const struct config_table home_table = {
        .name = "mission_home",
        .about = "Where a mission begins, as in its file.",
        .field = home_fields,
};

static const char *const place_names[] = { "as_written", "at_start", NULL };

#define ITEMS(member)                                                                    \
        .table = &item_table, .size = MISSION_ITEMS_MAX, .preset = "[]",                 \
        .stride = sizeof(struct mission_item_file), .on_heap = true,                     \
        AT(mission_file, item[member]),                                                  \
        .count = offsetof(struct mission_file, items[member])

static const struct config_field mission_fields[] = {
        { "source", CONFIG_TEXT, "The file that the items come from.", .size = 160,
          .preset = "\"the rig file\"", AT(mission_file, settings.source) },
        { "vehicle", CONFIG_INTEGER, "Index of the vehicle that flies it.",
          BETWEEN(0, VEHICLES_MAX - 1), .preset = "0",
          AT(mission_file, settings.vehicle) },
        { "place", CONFIG_CHOICE,
          "as_written: at its coordinates; at_start: moved so that its home is where the "
          "vehicle starts.",
          .names = place_names, .preset = "\"as_written\"",
          AT(mission_file, settings.place) },
        { "radius_m", CONFIG_NUMBER,
          "An item counts as reached within this radius, unless it gives its own.",
          ABOVE(0), AT_MOST(1000), .preset = "2", AT(mission_file, settings.radius_m) },
        { "cross_track_m", CONFIG_NUMBER, "Largest cross-track error allowed on a leg.",
          ABOVE(0), AT_MOST(1e4), .preset = "3",
          AT(mission_file, settings.limits.cross_track_m) },
        { "landing_m", CONFIG_NUMBER,
          "Largest distance allowed from the place where it is to land.", ABOVE(0),
          AT_MOST(1e4), .preset = "3", AT(mission_file, settings.limits.landing_m) },
        { "heading_deg", CONFIG_NUMBER,
          "Largest heading error allowed at a way-point that gives a yaw. Left out: not "
          "judged.",
          ABOVE(0), AT_MOST(180), .scale = RAD_PER_DEG, .optional = true,
          AT(mission_file, settings.limits.heading_rad) },
        { "speed_mps", CONFIG_NUMBER, "Speed between items, until an item gives its own.",
          ABOVE(0), AT_MOST(200), .preset = "1", AT(mission_file, settings.speed_mps) },
        { "climb_mps", CONFIG_NUMBER,
          "Rate of climb used to work out how long a change of height may take.",
          ABOVE(0), AT_MOST(100), .preset = "0.5", AT(mission_file, settings.climb_mps) },
        { "home", CONFIG_OBJECT, "Home, as in the file.", .table = &home_table,
          .optional = true, AT(mission_file, home),
          .given = offsetof(struct mission_file, home_given) },
        { "items", CONFIG_OBJECTS, "What is flown.", ITEMS(MISSION_LIST_ITEMS) },
        { "fence", CONFIG_OBJECTS, "Corners and circles of the fence.",
          ITEMS(MISSION_LIST_FENCE) },
        { "rally", CONFIG_OBJECTS, "Rally points.", ITEMS(MISSION_LIST_RALLY) },
        { NULL },
};

const struct config_table config_mission_table = {
        .name = "mission",
        .about = "A mission that a vehicle flies in place of a pilot; in a rig file also "
                 "the name of a mission file.",
        .field = mission_fields,
};

static void add_given(struct json *o, const char *key, double value)
{
        if (isfinite(value))
                json_add_number(o, key, value);
}

static void add_items(struct json *mission, const char *key,
                      const struct mission_list *list)
{
        struct json *items = json_add_array(mission, key);

        for (int i = 0; i < list->count; i++) {
                const struct mission_item *item = &list->item[i];
                struct json *o = json_add_object(items, NULL);

                json_add_i64(o, "command", item->command);
                json_add_i64(o, "frame", item->frame);
                json_add_bool(o, "autocontinue", item->autocontinue);
                add_given(o, "param_1", item->param[0]);
                add_given(o, "param_2", item->param[1]);
                add_given(o, "param_3", item->param[2]);
                add_given(o, "param_4", item->param[3]);
                add_given(o, "latitude", item->lat_deg);
                add_given(o, "longitude", item->lon_deg);
                add_given(o, "altitude_m", item->altitude_m);
        }
}

static struct json *mission_tree(const struct mission_plan *p, const char *source)
{
        struct json *root = json_new_object(), *home;
        const char *slash = strrchr(source, '/');

        json_add_string(root, "source", slash ? slash + 1 : source);
        if (p->has_home) {
                home = json_add_object(root, "home");
                json_add_number(home, "latitude_deg", p->home_lat_deg);
                json_add_number(home, "longitude_deg", p->home_lon_deg);
                json_add_number(home, "altitude_m", p->home_altitude_m);
        }
        add_items(root, "items", &p->list[MISSION_LIST_ITEMS]);
        add_items(root, "fence", &p->list[MISSION_LIST_FENCE]);
        add_items(root, "rally", &p->list[MISSION_LIST_RALLY]);
        return root;
}

/* A tree of what the file says, which was found by its name; NULL, with the reason told. */
static struct json *load_mission(struct config_document *d, const char *path,
                                 const char *name, struct config_error *why)
{
        struct config_error *reason = calloc(1, sizeof *reason);
        struct mission_error error = { "out of memory" };
        struct mission_plan plan = { 0 };
        struct json *tree = NULL;
        const char *origin = NULL;
        struct stat st;
        size_t len;
        char *text = reason ? config_file_text(path, name, &len, &st, reason) : NULL;

        if (text == NULL)
                config_refuse_line(why, "%s", reason ? reason->text : "out of memory");
        else if (!mission_read(&plan, path, text, len, &error))
                config_refuse_line(why, "%s", error.text);
        else
                origin = config_document_name(d, path, why);
        if (origin != NULL) {
                tree = mission_tree(&plan, path);
                json_set_origin(tree, origin, 0);
                config_document_number(d, tree);
        }
        mission_plan_free(&plan);
        free(text);
        free(reason);
        return tree;
}

/* With the settings that the rig file has beside it. */
static void put_mission(struct config_document *d, struct json *tree)
{
        struct json *old = json_member(d->root, "mission");

        if (json_is(old, JSON_OBJECT))
                for (const struct json *c = old->first; c; c = c->next)
                        if (!json_member(tree, c->key))
                                json_add_copy(tree, c->key, c);
        if (old)
                json_replace(old, tree);
        else
                json_attach(d->root, "mission", tree);
}

static void put_scenario(struct config_document *d, struct config_error *why)
{
        static const char text[] = "{ \"name\": \"mission\", \"duration_s\": 1 }";
        const char *origin = config_document_name(d, "mission", why);
        struct json_error error;
        struct json *tree, *old = json_member(d->root, "scenario");

        if (origin == NULL)
                return;
        tree = json_parse(text, sizeof text - 1, origin, &error);
        if (tree == NULL)
                return;
        config_document_number(d, tree);
        if (old)
                json_replace(old, tree);
        else
                json_attach(d->root, "scenario", tree);
}

void config_expand_mission(struct config_document *d, const char *file, bool scenario,
                           struct config_error *why)
{
        struct json *node = json_member(d->root, "mission"), *tree = NULL;
        char *path = NULL;

        if (!json_is(d->root, JSON_OBJECT))
                return;
        if (file != NULL) {
                path = config_file_named(file);
                tree = path ? load_mission(d, path, file, why) : NULL;
        } else if (json_is(node, JSON_STRING)) {
                path = config_file_beside(node->file, node->text);
                tree = path ? load_mission(d, path, node->text, why) : NULL;
                node->refused = tree == NULL;
        }
        free(path);
        if (tree != NULL)
                put_mission(d, tree);
        if ((file != NULL && !scenario) ||
            (node != NULL && !json_member(d->root, "scenario")))
                put_scenario(d, why);
}

static double given(double value, bool is_given)
{
        return is_given ? value : (double)NAN;
}

static bool build_plan(struct mission_plan *p, const struct mission_file *file)
{
        p->has_home = file->home_given;
        p->home_lat_deg = file->home.lat_deg;
        p->home_lon_deg = file->home.lon_deg;
        p->home_altitude_m = file->home.altitude_m;
        for (int l = 0; l < MISSION_LISTS; l++)
                for (int i = 0; i < file->items[l]; i++) {
                        const struct mission_item_file *from = &file->item[l][i];
                        struct mission_item *to =
                                mission_add(p, (enum mission_list_kind)l);

                        if (to == NULL)
                                return false;
                        to->command = (uint16_t)from->command;
                        to->frame = (uint8_t)from->frame;
                        to->autocontinue = from->autocontinue;
                        for (int k = 0; k < 4; k++)
                                to->param[k] =
                                        given(from->param[k], from->param_given[k]);
                        to->lat_deg = given(from->lat_deg, from->lat_given);
                        to->lon_deg = given(from->lon_deg, from->lon_given);
                        to->altitude_m = given(from->altitude_m, from->altitude_given);
                }
        return true;
}

static bool check_route(const struct route *r, const struct json *node,
                        struct config_error *why)
{
        for (int i = 0; i < r->stops; i++) {
                double off_m = vec3_norm(vec3_sub(r->stop[i].at_ned_m, r->home_ned_m));

                if (!(off_m <= FAR_M))
                        return config_refuse(
                                why, node, NULL,
                                "item %d lies %.4g km from where the vehicle starts, at "
                                "most 20: give the world that origin, or \"place\": "
                                "\"at_start\" (--set mission.place=at_start)",
                                r->stop[i].item + 1, 1e-3 * off_m);
        }
        if (!(mission_longest_s(r) <= LONGEST_S))
                return config_refuse(why, node, NULL, "could take longer than a day");
        return true;
}

/* The mission is the pilot. */
static bool check_pilots(const struct rig_config *rig, const struct json *scenario,
                         struct config_error *why)
{
        const struct scenario *s = &rig->scenario;

        for (int i = 0; i < s->steps; i++)
                if ((s->step[i].flies || s->step[i].sends_rc) &&
                    scenario_step_is_for(&s->step[i], rig->mission->settings.vehicle))
                        return config_refuse(why, scenario, NULL,
                                             "step %d pilots the vehicle that flies the "
                                             "mission: leave mode and rc_us out",
                                             i);
        return true;
}

bool config_build_mission(struct rig_config *rig, const struct mission_file *file,
                          const struct json *root, struct config_error *why)
{
        const struct json *node = json_member(root, "mission");
        const struct mission_settings *s = &file->settings;
        struct vehicle_config *v = &rig->vehicle[s->vehicle];
        struct route_setup setup;
        char text[200];

        if (s->vehicle >= rig->vehicles)
                return config_refuse_at(why, node, "vehicle",
                                        "must be below %d, which is how many there are, "
                                        "is %d",
                                        rig->vehicles, s->vehicle);
        if (v->twin.used)
                return config_refuse_at(why, node, "vehicle",
                                        "must not be a twin, which flies as its "
                                        "telemetry has it, is %s",
                                        v->name);
        if (file->items[MISSION_LIST_ITEMS] == 0)
                return config_refuse_at(why, node, "items", "must have one or more");
        rig->mission = calloc(1, sizeof *rig->mission);
        if (rig->mission == NULL || !build_plan(&rig->mission->plan, file))
                return config_refuse(why, node, NULL, "out of memory");
        rig->mission->settings = *s;
        if (s->limits.heading_rad == 0.0)
                rig->mission->settings.limits.heading_rad = (double)INFINITY;
        if (s->place == PLACE_AT_START &&
            !config_move_mission(&rig->mission->plan, &rig->world.origin, v->start_ned_m,
                                 node, why))
                return false;
        setup = (struct route_setup){ .origin = rig->world.origin,
                                      .home_ned_m = v->start_ned_m,
                                      .radius_m = s->radius_m,
                                      .speed_mps = s->speed_mps,
                                      .climb_mps = s->climb_mps };
        if (!route_make(&rig->mission->route, &rig->mission->plan, &setup, text,
                        sizeof text))
                return config_refuse(why, node, NULL, "%s", text);
        if (!check_route(&rig->mission->route, node, why) ||
            !check_pilots(rig, json_member(root, "scenario"), why))
                return false;
        if (config_has_fc(v) && codec_find(v->fc.codec)->mission != NULL)
                v->fc.mission = &rig->mission->plan;
        rig->scenario.duration_ns =
                (int64_t)fmax((double)rig->scenario.duration_ns,
                              ceil(mission_longest_s(&rig->mission->route)) * S_TO_NS);
        return true;
}

void config_free_mission(struct rig_config *rig)
{
        if (rig->mission == NULL)
                return;
        route_free(&rig->mission->route);
        mission_plan_free(&rig->mission->plan);
        free(rig->mission);
        rig->mission = NULL;
}
