/* A parsed formula, for the files that judge it. Negation is gone: it stands in the comparisons. */
#pragma once

#include "hil/formula/formula.h"

enum formula_op {
        /* Numbers. */
        FORMULA_NUMBER,
        FORMULA_NAME,
        FORMULA_MINUS,
        FORMULA_ADD,
        FORMULA_SUBTRACT,
        FORMULA_MULTIPLY,
        FORMULA_DIVIDE,
        FORMULA_ABS,
        FORMULA_MIN,
        FORMULA_MAX,
        FORMULA_SQRT,
        FORMULA_HYPOT,
        FORMULA_SIN,
        FORMULA_COS,
        FORMULA_TRUTH, /* 1 where a condition holds, else 0 */
        /* Conditions; > and >= have their sides exchanged. */
        FORMULA_LESS,
        FORMULA_AT_MOST,
        FORMULA_EQUAL,
        FORMULA_UNEQUAL,
        FORMULA_AND,
        FORMULA_OR,
        FORMULA_ALWAYS,
        FORMULA_EVENTUALLY,
        FORMULA_UNTIL,
        FORMULA_RELEASE /* not (not a until not b) */
};

/* Operands stand before what is made of them. */
struct formula_node {
        enum formula_op op;
        int a, b; /* operands, -1: none */
        double number;
        int name; /* what the name stands for */
        int64_t from_ns, to_ns; /* INT64_MAX: to the end */
        bool implies; /* of an or: `a implies b`, with a turned round already */
};

struct formula {
        int count;
        int root;
        struct formula_node node[];
};

static inline bool formula_op_is_number(enum formula_op op)
{
        return op <= FORMULA_TRUTH;
}

static inline bool formula_op_is_temporal(enum formula_op op)
{
        return op >= FORMULA_ALWAYS;
}

/* Robustness in order: as numbers, and -0.0 below 0.0. */
static inline bool robustness_less(double a, double b)
{
        return a < b || (a == b && __builtin_signbit(a) && !__builtin_signbit(b));
}

static inline bool robustness_holds(double r)
{
        return !__builtin_signbit(r);
}

bool formula_node_is_temporal(const struct formula *f, int node);
/* A number or the robustness of a node that is not temporal. */
double formula_node_value(const struct formula *f, int node, const double *value);

/* What a condition says is turned round in place: the comparisons are, and with them everything that
 * is made of them. */
void formula_negate(struct formula_node *node, int i);
