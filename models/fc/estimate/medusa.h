/* Where a vehicle is in a rectangular arena, by its sonars and the direction in which it looks (MEDUSA, as the FINken report
 * 4.3 uses it): each two readings give places where it may be, each place the ranges that the sonars should read there, and
 * the place whose ranges are most like the readings is taken. The report's original has eight sonars, the FINken four: with
 * those all beams may end at the same two walls, near 45 degrees, and along them nothing is told. */
#pragma once

#include <stdbool.h>

#include "models/signals.h"

struct medusa_params {
        double length_m,
                width_m; /* of the arena, along north and east, with the origin in its middle */
        int sonars;
        double bearing_rad[SONARS_MAX]; /* from the nose to the right */
        double offset_m
                [SONARS_MAX]; /* of the sonar from the vehicle's middle, along its beam */
        double range_max_m; /* a reading of so much is none */
        double sigma_m; /* of a reading: chosen, the report says none; about 0.05 */
        double speed_max_mps; /* between two places: the report's addition; 0: no limit */
};

struct medusa {
        bool known;
        double north_m, east_m;
        double since_s; /* the last place that was believed */
        int candidates; /* of the last step, within the arena and in reach */
        double weight; /* of the best place of the last step; 1: the readings are what they should be there */
};

/* Readings in the order of the parameters; those that are not above 0 or are at the maximum count as none. False: no
 * place can be told at this step, and the last one stays. */
bool medusa_step(struct medusa *m, const struct medusa_params *p, double yaw_rad,
                 const double range_m[], double dt_s);

/* What a sonar should read from its mount at that place, looking there; not limited to its maximum. */
double medusa_range_m(const struct medusa_params *p, double north_m, double east_m,
                      double direction_rad);
