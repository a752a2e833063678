/* Position among others by dead reckoning and the distances between them (Micklisch, Hilliard and ElAarag 7 has each alone). Each
 * tells the others where it would be by its IMU alone, which errs independently of theirs, and what distances it has
 * measured; from all of them every one estimates the errors of all in one Kalman filter (cooperative localisation:
 * Roumeliotis and Bekey, IEEE T-RA 18, 2002, but with the whole filter in each member, so that no correlation is
 * lost). What distances cannot show stays: the mean error of all, which is less the more they are, and how the group
 * as a whole has turned. */
#pragma once

#include <stdbool.h>

#include "models/fc/estimate/estimator.h"
#include "models/fc/laws/params.h"
#include "models/fc/peers.h"
#include "models/signals.h"

#define COLLECTIVE_MAX    8 /* with itself, which is number 0 */
#define COLLECTIVE_STATES 6 /* of each: error of position, of velocity; NED */
#define COLLECTIVE_ERRORS (COLLECTIVE_STATES * COLLECTIVE_MAX)

struct collective_member {
        int address;
        int64_t t_ns; /* when it was there */
        struct vec3 pos_ned_m, vel_ned_mps; /* by its IMU alone, in the listener's NED */
        double reckoned_s;
};

struct collective {
        int members; /* 0: not begun */
        struct collective_member member[COLLECTIVE_MAX];
        double error[COLLECTIVE_ERRORS];
        double covariance[COLLECTIVE_ERRORS * (COLLECTIVE_ERRORS + 1) /
                          2]; /* lower triangle */
        int64_t t_ns; /* of both */
        int64_t said_ns; /* frame time of its last word; -1: none yet */
        int64_t measured_ns; /* of the last range of its own */
        int ranges;
        struct peer_range range[PEER_RANGES_MAX]; /* to be told */
};

/* As if just switched on. */
void collective_init(struct collective *c);

/* After navigation_step(), whose result is by the IMU alone: takes note of it, uses the frame's own range, and corrects
 * position and velocity of *e. Nothing changes where the origin is not known. */
void collective_step(struct collective *c, const struct collective_params *p,
                     const struct peers *k, const struct sensor_frame *frame,
                     bool on_ground, double dt_s, struct fc_estimator *e);

/* What another says. */
void collective_hear(struct collective *c, const struct collective_params *p,
                     const struct fc_estimator *e, int from,
                     const struct peer_ranges *ranges);

/* Its own word, where one is due, half a period after peers_say()'s. */
bool collective_say(struct collective *c, const struct fc_estimator *e,
                    const struct peers *k, double period_s, int64_t t_ns,
                    struct peer_word *out);
