/* What scenario_expand() adds to a scenario file, for its JSON Schema. */
#ifndef HIL_CONFIG_SCENARIO_SCHEMA_H
#define HIL_CONFIG_SCENARIO_SCHEMA_H

#include "hil/text/json.h"

/* Lets a schema made from the scenario's table also accept parameters, expressions in the place of
 * numbers, and loops in the scenario's lists of objects. */
void scenario_schema_expand(struct json *schema);

#endif
