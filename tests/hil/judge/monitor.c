#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/judge/monitor.h"
#include "models/rng.h"

#include "tests/suites.h"

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
        int left,
                right; /* signals of comparisons, else trees; right -1 of LESS: a number */
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

static void window(const struct oracle *o, const struct tree *t, int k, int *from,
                   int *to)
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
        static const char *const word[] = { "<",  "<=", "==",     "not",        "and",
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
                      "%s at tick %d of %d: [%g, %g], not [%g, %g]", text, o->seen,
                      o->last, r->lo, r->hi, wanted.lo, wanted.hi);
        ck_assert_msg(r->decided == certain, "%s at tick %d of %d", text, o->seen,
                      o->last);
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
                        /* What is said at the cost of a look is the same. */
                        if (monitor_so_far(m, &r))
                                check_result(o, &r, text);
                }
        }
        monitor_free(m);
        formula_free(formula);
        fclose(f);
        free(text);
}

TEST_EACH(random_formulas_are_judged_as_defined_at_every_moment, 20)
{
        struct rng rng;
        struct oracle *o = calloc(1, sizeof *o);

        rng_init(&rng, 20261121, (uint32_t)_i, 0, 0);
        for (int i = 0; i < 500; i++)
                check_one(o, &rng);
        free(o);
}

/* One value of `a` a second, from 0 on. */
static struct monitor_result run(const char *text, const double *a, int ticks, int end_s)
{
        const int64_t second_ns = INT64_C(1000000000);
        struct formula *f = parse(text);
        struct monitor *m = monitor_create(f, second_ns, end_s * second_ns);
        struct monitor_result r;

        ck_assert_ptr_nonnull(m);
        for (int i = 0; i < ticks; i++) {
                double value[SIGNALS] = { a[i], -a[i], i };

                monitor_observe(m, i * second_ns, value);
        }
        monitor_judge(m, &r);
        monitor_free(m);
        formula_free(f);
        return r;
}

#define S(t) ((t)*INT64_C(1000000000))

TEST(while_it_goes_on_a_plain_one_says_how_it_stands_and_a_nested_one_waits)
{
        static const char *const text[] = { "always a > 0",
                                            "always[0, 9] eventually[0, 2] a > 3" };
        struct monitor_result r;

        for (int i = 0; i < 2; i++) {
                struct formula *f = parse(text[i]);
                struct monitor *m = monitor_create(f, S(1), S(20));
                double value[SIGNALS] = { 4.0 };

                ck_assert(!monitor_so_far(m, &r));
                monitor_observe(m, 0, value);
                ck_assert(monitor_so_far(m, &r) == (i == 0));
                if (i == 0)
                        ck_assert(r.open && r.robustness == 4.0);
                value[0] = -1.0;
                for (int t = 1; t <= 15; t++)
                        monitor_observe(m, S(t), value);
                ck_assert(monitor_so_far(m, &r));
                ck_assert(r.decided && !r.holds);
                monitor_free(m);
                formula_free(f);
        }
}

TEST(always_is_as_robust_as_its_worst_moment)
{
        const double a[] = { 5, 4, 1, 3, 9, 2 };
        struct monitor_result r = run("always[1, 4] a > 0", a, 6, 5);

        ck_assert(r.decided && r.holds && !r.open);
        ck_assert_double_eq(r.robustness, 1.0);
        ck_assert_int_eq(r.at_ns, S(2));
        ck_assert_int_eq(r.decided_ns, S(4));

        r = run("always a > 2.5", a, 6, 5);
        ck_assert(r.decided && !r.holds);
        ck_assert_double_eq(r.robustness, -1.5);
        ck_assert_int_eq(r.at_ns, S(2));
        ck_assert_int_eq(r.decided_ns, S(2));
}

TEST(eventually_is_as_robust_as_its_best_moment)
{
        const double a[] = { 5, 4, 1, 3, 9, 2 };
        struct monitor_result r = run("eventually[1, 3] a > 3.5", a, 6, 5);

        ck_assert(r.decided && r.holds);
        ck_assert_double_eq(r.robustness, 0.5);
        ck_assert_int_eq(r.at_ns, S(1));
        r = run("eventually[2, 3] a > 3.5", a, 6, 5);
        ck_assert(r.decided && !r.holds);
        ck_assert_double_eq(r.robustness, -0.5);
        ck_assert_int_eq(r.at_ns, S(3));
}

