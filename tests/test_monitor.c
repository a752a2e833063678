#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/formula.h"
#include "models/rng.h"

#define PERIOD_NS INT64_C(10000000)
#define TICKS_MAX 40
#define SIGNALS   3

static const char *const signal_names[] = { "a", "b", "c" };
static const struct formula_names names = { SIGNALS, signal_names, NULL };

static struct formula *parse(const char *text)
{
        struct formula_error why = { "" };
        struct formula *f = formula_parse(text, &names, &why);

        ck_assert_msg(f != NULL, "%s: %s", text, why.text);
        return f;
}

/* A second way to robustness: a tree of its own, judged over whole arrays straight from the
 * definition, beside the text that the parser gets. */
enum kind { LESS, AT_MOST, EQUAL, NOT, AND, OR, IMPLIES, ALWAYS, EVENTUALLY, UNTIL };

struct tree {
        enum kind kind;
        int left, right; /* signals of comparisons, else trees; right -1 of LESS: a number */
        double number;
        bool bounded;
        double from_s, to_s;
};

struct oracle {
        int trees;
        struct tree tree[64];
        int last; /* tick of the run's end */
        int seen; /* newest tick that was observed */
        double signal[TICKS_MAX + 1][SIGNALS];
};

struct range {
        double lo, hi;
};

static const struct range anything = { -INFINITY, INFINITY };

static bool below(double a, double b)
{
        return a < b || (a == b && signbit(a) && !signbit(b));
}

static struct range lower_of(struct range a, struct range b)
{
        return (struct range){ below(b.lo, a.lo) ? b.lo : a.lo,
                               below(b.hi, a.hi) ? b.hi : a.hi };
}

static struct range higher_of(struct range a, struct range b)
{
        return (struct range){ below(a.lo, b.lo) ? b.lo : a.lo,
                               below(a.hi, b.hi) ? b.hi : a.hi };
}

static double compare(const struct oracle *o, const struct tree *t, int k, bool negated)
{
        double x = o->signal[k][t->left];
        double y = t->right < 0 ? t->number : o->signal[k][t->right];

        if (isnan(x) || isnan(y))
                return -INFINITY;
        if (t->kind == EQUAL)
                return (x == y) != negated ? INFINITY : -INFINITY;
        if (x == y)
                return (t->kind == AT_MOST) != negated ? 0.0 : -0.0;
        return negated ? x - y : y - x;
}

static struct range judge(const struct oracle *o, int i, int k, bool negated);

static void window(const struct oracle *o, const struct tree *t, int k, int *from, int *to)
{
        *from = k + (int)ceil(t->from_s / 0.01 - 1e-6);
        *to = t->bounded ? k + (int)floor(t->to_s / 0.01 + 1e-6) : o->last;
        if (t->bounded && *to < *from)
                *to = *from;
}

static struct range judge_window(const struct oracle *o, const struct tree *t, int k,
                                 bool negated)
{
        bool smallest = (t->kind == ALWAYS) != negated;
        struct range r = { INFINITY, INFINITY };
        int from, to;

        window(o, t, k, &from, &to);
        if (!smallest)
                r = (struct range){ -INFINITY, -INFINITY };
        if (!t->bounded && from > o->last)
                return anything;
        for (int j = from; j <= to; j++) {
                struct range x = judge(o, t->left, j, negated);

                r = smallest ? lower_of(r, x) : higher_of(r, x);
        }
        return r;
}

/* until: some j in the window with the right side at j, and the left side from k to just before
 * j. Negated, every word turned round. */
static struct range judge_until(const struct oracle *o, const struct tree *t, int k,
                                bool negated)
{
        struct range left = { INFINITY, INFINITY }, r = { -INFINITY, -INFINITY };
        int from, to;

        window(o, t, k, &from, &to);
        if (negated) {
                struct range swap = left;

                left = r;
                r = swap;
        }
        if (!t->bounded && from > o->last)
                to = from;
        for (int j = k; j <= to; j++) {
                struct range x = judge(o, t->right, j, negated);

                if (j >= from && negated)
                        r = lower_of(r, higher_of(left, x));
                else if (j >= from)
                        r = higher_of(r, lower_of(left, x));
                x = judge(o, t->left, j, negated);
                left = negated ? higher_of(left, x) : lower_of(left, x);
        }
        return r;
}

