/* A ring of sonars that look outwards, level: what they heard last, and which of them looks where.
 * Micklisch, Hilliard and ElAarag 3.6.3, (34), and algorithms 6 and 7. */
#ifndef MODELS_FC_LAWS_SONAR_RING_H
#define MODELS_FC_LAWS_SONAR_RING_H

#include "models/signals.h"

struct sonar_ring_params {
        int first, count; /* which of the vehicle's sonars; count 0: none */
        double first_angle_rad; /* where the first looks, clockwise from forward; (34): pi/c */
        double silent_s; /* one that is silent for longer says nothing */
};

struct sonar_ring {
        double range_m
                [SONARS_MAX]; /* of the ring's i-th; INFINITY where nothing echoed */
        double age_s[SONARS_MAX]; /* since it said so */
};

/* None has said anything. */
void sonar_ring_init(struct sonar_ring *r);

/* Takes in what is new in a frame that comes dt_s after the last one. Readings that cannot be (NaN,
 * negative) are no readings. */
void sonar_ring_hear(struct sonar_ring *r, const struct sonar_ring_params *p,
                     const struct sensor_frame *frame, double dt_s);

/* Range of the i-th; INFINITY: nothing echoes; NAN: silent. */
double sonar_ring_range_m(const struct sonar_ring *r, const struct sonar_ring_params *p,
                          int i);

/* Where the i-th looks, clockwise from forward (34). */
double sonar_ring_angle_rad(const struct sonar_ring_params *p, int i);

/* Angle between two directions, 0 to pi. */
double sonar_ring_between_rad(double a_rad, double b_rad);

/* How far it is in a direction (algorithms 6 and 7): the range of the one that looks there or, between
 * two, the shorter of both, as either hears half of what is there. NAN: one of them is silent. INFINITY
 * without a ring. */
double sonar_ring_toward_m(const struct sonar_ring *r, const struct sonar_ring_params *p,
                           double angle_rad);

/* The one with the shortest range, the first of several; -1 where none hears anything. *silent: some
 * say nothing. */
int sonar_ring_nearest(const struct sonar_ring *r, const struct sonar_ring_params *p,
                       bool *silent);

#endif
