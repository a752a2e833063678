/* JSON Schema (draft 2020-12) from the tables.
 *
 * An object that stands in a file with an "include" need not be complete: the rest may come from
 * the included file. So each object has two definitions, NAME with its properties and
 * NAME_complete with what is required, and the second is asked for only where nothing is included. */
#include "hil/config/table.h"

#include <stdio.h>
#include <string.h>

#include "hil/config/scenario/expand.h"

#define TABLES_MAX 64

struct tables {
        int count;
        const struct config_table *table[TABLES_MAX];
};

static bool holds_objects(const struct config_field *f)
{
        return f->type == CONFIG_OBJECT || f->type == CONFIG_OBJECTS;
}

/* A table and those below it that belong to the same kind of file, each once. */
static void collect_tables(struct tables *all, const struct config_table *t)
{
        for (int i = 0; i < all->count; i++)
                if (all->table[i] == t)
                        return;
        if (all->count == TABLES_MAX)
                return;
        all->table[all->count++] = t;
        for (const struct config_field *f = t->field; f->key; f++)
                if (holds_objects(f) && !f->table->kind)
                        collect_tables(all, f->table);
}

static bool is_required(const struct config_field *f)
{
        return !f->preset && !f->optional;
}

/* Whether anything in an object must be there. */
static bool requires_any(const struct config_table *t)
{
        for (const struct config_field *f = t->field; f->key; f++)
                if (is_required(f) ||
                    (f->type == CONFIG_OBJECT && requires_any(f->table)))
                        return true;
        return t->rule != NULL;
}

static void add_ref(struct json *parent, const struct config_table *t, const char *suffix)
{
        char ref[160];

        if (t->kind)
                snprintf(ref, sizeof(ref), "%s.schema.json#/$defs/%s%s", t->kind, t->name,
                         suffix);
        else
                snprintf(ref, sizeof(ref), "#/$defs/%s%s", t->name, suffix);
        json_add_string(parent, "$ref", ref);
}

static void add_bounds(struct json *o, const struct config_field *f)
{
        if (f->lower == CONFIG_OPEN)
                json_add_number(o, "exclusiveMinimum", f->min);
        if (f->lower == CONFIG_CLOSED)
                json_add_number(o, "minimum", f->min);
        if (f->upper == CONFIG_OPEN)
                json_add_number(o, "exclusiveMaximum", f->max);
        if (f->upper == CONFIG_CLOSED)
                json_add_number(o, "maximum", f->max);
}

static void add_count(struct json *o, int least, int most)
{
        json_add_string(o, "type", "array");
        json_add_i64(o, "minItems", least);
        json_add_i64(o, "maxItems", most);
}

static void add_number(struct json *o, const struct config_field *f, const char *type)
{
        json_add_string(o, "type", type);
        add_bounds(o, f);
}

static void add_vector(struct json *o, const struct config_field *f, int n)
{
        add_count(o, n, n);
        add_number(json_add_object(o, "items"), f, "number");
}

static void add_text(struct json *o, const struct config_field *f)
{
        json_add_string(o, "type", "string");
        json_add_i64(o, "minLength", 1);
        json_add_i64(o, "maxLength", (int64_t)f->size - 1);
        if (f->type == CONFIG_NAME)
                json_add_string(
                        o, "pattern",
                        f->numbered
                                ? "^([A-Za-z0-9_]|\\{[0-9+*i]+\\})([A-Za-z0-9_.-]|\\{[0-9"
                                  "+*i]+\\})*$"
                                : "^[A-Za-z0-9_][A-Za-z0-9_.-]*$");
}

static void add_texts(struct json *o, const struct config_field *f)
{
        struct json *any = json_add_array(o, "anyOf"), *list;

        add_text(json_add_object(any, NULL), f);
        list = json_add_object(any, NULL);
        add_count(list, f->least, config_value_most(f));
        add_text(json_add_object(list, "items"), f);
}

static void add_pairs(struct json *o, const struct config_field *f)
{
        int64_t longest = (int64_t)f->stride / 2 - 1;
        struct json *part, *any;

        json_add_string(o, "type", "object");
        json_add_i64(o, "maxProperties", (int64_t)f->size + 1);
        part = json_add_object(o, "propertyNames");
        json_add_string(part, "type", "string");
        json_add_i64(part, "maxLength", longest);
        json_add_string(part, "pattern", "^[A-Za-z0-9_][A-Za-z0-9_.-]*$");
        part = json_add_object(json_add_object(o, "properties"), "comment");
        json_add_string(part, "description", "Anything; not read.");
        json_add_string(part, "type", "string");
        any = json_add_array(json_add_object(o, "additionalProperties"), "anyOf");
        json_add_string(json_add_object(any, NULL), "type", "null");
        part = json_add_object(any, NULL);
        json_add_string(part, "type", "string");
        json_add_i64(part, "minLength", 1);
        json_add_i64(part, "maxLength", longest);
        json_add_string(part, "pattern", "^[ -~]*$");
}

static void add_choice(struct json *o, const struct config_field *f)
{
        struct json *list = json_add_array(o, "enum");

        for (int i = 0; f->names[i]; i++)
                json_add_string(list, NULL, f->names[i]);
}

static void add_object(struct json *o, const struct config_field *f)
{
        struct json *any;

        if (!f->table->kind && !f->named) {
                add_ref(o, f->table, "");
                return;
        }
        any = json_add_array(o, "anyOf");
        o = json_add_object(any, NULL);
        json_add_string(o, "description", "A file, named relative to this one.");
        json_add_string(o, "type", "string");
        json_add_i64(o, "minLength", 1);
        add_ref(json_add_object(any, NULL), f->table, "");
}