static struct range judge(const struct oracle *o, int i, int k, bool negated)
{
        const struct tree *t = &o->tree[i];
        struct range a, b;

        if (k > o->last)
                return anything;
        switch (t->kind) {
        case LESS:
        case AT_MOST:
        case EQUAL:
                if (k > o->seen)
                        return anything;
                a.lo = a.hi = compare(o, t, k, negated);
                return a;
        case NOT:
                return judge(o, t->left, k, !negated);
        case AND:
        case OR:
                a = judge(o, t->left, k, negated);
                b = judge(o, t->right, k, negated);
                return (t->kind == AND) != negated ? lower_of(a, b) : higher_of(a, b);
        case IMPLIES:
                a = judge(o, t->left, k, !negated);
                b = judge(o, t->right, k, negated);
                return negated ? lower_of(a, b) : higher_of(a, b);
        case ALWAYS:
        case EVENTUALLY:
                return judge_window(o, t, k, negated);
        default:
                return judge_until(o, t, k, negated);
        }
}

static int below_n(struct rng *rng, int n)
{
        return (int)(rng_uniform(rng) * n);
}

static void plant_window(struct oracle *o, int i, struct rng *rng)
{
        struct tree *t = &o->tree[i];
        int a = below_n(rng, 8), b = a + below_n(rng, below_n(rng, 4) ? 10 : 80);

        t->bounded = below_n(rng, 4) != 0;
        if (!t->bounded && below_n(rng, 2))
                a = 0;
        /* Now and then between ticks. */
        t->from_s = 0.01 * a + (below_n(rng, 5) ? 0.0 : 0.003);
        t->to_s = t->bounded ? 0.01 * b + 0.004 : 0.0;
}

static int grow(struct oracle *o, struct rng *rng, int depth)
{
        int i = o->trees++;
        struct tree t = { .kind = (enum kind)(depth > 0 ? below_n(rng, 10)
                                                        : below_n(rng, 3)) };

        /* More of what this is about. */
        if (depth > 0 && below_n(rng, 2))
                t.kind = (enum kind)(ALWAYS + below_n(rng, 3));
        o->tree[i] = t;
        if (t.kind <= EQUAL) {
                o->tree[i].left = below_n(rng, SIGNALS);
                o->tree[i].right = below_n(rng, 2) ? below_n(rng, SIGNALS) : -1;
                o->tree[i].number = below_n(rng, 9) - 4;
                return i;
        }
        if (t.kind >= ALWAYS)
                plant_window(o, i, rng);
        o->tree[i].left = grow(o, rng, depth - 1);
        if (t.kind != NOT && t.kind != ALWAYS && t.kind != EVENTUALLY)
                o->tree[i].right = grow(o, rng, depth - 1);
        return i;
}

static void write_window(FILE *f, const struct tree *t)
{
        if (t->bounded)
                fprintf(f, "[%.4g, %.4g]", t->from_s, t->to_s);
        else if (t->from_s > 0.0)
                fprintf(f, "[%.4g, end]", t->from_s);
}

static void write_tree(FILE *f, const struct oracle *o, int i)
{
        static const char *const word[] = { "<",  "<=", "==",      "not",    "and",
                                            "or", "->", "always", "eventually", "until" };
        const struct tree *t = &o->tree[i];

        fputc('(', f);
        if (t->kind <= EQUAL) {
                fprintf(f, "%s %s ", signal_names[t->left], word[t->kind]);
                if (t->right < 0)
                        fprintf(f, "%g)", t->number);
                else
                        fprintf(f, "%s)", signal_names[t->right]);
                return;
        }
        if (t->kind == NOT || t->kind == ALWAYS || t->kind == EVENTUALLY) {
                fprintf(f, "%s", word[t->kind]);
                if (t->kind != NOT)
                        write_window(f, t);
                write_tree(f, o, t->left);
        } else {
                write_tree(f, o, t->left);
                fprintf(f, "%s", word[t->kind]);
                if (t->kind == UNTIL)
                        write_window(f, t);
                write_tree(f, o, t->right);
        }
        fputc(')', f);
}

