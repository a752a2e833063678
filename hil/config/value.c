/* Reads single values and arrays of them. Units of the file end here. */
#include "hil/config/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hil/text/spelling.h"

static bool refuse_type(const struct json *value, const char *expected,
                        struct config_error *why)
{
        char is[64];

        json_describe(value, is, sizeof(is));
        return config_refuse(why, value, NULL, "must be %s, is %s", expected, is);
}

static bool refuse_bound(const struct json *value, const char *relation, double bound,
                         struct config_error *why)
{
        char limit[40], is[64];

        json_format_number(limit, sizeof(limit), bound);
        json_describe(value, is, sizeof(is));
        return config_refuse(why, value, NULL, "must be %s %s, is %s", relation, limit,
                             is);
}

/* A number within the field's bounds, in the unit of the file. */
static bool read_number(const struct config_field *f, const struct json *value,
                        double *number, struct config_error *why)
{
        double x = value->number;

        if (!json_is(value, JSON_NUMBER))
                return refuse_type(value, "a number", why);
        if (f->lower == CONFIG_OPEN && !(x > f->min))
                return refuse_bound(value, "greater than", f->min, why);
        if (f->lower == CONFIG_CLOSED && !(x >= f->min))
                return refuse_bound(value, "at least", f->min, why);
        if (f->upper == CONFIG_OPEN && !(x < f->max))
                return refuse_bound(value, "less than", f->max, why);
        if (f->upper == CONFIG_CLOSED && !(x <= f->max))
                return refuse_bound(value, "at most", f->max, why);
        *number = x;
        return true;
}

static bool read_whole(const struct config_field *f, const struct json *value,
                       double *number, struct config_error *why)
{
        if (!read_number(f, value, number, why))
                return false;
        if (*number != floor(*number))
                return refuse_type(value, "a whole number", why);
        return true;
}

static double to_si(const struct config_field *f, double number)
{
        return number * (f->scale != 0.0 ? f->scale : 1.0) + f->shift;
}

int config_value_most(const struct config_field *f)
{
        if (f->type != CONFIG_TEXTS)
                return (int)f->size;
        return f->stride > 0 ? (int)(f->stride / f->size) : CODEC_CHANNELS_MAX;
}

bool config_value_count(const struct config_field *f, const struct json *value,
                        struct config_error *why)
{
        int most = config_value_most(f);

        if (!json_is(value, JSON_ARRAY))
                return refuse_type(value, "an array", why);
        if (value->count < f->least)
                return config_refuse(why, value, NULL,
                                     "must have at least %d entries, has %d", f->least,
                                     value->count);
        if (value->count > most)
                return config_refuse(why, value, NULL,
                                     "must have at most %d entries, has %d", most,
                                     value->count);
        return true;
}

static bool read_vector(const struct config_field *f, const struct json *value,
                        double *out, int n, struct config_error *why)
{
        const struct json *c = value->first;
        bool ok = true;

        if (!json_is(value, JSON_ARRAY) || value->count != n) {
                char expected[40];

                snprintf(expected, sizeof(expected), "an array of %d numbers", n);
                return refuse_type(value, expected, why);
        }
        for (int i = 0; i < n; i++, c = c->next) {
                double number = 0.0;

                ok = read_number(f, c, &number, why) && ok;
                out[i] = to_si(f, number);
        }
        return ok;
}

static bool read_integers(const struct config_field *f, const struct json *value,
                          char *into, struct config_error *why)
{
        uint16_t *out = (uint16_t *)(void *)(into + f->offset);

        if (!config_value_count(f, value, why))
                return false;
        for (const struct json *c = value->first; c; c = c->next) {
                double number;

                if (!read_whole(f, c, &number, why))
                        return false;
                *out++ = (uint16_t)number;
        }
        *(int *)(void *)(into + f->count) = value->count;
        return true;
}

static bool is_name(const char *text)
{
        size_t len = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                  "0123456789_.-");

        return text[len] == '\0' && text[0] != '.' && text[0] != '-';
}

static bool read_text(const struct config_field *f, const struct json *value, char *out,
                      struct config_error *why)
{
        if (!json_is(value, JSON_STRING))
                return refuse_type(value, "a string", why);
        if (value->text[0] == '\0')
                return config_refuse(why, value, NULL, "must not be empty");
        if (strlen(value->text) >= f->size)
                return config_refuse(why, value, NULL,
                                     "must have at most %zu characters, has %zu",
                                     f->size - 1, strlen(value->text));
        if (f->type == CONFIG_NAME && !is_name(value->text))
                return refuse_type(
                        value,
                        "of letters, digits, \"_\", \"-\" and \".\", and start "
                        "with none of the last two",
                        why);
        memcpy(out, value->text, strlen(value->text) + 1);
        return true;
}

/* A terminal obeys none of it, and a wire carries all of it. */
static bool is_printable(const char *text)
{
        for (; *text; text++)
                if (*text < ' ' || *text > '~')
                        return false;
        return true;
}

/* One member of an object of names: its key, then its string. */
static bool read_pair(const struct config_field *f, const struct json *value, char *out,
                      struct config_error *why)
{
        struct config_field text = { .type = CONFIG_TEXT, .size = f->stride / 2 };

