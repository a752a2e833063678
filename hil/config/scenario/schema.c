/* A schema changed after it was made from the tables, so that these need not know of expressions. */
#include "hil/config/scenario/expand.h"

#include <stdio.h>
#include <string.h>

static bool is_numeric(const struct json *schema)
{
        const char *type = json_string(schema, "type");

        return type && (strcmp(type, "number") == 0 || strcmp(type, "integer") == 0);
}

/* What speaks of numbers becomes one of two ways to write it. */
static void allow_expression(struct json *schema)
{
        struct json *number = json_new_object(), *any;

        for (struct json *c = schema->first, *next; c; c = next) {
                next = c->next;
                if (strcmp(c->key, "description") != 0 && strcmp(c->key, "default") != 0)
                        json_attach(number, c->key, json_detach(c));
        }
        any = json_add_array(schema, "anyOf");
        json_add_copy(any, NULL, number);
        json_add_string(json_add_object(any, NULL), "$ref", "#/$defs/expression");
        json_free(number);
}

static void add_expression(struct json *defs)
{
        struct json *o = json_add_object(defs, "expression");

        json_add_string(o, "type", "string");
        json_add_string(o, "pattern", "^=");
}

static void allow_expressions(struct json *schema)
{
        for (struct json *c = schema->first; c; c = c->next)
                allow_expressions(c);
        if (is_numeric(schema))
                allow_expression(schema);
}

static void add_parameters(struct json *properties)
{
        struct json *o = json_add_object(properties, "parameters");

        json_add_string(
                o, "description",
                "Numbers, or \"=\" and an expression over those above. Any string below "
                "may be \"=\" and an expression over them, or have ${expression} in it.");
        json_add_string(o, "type", "object");
        json_add_i64(o, "maxProperties", SCENARIO_PARAMETERS_MAX);
        json_add_string(json_add_object(json_add_object(o, "properties"), "comment"),
                        "type", "string");
        json_add_string(json_add_object(o, "additionalProperties"), "type", "number");
}

static void add_text(struct json *properties, const char *key, const char *about)
{
        struct json *o = json_add_object(properties, key);

        json_add_string(o, "description", about);
        json_add_string(o, "type", "string");
}

/* What stands in a list: a loop, or one entry as it was. */
static void add_entry(struct json *items, const char *loop, const struct json *entry)
{
        struct json *o = json_add_object(items, "if");

        json_add_string(o, "type", "object");
        json_add_bool(json_add_object(o, "properties"), "repeat", true);
        json_add_string(json_add_array(o, "required"), NULL, "repeat");
        json_add_string(json_add_object(items, "then"), "$ref", loop);
        json_add_copy(items, "else", entry);
}

static void add_loop(struct json *defs, const char *name, const char *loop,
                     const struct json *list)
{
        struct json *o = json_add_object(defs, name), *properties, *part, *required;

        json_add_string(o, "description", "Stands for its entries, repeat times.");
        json_add_string(o, "type", "object");
        json_add_bool(o, "additionalProperties", false);
        properties = json_add_object(o, "properties");
        add_text(properties, "comment", "Anything; not read.");
        part = json_add_object(properties, "repeat");
        json_add_string(part, "description", "How often.");
        json_add_string(part, "type", "integer");
        json_add_i64(part, "minimum", 0);
        json_add_i64(part, "maximum", SCENARIO_ENTRIES_MAX);
        add_text(properties, "index",
                 "Name of the variable that counts from 0, for expressions.");
        part = json_add_object(properties, list->key);
        json_add_string(part, "type", "array");
        add_entry(json_add_object(part, "items"), loop, json_member(list, "items"));
        required = json_add_array(o, "required");
        json_add_string(required, NULL, "repeat");
        json_add_string(required, NULL, list->key);
}

/* A list of objects refers to their definition. */
static bool holds_objects(const struct json *list)
{
        return json_member(json_member(list, "items"), "allOf") != NULL;
}

static void allow_loops(struct json *defs, struct json *list)
{
        struct json *items = json_new_object();
        char name[80], loop[100];

        snprintf(name, sizeof(name), "%.60s_loop", list->key);
        snprintf(loop, sizeof(loop), "#/$defs/%s", name);
        if (!json_member(defs, name))
                add_loop(defs, name, loop, list);
        add_entry(items, loop, json_member(list, "items"));
        if (items)
                json_replace(json_member(list, "items"), items);
}

static void allow_loops_below(struct json *defs, const struct json *properties)
{
        for (struct json *c = properties ? properties->first : NULL; c; c = c->next)
                if (holds_objects(c))
                        allow_loops(defs, c);
}

void scenario_schema_expand(struct json *schema)
{
        struct json *defs = json_member(schema, "$defs");
        struct json *properties = json_at(defs, "scenario.properties");

        if (!properties)
                return;
        allow_loops_below(defs, properties);
        allow_loops_below(defs, json_at(defs, "track.properties"));
        add_parameters(properties);
        allow_expressions(defs);
        add_expression(defs);
}
