/* Text to tree. A scan of our own goes first: it bounds depth and number before any
 * recursion, refuses what cJSON lets pass (a number that overflows, "01", a raw control
 * character, a zero byte), and knows line and column. */
#include "hil/text/json.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scan {
        const char *text;
        size_t len, at;
        int depth, values;
        struct json_error *why;
};

/* Returns false, always. */
static bool refuse_at(struct json_error *why, const char *text, size_t at,
                      const char *what)
{
        int line = 1, column = 1;

        for (size_t i = 0; i < at; i++) {
                column = text[i] == '\n' ? 1 : column + 1;
                line += text[i] == '\n';
        }
        snprintf(why->text, sizeof(why->text), "line %d, column %d: %s", line, column,
                 what);
        return false;
}

static bool refuse_here(const struct scan *s, size_t at, const char *what)
{
        return refuse_at(s->why, s->text, at, what);
}

static bool is_digit(const struct scan *s, size_t at)
{
        return at < s->len && s->text[at] >= '0' && s->text[at] <= '9';
}

static size_t skip_digits(const struct scan *s, size_t at)
{
        while (is_digit(s, at))
                at++;
        return at;
}

/* Where a number that follows JSON's grammar and starts here ends; 0: there is none. */
static size_t number_end(const struct scan *s)
{
        size_t at = s->at + (s->text[s->at] == '-');
        size_t whole = at;

        at = skip_digits(s, at);
        if (at == whole || (s->text[whole] == '0' && at > whole + 1))
                return 0;
        if (at < s->len && s->text[at] == '.') {
                if (!is_digit(s, at + 1))
                        return 0;
                at = skip_digits(s, at + 1);
        }
        if (at < s->len && (s->text[at] == 'e' || s->text[at] == 'E')) {
                at++;
                at += at < s->len && (s->text[at] == '+' || s->text[at] == '-');
                if (!is_digit(s, at))
                        return 0;
                at = skip_digits(s, at);
        }
        return at;
}

static bool scan_number(struct scan *s)
{
        size_t end = number_end(s);
        char digits[64];

        if (end == 0)
                return refuse_here(s, s->at, "is not a JSON number");
        if (end - s->at >= sizeof(digits))
                return refuse_here(s, s->at, "number has more than 63 characters");
        memcpy(digits, s->text + s->at, end - s->at);
        digits[end - s->at] = '\0';
        if (!isfinite(strtod(digits, NULL)))
                return refuse_here(s, s->at, "number is too large for a double");
        s->at = end;
        s->values++;
        return true;
}

/* Bytes of the UTF-8 character that starts here; 0: invalid. */
static size_t character_len(const struct scan *s)
{
        const unsigned char *c = (const unsigned char *)s->text + s->at;
        size_t left = s->len - s->at;
        size_t n = c[0] < 0x80   ? 1
                   : c[0] < 0xC2 ? 0
                   : c[0] < 0xE0 ? 2
                   : c[0] < 0xF0 ? 3
                   : c[0] < 0xF5 ? 4
                                 : 0;

        if (n > left)
                return 0;
        for (size_t i = 1; i < n; i++)
                if ((c[i] & 0xC0) != 0x80)
                        return 0;
        /* Longer than needed, a surrogate, or above U+10FFFF. */
        if ((c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xED && c[1] > 0x9F) ||
            (c[0] == 0xF0 && c[1] < 0x90) || (c[0] == 0xF4 && c[1] > 0x8F))
                return 0;
        return n;
}

static bool scan_string(struct scan *s)
{
        size_t start = s->at++;

        while (s->at < s->len && s->text[s->at] != '"') {
                size_t n = character_len(s);

                if (n == 0)
                        return refuse_here(s, s->at, "is not UTF-8");
                if ((unsigned char)s->text[s->at] < 0x20)
                        return refuse_here(s, s->at, "control character in a string");
                if (s->len - s->at >= 6 && memcmp(s->text + s->at, "\\u0000", 6) == 0)
                        return refuse_here(s, s->at, "zero character in a string");
                if (s->text[s->at] == '\\' && s->at + 1 < s->len &&
                    s->text[s->at + 1] != 'u')
                        n = 2;
                s->at += n;
        }
        if (s->at >= s->len)
                return refuse_here(s, start,
                                   "string does not end: the file is cut short");
        s->at++;
        s->values++;
        return true;
}

