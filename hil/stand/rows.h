/* Tables of a thrust stand as rows. */
#ifndef HIL_STAND_ROWS_H
#define HIL_STAND_ROWS_H

#include <stdbool.h>

#include "hil/retrace/track.h"

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

#endif
