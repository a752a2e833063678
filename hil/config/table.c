/* The generic reader: objects by their tables. Single values are config_value.c's. */
#include "hil/config/table.h"

#include <stdarg.h>
#include <stdio.h>
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

/* Names from a file may hold anything; a terminal should not obey it. */
static void make_printable(char *text)
{
        for (; *text; text++)
                if ((unsigned char)*text < 0x20 || *text == 0x7F)
                        *text = '?';
}

bool config_refuse_line(struct config_error *why, const char *format, ...)
{
        va_list args;
        int len;

        va_start(args, format);
        len = vsnprintf(why->text, sizeof(why->text), format, args);
        va_end(args);
        if (len >= (int)sizeof(why->text))
                memcpy(why->text + sizeof(why->text) - 4, "...", 4);
        make_printable(why->text);
        return false;
}

static void refuse_value(struct config_error *why, const struct json *value,
                         const char *key, const char *format, va_list args)
{
        char path[200], text[400];
        const char *file = value->file ? value->file : "configuration";
        const char *more = key ? key : "";
        bool dot, named;

        json_path(value, path, sizeof(path));
        vsnprintf(text, sizeof(text), format, args);
        dot = path[0] && more[0];
        named = path[0] || more[0];
        config_refuse_line(why, "%s: %s%s%s%s%s", file, path, dot ? "." : "", more,
                           named ? ": " : "", text);
}

bool config_refuse(struct config_error *why, const struct json *value, const char *key,
                   const char *format, ...)
{
        va_list args;

        va_start(args, format);
        refuse_value(why, value, key, format, args);
        va_end(args);
        return false;
}

bool config_refuse_at(struct config_error *why, const struct json *root, const char *path,
                      const char *format, ...)
{
        char upto[200];
        const struct json *value = root;
        const char *rest = path;
        va_list args;

        for (size_t len = strlen(path); len > 0 && len < sizeof(upto); len--) {
                if (path[len] != '\0' && path[len] != '.')
                        continue;
                memcpy(upto, path, len);
                upto[len] = '\0';
                if (json_at(root, upto)) {
                        value = json_at(root, upto);
                        rest = path[len] ? path + len + 1 : "";
                        break;
                }
        }
        va_start(args, format);
        refuse_value(why, value, rest, format, args);
        va_end(args);
        return false;
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
        for (const struct json *c = node->first; c; c = c->next) {
                if (is_common_key(c->key)) {
                        if (!json_is(c, JSON_STRING))
                                return config_refuse(why, c, NULL, "must be a string");
                } else if (!config_table_find(table, c->key)) {
                        return refuse_unknown(table, c, why);
                }
        }
        return true;
}

static bool read_objects(const struct config_field *f, const struct json *value,
                         char *into, struct json *resolved, struct config_error *why)
{
        char *at = into + f->offset;
        struct json *list = json_add_array(resolved, f->key);

        if (!config_value_count(f, value, why))
                return false;
        for (const struct json *c = value->first; c; c = c->next) {
                if (!config_table_read(f->table, c, at, json_add_object(list, NULL), why))
                        return false;
                at += f->stride;
        }
        *(int *)(void *)(into + f->count) = value->count;
        return true;
}

static bool read_field(const struct config_field *f, const struct json *value, char *into,
                       struct json *resolved, struct config_error *why)
{
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

bool config_table_read(const struct config_table *table, const struct json *node,
                       void *into, struct json *resolved, struct config_error *why)
{
        char is[64];

        if (!json_is(node, JSON_OBJECT)) {
                json_describe(node, is, sizeof(is));
                return config_refuse(why, node, NULL, "must be an object%s, is %s",
                                     table->kind ? " or the name of a file" : "", is);
        }
        if (!check_keys(table, node, why))
                return false;
        for (const struct config_field *f = table->field; f->key; f++) {
                const struct json *value = json_member(node, f->key);

                if (f->optional && json_is(value, JSON_NULL))
                        value = NULL;
                if (value && !read_field(f, value, into, resolved, why))
                        return false;
                if (!value && f->preset &&
                    !read_preset(f, f->preset, into, resolved, why))
                        return false;
                if (!value && f->absent && !read_absent(f, into, why))
                        return false;
                if (!value && !f->preset && !f->optional)
                        return config_refuse(why, node, f->key,
                                             "is required, and missing");
        }
        return config_rules_check(table, node, into, why);
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
