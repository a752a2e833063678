/* The descent and its end, by the landing law. In struct mission it changes only the landing's
 * members. */
#pragma once

#include "models/fc/mission.h"

/* Whether the landing is over, dt_s later. thrust_n: the last thrust command. */
bool landing_step(struct mission *m, const struct fc_params *p,
                  const struct fc_estimator *e, double thrust_n, double dt_s);

/* Whether it has been on the ground for so long that only a fall would disprove it. */
bool landing_sure(const struct mission *m);

void landing_demand(const struct mission *m, const struct fc_params *p,
                    const struct fc_estimator *e, struct demand *out);
