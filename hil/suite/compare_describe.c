/* What flew on the two sides: firmware, versions, and the settings that they do not have in common, as the
 * config.json of a pair of twins has them. */
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

static struct json *read_config(const struct compared_side *s,
                                const struct compared_result *r)
{
        struct config_error error;
        struct json_error unread;
        struct json *root;
        char path[1100], *text;
        size_t len;

        snprintf(path, sizeof path, "%s/%s%sconfig.json", s->folder, r->path,
                 r->path[0] != '\0' ? "/" : "");
        text = config_load_text(path, &len, &error);
        root = text != NULL ? json_parse(text, len, path, &unread) : NULL;
        free(text);
        return root;
}

static void note_setting(struct comparison *c, const char *key, const struct json *a,
                         const struct json *b)
{
        char *left = a != NULL ? json_print_line(a) : NULL;
        char *right = b != NULL ? json_print_line(b) : NULL;

        if ((left == NULL || right == NULL || strcmp(left, right) != 0) &&
            c->settings++ < COMPARE_SETTINGS_MAX) {
                struct compare_setting *s = &c->setting[c->settings - 1];

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

        return strcmp(key, "seed") == 0 || (link && strcmp(link, ".fc.link") == 0);
}

static void differ_below(struct comparison *c, const char *key, const struct json *a,
                         const struct json *b);

static void differ_member(struct comparison *c, const char *key, const char *name,
                          const struct json *a, const struct json *b)
{
        char below[sizeof c->setting[0].key];

        snprintf(below, sizeof below, "%s%s%s", key, key[0] != '\0' ? "." : "", name);
        differ_below(c, below, a, b);
}

static void differ_objects(struct comparison *c, const char *key, const struct json *a,
                           const struct json *b)
{
        for (const struct json *x = a->first; x; x = x->next)
                differ_member(c, key, x->key, x, json_member(b, x->key));
        for (const struct json *y = b->first; y; y = y->next)
                if (json_member(a, y->key) == NULL)
                        differ_member(c, key, y->key, NULL, y);
}

static void differ_items(struct comparison *c, const char *key, const struct json *a,
                         const struct json *b)
{
        const struct json *y = b->first;
        int at = 0;

        for (const struct json *x = a->first; x; x = x->next, y = y->next) {
                char name[20];

                snprintf(name, sizeof name, "%d", at++);
                differ_member(c, key, name, x, y);
        }
}

/* An array of numbers stands for itself; objects are looked into. */
static void differ_below(struct comparison *c, const char *key, const struct json *a,
                         const struct json *b)
{
        if (is_of_the_run(key))
                return;
        if (a != NULL && b != NULL && json_is(a, JSON_OBJECT) && json_is(b, JSON_OBJECT))
                differ_objects(c, key, a, b);
        else if (a != NULL && b != NULL && json_is(a, JSON_ARRAY) &&
                 json_is(b, JSON_ARRAY) && a->count == b->count &&
                 json_is(a->first, JSON_OBJECT))
                differ_items(c, key, a, b);
        else
                note_setting(c, key, a, b);
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
        x = read_config(a, t.a);
        y = read_config(b, t.b);
        if (x != NULL && y != NULL)
                differ_below(c, "", x, y);
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
