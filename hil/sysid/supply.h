/* The voltage in a flight: the battery and rotors of START under the log's commands, and where the log has a voltage what it says
 * that is otherwise: an offset, a drift, and more or less of a sag. Logs have it seldom, often filtered, and miss the
 * sags of single commands, which the model has: so both are low-passed alike before they are compared, and what is
 * between the samples is the model's. */
#ifndef HIL_SYSID_SUPPLY_H
#define HIL_SYSID_SUPPLY_H

#include "hil/retrace/track.h"
#include "models/vehicle/vehicle.h"

enum { SUPPLY_OFFSET, SUPPLY_SAG, SUPPLY_DRIFT, SUPPLY_TERMS };

struct supply {
        const struct vehicle_params *start;
        double air_density_kgpm3;
        struct battery battery;
        double speed_radps[ROTORS_MAX];
        double beyond[SUPPLY_TERMS]; /* V, V/A, V/s: the log's voltage less the model's */
        /* While it is compared. */
        size_t next; /* sample of the log's voltage */
        int64_t begun_ns, heard_ns; /* 0: no sample yet */
        double slow_v,
                slow_a; /* what the log's has beyond the model's, and the model's current */
        double normal[SUPPLY_TERMS][SUPPLY_TERMS], moment[SUPPLY_TERMS];
};

void supply_init(struct supply *u, const struct vehicle_params *start,
                 double air_density_kgpm3);
/* Over the reference; 1 without a battery. */
double supply_ratio(const struct supply *u, int64_t t_ns);
/* The rotors' load from then on, for dt_s. */
void supply_drain(struct supply *u, const double *target_radps, double dt_s);
/* Takes the log's samples up to then. */
void supply_compare(struct supply *u, const struct track *t, int64_t t_ns);
/* At the log's end: from its beginning again, with what the comparison found. */
void supply_learn(struct supply *u);

#endif
