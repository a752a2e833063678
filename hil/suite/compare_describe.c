/* What flew on the two sides: firmware, versions, and the settings of rig and firmware that they do not have
 * in common, as config.json and summary.json of a pair of twins have them. */
#include <stdlib.h>
#include <string.h>

#include "hil/config/config.h"
#include "hil/suite/compare.h"

/* Every kind of firmware that flew there, in the order of the runs. */
static void list_firmware(const struct compared_side *s, char *text, size_t cap)
{
        text[0] = '\0';
        for (int i = 0; i < s->runs; i++)
                compared_list_firmware(text, cap, s->run[i].firmware);
}

static struct json *read_of_run(const struct compared_side *s,
                                const struct compared_result *r, const char *name)
{
        struct config_error error;
        struct json_error unread;
        struct json *root;
        char path[1100], *text;
        size_t len;

        snprintf(path, sizeof path, "%s/%s%s%s", s->folder, r->path,
                 r->path[0] != '\0' ? "/" : "", name);
        text = config_load_text(path, &len, &error);
        root = text != NULL ? json_parse(text, len, path, &unread) : NULL;
        free(text);
        return root;
}

static void note_setting(struct compare_settings *list, const char *key,
                         const struct json *a, const struct json *b)
{
        char *left = a != NULL ? json_print_line(a) : NULL;
        char *right = b != NULL ? json_print_line(b) : NULL;

        if ((left == NULL || right == NULL || strcmp(left, right) != 0) &&
            list->differ++ < COMPARE_SETTINGS_MAX) {
                struct compare_setting *s = &list->of[list->differ - 1];

                snprintf(s->key, sizeof s->key, "%s", key);
                snprintf(s->a, sizeof s->a, "%s", left != NULL ? left : "");
                snprintf(s->b, sizeof s->b, "%s", right != NULL ? right : "");
        }
        free(left);
        free(right);
}

/* Which run it is, and the link in its folder, differ between any two. */
static bool is_of_the_run(const char *key)
{
        const char *link = strstr(key, ".fc.link");

        return strcmp(key, "seed") == 0 ||
               (link != NULL && strcmp(link, ".fc.link") == 0);
}

static void differ_below(struct compare_settings *list, const char *key,
                         const struct json *a, const struct json *b);

static void differ_member(struct compare_settings *list, const char *key,
                          const char *name, const struct json *a, const struct json *b)
{
        char below[sizeof list->of[0].key];

        snprintf(below, sizeof below, "%s%s%s", key, key[0] != '\0' ? "." : "", name);
        differ_below(list, below, a, b);
}

static void differ_objects(struct compare_settings *list, const char *key,
                           const struct json *a, const struct json *b)
{
        for (const struct json *x = a->first; x; x = x->next)
                differ_member(list, key, x->key, x, json_member(b, x->key));
        for (const struct json *y = b->first; y; y = y->next)
                if (json_member(a, y->key) == NULL)
                        differ_member(list, key, y->key, NULL, y);
}

static void differ_items(struct compare_settings *list, const char *key,
                         const struct json *a, const struct json *b)
{
        const struct json *y = b->first;
        int at = 0;

        for (const struct json *x = a->first; x; x = x->next, y = y->next) {
                char name[20];

                snprintf(name, sizeof name, "%d", at++);
                differ_member(list, key, name, x, y);
        }
}

/* An array of numbers stands for itself; objects are looked into. */
static void differ_below(struct compare_settings *list, const char *key,
                         const struct json *a, const struct json *b)
{
        if (is_of_the_run(key))
                return;
        if (a != NULL && b != NULL && json_is(a, JSON_OBJECT) && json_is(b, JSON_OBJECT))
                differ_objects(list, key, a, b);
        else if (a != NULL && b != NULL && json_is(a, JSON_ARRAY) &&
                 json_is(b, JSON_ARRAY) && a->count == b->count &&
                 json_is(a->first, JSON_OBJECT))
                differ_items(list, key, a, b);
        else
                note_setting(list, key, a, b);
}

/* The first entry of an array of objects, or NULL. */
static const struct json *first_object(const struct json *list)
{
        return json_is(list, JSON_ARRAY) && json_is(list->first, JSON_OBJECT)
                       ? list->first
                       : NULL;
}

static const struct json *value_of(const struct json *setting, const char *name)
{
        for (; setting; setting = setting->next) {
                const char *own = json_string(setting, "name");

                if (own != NULL && strcmp(own, name) == 0)
                        return json_member(setting, "value");
        }
        return NULL;
}

/* Which settings a firmware was asked for may depend on what it was told: those of one side alone do not differ. */
static void differ_parameters(struct comparison *c, const char *vehicle,
                              const struct json *a, const struct json *b)
{
        for (; a; a = a->next) {
                const char *name = json_string(a, "name");
                const struct json *right = name != NULL ? value_of(b, name) : NULL;
                char key[sizeof c->firmware.of[0].key];

                if (right == NULL)
                        continue;
                c->firmware_read++;
                snprintf(key, sizeof key, "%.60s%s%.50s", vehicle,
                         vehicle[0] != '\0' ? ": " : "", name);
                note_setting(&c->firmware, key, json_member(a, "value"), right);
        }
}

static void differ_firmware(struct comparison *c, const struct json *a,
                            const struct json *b)
{
        const struct json *x = first_object(json_member(a, "flight_controllers"));
        const struct json *y = first_object(json_member(b, "flight_controllers"));
        bool several = x != NULL && x->next != NULL;

        for (; x != NULL && y != NULL; x = x->next, y = y->next) {
                const char *vehicle = several ? json_string(x, "vehicle") : NULL;

                differ_parameters(c, vehicle != NULL ? vehicle : "",
                                  first_object(json_member(x, "settings")),
                                  first_object(json_member(y, "settings")));
        }
}

/* A suite flies all its groups with the same settings on top: one pair of twins of each tells. */
static void compare_settings(struct comparison *c, const struct compared_side *a,
                             const struct compared_side *b)
{
        struct compared_walk walk = { 0 };
        struct compared_twins t;
        struct json *x, *y;

        if (!compared_next_twins(a, b, &walk, &t))
                return;
        x = read_of_run(a, t.a, "config.json");
        y = read_of_run(b, t.b, "config.json");
        if (x != NULL && y != NULL)
                differ_below(&c->rig, "", x, y);
        json_free(x);
        json_free(y);
        x = read_of_run(a, t.a, "summary.json");
        y = read_of_run(b, t.b, "summary.json");
        if (x != NULL && y != NULL)
                differ_firmware(c, x, y);
        json_free(x);
        json_free(y);
}

void compare_describe(struct comparison *c, const struct compared_side *a,
                      const struct compared_side *b)
{
        snprintf(c->folder_a, sizeof c->folder_a, "%s", a->folder);
        snprintf(c->folder_b, sizeof c->folder_b, "%s", b->folder);
        snprintf(c->version_a, sizeof c->version_a, "%s", a->run[0].version);
        snprintf(c->version_b, sizeof c->version_b, "%s", b->run[0].version);
        list_firmware(a, c->firmware_a, sizeof c->firmware_a);
        list_firmware(b, c->firmware_b, sizeof c->firmware_b);
        c->runs_a = a->runs;
        c->runs_b = b->runs;
        compare_settings(c, a, b);
}
