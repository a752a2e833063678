/* The voltage in a flight: that of START's battery and rotors under the log's commands, and slowly what the log's voltage has beyond
 * it. Logs have it seldom, often filtered, and miss the sags of single commands, which the model has: so both are compared
 * where the log has a sample. */
#pragma once

#include "hil/retrace/track.h"
#include "models/vehicle/vehicle.h"

struct supply {
        const struct vehicle_params *start;
        double air_density_kgpm3;
        struct battery battery;
        double speed_radps[ROTORS_MAX];
        size_t next; /* sample of the log's voltage */
        int64_t heard_ns; /* of the last; 0: none yet */
        double beyond_v; /* the log's less the model's, low-passed */
        double slow_sag_v; /* by the model's resistance, at the log's samples, low-passed alike */
};

void supply_init(struct supply *u, const struct vehicle_params *start,
                 double air_density_kgpm3);
/* Over the reference, with what the log has said up to then; 1 without a battery. */
double supply_ratio(struct supply *u, const struct track *t, int64_t t_ns);
/* How much of that the resistance takes beyond what the log's voltage has of it. */
double supply_sag_ratio(const struct supply *u);
/* The rotors' load from then on, for dt_s. */
void supply_drain(struct supply *u, const double *target_radps, double dt_s);
