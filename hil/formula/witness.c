/* Whether a formula was put to the test: "always (armed == 1 implies p)" holds of any flight in which nothing
 * was ever armed, and says nothing of p. The witness is made of the conditions alone, each looked for
 * wherever the formula would have looked at it. */
#include <stdlib.h>

#include "hil/formula/tree.h"

/* No condition stands before it: it is judged in any flight. */
#define ALWAYS_ASKED (-1)

struct builder {
        const struct formula *f;
        struct formula *w;
};

static int add_node(struct builder *b, struct formula_node n)
{
        b->w->node[b->w->count] = n;
        return b->w->count++;
}

static int copy_node(struct builder *b, int i)
{
        struct formula_node n = b->f->node[i];

        if (n.op == FORMULA_NUMBER || n.op == FORMULA_NAME)
                return add_node(b, n);
        n.a = copy_node(b, n.a);
        if (n.b >= 0)
                n.b = copy_node(b, n.b);
        return add_node(b, n);
}

static int witness_of(struct builder *b, int i);

/* Either of them asks. */
static int witness_of_both(struct builder *b, const struct formula_node *n)
{
        int first = witness_of(b, n->a), second;

        if (first == ALWAYS_ASKED)
                return ALWAYS_ASKED;
        second = witness_of(b, n->b);
        if (second == ALWAYS_ASKED)
                return ALWAYS_ASKED;
        return add_node(
                b, (struct formula_node){ .op = FORMULA_OR, .a = first, .b = second });
}

static int witness_of_implication(struct builder *b, const struct formula_node *n)
{
        int condition = copy_node(b, n->a), then;

        /* The parser has turned it round. */
        formula_negate(b->w->node, condition);
        then = witness_of(b, n->b);
        if (then == ALWAYS_ASKED)
                return condition;
        return add_node(
                b, (struct formula_node){ .op = FORMULA_AND, .a = condition, .b = then });
}

static int witness_of(struct builder *b, int i)
{
        const struct formula_node *n = &b->f->node[i];
        bool until = n->op == FORMULA_UNTIL || n->op == FORMULA_RELEASE;
        struct formula_node some = { .op = FORMULA_EVENTUALLY,
                                     .b = -1,
                                     .from_ns = until ? 0 : n->from_ns,
                                     .to_ns = n->to_ns };

        if (n->op == FORMULA_OR && n->implies)
                return witness_of_implication(b, n);
        if (n->op == FORMULA_AND || n->op == FORMULA_OR)
                return witness_of_both(b, n);
        if (!formula_op_is_temporal(n->op))
                return ALWAYS_ASKED;
        some.a = until ? witness_of_both(b, n) : witness_of(b, n->a);
        return some.a == ALWAYS_ASKED ? ALWAYS_ASKED : add_node(b, some);
}

bool formula_witness(const struct formula *f, struct formula **out)
{
        /* Of each node a copy, and an operator about it. */
        size_t most = 2 * (size_t)f->count;
        struct builder b = { f, malloc(sizeof *f + most * sizeof f->node[0]) };

        *out = NULL;
        if (b.w == NULL)
                return false;
        b.w->count = 0;
        b.w->root = witness_of(&b, f->root);
        if (b.w->root == ALWAYS_ASKED)
                free(b.w);
        else
                *out = b.w;
        return true;
}
