/* What the conditions of a scenario's steps look at: the quantities that they name, as they were at the
 * last tick. */
#ifndef HIL_JUDGE_CONDITIONS_H
#define HIL_JUDGE_CONDITIONS_H

#include "hil/formula/quantity.h"
#include "hil/scenario/scenario.h"

struct conditions {
        int used; /* quantities that some condition names */
        int *number; /* of each, as formulas number them */
        double *value; /* by number; NaN where nothing has been observed */
        bool observed;
};

/* False: no memory. */
bool conditions_open(struct conditions *c, const struct scenario *s, int vehicles);
void conditions_close(struct conditions *c);

/* One tick of all vehicles. */
void conditions_observe(struct conditions *c, const struct observation *vehicle);

/* For timeline_due(): NULL before the first tick. */
const double *conditions_value(const struct conditions *c);

#endif
