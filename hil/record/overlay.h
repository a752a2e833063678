/* The flight of one run in a fixed number of bins of equal time, so that runs can be drawn over each
 * other: of each bin the least, the most and the mean, so that no spike is lost. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OVERLAY_BINS 1000

/* All of the truth, and what the flight controller said to the motors. */
enum overlay_quantity {
        OVERLAY_UP, /* m from the world's origin */
        OVERLAY_OFF_COURSE, /* m, level distance from the position asked; none unless goto is asked */
        OVERLAY_ROLL, /* deg; the three without the turns from 180 to -180 */
        OVERLAY_PITCH,
        OVERLAY_YAW,
        OVERLAY_ROLL_RATE, /* deg/s, body */
        OVERLAY_PITCH_RATE,
        OVERLAY_YAW_RATE,
        OVERLAY_MOTORS, /* duty, mean of the rotors, 0 to 1 */
        OVERLAY_QUANTITIES
};

struct overlay_bin {
        double low, high, sum;
        uint32_t count; /* 0: the others mean nothing */
        bool low_later; /* than high, in time */
};

struct overlay_run {
        double end_s; /* of the last bin */
        struct overlay_bin *bin; /* of every vehicle and quantity, owned */
        int vehicles; /* that anything is known of */
        bool readable; /* a log at all */
        bool truncated; /* it ends inside of a record */
        double last_s; /* of its newest record; -1: there is none */
};

/* False: no memory. Closed in any case; closing a zeroed one is allowed. */
bool overlay_open(struct overlay_run *run, double end_s);
void overlay_close(struct overlay_run *run);

/* What lies beyond the end, or is not a number, is left out. */
void overlay_add(struct overlay_run *run, int vehicle, enum overlay_quantity q,
                 double t_s, double value);
/* run.ulg, any bytes at all, into an open run. False: no memory. */
bool overlay_read(struct overlay_run *run, const void *bytes, size_t len);

/* So many bins as one, from bin `first` on. */
struct overlay_bin overlay_bin(const struct overlay_run *run, int vehicle,
                               enum overlay_quantity q, int first, int bins);
bool overlay_has(const struct overlay_run *run, int vehicle, enum overlay_quantity q);

/* Adds whole turns to an angle's bins, so that its first value lies next to that one, deg. */
void overlay_turn_to(struct overlay_run *run, int vehicle, enum overlay_quantity q,
                     double near_deg);
/* The first bin's mean; NaN: there is none. */
double overlay_first(const struct overlay_run *run, int vehicle, enum overlay_quantity q);

/* Of n values, whose order changes. NaN: n is 0. */
double overlay_median(double *value, int n);
