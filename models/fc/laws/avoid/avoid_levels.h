/* Obstacle avoidance, method 2 (Micklisch, Hilliard and ElAarag 6.2 after Wagster et al. 2012;
 * algorithms 6 to 9): stop before obstacles in front, keep to the middle between those left and right.
 * Front is where the command leads. Horizontally: a level ring sees nothing above or below. */
#pragma once

#include "models/fc/laws/avoid/sonar_ring.h"

struct avoid_levels_params {
        double front_m; /* MINIMUM_PHASE_ONE: stop before anything nearer */
        double sides_m; /* MINIMUM_PHASE_TWO: the sonars' largest range; obstacles farther
                           away do not count */
        double leash_m; /* the way ahead is no longer than this, so that a law that limits its
                           speed still sees the way to the side beside it */
        double arrived_m; /* so near to the commanded position there is no front: it goes there */
};

/* The position to fly to, from the commanded one and where it is. */
struct vec3 avoid_levels_step(const struct avoid_levels_params *p,
                              const struct sonar_ring_params *ring,
                              const struct sonar_ring *heard, struct vec3 commanded_ned_m,
                              struct vec3 pos_ned_m, double yaw_rad);
