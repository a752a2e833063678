/* A ring of sonars that look outwards, level: their last readings and their directions. Micklisch,
 * Hilliard and ElAarag 3.6.3, (34), and algorithms 6 and 7. */
#pragma once

#include "models/signals.h"

struct sonar_ring_params {
        int first, count; /* which of the vehicle's sonars; count 0: none */
        double first_angle_rad; /* where the first looks, clockwise from forward; (34): pi/c */
        double silent_s; /* a sonar that is silent for longer counts as silent */
};

struct sonar_ring {
        double range_m
                [SONARS_MAX]; /* of the ring's i-th; INFINITY where nothing echoed */
        double age_s[SONARS_MAX]; /* since that reading */
};

/* No sonar has reported yet. */
void sonar_ring_init(struct sonar_ring *r);

/* Reads new samples from a frame that comes dt_s after the last one. Impossible readings (NaN,
 * negative) are ignored. */
void sonar_ring_hear(struct sonar_ring *r, const struct sonar_ring_params *p,
                     const struct sensor_frame *frame, double dt_s);

/* Range of the i-th; INFINITY: nothing echoes; NAN: silent. */
double sonar_ring_range_m(const struct sonar_ring *r, const struct sonar_ring_params *p,
                          int i);

/* The direction of the i-th, clockwise from forward (34). */
double sonar_ring_angle_rad(const struct sonar_ring_params *p, int i);

/* Angle between two directions, 0 to pi. */
double sonar_ring_between_rad(double a_rad, double b_rad);

/* The range in a direction (algorithms 6 and 7): that of the sonar that looks there or, between
 * two, the shorter of both, because each hears half of what is there. NAN: one of them is silent.
 * INFINITY without a ring. */
double sonar_ring_toward_m(const struct sonar_ring *r, const struct sonar_ring_params *p,
                           double angle_rad);

/* The sonar with the shortest range, the first of several; -1 if none hears anything. *silent: some
 * are silent. */
int sonar_ring_nearest(const struct sonar_ring *r, const struct sonar_ring_params *p,
                       bool *silent);
