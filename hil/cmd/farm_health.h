/* `hilrig farm health`, for farm.c: its options, and the look itself. */
#pragma once

#include "hil/health/health.h"

/* What is looked at if nothing else is said; out NULL. */
void farm_health_preset(struct health_options *o);

/* The exit status. Whoever calls has the board's lock. */
int farm_health_command(const struct farm_board *board, struct health_options *o);
