/* The motor pads in a run's summary. */
#ifndef HIL_RIG_SUMMARY_PADS_H
#define HIL_RIG_SUMMARY_PADS_H

#include <stdio.h>

#include "hil/text/json.h"
#include "hil/rig/rig.h"

/* After pads_stop(). Nothing where no pads are watched. */
void summary_pads_print(FILE *out, const struct rig_vehicle *v);
/* An array "pads": one object for each vehicle whose pads are watched. */
void summary_pads_json(struct json *parent, const struct rig *rig);

#endif
