/* Parameters and loops of a scenario file: JSON to JSON, before any table reads it.
 *
 *   "parameters": { "legs": 4, "side_m": 3 }       numbers, or expressions over those above
 *   "north_m": "=side_m * cos(2*pi/legs * i)"       becomes the number
 *   "when": "abs(north_m - ${side_m}) < 0.3"        the number's text, in any string
 *   { "repeat": "=legs", "index": "i", "steps": [ ... ] }
 *                                                   becomes its steps, once for each i from 0
 *
 * Loops stand in any list and in each other, and hold what the list holds under the list's own key
 * ("requirements" and "tracks" as well as "steps"). "comment" and "$schema" are left as they are. pi is
 * known everywhere. */
#pragma once

#include "hil/config/table.h"
#include "hil/text/json.h"

#define SCENARIO_ENTRIES_MAX    256 /* of one list, after expansion */
#define SCENARIO_LOOPS_MAX      8 /* inside each other */
#define SCENARIO_PARAMETERS_MAX 64
#define SCENARIO_TEXT_MAX       1000 /* bytes of a string with ${} in it, after expansion */

/* Edits the tree in place. Nothing of parameters, loops and expressions is left, so that the result
 * expands to itself. Values keep their origin; where a loop was, an entry of its list is named in
 * messages by where it was written: "steps.2.steps.0(i=3).at_s". What is no object is left for the
 * reader to refuse; NULL is allowed. False: *why has been told what is wrong; those values are refused, and
 * still there. */
bool scenario_expand(struct json *scenario, struct config_error *why);

/* The names that expressions of a scenario may use, and the strings in which such expressions stand. */

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

/* Of a string with "=" makes its number, and of each ${} its text; leaves any other value alone. */
bool scenario_terms_replace(const struct scenario_terms *t, struct json *value,
                            struct config_error *why);

/* What scenario_expand() adds to a scenario file, for its JSON Schema. */

/* Lets a schema made from the scenario's table also accept parameters, expressions in the place of
 * numbers, and loops in the scenario's lists of objects. */
void scenario_schema_expand(struct json *schema);
