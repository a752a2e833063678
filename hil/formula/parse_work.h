/* What the files that parse a formula share: the parser, which stands at the next token. Functions that make a node return its
 * number, or -1 where something was refused. */
#pragma once

#include "hil/formula/lexer.h"
#include "hil/formula/tree.h"

/* Every node has a byte of the text to itself, or is one vehicle's of such. */
#define NODES_MAX 8192

struct parser {
        const char *text;
        struct token token; /* the next one */
        const struct formula_names *names;
        struct formula_error *why;
        bool failed;
        int depth;
        int vehicle; /* of the vehicles gone over; -1: of none */
        int counted; /* nodes before them */
        int count;
        struct formula_node node[NODES_MAX];
};

/* How tightly operators bind; prefixes take everything from a comparison up. */
enum binding {
        BIND_NONE,
        BIND_IMPLIES,
        BIND_OR,
        BIND_AND,
        BIND_UNTIL,
        BIND_COMPARISON,
        BIND_SUM,
        BIND_PRODUCT
};

/* The first complaint stays. */
__attribute__((format(printf, 3, 4))) int parser_refuse(struct parser *p,
                                                        const struct token *at,
                                                        const char *format, ...);
void parser_advance(struct parser *p);
/* False: another one stands there. */
bool parser_take(struct parser *p, enum token_kind kind, const char *expected);
int parser_add(struct parser *p, const struct token *at, struct formula_node n);
/* Whether the operand at `at` of `of` is a number, or else a condition; false: refused. */
bool parser_want(struct parser *p, int node, bool number, const struct token *of,
                 const struct token *at);
/* Everything that binds at least so tightly. */
int parser_parse(struct parser *p, enum binding least);

/* all(), any(), count(), highest(), lowest(), mean(): the parser stands at the parenthesis. */
int parser_over_vehicles(struct parser *p, const struct token *word,
                         const struct lexer_function *function);