TEST(until_wants_its_left_side_up_to_the_moment_before)
{
        const double a[] = { 1, 2, 3, 9, 0 };
        /* c is the second: a < 5 holds at 0, 1, 2; c >= 3 from 3 on, where a is 9. */
        struct monitor_result r = run("a < 5 until c >= 3", a, 5, 4);

        ck_assert(r.decided && r.holds);
        ck_assert_double_eq(r.robustness, 0.0);
        r = run("a < 5 until c > 3.5", a, 5, 4);
        ck_assert(r.decided && !r.holds);
        ck_assert_double_eq(r.robustness, -0.5);
        r = run("a < 5 until[0, 2] c > 2.5", a, 5, 4);
        ck_assert(!r.holds);
        ck_assert_double_eq(r.robustness, -0.5);
}

TEST(a_response_within_two_seconds_is_judged_at_every_request)
{
        /* Requests where a is 1 or more; the answer is c >= b + 6, where b is -a. */
        const double answered[] = { 0, 1, 0, 3, 0, 0, 0, 0 };
        const double late[] = { 0, 0, 5, 0, 0, 0, 0, 0 };
        const char *text = "always[0, 5] (a >= 1 implies eventually[0, 2] a < 0.5)";
        struct monitor_result r = run(text, answered, 8, 7);

        ck_assert(r.decided && r.holds);
        /* At 1 and 3 the wait is over at the next tick, by 0.5. */
        ck_assert_double_eq(r.robustness, 0.5);

        r = run("always[0, 5] (a >= 1 implies eventually[1, 2] a > 2)", late, 8, 7);
        ck_assert(r.decided && !r.holds);
        ck_assert_double_eq(r.robustness, -2.0);
        ck_assert_int_eq(r.at_ns, S(3));
        ck_assert_int_eq(r.decided_ns, S(4));
}

TEST(a_run_that_ends_early_leaves_open_what_nothing_decided)
{
        const double a[] = { 1, 2, 3 };
        struct monitor_result r = run("always[0, 5] a > 0", a, 3, 10);

        ck_assert(r.open && !r.decided && r.decided_ns == -1);
        ck_assert_double_eq(r.robustness, 1.0);
        r = run("always a > 1.5", a, 3, 10);
        ck_assert(!r.open && !r.holds);
        r = run("eventually a > 2.5", a, 3, 10);
        ck_assert(!r.open && r.holds);
        r = run("eventually a > 9", a, 3, 10);
        ck_assert(r.open);
        ck_assert_double_eq(r.robustness, -6.0);
        r = run("always (a > 9 implies eventually[0, 20] a < 0)", a, 3, 2);
        ck_assert(r.decided && r.holds);
        r = run("always (a > 2 implies eventually[0, 20] a < 0)", a, 3, 2);
        ck_assert(r.open);
}

TEST(what_is_inside_decides_before_its_windows_are_over)
{
        const double a[] = { 1, -1 };
        struct monitor_result r = run("always always[0, 50] a > 0", a, 2, 100);

        ck_assert(r.decided && !r.holds);
        ck_assert_double_eq(r.robustness, -1.0);
        ck_assert_int_eq(r.at_ns, S(1));
}

TEST(a_nan_breaks_what_it_is_in_at_its_moment)
{
        const double a[] = { 1, 2, NAN, 4 };
        struct monitor_result r = run("always a > 0", a, 4, 3);

        ck_assert(r.decided && !r.holds);
        ck_assert_double_eq(r.robustness, -INFINITY);
        ck_assert_int_eq(r.at_ns, S(2));
        r = run("always not (a < 0)", a, 4, 3);
        ck_assert(r.decided && !r.holds);
        r = run("eventually a > 3", a, 4, 3);
        ck_assert(r.holds);
}

TEST(the_first_tick_stands_for_time_0)
{
        struct formula *f = parse("always[0, 0] a > 0");
        struct monitor *m = monitor_create(f, PERIOD_NS, 5 * PERIOD_NS);
        double value[SIGNALS] = { 7 };
        struct monitor_result r;

        monitor_judge(m, &r);
        ck_assert(r.open);
        monitor_observe(m, PERIOD_NS, value);
        monitor_judge(m, &r);
        ck_assert(r.decided && r.holds);
        ck_assert_double_eq(r.robustness, 7.0);
        ck_assert_int_eq(r.at_ns, PERIOD_NS);
        monitor_free(m);
        formula_free(f);
}

TEST(windows_that_would_not_fit_are_refused)
{
        struct formula *f = parse("always eventually a > 0");
        struct formula *g = parse("always[0, 86400] a > 0");
        struct monitor *m;

        ck_assert_ptr_null(monitor_create(f, 1000000, 20000 * INT64_C(1000000000)));
        /* The outermost operator holds nothing, however long it is. */
        m = monitor_create(g, 100000, 86400 * INT64_C(1000000000));
        ck_assert_ptr_nonnull(m);
        monitor_free(m);
        formula_free(f);
        formula_free(g);
}
