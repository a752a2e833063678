/* Looking values up in the tree, and naming them in messages. */
#include "hil/text/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool json_is(const struct json *value, enum json_type type)
{
        return value && value->type == type;
}

static struct json *member(const struct json *object, const char *key, size_t len)
{
        if (!json_is(object, JSON_OBJECT))
                return NULL;
        for (struct json *c = object->first; c; c = c->next)
                if (strncmp(c->key, key, len) == 0 && c->key[len] == '\0')
                        return c;
        return NULL;
}

struct json *json_member(const struct json *object, const char *key)
{
        return member(object, key, strlen(key));
}

struct json *json_item(const struct json *array, int index)
{
        struct json *c;

        if (!json_is(array, JSON_ARRAY) || index < 0)
                return NULL;
        for (c = array->first; c && index > 0; c = c->next)
                index--;
        return c;
}

/* Decimal digits alone, few enough for an int; -1 for anything else. */
static int parse_index(const char *text, size_t len)
{
        int index = 0;

        if (len == 0 || len > 8)
                return -1;
        for (size_t i = 0; i < len; i++) {
                if (text[i] < '0' || text[i] > '9')
                        return -1;
                index = 10 * index + (text[i] - '0');
        }
        return index;
}

struct json *json_at(const struct json *root, const char *path)
{
        const struct json *n = root;

        while (n && *path) {
                size_t len = strcspn(path, ".");

                n = n->type == JSON_ARRAY ? json_item(n, parse_index(path, len))
                                          : member(n, path, len);
                path += len;
                if (*path == '.')
                        path++;
        }
        return (struct json *)n;
}

double json_number(const struct json *root, const char *path)
{
        const struct json *n = json_at(root, path);

        return json_is(n, JSON_NUMBER) ? n->number : NAN;
}

const char *json_string(const struct json *root, const char *path)
{
        const struct json *n = json_at(root, path);

        return json_is(n, JSON_STRING) ? n->text : NULL;
}

void json_copy_string(const struct json *root, const char *path, char *to, size_t cap)
{
        const char *text = json_string(root, path);

        snprintf(to, cap, "%s", text != NULL ? text : "");
}

bool json_bool(const struct json *root, const char *path, bool fallback)
{
        const struct json *n = json_at(root, path);

        return json_is(n, JSON_BOOL) ? n->number != 0.0 : fallback;
}

bool json_u64(const struct json *root, const char *path, uint64_t *value)
{
        double number = json_number(root, path);

        /* Written so that NaN fails the test. */
        if (!(number >= 0.0 && number <= 9007199254740992.0 && number == floor(number)))
                return false;
        *value = (uint64_t)number;
        return true;
}

static int index_of(const struct json *n)
{
        int index = 0;

        for (const struct json *c = n->parent->first; c != n; c = c->next)
                index++;
        return index;
}

void json_path(const struct json *value, char *buf, size_t cap)
{
        const struct json *chain[JSON_DEPTH_MAX * 2];
        int n = 0;
        size_t used = 0;

        /* What stands above the root of the value's own file is another file's affair. */
        for (const struct json *v = value;
             v->parent && n < value->depth && n < JSON_DEPTH_MAX * 2; v = v->parent)
                chain[n++] = v;
        buf[0] = '\0';
        while (n > 0 && used < cap) {
                const struct json *v = chain[--n];
                const char *dot = used ? "." : "";
                int wrote =
                        v->key ? snprintf(buf + used, cap - used, "%s%.60s", dot, v->key)
                               : snprintf(buf + used, cap - used, "%s%d", dot,
                                          index_of(v));

                used += (size_t)wrote;
        }
}

/* The first 40 bytes, with nothing in them that would move a terminal's cursor. */
static void describe_string(const char *text, char *buf, size_t cap)
{
        char shown[44];
        size_t n = 0;

        while (n < 40 && text[n]) {
                unsigned char c = (unsigned char)text[n];

                shown[n++] = c < 0x20 || c == 0x7F ? '?' : (char)c;
        }
        /* Do not end inside a character of several bytes. */
        if (text[n])
                while (n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80)
                        n--;
        shown[n] = '\0';
        snprintf(buf, cap, "\"%s%s\"", shown, text[n] ? "..." : "");
}

void json_describe(const struct json *value, char *buf, size_t cap)
{
        switch (value->type) {
        case JSON_NULL:
                snprintf(buf, cap, "null");
                break;
        case JSON_BOOL:
                snprintf(buf, cap, "%s", value->number != 0.0 ? "true" : "false");
                break;
        case JSON_NUMBER:
                json_format_number(buf, cap, value->number);
                break;
        case JSON_STRING:
                describe_string(value->text, buf, cap);
                break;
        case JSON_ARRAY:
                snprintf(buf, cap, "an array of %d", value->count);
                break;
        case JSON_OBJECT:
                snprintf(buf, cap, "an object");
                break;
        }
}
