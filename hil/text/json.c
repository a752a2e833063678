/* The tree: making it, changing it, finding one's way in it. */
#include "hil/text/json.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct json *node_new(enum json_type type)
{
        struct json *n = calloc(1, sizeof(*n));

        if (n)
                n->type = type;
        return n;
}

struct json *json_new_object(void)
{
        return node_new(JSON_OBJECT);
}

struct json *json_new_array(void)
{
        return node_new(JSON_ARRAY);
}

/* Not recursive over siblings: an array may be long. Depth is bounded by the parser. */
void json_free(struct json *root)
{
        if (!root)
                return;
        for (struct json *c = root->first, *next; c; c = next) {
                next = c->next;
                json_free(c);
        }
        free(root->key);
        free(root->text);
        free(root);
}

static void mark_failed(struct json *n)
{
        while (n->parent)
                n = n->parent;
        n->failed = true;
}

static void link_last(struct json *parent, struct json *n)
{
        n->parent = parent;
        n->next = NULL;
        if (parent->last)
                parent->last->next = n;
        else
                parent->first = n;
        parent->last = n;
        parent->count++;
}

bool json_attach(struct json *parent, const char *key, struct json *value)
{
        char *copy = key ? strdup(key) : NULL;

        if (!value || (key && !copy)) {
                json_free(value);
                free(copy);
                mark_failed(parent);
                return false;
        }
        free(value->key);
        value->key = copy;
        if (value->failed)
                mark_failed(parent);
        link_last(parent, value);
        return true;
}

static struct json *add(struct json *parent, const char *key, enum json_type type)
{
        struct json *n;

        if (!parent)
                return NULL;
        n = node_new(type);
        return json_attach(parent, key, n) ? n : NULL;
}

struct json *json_add_object(struct json *parent, const char *key)
{
        return add(parent, key, JSON_OBJECT);
}

struct json *json_add_array(struct json *parent, const char *key)
{
        return add(parent, key, JSON_ARRAY);
}

void json_add_number(struct json *parent, const char *key, double value)
{
        struct json *n = add(parent, key, isfinite(value) ? JSON_NUMBER : JSON_NULL);

        if (n)
                n->number = isfinite(value) ? value : 0.0;
}

static void set_text(struct json *n, const char *text)
{
        if (!n)
                return;
        n->text = strdup(text);
        if (!n->text)
                mark_failed(n);
}

void json_add_u64(struct json *parent, const char *key, uint64_t value)
{
        struct json *n = add(parent, key, JSON_NUMBER);
        char digits[24];

        if (!n)
                return;
        snprintf(digits, sizeof(digits), "%llu", (unsigned long long)value);
        n->number = (double)value;
        set_text(n, digits);
}

void json_add_i64(struct json *parent, const char *key, int64_t value)
{
        struct json *n = add(parent, key, JSON_NUMBER);
        char digits[24];

        if (!n)
                return;
        snprintf(digits, sizeof(digits), "%lld", (long long)value);
        n->number = (double)value;
        set_text(n, digits);
}

void json_add_string(struct json *parent, const char *key, const char *value)
{
        struct json *n = add(parent, key, value ? JSON_STRING : JSON_NULL);

        if (value)
                set_text(n, value);
}

void json_add_bool(struct json *parent, const char *key, bool value)
{
        struct json *n = add(parent, key, JSON_BOOL);

        if (n)
                n->number = value;
}

struct json *json_copy(const struct json *value)
{
        struct json *n = node_new(value->type);

        if (!n)
                return NULL;
        n->number = value->number;
        n->file = value->file;
        n->depth = value->depth;
        n->place = value->place;
        n->whole = value->whole;
        n->refused = value->refused;
        if (value->text)
                set_text(n, value->text);
        for (const struct json *c = value->first; c; c = c->next)
                json_attach(n, c->key, json_copy(c));
        if (n->failed) {
                json_free(n);
                return NULL;
        }
        return n;
}

void json_add_copy(struct json *parent, const char *key, const struct json *value)
{
        if (parent)
                json_attach(parent, key, json_copy(value));
}

/* The pointer that holds n in its parent's list. */
static struct json **holder(struct json *n)
{
        struct json **at = &n->parent->first;

        while (*at != n)
                at = &(*at)->next;
        return at;
}

/* Finds the last sibling again after the list changed. */
static void find_last(struct json *parent)
{
        parent->last = parent->first;
        while (parent->last && parent->last->next)
                parent->last = parent->last->next;
}

void json_replace(struct json *old, struct json *with)
{
        struct json *parent = old->parent;

        free(with->key);
        with->key = old->key;
        old->key = NULL;
        with->parent = parent;
        with->next = old->next;
        *holder(old) = with;
        find_last(parent);
        json_free(old);
}

struct json *json_detach(struct json *value)
{
        struct json *parent = value->parent;

        *holder(value) = value->next;
        find_last(parent);
        parent->count--;
        value->parent = value->next = NULL;
        return value;
}

void json_set_origin(struct json *root, const char *file, int depth)
{
        root->file = file;
        root->depth = depth;
        for (struct json *c = root->first; c; c = c->next)
                json_set_origin(c, file, depth + 1);
}
