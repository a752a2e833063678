/* Text to formula: precedence climbing over two types, number and condition. Any bytes are taken; what
 * is no formula is refused with the column at which it stops being one. */
#include "hil/formula/parse_work.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/text/spelling.h"

int parser_refuse(struct parser *p, const struct token *at, const char *format, ...)
{
        char said[200];
        va_list args;

        va_start(args, format);
        vsnprintf(said, sizeof said, format, args);
        va_end(args);
        if (!p->failed)
                snprintf(p->why->text, sizeof p->why->text, "column %d: %s", at->at + 1,
                         said);
        p->failed = true;
        return -1;
}

void parser_advance(struct parser *p)
{
        lexer_next(&p->token, p->text);
}

static bool next_is(const struct parser *p, enum token_kind kind)
{
        return p->token.kind == kind;
}

static int refuse_token(struct parser *p, const char *expected)
{
        char shown[48];

        lexer_describe(&p->token, p->text, shown, sizeof shown);
        return parser_refuse(p, &p->token, "expected %s, not %s", expected, shown);
}

bool parser_take(struct parser *p, enum token_kind kind, const char *expected)
{
        if (p->failed)
                return false;
        if (!next_is(p, kind)) {
                refuse_token(p, expected);
                return false;
        }
        parser_advance(p);
        return true;
}

int parser_add(struct parser *p, const struct token *at, struct formula_node n)
{
        if (p->failed)
                return -1;
        if (p->count == NODES_MAX)
                return parser_refuse(p, at, "the formula is too long");
        p->node[p->count] = n;
        return p->count++;
}

bool parser_want(struct parser *p, int node, bool number, const struct token *of,
                 const struct token *at)
{
        char shown[48];

        if (p->failed || formula_op_is_number(p->node[node].op) == number)
                return !p->failed;
        lexer_describe(of, p->text, shown, sizeof shown);
        if (number)
                parser_refuse(p, at, "%s takes numbers, and this holds or does not",
                              shown);
        else
                parser_refuse(
                        p, at,
                        "%s takes a condition, and this is a number: compare it, as in "
                        "\"armed == 1\"",
                        shown);
        return false;
}

static double parse_seconds(struct parser *p)
{
        struct token t = p->token;

        if (!parser_take(p, TOKEN_NUMBER, "seconds"))
                return 0.0;
        if (t.number > FORMULA_WINDOW_S)
                parser_refuse(p, &t, "a window must end within %g s", FORMULA_WINDOW_S);
        return t.number;
}

/* "[2, 10]", "[2, end]" or nothing. */
static void parse_window(struct parser *p, struct formula_node *n)
{
        struct token at = p->token;

        n->from_ns = 0;
        n->to_ns = INT64_MAX;
        if (!next_is(p, TOKEN_OPEN_WINDOW))
                return;
        parser_advance(p);
        n->from_ns = llround(parse_seconds(p) * 1e9);
        if (!parser_take(p, TOKEN_COMMA, "a comma between the window's ends"))
                return;
        if (next_is(p, TOKEN_END))
                parser_advance(p);
        else
                n->to_ns = llround(parse_seconds(p) * 1e9);
        if (parser_take(p, TOKEN_CLOSE_WINDOW, "\"]\" after the window") &&
            n->to_ns < n->from_ns)
                parser_refuse(p, &at, "the window ends before it begins");
}

static int parse_prefix(struct parser *p)
{
        struct token op = p->token, at;
        struct formula_node n = { .b = -1 };

        parser_advance(p);
        n.op = op.kind == TOKEN_ALWAYS ? FORMULA_ALWAYS : FORMULA_EVENTUALLY;
        if (op.kind != TOKEN_NOT)
                parse_window(p, &n);
        at = p->token;
        n.a = parser_parse(p, BIND_COMPARISON);
        if (!parser_want(p, n.a, false, &op, &at))
                return -1;
        if (op.kind != TOKEN_NOT)
                return parser_add(p, &op, n);
        formula_negate(p->node, n.a);
        return n.a;
}

static int parse_argument(struct parser *p, const struct token *function)
{
        struct token at = p->token;
        int node = parser_parse(p, BIND_NONE);

        return parser_want(p, node, true, function, &at) ? node : -1;
}

