/* Functions that go over all vehicles: their operand is read again for each, with its plain names its own. */
#include "hil/formula/parse_work.h"

/* One vehicle's operand, from the parenthesis on. */
static int parse_of_vehicle(struct parser *p, const struct token *word,
                            const struct lexer_function *function)
{
        bool number = function->op == FORMULA_MAX || function->op == FORMULA_MIN ||
                      function->op == FORMULA_ADD;
        struct token at;
        int node;

        parser_advance(p);
        at = p->token;
        node = parser_parse(p, BIND_NONE);
        if (!parser_want(p, node, number, word, &at) ||
            !parser_take(p, TOKEN_CLOSE, "\")\""))
                return -1;
        if (function->op != FORMULA_TRUTH)
                return node;
        for (int i = 0; i <= node; i++)
                if (formula_op_is_temporal(p->node[i].op) && i >= p->counted)
                        return parser_refuse(
                                p, &at,
                                "count takes what holds at one instant, without "
                                "always, eventually and until");
        return parser_add(
                p, word,
                (struct formula_node){ .op = FORMULA_TRUTH, .a = node, .b = -1 });
}

/* The operand is read again for each vehicle. */
int parser_over_vehicles(struct parser *p, const struct token *word,
                         const struct lexer_function *function)
{
        enum formula_op joins =
                function->op == FORMULA_TRUTH ? FORMULA_ADD : function->op;
        const struct token open = p->token;
        int joined = -1;

        if (p->names->vehicles == 0)
                return parser_refuse(p, word, "there are no vehicles here to go over");
        if (p->vehicle >= 0)
                return parser_refuse(p, word, "one such function inside another");
        p->counted = p->count;
        for (p->vehicle = 0; p->vehicle < p->names->vehicles && !p->failed;
             p->vehicle++) {
                int node;

                p->token = open;
                node = parse_of_vehicle(p, word, function);
                joined = joined < 0 || p->failed
                                 ? node
                                 : parser_add(p, word,
                                              (struct formula_node){ .op = joins,
                                                                     .a = joined,
                                                                     .b = node });
        }
        p->vehicle = -1;
        if (function->op != FORMULA_ADD || p->failed)
                return joined;
        return parser_add(
                p, word,
                (struct formula_node){
                        .op = FORMULA_DIVIDE,
                        .a = joined,
                        .b = parser_add(
                                p, word,
                                (struct formula_node){ .op = FORMULA_NUMBER,
                                                       .a = -1,
                                                       .b = -1,
                                                       .number = p->names->vehicles }) });
}
