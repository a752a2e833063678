/* A part of a suite: what --only and --seed ask for. A run is called RIG[+VARIANT]/SCENARIO/SEED-REPEAT, as
 * its folder is; --only gives one or several parts of that in a row, with the shell's wildcards. */
#ifndef HIL_SUITE_ONLY_H
#define HIL_SUITE_ONLY_H

#include "hil/suite/suite.h"

#define SUITE_CASES_TEXT 400

/* What was seen of the suite while it was planned. */
struct suite_only {
        const struct suite_options *options;
        struct suite_only_word {
                bool found; /* it names a run */
                int distance; /* of what is nearest to it so far */
                char nearest[COMPARE_GROUP_MAX];
        } word[SUITE_ONLY_MAX];
        char cases[SUITE_CASES_TEXT]; /* their names, as many as have room */
};

void suite_only_init(struct suite_only *only, const struct suite_options *o);

/* A case of the suite, RIG[+VARIANT]/SCENARIO: known from now on, for whom a word is spelt wrongly. */
void suite_only_see(struct suite_only *only, const char *group);

/* Whether this run of a case is asked for. */
bool suite_only_wants(struct suite_only *only, const char *group, uint64_t seed,
                      int repeat);

/* The first word that names no run, with what may have been meant. False: each names some. */
bool suite_only_missed(const struct suite_only *only, char *why, size_t cap);

#endif
