/* Power module: voltage and current at the battery, and the charge that it counts from
 * its own current readings, errors included. */
#pragma once

#include "models/sensors/errors/error_model.h"
#include "models/sensors/exposure.h"
#include "models/sensors/schedule.h"

struct power_params {
        struct schedule_params schedule;
        struct error_params voltage; /* V */
        struct error_params current; /* A */
};

struct power {
        struct rng rng[2];
        bool started;
        int64_t t_ns; /* of the last sample */
        double charge_used_c;
};

void power_init(struct power *power, const struct power_params *p, uint64_t seed,
                uint32_t vehicle);
/* One sample: its current counts for all the time since the one before. out->t_ns is the
 * caller's. */
void power_step(struct power *power, const struct power_params *p,
                const struct exposure *e, struct power_sample *out);
