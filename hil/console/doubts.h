/* What a rig file may say and is seldom meant: told before anything flies, and flown all the same. */
#ifndef HIL_CMD_DOUBTS_H
#define HIL_CMD_DOUBTS_H

#include <stdio.h>

#include "hil/config/config.h"

/* A line for each. */
void print_doubts(FILE *out, const struct rig_config *c);

#endif
