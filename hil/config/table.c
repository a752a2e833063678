/* The generic reader: objects by their tables. Single values are value.c's. What is wrong with one key does not
 * keep the others from being read. */
#include "hil/config/table.h"

#include <stdlib.h>
#include <string.h>

/* Allowed in every object, and nobody's field. */
static bool is_common_key(const char *key)
{
        return strcmp(key, "comment") == 0 || strcmp(key, "$schema") == 0;
}

const struct config_field *config_table_find(const struct config_table *table,
                                             const char *key)
{
        for (const struct config_field *f = table->field; f->key; f++)
                if (strcmp(f->key, key) == 0)
                        return f;
        return NULL;
}

static bool refuse_unknown(const struct config_table *table, const struct json *member,
                           struct config_error *why)
{
        char text[300];

        config_suggest(table, member->key, text, sizeof(text));
        return config_refuse(why, member, NULL, "%s", text);
}

static bool check_keys(const struct config_table *table, const struct json *node,
                       struct config_error *why)
{
        bool ok = true;

        for (const struct json *c = node->first; c; c = c->next) {
                if (c->refused)
                        ok = false;
                else if (!is_common_key(c->key) && !config_table_find(table, c->key))
                        ok = refuse_unknown(table, c, why);
                else if (is_common_key(c->key) && !json_is(c, JSON_STRING))
                        ok = config_refuse(why, c, NULL, "must be a string");
        }
        return ok;
}

static bool read_objects(const struct config_field *f, const struct json *value,
                         char *into, struct json *resolved, struct config_error *why)
{
        char *at = into + f->offset;
        struct json *list = json_add_array(resolved, f->key);
        bool ok = true;

        if (!config_value_count(f, value, why))
                return false;
        if (f->on_heap) {
                char *made = calloc((size_t)value->count, f->stride);

                if (!made && value->count > 0)
                        return config_refuse(why, value, NULL,
                                             "out of memory for %d of them",
                                             value->count);
                *(char **)(void *)at = made;
                at = made;
        }
        for (const struct json *c = value->first; c; c = c->next) {
                ok = config_table_read(f->table, c, at, json_add_object(list, NULL),
                                       why) &&
                     ok;
                at += f->stride;
        }
        *(int *)(void *)(into + f->count) = value->count;
        return ok;
}

static bool read_field(const struct config_field *f, const struct json *value, char *into,
                       struct json *resolved, struct config_error *why)
{
        if (value->refused)
                return false;
        if (f->given)
                *(bool *)(into + f->given) = true;
        if (f->type == CONFIG_OBJECT)
                return config_table_read(f->table, value, into + f->offset,
                                         json_add_object(resolved, f->key), why);
        if (f->type == CONFIG_OBJECTS)
                return read_objects(f, value, into, resolved, why);
        json_add_copy(resolved, f->key, value);
        return config_value_read(f, value, into, why);
}

static bool read_preset(const struct config_field *f, const char *text, char *into,
                        struct json *resolved, struct config_error *why)
{
        struct json_error parse;
        struct json *preset = json_parse(text, strlen(text), NULL, &parse);
        bool ok;

        if (!preset)
                return config_refuse_line(why, "default of %s: %s", f->key, parse.text);
        ok = read_field(f, preset, into, resolved, why);
        json_free(preset);
        return ok;
}

/* The value that nobody can write, nor sees in the resolved text. */
static bool read_absent(const struct config_field *f, char *into,
                        struct config_error *why)
{
        struct config_field any = *f;

        any.lower = any.upper = CONFIG_NO_BOUND;
        any.given = 0;
        return read_preset(&any, f->absent, into, NULL, why);
}

/* It may be in a file that could not be included, or be there in another spelling: which is said already. */
static bool is_elsewhere(const struct config_table *table, const struct config_field *f,
                         const struct json *node)
{
        if (config_lacks_include(node))
                return true;
        for (const struct json *c = node->first; c; c = c->next)
                if (c->refused && !config_table_find(table, c->key) &&
                    config_suggested(table, c->key) == f)
                        return true;
        return false;
}

static bool read_missing(const struct config_table *table, const struct config_field *f,
                         const struct json *node, char *into, struct json *resolved,
                         struct config_error *why)
{
        if (f->preset && !read_preset(f, f->preset, into, resolved, why))
                return false;
        if (f->absent && !read_absent(f, into, why))
                return false;
        if (f->preset || f->optional)
                return true;
        return is_elsewhere(table, f, node)
                       ? false
                       : config_refuse(why, node, f->key, "is required, and missing");
}

/* Of few keys all are named. */
static bool refuse_no_object(const struct config_table *table, const struct json *node,
                             struct config_error *why)
{
        char is[64], keys[60];

        json_describe(node, is, sizeof(is));
        config_list_keys(table, keys, sizeof(keys));
        if (!table->kind && strlen(keys) + 1 < sizeof(keys))
                return config_refuse(why, node, NULL, "must be an object with %s, is %s",
                                     keys, is);
        return config_refuse(why, node, NULL, "must be an object%s, is %s",
                             table->kind ? " or the name of a file" : "", is);
}

bool config_table_read(const struct config_table *table, const struct json *node,
                       void *into, struct json *resolved, struct config_error *why)
{
        bool ok;

        if (node->refused)
                return false;
        if (!json_is(node, JSON_OBJECT))
                return refuse_no_object(table, node, why);
        ok = check_keys(table, node, why);
        for (const struct config_field *f = table->field; f->key; f++) {
                const struct json *value = json_member(node, f->key);
                bool read;

                if (f->optional && json_is(value, JSON_NULL))
                        value = NULL;
                read = value ? read_field(f, value, into, resolved, why)
                             : read_missing(table, f, node, into, resolved, why);
                ok = read && ok;
        }
        /* Rules would follow from what was not read. */
        return ok && (why->count == 0 || config_is_sound(node)) &&
               config_rules_check(table, node, into, why);
}

void config_table_free(const struct config_table *table, void *from)
{
        for (const struct config_field *f = table->field; f->key; f++) {
                char *at = (char *)from + f->offset;
                int count = 1;

                if (f->type != CONFIG_OBJECT && f->type != CONFIG_OBJECTS)
                        continue;
                if (f->type == CONFIG_OBJECTS)
                        count = *(int *)(void *)((char *)from + f->count);
                if (f->on_heap)
                        at = *(char **)(void *)at;
                for (int i = 0; i < count; i++)
                        config_table_free(f->table, at + (size_t)i * f->stride);
                if (f->on_heap) {
                        free(at);
                        *(char **)(void *)((char *)from + f->offset) = NULL;
                }
        }
}

static bool sort_below(const struct config_field *f, struct json *value)
{
        if (f->type == CONFIG_OBJECT)
                return config_table_sort(f->table, value);
        if (f->type != CONFIG_OBJECTS)
                return true;
        for (struct json *c = value->first; c; c = c->next)
                if (!config_table_sort(f->table, c))
                        return false;
        return true;
}

bool config_table_sort(const struct config_table *table, struct json *object)
{
        for (const struct config_field *f = table->field; f->key; f++) {
                struct json *value = json_member(object, f->key);

                if (!value)
                        continue;
                /* Each goes to the end in its turn. */
                if (!sort_below(f, value) ||
                    !json_attach(object, f->key, json_detach(value)))
                        return false;
        }
        return true;
}