static void plant_signals(struct oracle *o, struct rng *rng)
{
        bool whole = below_n(rng, 2), holes = below_n(rng, 8) == 0;

        for (int k = 0; k <= TICKS_MAX; k++)
                for (int s = 0; s < SIGNALS; s++) {
                        double x = 10.0 * rng_uniform(rng) - 5.0;

                        o->signal[k][s] = whole ? rint(x) : x;
                        if (holes && below_n(rng, 10) == 0)
                                o->signal[k][s] = NAN;
                }
}

static bool same(double a, double b)
{
        return a == b;
}

static bool is_certain(struct range r)
{
        return !signbit(r.lo) || signbit(r.hi);
}

/* Some comparison had this robustness, either way round, at this tick. */
static bool was_there(const struct oracle *o, int k, double robustness)
{
        for (int i = 0; i < o->trees; i++)
                if (o->tree[i].kind <= EQUAL &&
                    (compare(o, &o->tree[i], k, false) == robustness ||
                     compare(o, &o->tree[i], k, true) == robustness))
                        return true;
        return false;
}

static void check_result(const struct oracle *o, const struct monitor_result *r,
                         const char *text)
{
        struct range wanted = judge(o, 0, 0, false);
        bool certain = is_certain(wanted);

        ck_assert_msg(same(r->lo, wanted.lo) && same(r->hi, wanted.hi),
                      "%s at tick %d of %d: [%g, %g], not [%g, %g]", text, o->seen, o->last,
                      r->lo, r->hi, wanted.lo, wanted.hi);
        ck_assert_msg(r->decided == certain, "%s at tick %d of %d", text, o->seen, o->last);
        ck_assert(r->open == !certain);
        ck_assert_msg(!certain || r->holds == !signbit(wanted.lo), "%s", text);
        ck_assert(r->at_ns >= 0 && r->at_ns <= o->seen * PERIOD_NS);
        ck_assert(r->decided_ns < 0 || certain);
        ck_assert_msg(isinf(r->robustness) ||
                              was_there(o, (int)(r->at_ns / PERIOD_NS), r->robustness),
                      "%s: %g at %lld", text, r->robustness, (long long)r->at_ns);
}

static void check_one(struct oracle *o, struct rng *rng)
{
        char *text = NULL;
        size_t len = 0;
        FILE *f = open_memstream(&text, &len);
        struct formula *formula;
        struct monitor *m;
        struct monitor_result r;

        do {
                o->trees = 0;
                /* Deeper ones cost the oracle more than they add. */
                grow(o, rng, 2 + (below_n(rng, 4) == 0));
                rewind(f);
                write_tree(f, o, 0);
                fflush(f);
        } while (len >= FORMULA_TEXT_MAX);
        plant_signals(o, rng);
        o->last = 1 + below_n(rng, TICKS_MAX);
        formula = parse(text);
        m = monitor_create(formula, PERIOD_NS, o->last * PERIOD_NS);
        ck_assert_ptr_nonnull(m);
        for (o->seen = 0; o->seen <= o->last; o->seen++) {
                monitor_observe(m, o->seen * PERIOD_NS, o->signal[o->seen]);
                if (o->seen == o->last || below_n(rng, 8) == 0) {
                        monitor_judge(m, &r);
                        check_result(o, &r, text);
                }
        }
        monitor_free(m);
        formula_free(formula);
        fclose(f);
        free(text);
}

START_TEST(robustness_is_that_of_the_definition_at_every_prefix_of_random_runs)
{
        struct rng rng;
        struct oracle *o = calloc(1, sizeof *o);

        rng_init(&rng, 20261121, (uint32_t)_i, 0, 0);
        for (int i = 0; i < 500; i++)
                check_one(o, &rng);
        free(o);
}
END_TEST

int main(void)
{
        SRunner *sr;
        Suite *s = suite_create("monitor");
        TCase *t = tcase_create("monitor");
        int failures;

        tcase_add_loop_test(t, robustness_is_that_of_the_definition_at_every_prefix_of_random_runs, 0, 20);
        suite_add_tcase(s, t);
        sr = srunner_create(s);
        srunner_run_all(sr, CK_NORMAL);
        failures = srunner_ntests_failed(sr);
        srunner_free(sr);
        return failures != 0;
}
