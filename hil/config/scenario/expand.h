/* Parameters and loops of a scenario file: JSON to JSON, before any table reads it.
 *
 *   "parameters": { "legs": 4, "side_m": 3 }       numbers, or expressions over those above
 *   "north_m": "=side_m * cos(2*pi/legs * i)"       becomes the number
 *   "when": "abs(north_m - ${side_m}) < 0.3"        the number's text, in any string
 *   { "repeat": "=legs", "index": "i", "steps": [ ... ] }
 *                                                   becomes its steps, once for each i from 0
 *
 * Loops stand in the lists at the top of the scenario and in each other, and hold what the list holds
 * under the list's own key ("requirements" as well as "steps"). "comment" and "$schema" are left as
 * they are. pi is known everywhere. */
#ifndef HIL_CONFIG_SCENARIO_EXPAND_H
#define HIL_CONFIG_SCENARIO_EXPAND_H

#include "hil/config/table.h"

#define SCENARIO_ENTRIES_MAX    256 /* of one list, after expansion */
#define SCENARIO_LOOPS_MAX      8 /* inside each other */
#define SCENARIO_PARAMETERS_MAX 64
#define SCENARIO_TEXT_MAX       1000 /* bytes of a string with ${} in it, after expansion */

/* Edits the tree in place. Nothing of parameters, loops and expressions is left, so that the result
 * expands to itself. Values keep their origin; where a loop was, an entry of its list is named in
 * messages by where it was written: "steps.2.steps.0(i=3).at_s". What is no object is left for the
 * reader to refuse; NULL is allowed. False: the first error in *why, and a tree that is of no use. */
bool scenario_expand(struct json *scenario, struct config_error *why);

#endif
