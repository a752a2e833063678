#include "hil/formula/lexer.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/text/spelling.h"

/* Longer signs before those that they begin with. */
static const struct {
        const char *text;
        enum token_kind kind;
} signs[] = {
        { "->", TOKEN_IMPLIES },    { "&&", TOKEN_AND },         { "||", TOKEN_OR },
        { "<=", TOKEN_AT_MOST },    { "<", TOKEN_LESS },         { ">=", TOKEN_AT_LEAST },
        { ">", TOKEN_MORE },        { "==", TOKEN_EQUAL },       { "!=", TOKEN_UNEQUAL },
        { "!", TOKEN_NOT },         { "(", TOKEN_OPEN },         { ")", TOKEN_CLOSE },
        { "[", TOKEN_OPEN_WINDOW }, { "]", TOKEN_CLOSE_WINDOW }, { ",", TOKEN_COMMA },
        { "+", TOKEN_PLUS },        { "-", TOKEN_MINUS },        { "*", TOKEN_TIMES },
        { "/", TOKEN_OVER },
};

static const struct {
        const char *text;
        enum token_kind kind;
} words[] = {
        { "not", TOKEN_NOT },       { "and", TOKEN_AND },
        { "or", TOKEN_OR },         { "implies", TOKEN_IMPLIES },
        { "always", TOKEN_ALWAYS }, { "eventually", TOKEN_EVENTUALLY },
        { "until", TOKEN_UNTIL },   { "end", TOKEN_END },
};

/* Not ctype's: those depend on the locale, and on the sign of char. */
static bool is_digit(char c)
{
        return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int digits(const char *s)
{
        int n = 0;

        while (is_digit(s[n]))
                n++;
        return n;
}

/* "12", "1.5", ".5", "1e-3": what JSON has, and a point first or last. */
static int number_len(const char *s)
{
        int n = digits(s), power;

        if (s[n] == '.')
                n += 1 + digits(s + n + 1);
        if (s[n] != 'e' && s[n] != 'E')
                return n;
        power = n + 1 + (s[n + 1] == '+' || s[n + 1] == '-');
        return is_digit(s[power]) ? power + digits(s + power) : n;
}

static void take_number(struct token *t, const char *s)
{
        char copy[64];

        t->len = number_len(s);
        t->kind = TOKEN_NUMBER;
        snprintf(copy, sizeof copy, "%.*s", t->len, s);
        t->number = strtod(copy, NULL);
        /* "5m": units are part of names, not of numbers. */
        if (t->len >= (int)sizeof copy || !isfinite(t->number) || is_letter(s[t->len]) ||
            s[t->len] == '.')
                t->kind = TOKEN_UNKNOWN;
}

static void take_word(struct token *t, const char *s)
{
        while (is_letter(s[t->len]) || is_digit(s[t->len]) || s[t->len] == '.')
                t->len++;
        t->kind = TOKEN_WORD;
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
                if (strlen(words[i].text) == (size_t)t->len &&
                    memcmp(words[i].text, s, (size_t)t->len) == 0)
                        t->kind = words[i].kind;
}

static void take_sign(struct token *t, const char *s)
{
        t->len = 1;
        t->kind = TOKEN_UNKNOWN;
        for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
                size_t len = strlen(signs[i].text);

                if (strncmp(signs[i].text, s, len) == 0) {
                        t->len = (int)len;
                        t->kind = signs[i].kind;
                        return;
                }
        }
}

void lexer_next(struct token *t, const char *text)
{
        int at = t->at + t->len;
        const char *s;

        while (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'))
                at++;
        *t = (struct token){ .at = at };
        s = text + at;
        if (*s == '\0')
                t->kind = TOKEN_DONE;
        else if (is_digit(*s) || (*s == '.' && is_digit(s[1])))
                take_number(t, s);
        else if (is_letter(*s))
                take_word(t, s);
        else
                take_sign(t, s);
}

void lexer_describe(const struct token *t, const char *text, char *buf, size_t cap)
{
        char c = text[t->at];

        if (t->kind == TOKEN_DONE)
                snprintf(buf, cap, "the end");
        else if (t->len == 1 && (c < ' ' || c > '~'))
                snprintf(buf, cap, "byte 0x%02x", (unsigned)(unsigned char)c);
        else if (t->len > 30)
                snprintf(buf, cap, "\"%.27s...\"", text + t->at);
        else
                snprintf(buf, cap, "\"%.*s\"", t->len, text + t->at);
}

bool lexer_is_word(const struct token *t, const char *text, const char *word)
{
        return strlen(word) == (size_t)t->len &&
               memcmp(text + t->at, word, (size_t)t->len) == 0;
}

static const struct lexer_function functions[] = {
        { "abs", FORMULA_ABS, 1 },     { "min", FORMULA_MIN, 2 },
        { "max", FORMULA_MAX, 2 },     { "sqrt", FORMULA_SQRT, 1 },
        { "hypot", FORMULA_HYPOT, 2 }, { "sin", FORMULA_SIN, 1 },
        { "cos", FORMULA_COS, 1 },     { "all", FORMULA_AND, 0 },
        { "any", FORMULA_OR, 0 },      { "count", FORMULA_TRUTH, 0 },
        { "highest", FORMULA_MAX, 0 }, { "lowest", FORMULA_MIN, 0 },
        { "mean", FORMULA_ADD, 0 },
};

#define FUNCTIONS ((int)(sizeof functions / sizeof functions[0]))

const struct lexer_function *lexer_find_function(const struct token *t, const char *text)
{
        for (int i = 0; i < FUNCTIONS; i++)
                if (lexer_is_word(t, text, functions[i].name))
                        return &functions[i];
        return NULL;
}

const char *lexer_nearest(const struct token *t, const char *text,
                          const struct formula_names *names)
{
        char name[SPELLING_LEN_MAX + 2];
        const char *best = NULL;
        int least;

        snprintf(name, sizeof name, "%.*s", t->len, text + t->at);
        least = spelling_limit(name);
        for (int i = 0; i < names->count + FUNCTIONS; i++) {
                const char *known = i < names->count ? names->name[i]
                                                     : functions[i - names->count].name;
                int d = spelling_distance(name, known);

                if (d < least) {
                        least = d;
                        best = known;
                }
        }
        return best;
}
