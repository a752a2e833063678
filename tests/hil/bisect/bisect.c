/* Searches in simulated flights: a change is named, scatter is not taken for one, and what cannot be flown is passed over. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/bisect/bisect.h"
#include "models/rng.h"
#include "tests/suites.h"

#define BUILDS 64
#define SEEDS  10

/* Flights with some metrics: a level of the seed's own, one of the build's own, and of the first a shift from build `first` on. */
struct releases {
        int first; /* BUILDS: no change */
        double shift, of_seed, of_build, of_flight; /* standard deviations */
        bool level; /* builds scatter evenly, not normally */
        int more; /* metrics than one */
        uint64_t seed;
        bool broken[BUILDS]; /* does not fly */
        int stop_after; /* calls; 0: never */
        int calls;
        char name[BUILDS][8];
        const char *names[BUILDS];
};

static double drawn(const struct releases *releases, uint32_t what, uint32_t stream)
{
        struct rng rng;

        rng_init(&rng, releases->seed, what, stream, 0);
        return rng_normal(&rng);
}

static double build_drawn(const struct releases *releases, int metric, int build)
{
        double x = drawn(releases, 2 + 10 * (uint32_t)metric, (uint32_t)build);

        return releases->of_build *
               (releases->level ? sqrt(3.0) * erf(M_SQRT1_2 * x) : x);
}

static double measured(const struct releases *made, int metric, int build, int s)
{
        uint32_t of = 10 * (uint32_t)metric;

        return 20.0 + made->of_seed * drawn(made, 1 + of, (uint32_t)s) +
               build_drawn(made, metric, build) +
               made->of_flight * drawn(made, 3 + of, (uint32_t)(BUILDS * s + build)) +
               (metric == 0 && build >= made->first ? made->shift : 0.0);
}

static void measure(const struct releases *made, int build, int s,
                    struct compared_result *r)
{
        strcpy(r->group, "rig/flight");
        r->seed = (uint64_t)s + 1;
        r->repeat = 1;
        r->values = 1 + made->more;
        r->value = calloc((size_t)r->values, sizeof *r->value);
        ck_assert_ptr_nonnull(r->value);
        for (int i = 0; i < r->values; i++) {
                struct compared_value *v = &r->value[i];

                snprintf(v->name, sizeof v->name, "overshoot_%d_m", i);
                strcpy(v->unit, "m");
                v->kind = COMPARED_METRIC;
                v->better = BETTER_LESS;
                v->value = measured(made, i, build, s);
        }
}

static enum bisect_flown fly(void *self, int build, int seeds, struct compared_side *side,
                             char *why, size_t cap)
{
        struct releases *made = self;

        if (made->stop_after > 0 && ++made->calls > made->stop_after) {
                snprintf(why, cap, "stopped");
                return BISECT_STOPPED;
        }
        if (made->broken[build]) {
                snprintf(why, cap, "no such program");
                return BISECT_CANNOT;
        }
        side->runs = seeds;
        side->run = calloc((size_t)seeds, sizeof *side->run);
        ck_assert_ptr_nonnull(side->run);
        for (int s = 0; s < seeds; s++)
                measure(made, build, s, &side->run[s]);
        return BISECT_FLOWN;
}

static struct bisect_options ask(struct releases *releases)
{
        for (int i = 0; i < BUILDS; i++) {
                snprintf(releases->name[i], sizeof releases->name[i], "b%d", i);
                releases->names[i] = releases->name[i];
        }
        return (struct bisect_options){ .builds = BUILDS,
                                        .name = releases->names,
                                        .wish = { NULL, 0.025, 0.01 },
                                        .alpha = 0.025,
                                        .seeds = SEEDS,
                                        .at_once = 2,
                                        .pilot = { fly, releases } };
}