static bool scan_token(struct scan *s)
{
        char c = s->text[s->at];

        if (c == '"')
                return scan_string(s);
        if (c == '-' || (c >= '0' && c <= '9'))
                return scan_number(s);
        if (c == '{' || c == '[') {
                s->values++;
                if (++s->depth > JSON_DEPTH_MAX)
                        return refuse_here(s, s->at,
                                           "nested too deep, at most 32 levels");
        }
        if (c == '}' || c == ']')
                s->depth--;
        if (s->len - s->at >= 3 && (strncasecmp(s->text + s->at, "nan", 3) == 0 ||
                                    strncasecmp(s->text + s->at, "inf", 3) == 0))
                return refuse_here(s, s->at, "a number must be finite");
        if ((unsigned char)c <= 0x20 && !strchr(" \t\r\n", c))
                return refuse_here(s, s->at, "control character");
        if (c == '\0' || (unsigned char)c >= 0x7F)
                return refuse_here(s, s->at, "is not JSON");
        s->at++;
        return true;
}

static bool scan_text(const char *text, size_t len, struct json_error *why)
{
        struct scan s = { .text = text, .len = len, .why = why };

        while (s.at < s.len) {
                if (!scan_token(&s))
                        return false;
                if (s.values > JSON_VALUES_MAX)
                        return refuse_here(&s, s.at, "more than 400000 values");
        }
        if (s.depth > 0)
                return refuse_here(&s, len, "ends too early: the file is cut short");
        return true;
}

static struct json *convert(const cJSON *from, struct json *parent, bool *ok);

static void convert_children(const cJSON *from, struct json *n, bool *ok)
{
        for (const cJSON *c = from->child; c && *ok; c = c->next)
                convert(c, n, ok);
}

static struct json *convert(const cJSON *from, struct json *parent, bool *ok)
{
        struct json *n = calloc(1, sizeof(*n));

        if (!n) {
                *ok = false;
                return NULL;
        }
        n->type = cJSON_IsObject(from)   ? JSON_OBJECT
                  : cJSON_IsArray(from)  ? JSON_ARRAY
                  : cJSON_IsString(from) ? JSON_STRING
                  : cJSON_IsNumber(from) ? JSON_NUMBER
                  : cJSON_IsBool(from)   ? JSON_BOOL
                                         : JSON_NULL;
        n->number = n->type == JSON_NUMBER ? from->valuedouble : cJSON_IsTrue(from);
        if (n->type == JSON_STRING) {
                n->text = strdup(from->valuestring);
                *ok = *ok && n->text;
        }
        if (parent && !json_attach(parent, from->string, n)) {
                *ok = false;
                return NULL;
        }
        convert_children(from, n, ok);
        return n;
}

static bool refuse_members(const struct json *n, const char *key, const char *what,
                           struct json_error *why)
{
        char path[160];

        json_path(n, path, sizeof(path));
        snprintf(why->text, sizeof(why->text), "%s%s%.40s: %s", path,
                 path[0] && key[0] ? "." : "", key, what);
        for (char *c = why->text; *c; c++)
                if ((unsigned char)*c < 0x20 || *c == 0x7F)
                        *c = '?';
        return false;
}

static bool check_members(const struct json *n, struct json_error *why)
{
        if (n->type == JSON_OBJECT && n->count > JSON_MEMBERS_MAX)
                return refuse_members(n, "", "more than 1000 keys in an object", why);
        for (const struct json *a = n->first; a; a = a->next) {
                for (const struct json *b = a->next; n->type == JSON_OBJECT && b;
                     b = b->next)
                        if (strcmp(a->key, b->key) == 0)
                                return refuse_members(n, a->key, "given twice", why);
                if (!check_members(a, why))
                        return false;
        }
        return true;
}

/* cJSON's verdict on a text that passed the scan. */
static cJSON *parse(const char *text, size_t len, struct json_error *why)
{
        const char *end = NULL;
        cJSON *tree = cJSON_ParseWithLengthOpts(text, len, &end, 0);
        size_t at = end ? (size_t)(end - text) : 0;

        if (!tree) {
                refuse_at(why, text, at < len ? at : len, "is not JSON");
                return NULL;
        }
        at += strspn(end, " \t\r\n");
        if (at < len) {
                refuse_at(why, text, at, "something follows the end of the JSON value");
                cJSON_Delete(tree);
                return NULL;
        }
        return tree;
}

struct json *json_parse(const char *text, size_t len, const char *file,
                        struct json_error *why)
{
        char *copy;
        cJSON *tree;
        struct json *root = NULL;
        bool ok = true;

        if (!scan_text(text, len, why))
                return NULL;
        /* A zero after the text: strspn() above and cJSON may look at it. */
        copy = strndup(text, len);
        tree = copy ? parse(copy, len, why) : NULL;
        if (tree) {
                root = convert(tree, NULL, &ok);
                cJSON_Delete(tree);
        }
        if (!copy || !ok)
                snprintf(why->text, sizeof(why->text), "out of memory");
        free(copy);
        if (!root)
                return NULL;
        json_set_origin(root, file, 0);
        if (!ok || !check_members(root, why)) {
                json_free(root);
                return NULL;
        }
        return root;
}
