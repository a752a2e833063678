/* Obstacle avoidance, method 1 (Micklisch, Hilliard and ElAarag 6.1 after Gageik, Mueller and
 * Montenegro 2012: (38), algorithms 4 and 5): the shortest range of the ring determines the state,
 * and the state determines where to go. Horizontally: a level ring sees nothing above or below. */
#pragma once

#include "models/fc/laws/avoid/sonar_ring.h"

struct avoid_states_params {
        double near_m; /* a, POINT_A: nearer is dangerous */
        double far_m; /* b, POINT_B: nearer than a + b is close */
        double slow_ratio; /* RED_MULTI, 0 to 1 */
        double leash_m; /* close: the distance is cut to this before it is reduced */
};

enum avoid_state { AVOID_SAFE, AVOID_CLOSE, AVOID_DANGEROUS };

/* (38). NAN is close: nothing is known. */
enum avoid_state avoid_states_at(const struct avoid_states_params *p, double range_m);

/* Suggested position, from the commanded one and where it is. */
struct vec3 avoid_states_step(const struct avoid_states_params *p,
                              const struct sonar_ring_params *ring,
                              const struct sonar_ring *heard, struct vec3 commanded_ned_m,
                              struct vec3 pos_ned_m, double yaw_rad);