static int parse_call(struct parser *p, const struct token *word,
                      const struct lexer_function *function)
{
        struct formula_node n = { .op = function->op, .b = -1 };

        parser_advance(p);
        n.a = parse_argument(p, word);
        if (function->arguments == 2) {
                if (!parser_take(p, TOKEN_COMMA, "a comma and a second argument"))
                        return -1;
                n.b = parse_argument(p, word);
        }
        if (!parser_take(p, TOKEN_CLOSE, "\")\" after the last argument"))
                return -1;
        return parser_add(p, word, n);
}

static int refuse_name(struct parser *p, const struct token *word)
{
        const char *best = lexer_nearest(word, p->text, p->names);
        int shown = word->len <= SPELLING_LEN_MAX ? word->len : SPELLING_LEN_MAX + 1;

        return parser_refuse(p, word, "unknown name \"%.*s\"%s%s%s", shown,
                             p->text + word->at, best != NULL ? ", did you mean \"" : "",
                             best != NULL ? best : "", best != NULL ? "\"?" : "");
}

static int parse_word(struct parser *p)
{
        const struct formula_names *names = p->names;
        struct token word = p->token;
        const struct lexer_function *function;
        struct formula_node n = { .op = FORMULA_NAME, .a = -1, .b = -1 };

        parser_advance(p);
        function = next_is(p, TOKEN_OPEN) ? lexer_find_function(&word, p->text) : NULL;
        if (function != NULL)
                return function->arguments > 0 ? parse_call(p, &word, function)
                                               : parser_over_vehicles(p, &word, function);
        for (int i = 0; i < names->count; i++) {
                if (!lexer_is_word(&word, p->text, names->name[i]))
                        continue;
                n.name = names->number ? names->number[i] : i;
                if (p->vehicle >= 0 && i < names->each)
                        n.name = p->vehicle * names->each + i;
                return parser_add(p, &word, n);
        }
        return refuse_name(p, &word);
}

static int parse_minus(struct parser *p);

static int parse_operand(struct parser *p)
{
        struct formula_node n = { .op = FORMULA_NUMBER, .a = -1, .b = -1 };
        struct token t = p->token;
        int node;

        switch (t.kind) {
        case TOKEN_NUMBER:
                parser_advance(p);
                n.number = t.number;
                return parser_add(p, &t, n);
        case TOKEN_WORD:
                return parse_word(p);
        case TOKEN_MINUS:
                return parse_minus(p);
        case TOKEN_NOT:
        case TOKEN_ALWAYS:
        case TOKEN_EVENTUALLY:
                return parse_prefix(p);
        case TOKEN_OPEN:
                parser_advance(p);
                node = parser_parse(p, BIND_NONE);
                return parser_take(p, TOKEN_CLOSE, "\")\"") ? node : -1;
        default:
                return refuse_token(p, "a name, a number or \"(\"");
        }
}

/* Parentheses, functions, prefixes and signs inside each other are bounded here. */
static int parse_nested(struct parser *p)
{
        int node;

        if (p->failed)
                return -1;
        if (p->depth == FORMULA_DEPTH_MAX)
                return parser_refuse(p, &p->token, "more than %d inside each other",
                                     FORMULA_DEPTH_MAX);
        p->depth++;
        node = parse_operand(p);
        p->depth--;
        return node;
}

static int parse_minus(struct parser *p)
{
        struct token op = p->token, at;
        int node;

        parser_advance(p);
        at = p->token;
        node = parse_nested(p);
        if (!parser_want(p, node, true, &op, &at))
                return -1;
        return parser_add(
                p, &op, (struct formula_node){ .op = FORMULA_MINUS, .a = node, .b = -1 });
}

static const struct infix {
        enum token_kind token;
        enum binding binding;
        enum formula_op op;
        bool turned; /* its sides are exchanged */
} infixes[] = {
        { TOKEN_IMPLIES, BIND_IMPLIES, FORMULA_OR, false },
        { TOKEN_OR, BIND_OR, FORMULA_OR, false },
        { TOKEN_AND, BIND_AND, FORMULA_AND, false },
        { TOKEN_UNTIL, BIND_UNTIL, FORMULA_UNTIL, false },
        { TOKEN_LESS, BIND_COMPARISON, FORMULA_LESS, false },
        { TOKEN_AT_MOST, BIND_COMPARISON, FORMULA_AT_MOST, false },
        { TOKEN_MORE, BIND_COMPARISON, FORMULA_LESS, true },
        { TOKEN_AT_LEAST, BIND_COMPARISON, FORMULA_AT_MOST, true },
        { TOKEN_EQUAL, BIND_COMPARISON, FORMULA_EQUAL, false },
        { TOKEN_UNEQUAL, BIND_COMPARISON, FORMULA_UNEQUAL, false },
        { TOKEN_PLUS, BIND_SUM, FORMULA_ADD, false },
        { TOKEN_MINUS, BIND_SUM, FORMULA_SUBTRACT, false },
        { TOKEN_TIMES, BIND_PRODUCT, FORMULA_MULTIPLY, false },
        { TOKEN_OVER, BIND_PRODUCT, FORMULA_DIVIDE, false },
};

