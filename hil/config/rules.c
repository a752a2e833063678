/* What keys of one object ask of each other: checked in an object that was read, and said in its schema. */
#include "hil/config/table.h"

#include <stdio.h>
#include <string.h>

const struct json *config_member(const struct json *node, const char *key)
{
        const struct json *value = json_member(node, key);

        return json_is(value, JSON_NULL) ? NULL : value;
}

static bool is_there(const struct json *node, const char *key)
{
        const struct json *value = config_member(node, key);

        return value && !(json_is(value, JSON_BOOL) && value->number == 0.0);
}

static int count_there(const struct json *node, const char *const *keys)
{
        int count = 0;

        for (; *keys; keys++)
                count += is_there(node, *keys);
        return count;
}

/* The field on whose value a rule depends; NULL: it asks only whether keys are there. */
static const struct config_field *find_choice(const struct config_table *table,
                                              const struct config_rule *rule)
{
        const struct config_field *f =
                rule->with[0] ? config_table_find(table, rule->with[0]) : NULL;

        return f && f->type == CONFIG_CHOICE ? f : NULL;
}

static uint64_t state_of(const struct config_table *table, const struct config_rule *rule,
                         const struct json *node, const void *into)
{
        const struct config_field *choice = find_choice(table, rule);
        bool there = count_there(node, rule->with) > 0;

        if (choice && (there || choice->preset))
                return CONFIG_IS(*(const int *)(const void *)((const char *)into +
                                                              choice->offset));
        return there ? CONFIG_THERE : CONFIG_ABSENT;
}

static bool is_bool(const struct config_table *table, const char *key)
{
        return config_table_find(table, key)->type == CONFIG_BOOL;
}

/* "a, b and c" */
static void list_keys(const char *const *keys, const char *last, char *text, size_t cap)
{
        size_t used = 0;

        text[0] = '\0';
        for (int i = 0; keys[i] && used < cap; i++)
                used += (size_t)snprintf(text + used, cap - used, "%s%s",
                                         i == 0        ? ""
                                         : keys[i + 1] ? ", "
                                                       : last,
                                         keys[i]);
}

/* On what it depends: " with \"does\": \"drop\"", " without parts", or nothing. */
static void describe_state(const struct config_table *table,
                           const struct config_rule *rule, uint64_t state, char *text,
                           size_t cap)
{
        const struct config_field *choice = find_choice(table, rule);
        char keys[120];

        list_keys(rule->with, " or ", keys, sizeof keys);
        text[0] = '\0';
        if (state == CONFIG_THERE && is_bool(table, rule->with[0]))
                snprintf(text, cap, " with \"%s\": true", keys);
        else if (state == CONFIG_ABSENT || state == CONFIG_THERE)
                snprintf(text, cap, " %s %s", state == CONFIG_ABSENT ? "without" : "with",
                         keys);
        else
                for (int i = 0; choice->names[i]; i++)
                        if (state == CONFIG_IS(i))
                                snprintf(text, cap, " with \"%s\": \"%s\"", choice->key,
                                         choice->names[i]);
}

static const char *first_there(const struct json *node, const char *const *keys)
{
        while (!is_there(node, *keys))
                keys++;
        return *keys;
}

static bool refuse_beside(const struct json *node, const char *key, const char *other,
                          struct config_error *why)
{
        return config_refuse_at(why, node, key,
                                "means nothing beside %s: leave one out, or set it to "
                                "null",
                                other);
}

/* Too many of its keys, or too few. */
static bool refuse_count(const struct config_rule *rule, int count, const char *state,
                         const struct json *node, struct config_error *why)
{
        const char *first, *const *rest = rule->keys;
        char keys[240];

        if (count > rule->least) {
                first = first_there(node, rule->keys);
                while (*rest++ != first)
                        ;
                return refuse_beside(node, first_there(node, rest), first, why);
        }
        list_keys(rule->keys + 1, " and ", keys, sizeof keys);
        return config_refuse(why, node, rule->keys[0],
                             "is required, and missing, without %s%s%s", keys,
                             state[0] ? "," : "", state);
}

static bool check_key(const struct config_rule *rule, const char *key, uint64_t state,
                      const char *with, const struct json *node, struct config_error *why)
{
        bool there = is_there(node, key);

        if ((state & rule->must) && !there)
                return config_refuse(why, node, key, "is required, and missing,%s", with);
        if (!there || (state & (rule->must | rule->may)))
                return true;
        if (state == CONFIG_THERE)
                return refuse_beside(node, key, first_there(node, rule->with), why);
        return config_refuse_at(why, node, key, "means nothing%s", with);
}

static bool check_rule(const struct config_table *table, const struct config_rule *rule,
                       const struct json *node, const void *into,
                       struct config_error *why)
{
        uint64_t state = rule->with[0] ? state_of(table, rule, node, into) : 0;
        int count = count_there(node, rule->keys);
        char with[160] = "";

        if (state)
                describe_state(table, rule, state, with, sizeof with);
        for (const char *const *key = rule->keys; state && *key; key++)
                if (!check_key(rule, *key, state, with, node, why))
                        return false;
        if (state && !(state & (rule->must | rule->may)))
                return true;
        if (count < rule->least || (rule->most && count > rule->most))
                return refuse_count(rule, count, with, node, why);
        return true;
}

