/* Tables of a thrust stand as rows, and how a relation is fitted to them: what the sources of this folder share. */
#pragma once

#include <stdbool.h>

#include "hil/stand/stand.h"
#include "hil/sysid/least.h"

#define STAND_SETTLED_S 0.5 /* of an unchanged command before what it asks for counts */

/* What the stand says at one moment; NAN: nothing. */
struct stand_row {
        double dt_s, command, thrust_n, torque_nm, speed_radps, voltage_v, current_a;
        double charge_c; /* drawn since the table began */
        bool settled;
        int table;
};

/* Rows are those of the speed, or of the thrust without one. */
const struct track_samples *stand_rows_of(const struct track *t);
/* As many as that has samples. */
void stand_add_rows(const struct track *t, int table, struct stand_row *row);
/* The mean of it between rows. */
double stand_interval_s(const struct track *t);

struct stand_fit {
        const struct stand_row *row;
        size_t rows;
        const struct vehicle_params *start;
        double dead_band;
        enum stand_parameter of;
};

/* Fits `count` numbers; `found` and `half` get them and their intervals. False: it cannot be. */
bool stand_solve(const struct stand_fit *f, least_residuals residuals, int count,
                 const double *start, const double *scale, const double *low,
                 const double *high, double *found, double *half);
void stand_take(struct stand_result *r, enum stand_parameter of, double found,
                double half);
void stand_find_resistance(struct stand_fit *f, struct stand_result *r);
void stand_find_efficiency(struct stand_fit *f, struct stand_result *r);