static const struct infix *next_infix(const struct parser *p)
{
        for (size_t i = 0; i < sizeof infixes / sizeof infixes[0]; i++)
                if (next_is(p, infixes[i].token))
                        return &infixes[i];
        return NULL;
}

/* a is there, the operator comes next. */
static int parse_infix(struct parser *p, const struct infix *op, int a,
                       const struct token *a_at)
{
        struct token at = p->token, b_at;
        bool numbers = op->binding >= BIND_COMPARISON;
        struct formula_node n = { .op = op->op, .implies = op->token == TOKEN_IMPLIES };
        int b;

        if (!parser_want(p, a, numbers, &at, a_at))
                return -1;
        parser_advance(p);
        if (op->token == TOKEN_UNTIL)
                parse_window(p, &n);
        b_at = p->token;
        /* implies is right-associative; the others are left-associative. */
        b = parser_parse(p, op->token == TOKEN_IMPLIES ? op->binding : op->binding + 1);
        if (!parser_want(p, b, numbers, &at, &b_at))
                return -1;
        if (op->token == TOKEN_IMPLIES)
                formula_negate(p->node, a);
        n.a = op->turned ? b : a;
        n.b = op->turned ? a : b;
        return parser_add(p, &at, n);
}

/* Of those that cannot stand in a row. */
static bool refuse_chain(struct parser *p, enum binding binding)
{
        if (binding == BIND_COMPARISON)
                parser_refuse(p, &p->token,
                              "one comparison after another: write \"1 < x and x < 3\"");
        else if (binding == BIND_UNTIL)
                parser_refuse(p, &p->token, "one until after another: put parentheses");
        return p->failed;
}

int parser_parse(struct parser *p, enum binding least)
{
        struct token at = p->token;
        int a = parse_nested(p);
        const struct infix *op, *last = NULL;

        while (!p->failed && (op = next_infix(p)) != NULL && op->binding >= least) {
                if (last != NULL && last->binding == op->binding &&
                    refuse_chain(p, op->binding))
                        return -1;
                a = parse_infix(p, op, a, &at);
                last = op;
        }
        return a;
}

static struct formula *parsed(const struct parser *p, int root)
{
        struct formula *f =
                malloc(sizeof *f + (size_t)p->count * sizeof(struct formula_node));

        if (f == NULL) {
                snprintf(p->why->text, sizeof p->why->text, "out of memory");
                return NULL;
        }
        f->count = p->count;
        f->root = root;
        memcpy(f->node, p->node, (size_t)p->count * sizeof p->node[0]);
        return f;
}

struct formula *formula_parse(const char *text, const struct formula_names *names,
                              struct formula_error *why)
{
        struct parser *p;
        struct formula *f = NULL;
        int root;

        if (strnlen(text, FORMULA_TEXT_MAX) == FORMULA_TEXT_MAX) {
                snprintf(why->text, sizeof why->text, "is longer than %d characters",
                         FORMULA_TEXT_MAX - 1);
                return NULL;
        }
        /* Its nodes, which are half a megabyte, hold nothing yet. */
        p = malloc(sizeof *p);
        if (p == NULL) {
                snprintf(why->text, sizeof why->text, "out of memory");
                return NULL;
        }
        p->text = text;
        p->names = names;
        p->why = why;
        p->token = (struct token){ 0 };
        p->failed = false;
        p->depth = p->counted = p->count = 0;
        p->vehicle = -1;
        parser_advance(p);
        root = parser_parse(p, BIND_NONE);
        if (!p->failed && !next_is(p, TOKEN_DONE))
                refuse_token(p, "an operator or the end");
        if (!p->failed)
                f = parsed(p, root);
        free(p);
        return f;
}