bool config_rules_check(const struct config_table *table, const struct json *node,
                        const void *into, struct config_error *why)
{
        for (const struct config_rule *r = table->rule; r && r->keys[0]; r++)
                if (!check_rule(table, r, node, into, why))
                        return false;
        return true;
}

/* A schema of objects in which each of the keys is there, or none is. */
static void add_keys(struct json *o, const struct config_table *table,
                     const char *const *keys, int count, bool there)
{
        struct json *required = there ? json_add_array(o, "required") : NULL;
        struct json *properties = json_add_object(o, "properties");

        for (int i = 0; i < count && keys[i]; i++) {
                struct json *value = json_add_object(properties, keys[i]);

                json_add_string(required, NULL, keys[i]);
                if (is_bool(table, keys[i]))
                        json_add_bool(value, "const", there);
                else
                        json_add_string(there ? json_add_object(value, "not") : value,
                                        "type", "null");
        }
}

static void add_any_there(struct json *o, const struct config_table *table,
                          const char *const *keys)
{
        struct json *any = json_add_array(o, "anyOf");

        for (; *keys; keys++)
                add_keys(json_add_object(any, NULL), table, keys, 1, true);
}

static bool is_preset(const struct config_field *f, const char *name)
{
        size_t len = strlen(name);

        return f->preset && strlen(f->preset) == len + 2 &&
               strncmp(f->preset + 1, name, len) == 0;
}

/* A schema of objects in one of the states. */
static void add_state(struct json *o, const struct config_table *table,
                      const struct config_rule *rule, uint64_t states)
{
        const struct config_field *choice = find_choice(table, rule);
        bool absent = states & CONFIG_ABSENT;
        struct json *names;

        if (!choice && absent)
                add_keys(o, table, rule->with, CONFIG_RULE_KEYS, false);
        else if (!choice)
                add_any_there(o, table, rule->with);
        if (!choice)
                return;
        names = json_add_array(
                json_add_object(json_add_object(o, "properties"), choice->key), "enum");
        for (int i = 0; choice->names[i]; i++) {
                if (!(states & CONFIG_IS(i)))
                        continue;
                json_add_string(names, NULL, choice->names[i]);
                absent |= is_preset(choice, choice->names[i]);
        }
        if (states & CONFIG_ABSENT)
                json_add_string(names, NULL, NULL);
        if (!absent)
                json_add_string(json_add_array(o, "required"), NULL, choice->key);
}

/* All states that the rule's keys can meet. */
static uint64_t states_of(const struct config_table *table,
                          const struct config_rule *rule)
{
        const struct config_field *choice = find_choice(table, rule);
        uint64_t all = CONFIG_ABSENT;

        if (!choice)
                return CONFIG_THERE | CONFIG_ABSENT;
        for (int i = 0; choice->names[i]; i++)
                all |= CONFIG_IS(i);
        return choice->optional ? all : all & ~CONFIG_ABSENT;
}

static void add_count(struct json *o, const struct config_table *table,
                      const struct config_rule *rule)
{
        struct json *one;

        if (rule->most == 0) {
                add_any_there(o, table, rule->keys);
                return;
        }
        one = json_add_array(o, "oneOf");
        for (const char *const *key = rule->keys; *key; key++)
                add_keys(json_add_object(one, NULL), table, key, 1, true);
        if (rule->least == 0)
                add_keys(json_add_object(one, NULL), table, rule->keys, CONFIG_RULE_KEYS,
                         false);
}

static void add_must(struct json *list, const struct config_table *table,
                     const struct config_rule *rule, uint64_t must)
{
        struct json *o = json_add_object(list, NULL);

        add_state(json_add_object(o, "if"), table, rule, must);
        add_keys(json_add_object(o, "then"), table, rule->keys, CONFIG_RULE_KEYS, true);
}

static void add_rule(struct json *list, const struct config_table *table,
                     const struct config_rule *rule)
{
        uint64_t all = states_of(table, rule), must = all & rule->must;
        uint64_t may = must | (all & rule->may);
        bool counts = rule->least || rule->most;
        struct json *o, *then;

        if (rule->with[0] && may != all) {
                o = json_add_object(list, NULL);
                add_state(json_add_object(o, "if"), table, rule, may);
                then = counts || must == may ? json_add_object(o, "then") : NULL;
                if (counts)
                        add_count(then, table, rule);
                else if (must == may)
                        add_keys(then, table, rule->keys, CONFIG_RULE_KEYS, true);
                add_keys(json_add_object(o, "else"), table, rule->keys, CONFIG_RULE_KEYS,
                         false);
        } else if (counts) {
                add_count(json_add_object(list, NULL), table, rule);
        }
        if (must && must != may)
                add_must(list, table, rule, must);
}

void config_rules_schema(const struct config_table *table, struct json *then)
{
        struct json *list = table->rule ? json_add_array(then, "allOf") : NULL;

        for (const struct config_rule *r = table->rule; r && r->keys[0]; r++)
                add_rule(list, table, r);
}
