/* --set key.path=value and --scenario FILE: the command line on top of the files. */
#include "hil/config/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where one component of the path leads. */
struct step {
        struct json *node; /* at which the path has arrived */
        const struct config_table *table; /* that describes it; NULL: none does */
        const struct config_field *field; /* when node is an array of objects */
};

/* An object that has a table and was left out comes into being. */
static struct json *make_object(struct json *parent, const struct config_field *f)
{
        struct json *made;

        if (!f || (f->type != CONFIG_OBJECT && f->type != CONFIG_PAIRS))
                return NULL;
        made = json_add_object(parent, f->key);
        if (made) {
                made->file = parent->file;
                made->depth = parent->depth + 1;
        }
        return made;
}

/* Follows one component; false: it is not there. */
static bool enter_key(struct step *s, const char *key)
{
        const struct config_field *f = s->field;
        struct json *next;

        if (s->node->type == JSON_ARRAY) {
                next = json_at(s->node, key);
                s->table = f && f->type == CONFIG_OBJECTS ? f->table : NULL;
                s->field = NULL;
        } else {
                f = s->table ? config_table_find(s->table, key) : NULL;
                next = json_member(s->node, key);
                if (!next && s->node->type == JSON_OBJECT)
                        next = make_object(s->node, f);
                s->table = f && f->type == CONFIG_OBJECT ? f->table : NULL;
                s->field = f;
        }
        if (next)
                s->node = next;
        return next != NULL;
}

static bool refuse_missing(const struct step *before, const char *path, const char *key,
                           struct config_error *why)
{
        char text[260];

        /* Why it ends here has been said. */
        if (before->node->refused)
                return false;
        if (before->node->type == JSON_OBJECT && before->table)
                config_suggest(before->table, key, text, sizeof(text));
        else if (before->node->type == JSON_ARRAY)
                snprintf(text, sizeof(text), "is not there, the array has %d entries",
                         before->node->count);
        else
                snprintf(text, sizeof(text), "is not there");
        return config_refuse_line(why, "--set: %s: %s", path, text);
}

static struct json *new_string(const char *text)
{
        struct json *list = json_new_array();
        struct json *value = NULL;

        json_add_string(list, NULL, text);
        if (list && !list->failed)
                value = json_detach(list->first);
        json_free(list);
        return value;
}

/* What is not a word there is none anywhere: 2025.12 may be the name of a version. */
static bool wants_words(const struct step *at, const char *key)
{
        const struct config_field *f =
                at->table ? config_table_find(at->table, key) : NULL;

        if (at->field && at->field->type == CONFIG_PAIRS)
                return true;
        return f && (f->type == CONFIG_TEXT || f->type == CONFIG_NAME ||
                     f->type == CONFIG_TEXTS || f->type == CONFIG_CHOICE);
}

/* The value as JSON, or else as a string. */
static struct json *parse_value(const char *text, bool words)
{
        struct json_error not_json;
        struct json *value = json_parse(text, strlen(text), NULL, &not_json);

        if (value && words && (value->type == JSON_NUMBER || value->type == JSON_BOOL)) {
                json_free(value);
                value = NULL;
        }
        return value ? value : new_string(text);
}

/* How far below the root, counted in keys, as --set sees it. */
static int depth_of(const struct json *value)
{
        int depth = 0;

        while (value->parent) {
                value = value->parent;
                depth++;
        }
        return depth;
}

static bool put_value(struct config_document *d, struct json *parent, const char *key,
                      struct json *value, const char *origin)
{
        struct json *old = json_at(parent, key);

        if (!value)
                return false;
        config_document_number(d, value);
        if (old)
                json_replace(old, value);
        else if (!json_attach(parent, key, value))
                return false;
        json_set_origin(value, origin, depth_of(value));
        return true;
}

/* Whether the last component may be set: there already, or a key of an object. */
static bool can_put(const struct step *s, const char *key)
{
        return json_at(s->node, key) || (s->node->type == JSON_OBJECT &&
                                         (!s->table || config_table_find(s->table, key)));
}

/* path is cut into its components in place. */
static void set_path(struct config_document *d, char *path,
                     const struct config_table *table, const char *text,
                     struct config_error *why)
{
        struct step s = { d->root, table, NULL };
        char *key = path, *dot;
        const char *origin = config_document_name(d, "--set", why);
        bool ok = origin != NULL;

        while (ok && (dot = strchr(key, '.')) != NULL) {
                struct step before = s;

                *dot = '\0';
                if (!enter_key(&s, key))
                        ok = refuse_missing(&before, path, key, why);
                *dot = '.';
                key = dot + 1;
        }
        if (ok && !can_put(&s, key))
                ok = refuse_missing(&s, path, key, why);
        if (!ok)
                return;
        if (!put_value(d, s.node, key, parse_value(text, wants_words(&s, key)), origin))
                config_refuse_line(why, "--set: %s: out of memory", path);
        else if (s.table)
                config_document_expand(d, s.node, s.table, why);
        else
                config_document_expand(d, d->root, table, why);
}

/* "vehicles.*.name": of every entry of the array. */
static void set_paths(struct config_document *d, char *path,
                      const struct config_table *table, const char *text,
                      struct config_error *why)
{
        char *star = strstr(path, ".*.");
        const struct json *list = NULL;
        int told = why->count;

        if (star) {
                *star = '\0';
                list = json_at(d->root, path);
                *star = '.';
        }
        if (!list || list->type != JSON_ARRAY) {
                set_path(d, path, table, text, why);
                return;
        }
        for (int i = 0, count = list->count; i < count && why->count == told; i++) {
                char *one = NULL;

                if (asprintf(&one, "%.*s.%d.%s", (int)(star - path), path, i, star + 3) <
                    0) {
                        config_refuse_line(why, "--set: out of memory");
                        return;
                }
                set_paths(d, one, table, text, why);
                free(one);
        }
}

void config_document_set(struct config_document *d, const char *assignment,
                         const struct config_table *table, struct config_error *why)
{
        const char *equals = strchr(assignment, '=');
        char *path;

        if (!equals || equals == assignment) {
                config_refuse_line(why, "--set %s: must be KEY=VALUE", assignment);
                return;
        }
        path = strndup(assignment, (size_t)(equals - assignment));
        if (path)
                set_paths(d, path, table, equals + 1, why);
        else
                config_refuse_line(why, "--set: out of memory");
        free(path);
}

void config_document_set_file(struct config_document *d, const char *key,
                              const char *path, const char *option,
                              const struct config_table *table, struct config_error *why)
{
        const char *origin = config_document_name(d, option, why);

        if (!origin || d->root->type != JSON_OBJECT)
                return;
        if (!put_value(d, d->root, key, new_string(path), origin)) {
                config_refuse_line(why, "%s %s: out of memory", option, path);
                return;
        }
        /* The option is the key: "--scenario: gusts.json: no such file". */
        json_member(d->root, key)->depth = 0;
        config_document_expand(d, d->root, table, why);
}