TEST(exact_change_takes_two_looks_a_bit)
{
        for (int first = 1; first < BUILDS; first++) {
                struct releases releases = { .first = first,
                                             .shift = 1.0,
                                             .of_seed = 1.0 };
                struct bisect_options o = ask(&releases);
                struct bisect_result r;

                bisect_run(&o, &r);
                ck_assert_int_eq(r.verdict, BISECT_FOUND);
                ck_assert_int_eq(r.range.first, first);
                ck_assert_int_eq(r.range.last, first);
                /* Both ends, and two seeds of each of about log2(64) builds. */
                ck_assert_int_le(r.flights, 2 * SEEDS + 2 * 8);
                ck_assert_double_eq_tol(r.row.shift, 1.0, 1e-9);
                ck_assert(r.row.worse);
                bisect_result_free(&r);
        }
}

/* Of 200 lists in which builds scatter by a fifth of the shift, and flights by as much. */
TEST(wrong_names_keep_to_the_error_that_was_asked_for)
{
        int right = 0, wrong = 0, within = 0, flights = 0;

        for (int t = 0; t < 200; t++) {
                struct releases releases = { .first = 1 + t * 37 % (BUILDS - 1),
                                             .shift = -1.0,
                                             .of_seed = 2.0,
                                             .of_build = 0.2,
                                             .of_flight = 0.2,
                                             .seed = (uint64_t)t };
                struct bisect_options o = ask(&releases);
                struct bisect_result r;

                bisect_run(&o, &r);
                right += r.verdict == BISECT_FOUND && r.range.first == releases.first;
                wrong += r.verdict == BISECT_FOUND && r.range.first != releases.first;
                within += r.verdict == BISECT_OPEN && r.range.first <= releases.first &&
                          releases.first <= r.range.last;
                flights += r.flights;
                ck_assert_int_le(r.flights, 200);
                ck_assert(r.verdict != BISECT_FOUND || !r.row.worse);
                bisect_result_free(&r);
        }
        /* Where a build lies between the two levels it stays open, with the change among those that are told. */
        ck_assert_int_ge(right + within, 190);
        ck_assert_int_ge(right, 160);
        ck_assert_int_le(wrong, 10);
        ck_assert_int_le(flights / 200, 80);
}

/* Of 200 lists, wrong names: one in twenty is allowed. */
static int named_of(struct releases releases)
{
        int named = 0;

        releases.first = BUILDS;
        for (int t = 0; t < 200; t++) {
                struct bisect_options o = ask(&releases);
                struct bisect_result r;

                releases.seed = 1000 + (uint64_t)t;
                bisect_run(&o, &r);
                named += r.verdict == BISECT_FOUND;
                bisect_result_free(&r);
        }
        return named;
}

TEST(builds_that_scatter_are_no_change)
{
        struct releases alone = { .of_seed = 2.0, .of_build = 0.5 };
        struct releases noisy = { .of_seed = 2.0, .of_build = 0.5, .of_flight = 0.5 };
        /* The ends are told apart by whichever metric has them furthest apart. */
        struct releases many = {
                .of_seed = 2.0, .of_build = 0.5, .level = true, .more = 9
        };

        ck_assert_int_le(named_of(alone), 10);
        ck_assert_int_le(named_of(noisy), 10);
        ck_assert_int_le(named_of(many), 10);
}

TEST(ends_that_are_the_same_take_their_own_flights_alone)
{
        struct releases releases = { .first = BUILDS, .of_seed = 1.0 };
        struct bisect_options o = ask(&releases);
        struct bisect_result r;

        bisect_run(&o, &r);
        ck_assert_int_eq(r.verdict, BISECT_ENDS_ALIKE);
        ck_assert_int_eq(r.flights, 2 * SEEDS);
        ck_assert_ptr_null(r.bad);
        bisect_result_free(&r);
        /* Less than the margin. */
        releases = (struct releases){ .first = 9, .shift = 0.1, .of_seed = 1.0 };
        o = ask(&releases);
        bisect_run(&o, &r);
        ck_assert_int_eq(r.verdict, BISECT_ENDS_ALIKE);
        bisect_result_free(&r);
}

