/* The words and signs of a formula. */
#pragma once

#include <stddef.h>

#include "hil/formula/tree.h"

enum token_kind {
        TOKEN_DONE,
        TOKEN_UNKNOWN, /* no part of any formula */
        TOKEN_NUMBER,
        TOKEN_WORD,
        TOKEN_OPEN,
        TOKEN_CLOSE,
        TOKEN_OPEN_WINDOW,
        TOKEN_CLOSE_WINDOW,
        TOKEN_COMMA,
        TOKEN_PLUS,
        TOKEN_MINUS,
        TOKEN_TIMES,
        TOKEN_OVER,
        TOKEN_LESS,
        TOKEN_AT_MOST,
        TOKEN_MORE,
        TOKEN_AT_LEAST,
        TOKEN_EQUAL,
        TOKEN_UNEQUAL,
        TOKEN_NOT,
        TOKEN_AND,
        TOKEN_OR,
        TOKEN_IMPLIES,
        TOKEN_ALWAYS,
        TOKEN_EVENTUALLY,
        TOKEN_UNTIL,
        TOKEN_END
};

struct token {
        enum token_kind kind;
        int at, len; /* in the text */
        double number; /* finite, not negative */
};

/* The token behind *t, which starts zeroed. */
void lexer_next(struct token *t, const char *text);
/* In quotes, printable, for a message. */
void lexer_describe(const struct token *t, const char *text, char *buf, size_t cap);

bool lexer_is_word(const struct token *t, const char *text, const char *word);

struct lexer_function {
        const char *name;
        enum formula_op op;
        int arguments; /* 0: one, for each vehicle, which the operator joins */
};

/* NULL: there is none of that name. */
const struct lexer_function *lexer_find_function(const struct token *t, const char *text);
/* The name or function that a word may have been meant for; NULL: there is none. */
const char *lexer_nearest(const struct token *t, const char *text,
                          const struct formula_names *names);