        if (!is_name(value->key) || value->key[0] == '\0')
                return config_refuse(why, value, NULL,
                                     "its key must be of letters, digits, \"_\", \"-\" "
                                     "and \".\", and start with none of the last two");
        if (strlen(value->key) >= text.size)
                return config_refuse(why, value, NULL,
                                     "its key must have at most %zu characters, has %zu",
                                     text.size - 1, strlen(value->key));
        memcpy(out, value->key, strlen(value->key) + 1);
        if (!read_text(&text, value, out + text.size, why))
                return false;
        if (!is_printable(value->text))
                return refuse_type(value, "of printable ASCII characters", why);
        return true;
}

/* null takes away what an included file gives. */
static bool read_pairs(const struct config_field *f, const struct json *value, char *into,
                       struct config_error *why)
{
        int *count = (int *)(void *)(into + f->count);

        *count = 0;
        if (!json_is(value, JSON_OBJECT))
                return refuse_type(value, "an object of strings", why);
        for (const struct json *c = value->first; c; c = c->next) {
                if (json_is(c, JSON_NULL) || strcmp(c->key, "comment") == 0)
                        continue;
                if (*count == (int)f->size)
                        return config_refuse(why, value, NULL,
                                             "must have at most %zu members", f->size);
                if (!read_pair(f, c, into + f->offset + (size_t)*count * f->stride, why))
                        return false;
                ++*count;
        }
        return true;
}

static bool read_texts(const struct config_field *f, const struct json *value, char *into,
                       struct config_error *why)
{
        int *count = (int *)(void *)(into + f->count);

        *count = 0;
        if (json_is(value, JSON_STRING)) {
                *count = 1;
                return read_text(f, value, into + f->offset, why);
        }
        if (!json_is(value, JSON_ARRAY))
                return refuse_type(value, "a string or an array of strings", why);
        if (!config_value_count(f, value, why))
                return false;
        for (const struct json *c = value->first; c; c = c->next) {
                if (!read_text(f, c, into + f->offset + (size_t)*count * f->size, why))
                        return false;
                ++*count;
        }
        return true;
}

/* Of more names than a line holds: how many, and the nearest to what was written. */
static void name_nearest(const struct config_field *f, const struct json *value,
                         char *text, size_t cap)
{
        int count = 0, nearest = 0;

        for (; f->names[count]; count++)
                if (json_is(value, JSON_STRING) &&
                    spelling_distance(f->names[count], value->text) <
                            spelling_distance(f->names[nearest], value->text))
                        nearest = count;
        snprintf(text, cap, "one of %d names, such as \"%s\"", count, f->names[nearest]);
}

static bool read_choice(const struct config_field *f, const struct json *value, int *out,
                        struct config_error *why)
{
        char all[240] = "";
        size_t used = 0;

        for (int i = 0; f->names[i]; i++) {
                if (json_is(value, JSON_STRING) &&
                    strcmp(value->text, f->names[i]) == 0) {
                        *out = i;
                        return true;
                }
                if (used < sizeof(all))
                        used += (size_t)snprintf(all + used, sizeof(all) - used,
                                                 "%s\"%s\"",
                                                 i == 0            ? ""
                                                 : f->names[i + 1] ? ", "
                                                                   : " or ",
                                                 f->names[i]);
        }
        if (used >= sizeof(all))
                name_nearest(f, value, all, sizeof(all));
        return refuse_type(value, all, why);
}

static bool read_scaled(const struct config_field *f, const struct json *value, void *at,
                        struct config_error *why)
{
        double number;

        if (!read_number(f, value, &number, why))
                return false;
        if (f->type == CONFIG_NUMBER)
                *(double *)at = to_si(f, number);
        else if (f->type == CONFIG_TIME)
                *(int64_t *)at = llround(to_si(f, number));
        else
                *(int64_t *)at = llround(1e9 / number);
        return true;
}

static bool read_integer(const struct config_field *f, const struct json *value, void *at,
                         struct config_error *why)
{
        double number;

        if (!read_whole(f, value, &number, why))
                return false;
        if (f->type == CONFIG_SEED)
                *(uint64_t *)at = (uint64_t)number;
        else if (f->type == CONFIG_WHOLE)
                *(double *)at = number;
        else
                *(int *)at = (int)to_si(f, number);
        return true;
}

bool config_value_read(const struct config_field *f, const struct json *value, char *into,
                       struct config_error *why)
{
        void *at = into + f->offset;

        switch (f->type) {
        case CONFIG_NUMBER:
        case CONFIG_TIME:
        case CONFIG_RATE:
                return read_scaled(f, value, at, why);
        case CONFIG_INTEGER:
        case CONFIG_WHOLE:
        case CONFIG_SEED:
                return read_integer(f, value, at, why);
        case CONFIG_VECTOR:
                return read_vector(f, value, at, (int)f->size, why);
        case CONFIG_INTEGERS:
                return read_integers(f, value, into, why);
        case CONFIG_BOOL:
                if (!json_is(value, JSON_BOOL))
                        return refuse_type(value, "true or false", why);
                *(bool *)at = value->number != 0.0;
                return true;
        case CONFIG_TEXT:
        case CONFIG_NAME:
                return read_text(f, value, at, why);
        case CONFIG_TEXTS:
                return read_texts(f, value, into, why);
        case CONFIG_PAIRS:
                return read_pairs(f, value, into, why);
        case CONFIG_CHOICE:
                return read_choice(f, value, at, why);
        default:
                return false; /* objects: table.c */
        }
}
