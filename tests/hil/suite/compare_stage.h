/* Sides of a comparison, made of summaries in memory. */
#pragma once

#include "hil/suite/compare.h"

struct compare_options stage_usual_rules(void);
/* Noise of the twins is no excuse: a margin in percent alone, of every row. */
struct compare_options stage_strict_rules(double percent);

void stage_add_run(struct compared_side *s, const char *group, uint64_t seed, int repeat,
                   const char *text);
/* A run with one requirement and one metric, STAGE_METRIC. */
#define STAGE_METRIC "position_error_rms (a)"
void stage_add(struct compared_side *s, uint64_t seed, const char *verdict, double value,
               double robustness, const char *signal);
/* What a seed does to both sides: much more than a release does. */
double stage_of_seed(int seed);
/* Sides of `n` seeds; the candidate's metric is `shift` larger, and as noisy as asked. */
void stage_make_sides(struct compared_side *a, struct compared_side *b, int n,
                      double shift, double noise);

void stage_compare_by(struct comparison *c, struct compare_options o,
                      struct compared_side *a, struct compared_side *b);
void stage_compare(struct comparison *c, struct compared_side *a,
                   struct compared_side *b);
void stage_free(struct comparison *c, struct compared_side *a, struct compared_side *b);
const struct compare_row *stage_row(const struct comparison *c, const char *name);
