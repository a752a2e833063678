#include "tests/hil/suite/compare_stage.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hil/text/json.h"
#include "models/rng.h"

/* The usual rules. */
struct compare_options stage_usual_rules(void)
{
        struct compare_options o = { .part = 1.0 };

        compare_usual_rules(&o.rules);
        return o;
}

/* Noise of the twins is no excuse: a margin in percent alone, of every row. */
struct compare_options stage_strict_rules(double percent)
{
        struct compare_options o = stage_usual_rules();

        o.rules.margin[o.rules.margins++] =
                (struct suite_margin){ "", percent / 100.0, -1.0, 0.0 };
        return o;
}

/* Sides are made of summaries in memory. */
void stage_add_run(struct compared_side *s, const char *group, uint64_t seed, int repeat,
                   const char *text)
{
        struct compared_result *r;
        char why[700];

        s->run = realloc(s->run, (size_t)(s->runs + 1) * sizeof *s->run);
        r = &s->run[s->runs++];
        ck_assert_msg(compared_result_parse(r, text, strlen(text), "summary.json", why,
                                            sizeof why),
                      "%s", why);
        snprintf(r->group, sizeof r->group, "%s", group);
        snprintf(r->path, sizeof r->path, "%s/%d-%d", group, (int)seed, repeat);
        r->seed = seed;
        r->repeat = repeat;
}

void stage_add(struct compared_side *s, uint64_t seed, const char *verdict, double value,
               double robustness, const char *signal)
{
        char text[600], number[40];

        json_format_number(number, sizeof number, value);
        snprintf(text, sizeof text,
                 "{\"verdict\": \"%s\", \"seed\": %d, \"pace\": \"lockstep\", "
                 "\"signal_sha256\": \"%s\", \"version\": \"1\", \"requirements\": "
                 "[{\"name\": \"holds\", \"passed\": %s, \"robustness\": %.17g}], "
                 "\"metrics\": [{\"name\": \"position_error_rms\", \"vehicle\": \"a\", "
                 "\"value\": %s, \"unit\": \"m\"}]}",
                 verdict, (int)seed, signal, robustness >= 0.0 ? "true" : "false",
                 robustness, isfinite(value) ? number : "null");
        stage_add_run(s, "rig/flight", seed, 1, text);
}

void stage_compare_by(struct comparison *c, struct compare_options o,
                      struct compared_side *a, struct compared_side *b)
{
        char why[700];

        ck_assert_msg(compare_sides(c, &o, a, b, why, sizeof why), "%s", why);
}

void stage_compare(struct comparison *c, struct compared_side *a, struct compared_side *b)
{
        stage_compare_by(c, stage_usual_rules(), a, b);
}

void stage_free(struct comparison *c, struct compared_side *a, struct compared_side *b)
{
        comparison_free(c);
        compared_side_free(a);
        compared_side_free(b);
}

const struct compare_row *stage_row(const struct comparison *c, const char *name)
{
        for (int i = 0; i < c->rows; i++)
                if (strcmp(c->row[i].name, name) == 0)
                        return &c->row[i];
        ck_abort_msg("no row %s", name);
        return NULL;
}

/* What a seed does to both sides: much more than a release does. */
double stage_of_seed(int seed)
{
        return 1.0 + 0.5 * sin(12.9898 * seed);
}

/* Sides of `n` seeds; the candidate's metric is `shift` larger, and as noisy as asked. */
void stage_make_sides(struct compared_side *a, struct compared_side *b, int n,
                      double shift, double noise)
{
        struct rng rng;

        *a = *b = (struct compared_side){ 0 };
        rng_init(&rng, 3, 0, 0, 0);
        for (int i = 1; i <= n; i++) {
                double base = stage_of_seed(i);

                stage_add(a, (uint64_t)i, "passed", base, 0.5, "aa");
                stage_add(b, (uint64_t)i, "passed",
                          base + shift + noise * (rng_uniform(&rng) - 0.5), 0.5, "bb");
        }
}
