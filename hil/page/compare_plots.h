/* The flights of both sides over each other, as plots for the page of a comparison: of every rig and
 * scenario some pairs, as run.ulg has them. */
#ifndef HIL_PAGE_COMPARE_PLOTS_H
#define HIL_PAGE_COMPARE_PLOTS_H

#include "hil/suite/compare.h"

/* The section of the page with its data and scripts. False: no memory. */
bool compare_plots_put(FILE *f, const struct comparison *c,
                       const struct compared_side side[2]);

#endif