/* An array is never merged, so its objects are complete or include. */
static void add_objects(struct json *o, const struct config_field *f)
{
        struct json *all;

        add_count(o, f->least, (int)f->size);
        all = json_add_array(json_add_object(o, "items"), "allOf");
        add_ref(json_add_object(all, NULL), f->table, "");
        if (requires_any(f->table))
                add_ref(json_add_object(all, NULL), f->table, "_complete");
}

static void add_type(struct json *o, const struct config_field *f)
{
        switch (f->type) {
        case CONFIG_NUMBER:
        case CONFIG_TIME:
        case CONFIG_RATE:
                add_number(o, f, "number");
                break;
        case CONFIG_INTEGER:
        case CONFIG_WHOLE:
        case CONFIG_SEED:
                add_number(o, f, "integer");
                break;
        case CONFIG_VECTOR:
                add_vector(o, f, (int)f->size);
                break;
        case CONFIG_INTEGERS:
                add_count(o, f->least, (int)f->size);
                add_number(json_add_object(o, "items"), f, "integer");
                break;
        case CONFIG_BOOL:
                json_add_string(o, "type", "boolean");
                break;
        case CONFIG_TEXT:
        case CONFIG_NAME:
                add_text(o, f);
                break;
        case CONFIG_TEXTS:
                add_texts(o, f);
                break;
        case CONFIG_PAIRS:
                add_pairs(o, f);
                break;
        case CONFIG_CHOICE:
                add_choice(o, f);
                break;
        case CONFIG_OBJECT:
                add_object(o, f);
                break;
        case CONFIG_OBJECTS:
                add_objects(o, f);
                break;
        }
}

static void add_preset(struct json *o, const struct config_field *f)
{
        struct json_error why;
        struct json *preset = json_parse(f->preset, strlen(f->preset), NULL, &why);

        if (preset)
                json_add_copy(o, "default", preset);
        json_free(preset);
}

static void add_property(struct json *properties, const struct config_field *f)
{
        struct json *o = json_add_object(properties, f->key);
        const char *unit = holds_objects(f) ? NULL : config_unit(f->key);
        char about[600];

        snprintf(about, sizeof(about), "%s%s%s%s", f->about, unit ? " Unit: " : "",
                 unit ? unit : "", unit ? "." : "");
        json_add_string(o, "description", about);
        if (f->optional) {
                /* null takes away what an included file gives. */
                struct json *any = json_add_array(o, "anyOf");

                add_type(json_add_object(any, NULL), f);
                json_add_string(json_add_object(any, NULL), "type", "null");
        } else {
                add_type(o, f);
        }
        if (f->preset)
                add_preset(o, f);
}

static void add_word(struct json *properties, const char *key, const char *about)
{
        struct json *o = json_add_object(properties, key);

        json_add_string(o, "description", about);
        json_add_string(o, "type", "string");
}

static void add_definition(struct json *defs, const struct config_table *t)
{
        struct json *o = json_add_object(defs, t->name), *properties;

        json_add_string(o, "description", t->about);
        json_add_string(o, "type", "object");
        json_add_bool(o, "additionalProperties", false);
        properties = json_add_object(o, "properties");
        add_word(properties, "$schema", "The schema of this file, for editors.");
        add_word(properties, "comment", "Anything; not read.");
        add_word(
                properties, "include",
                "A file, named relative to this one, that holds what is not given here.");
        for (const struct config_field *f = t->field; f->key; f++)
                add_property(properties, f);
}

/* What must be there, unless it comes from an included file. */
static void add_completeness(struct json *defs, const struct config_table *t)
{
        char name[80];
        struct json *o, *then, *list, *properties;

        if (!requires_any(t))
                return;
        snprintf(name, sizeof(name), "%s_complete", t->name);
        o = json_add_object(defs, name);
        then = json_add_object(o, "if");
        json_add_string(then, "type", "object");
        json_add_bool(json_add_object(then, "properties"), "include", false);
        then = json_add_object(o, "then");
        json_add_string(then, "type", "object");
        list = json_add_array(then, "required");
        properties = json_add_object(then, "properties");
        for (const struct config_field *f = t->field; f->key; f++) {
                if (is_required(f))
                        json_add_string(list, NULL, f->key);
                if (f->type == CONFIG_OBJECT && requires_any(f->table))
                        add_ref(json_add_object(properties, f->key), f->table,
                                "_complete");
                else if (is_required(f))
                        json_add_bool(properties, f->key, true);
        }
        config_rules_schema(t, then);
}

/* Within the file itself, not by its own name. */
static void add_own_ref(struct json *list, const struct config_table *t,
                        const char *suffix)
{
        char ref[120];

        snprintf(ref, sizeof(ref), "#/$defs/%s%s", t->name, suffix);
        json_add_string(json_add_object(list, NULL), "$ref", ref);
}

char *config_table_schema(const struct config_table *table)
{
        struct json *root = json_new_object(), *all, *defs;
        struct tables tables = { 0 };
        char title[80];

        snprintf(title, sizeof(title), "hilrig %s file", table->name);
        json_add_string(root, "$schema", "https://json-schema.org/draft/2020-12/schema");
        json_add_string(root, "title", title);
        json_add_string(root, "description", table->about);
        all = json_add_array(root, "allOf");
        add_own_ref(all, table, "");
        if (requires_any(table))
                add_own_ref(all, table, "_complete");
        collect_tables(&tables, table);
        defs = json_add_object(root, "$defs");
        for (int i = 0; i < tables.count; i++) {
                add_definition(defs, tables.table[i]);
                add_completeness(defs, tables.table[i]);
        }
        scenario_schema_expand(root);
        return json_print_free(root);
}
