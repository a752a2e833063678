/* What several vehicles are to each other at one tick: how near, how far spread, whether they move as one. Those count
 * that are in the air, so that a wreck does not; where none is, all do. */
#pragma once

#include <stdbool.h>

#include "models/vec.h"

/* Of one vehicle among others; INFINITY where it has none, NAN where it does not count. */
struct fleet_member {
        struct vec3 pos_ned_m, vel_ned_mps; /* given, */
        bool flies; /* and this */
        bool counts;
        double nearest_m; /* to the centre of mass of the nearest other */
        double centre_m; /* to the fleet's centre */
};

struct fleet {
        int count;
        struct fleet_member *member; /* so many, owned, by vehicle */
        double *north_m; /* of each, for the order */
        int *by_north; /* their numbers from the south; kept, since they hardly change places */

        /* Found by fleet_measure(). */
        int counted; /* vehicles */
        struct vec3 centre_ned_m; /* mean of their positions */
        double separation_m; /* of the two nearest */
        double radius_m; /* of the one farthest from the centre */
        double speed_mps; /* of the centre */
        /* Length of the mean of all directions of motion (Vicsek and others 1995): 1: all move one way; slower than
         * 0.05 m/s is no direction. NAN: none moves. */
        double order;
        double lattice_m; /* largest difference of a vehicle's nearest distance from the mean of these */
};

/* False: no memory. */
bool fleet_open(struct fleet *f, int count);
void fleet_close(struct fleet *f); /* zeroed is allowed */
/* Of the members' positions and velocities. */
void fleet_measure(struct fleet *f);
/* The shortest range at which each reaches each other by way of others: the longest link of their shortest tree (Prim). Costs the
 * square of their number. */
double fleet_range_m(const struct fleet *f);
