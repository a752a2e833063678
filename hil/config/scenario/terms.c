/* Names and the expressions over them, by the formulas that requirements use too. */
#include "hil/config/scenario/expand.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hil/formula/formula.h"

void scenario_terms_init(struct scenario_terms *t)
{
        *t = (struct scenario_terms){
                .count = 1,
                .name = { "pi" },
                .value = { 3.14159265358979323846 },
        };
}

static bool is_word(const char *text)
{
        return strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                            "0123456789_") == strlen(text) &&
               text[0] != '\0' && !(text[0] >= '0' && text[0] <= '9');
}

static bool is_function(const char *word)
{
        static const char *const arguments[] = { "(1)", "(1, 1)" };
        const struct formula_names none = { .count = 0 };
        struct formula_error error;
        bool known = false;

        for (int i = 0; i < 2 && !known; i++) {
                char call[64];
                struct formula *f;

                snprintf(call, sizeof(call), "%s%s", word, arguments[i]);
                f = formula_parse(call, &none, &error);
                known = f != NULL;
                formula_free(f);
        }
        return known;
}

/* Whether a formula takes the word for a name: "min" and "and" are its own. */
static bool is_free(const char *word)
{
        const struct formula_names names = { .count = 1, .name = &word };
        struct formula_error error;
        struct formula *f = formula_parse(word, &names, &error);
        bool is_name = f && formula_is_number(f) && formula_uses(f, 0);

        formula_free(f);
        return is_name && !is_function(word);
}

bool scenario_terms_add(struct scenario_terms *t, const char *name, double value,
                        const struct json *at, struct config_error *why)
{
        if (!is_word(name) || strlen(name) > 40)
                return config_refuse(why, at, NULL,
                                     "a name must be of letters, digits and \"_\", 40 at "
                                     "most, and not begin with a digit, is \"%.60s\"",
                                     name);
        for (int i = 0; i < t->count; i++)
                if (strcmp(t->name[i], name) == 0)
                        return config_refuse(
                                why, at, NULL, "a name must be used once, \"%s\" is %s",
                                name, i == 0 ? "known everywhere" : "taken further up");
        if (!is_free(name))
                return config_refuse(why, at, NULL,
                                     "a name must not be a word of formulas, is \"%s\"",
                                     name);
        if (t->count == SCENARIO_TERMS_MAX)
                return config_refuse(why, at, NULL, "is one name too many, at most %d",
                                     SCENARIO_TERMS_MAX - 1);
        t->name[t->count] = name;
        t->value[t->count++] = value;
        return true;
}

/* The value of an expression; `at` is the string that it stands in. */
static bool evaluate(const struct scenario_terms *t, const char *text,
                     const struct json *at, double *number, struct config_error *why)
{
        const struct formula_names names = { .count = t->count, .name = t->name };
        struct formula_error error;
        struct formula *f = formula_parse(text, &names, &error);
        bool is_number;

        if (!f)
                return config_refuse(why, at, NULL, "%s, in \"%.80s\"", error.text, text);
        is_number = formula_is_number(f);
        *number = is_number ? formula_value(f, t->value) : NAN;
        formula_free(f);
        if (!is_number)
                return config_refuse(why, at, NULL,
                                     "must give a number, \"%.80s\" does not", text);
        if (!isfinite(*number))
                return config_refuse(why, at, NULL,
                                     "must give a finite number, \"%.80s\" gives %s",
                                     text, isnan(*number) ? "none" : "an infinite one");
        return true;
}

static bool is_expression(const struct json *value)
{
        return json_is(value, JSON_STRING) && value->text[0] == '=';
}

bool scenario_terms_number(const struct scenario_terms *t, const struct json *value,
                           const char *expected, double *number, struct config_error *why)
{
        char is[64];

        if (is_expression(value))
                return evaluate(t, value->text + 1, value, number, why);
        if (json_is(value, JSON_NUMBER)) {
                *number = value->number;
                return true;
        }
        json_describe(value, is, sizeof(is));
        return config_refuse(why, value, NULL,
                             "must be %s, or \"=\" and an expression, is %s", expected,
                             is);
}

/* Puts the only item of a list made for it into the place of the value. */
static bool take_place(struct json *value, struct json *list, struct config_error *why)
{
        struct json *with;

        if (!list || list->failed || !list->first) {
                json_free(list);
                return config_refuse(why, value, NULL, "out of memory");
        }
        with = json_detach(list->first);
        json_free(list);
        json_set_origin(with, value->file, value->depth);
        with->place = value->place;
        json_replace(value, with);
        return true;
}

static bool replace_number(const struct scenario_terms *t, struct json *value,
                           struct config_error *why)
{
        struct json *list;
        double number;

        if (!evaluate(t, value->text + 1, value, &number, why))
                return false;
        list = json_new_array();
        json_add_number(list, NULL, number);
        return take_place(value, list, why);
}

/* "north_m - -1" puzzles a reader: there a negative number stands in parentheses. */
static void format_behind(char *out, size_t cap, const char *before, size_t len,
                          double number)
{
        char digits[40];

        while (len > 0 && before[len - 1] == ' ')
                len--;
        json_format_number(digits, sizeof(digits), number);
        if (digits[0] == '-' && len > 0 && strchr("+-*/", before[len - 1]))
                snprintf(out, cap, "(%s)", digits);
        else
                snprintf(out, cap, "%s", digits);
}

/* The value of one ${expression} at *from, which is behind it then. */
static bool take_number(const struct scenario_terms *t, const struct json *value,
                        const char **from, double *number, struct config_error *why)
{
        const char *inner = *from + 2, *end = strchr(inner, '}');
        char text[FORMULA_TEXT_MAX];

        if (!end)
                return config_refuse(why, value, NULL, "must have a } to each ${");
        if ((size_t)(end - inner) >= sizeof(text))
                return config_refuse(why, value, NULL,
                                     "must have at most %zu characters between { and }",
                                     sizeof(text) - 1);
        memcpy(text, inner, (size_t)(end - inner));
        text[end - inner] = '\0';
        *from = end + 1;
        return evaluate(t, text, value, number, why);
}

static bool replace_text(const struct scenario_terms *t, struct json *value,
                         struct config_error *why)
{
        char text[SCENARIO_TEXT_MAX + 1], digits[44];
        const char *from = value->text;
        size_t used = 0;
        struct json *list;

        while (*from) {
                const char *put = digits;
                size_t len = 1;

                if (strncmp(from, "${", 2) == 0) {
                        double number;

                        if (!take_number(t, value, &from, &number, why))
                                return false;
                        format_behind(digits, sizeof(digits), text, used, number);
                        len = strlen(digits);
                } else {
                        put = from++;
                }
                if (used + len > SCENARIO_TEXT_MAX)
                        return config_refuse(why, value, NULL,
                                             "must have at most %d characters",
                                             SCENARIO_TEXT_MAX);
                memcpy(text + used, put, len);
                used += len;
        }
        text[used] = '\0';
        list = json_new_array();
        json_add_string(list, NULL, text);
        return take_place(value, list, why);
}

/* Read by nobody, so that anything may stand in it. */
static bool is_remark(const char *key)
{
        return key && (strcmp(key, "comment") == 0 || strcmp(key, "$schema") == 0);
}

bool scenario_terms_replace(const struct scenario_terms *t, struct json *value,
                            struct config_error *why)
{
        if (is_remark(value->key))
                return true;
        if (is_expression(value))
                return replace_number(t, value, why);
        return !json_is(value, JSON_STRING) || !strstr(value->text, "${") ||
               replace_text(t, value, why);
}
