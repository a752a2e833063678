/* The names that expressions of a scenario may use, and the strings in which such expressions stand. */
#ifndef HIL_CONFIG_SCENARIO_TERMS_H
#define HIL_CONFIG_SCENARIO_TERMS_H

#include "hil/config/scenario/expand.h"

/* pi, the parameters, and the variables of the loops around, the innermost last. The names are the
 * tree's, which must outlive this. */
#define SCENARIO_TERMS_MAX (1 + SCENARIO_PARAMETERS_MAX + SCENARIO_LOOPS_MAX)

struct scenario_terms {
        int count;
        const char *name[SCENARIO_TERMS_MAX];
        double value[SCENARIO_TERMS_MAX];
};

void scenario_terms_init(struct scenario_terms *t);
/* A name of letters, digits and "_" that nothing else has. `at` is the value in the file that gives
 * the name. */
bool scenario_terms_add(struct scenario_terms *t, const char *name, double value,
                        const struct json *at, struct config_error *why);

/* A number, or a string with "=" and an expression. False with the reason; `expected` completes "must be". */
bool scenario_terms_number(const struct scenario_terms *t, const struct json *value,
                           const char *expected, double *number,
                           struct config_error *why);

/* Replaces each string below with "=" by its number, and each ${} by its text. */
bool scenario_terms_replace(const struct scenario_terms *t, struct json *value,
                            struct config_error *why);

#endif
