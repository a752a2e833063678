/* What a formula is worth at one instant, and what it is made of. */
#include "hil/formula/tree.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

void formula_free(struct formula *f)
{
        free(f);
}

bool formula_is_number(const struct formula *f)
{
        return formula_op_is_number(f->node[f->root].op);
}

bool formula_node_is_temporal(const struct formula *f, int i)
{
        const struct formula_node *n = &f->node[i];

        return formula_op_is_temporal(n->op) ||
               (n->a >= 0 && formula_node_is_temporal(f, n->a)) ||
               (n->b >= 0 && formula_node_is_temporal(f, n->b));
}

bool formula_is_temporal(const struct formula *f)
{
        return formula_node_is_temporal(f, f->root);
}

static bool has_instant(const struct formula *f, int i)
{
        const struct formula_node *n = &f->node[i];

        if (n->op == FORMULA_AND || n->op == FORMULA_OR)
                return has_instant(f, n->a) || has_instant(f, n->b);
        return !formula_op_is_temporal(n->op);
}

bool formula_has_instant(const struct formula *f)
{
        return has_instant(f, f->root);
}

bool formula_uses(const struct formula *f, int number)
{
        for (int i = 0; i < f->count; i++)
                if (f->node[i].op == FORMULA_NAME && f->node[i].name == number)
                        return true;
        return false;
}

static int64_t horizon_ns(const struct formula *f, int i)
{
        const struct formula_node *n = &f->node[i];
        int64_t a_ns = n->a >= 0 ? horizon_ns(f, n->a) : 0;
        int64_t b_ns = n->b >= 0 ? horizon_ns(f, n->b) : 0;
        int64_t own_ns = 0;

        if (formula_op_is_temporal(n->op))
                own_ns = n->to_ns == INT64_MAX ? n->from_ns : n->to_ns;
        /* FORMULA_TEXT_MAX bytes of windows of a day each are far from INT64_MAX. */
        return own_ns + (a_ns > b_ns ? a_ns : b_ns);
}

int64_t formula_horizon_ns(const struct formula *f)
{
        return horizon_ns(f, f->root);
}

/* fmin() and fmax() would hide a NaN. */
static double smaller(double a, double b)
{
        return isnan(a) || isnan(b) ? NAN : a < b ? a : b;
}

static double larger(double a, double b)
{
        return isnan(a) || isnan(b) ? NAN : a > b ? a : b;
}

static double number_value(const struct formula_node *n, double a, double b)
{
        assert(formula_op_is_number(n->op));
        switch (n->op) {
        case FORMULA_MINUS:
                return -a;
        case FORMULA_ADD:
                return a + b;
        case FORMULA_SUBTRACT:
                return a - b;
        case FORMULA_MULTIPLY:
                return a * b;
        case FORMULA_DIVIDE:
                return a / b;
        case FORMULA_ABS:
                return fabs(a);
        case FORMULA_MIN:
                return smaller(a, b);
        case FORMULA_MAX:
                return larger(a, b);
        case FORMULA_SQRT:
                return sqrt(a);
        case FORMULA_HYPOT:
                /* hypot(infinity, NaN) is infinity. */
                return isnan(a) || isnan(b) ? NAN : hypot(a, b);
        case FORMULA_SIN:
                return sin(a);
        case FORMULA_COS:
                return cos(a);
        case FORMULA_TRUTH:
                return robustness_holds(a) ? 1.0 : 0.0;
        default:
                return NAN;
        }
}

static double compared(enum formula_op op, double a, double b)
{
        if (isnan(a) || isnan(b))
                return -INFINITY;
        switch (op) {
        case FORMULA_LESS:
                /* Two infinities of one sign have no difference. */
                return a == b ? -0.0 : b - a;
        case FORMULA_AT_MOST:
                return a == b ? 0.0 : b - a;
        case FORMULA_EQUAL:
                return a == b ? INFINITY : -INFINITY;
        default:
                return a != b ? INFINITY : -INFINITY;
        }
}

static double condition_value(const struct formula_node *n, double a, double b)
{
        if (n->op == FORMULA_AND)
                return robustness_less(b, a) ? b : a;
        if (n->op == FORMULA_OR)
                return robustness_less(a, b) ? b : a;
        return compared(n->op, a, b);
}

double formula_node_value(const struct formula *f, int i, const double *value)
{
        const struct formula_node *n = &f->node[i];
        double a, b;

        if (n->op == FORMULA_NUMBER)
                return n->number;
        if (n->op == FORMULA_NAME)
                return value[n->name];
        assert(!formula_op_is_temporal(n->op));
        a = formula_node_value(f, n->a, value);
        b = n->b >= 0 ? formula_node_value(f, n->b, value) : 0.0;
        return formula_op_is_number(n->op) ? number_value(n, a, b)
                                           : condition_value(n, a, b);
}

double formula_value(const struct formula *f, const double *value)
{
        return formula_node_value(f, f->root, value);
}

bool formula_holds(const struct formula *f, const double *value)
{
        return robustness_holds(formula_value(f, value));
}

void formula_negate(struct formula_node *node, int i)
{
        static const enum formula_op opposite[] = {
                [FORMULA_LESS] = FORMULA_AT_MOST,
                [FORMULA_AT_MOST] = FORMULA_LESS,
                [FORMULA_EQUAL] = FORMULA_UNEQUAL,
                [FORMULA_UNEQUAL] = FORMULA_EQUAL,
                [FORMULA_AND] = FORMULA_OR,
                [FORMULA_OR] = FORMULA_AND,
                [FORMULA_ALWAYS] = FORMULA_EVENTUALLY,
                [FORMULA_EVENTUALLY] = FORMULA_ALWAYS,
                [FORMULA_UNTIL] = FORMULA_RELEASE,
                [FORMULA_RELEASE] = FORMULA_UNTIL,
        };
        struct formula_node *n = &node[i];

        if (n->op == FORMULA_LESS || n->op == FORMULA_AT_MOST) {
                int a = n->a;

                n->a = n->b;
                n->b = a;
        } else if (n->op > FORMULA_UNEQUAL) {
                formula_negate(node, n->a);
                if (n->b >= 0)
                        formula_negate(node, n->b);
        }
        n->op = opposite[n->op];
}