TEST(builds_that_do_not_fly_are_passed_over)
{
        struct releases releases = { .first = 30, .shift = 1.0, .of_seed = 1.0 };
        struct bisect_options o = ask(&releases);
        struct bisect_result r;

        for (int i = 27; i <= 30; i++)
                releases.broken[i] = true;
        bisect_run(&o, &r);
        ck_assert_int_eq(r.verdict, BISECT_FOUND);
        ck_assert_int_eq(r.range.first, 27);
        ck_assert_int_eq(r.range.last, 31);
        ck_assert_int_ge(r.unseen, 1);
        bisect_result_free(&r);
        releases.broken[0] = true;
        bisect_run(&o, &r);
        ck_assert_int_eq(r.verdict, BISECT_FAILED);
        ck_assert_str_eq(r.why, "no such program");
        bisect_result_free(&r);
}

TEST(stopped_or_short_of_flights_it_is_open)
{
        struct releases releases = {
                .first = 30, .shift = 1.0, .of_seed = 1.0, .stop_after = 4
        };
        struct bisect_options o = ask(&releases);
        struct bisect_result r;

        bisect_run(&o, &r);
        ck_assert_int_eq(r.verdict, BISECT_OPEN);
        ck_assert_str_eq(r.why, "stopped");
        ck_assert_int_eq(r.flights, 2 * SEEDS + 2 * 2);
        bisect_result_free(&r);
        releases.stop_after = 0;
        o.flights_max = 24;
        bisect_run(&o, &r);
        ck_assert_int_eq(r.verdict, BISECT_OPEN);
        ck_assert_int_eq(r.flights, 24);
        bisect_result_free(&r);
        o.wish.row = "nothing";
        bisect_run(&o, &r);
        ck_assert_int_eq(r.verdict, BISECT_FAILED);
        ck_assert_str_eq(r.why, "no flight has a requirement or metric \"nothing\"");
        bisect_result_free(&r);
}

/* By hand: levels 0, 0, -, 1. Of 2/3 of squares a change before build 2 or 3 explains all, one before build 1 a quarter; each
 * difference is worth 2/3 of a level, so that g is 100 * 2/3. */
TEST(probabilities_are_those_worked_out_by_hand)
{
        struct bisect_change c;
        double g = 200.0 / 3.0, none = 0.5;
        double one = pow(1.0 + g, -0.5) / (1.0 - 0.25 * g / (1.0 + g)) / 6.0;
        double two = pow(1.0 + g, -0.5) * (1.0 + g) / 6.0;
        double sum = none + one + 2.0 * two;
        struct bisect_range best;

        ck_assert(bisect_change_open(&c, 4));
        c.level[0] = c.level[1] = 0.0;
        c.level[3] = 1.0;
        bisect_change_solve(&c);
        ck_assert_double_eq_tol(c.probability[0], none / sum, 1e-12);
        ck_assert_double_eq_tol(c.probability[1], one / sum, 1e-12);
        ck_assert_double_eq_tol(c.probability[2], two / sum, 1e-12);
        ck_assert_double_eq_tol(c.probability[3], two / sum, 1e-12);
        ck_assert_double_eq_tol(bisect_change_behind(&c, 2),
                                (one + two) / (one + 2 * two), 1e-12);
        ck_assert_int_eq(bisect_change_next(&c, (bool[]){ true, false, false, true }), 2);
        c.unseen[2] = true;
        ck_assert_int_eq(bisect_change_next(&c, (bool[]){ true, true, false, true }), -1);
        best = bisect_change_best(&c);
        ck_assert_int_eq(best.first, 2);
        ck_assert_int_eq(best.last, 3);
        ck_assert_double_eq_tol(best.probability, 2.0 * two / sum, 1e-12);
        bisect_change_close(&c);
}
