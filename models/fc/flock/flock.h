/* Laws of flocks: where to fly among others, from what is known of those near and of the target that all have. Each gives a
 * velocity, level unless the parameters say otherwise; a height is then held as without a law. Positions and velocities
 * are in the vehicle's own NED, and as old as they came. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "models/vec.h"

enum flock_law {
        FLOCK_OFF,
        FLOCK_MICKLISCH, /* five behaviours (Micklisch 8) */
        FLOCK_OLFATI_SABER, /* a lattice, with a virtual leader */
        FLOCK_VASARHELYI, /* repulsion, friction and walls */
        FLOCK_FORMATION, /* places about the target */
        FLOCK_FINKEN, /* away from what sonars hear */
        FLOCK_LAWS
};
extern const char *const flock_law_names[];

#define FLOCK_OTHERS_MAX    63 /* that a vehicle takes note of */
#define FLOCK_OBSTACLES_MAX 64 /* seen by it and by them */
#define FLOCK_PLACES_MAX    64 /* of a formation */

/* Of Micklisch's behaviours, as bits: any can be switched off in flight. */
enum flock_behaviour {
        FLOCK_SEPARATION = 1 << 0,
        FLOCK_ALIGNMENT = 1 << 1,
        FLOCK_COHESION = 1 << 2,
        FLOCK_TARGETING = 1 << 3,
        FLOCK_AVOID = 1 << 4,
        FLOCK_BEHAVIOURS = (1 << 5) - 1
};

/* Micklisch, Hilliard and ElAarag 8 names the five; in Reynolds' (1987) form. Weights, and how fast each may be alone. */
struct flock_micklisch_params {
        double separation_m; /* d_s: nearer ones push */
        double obstacle_m; /* d_o */
        double separation_m2ps, obstacle_m2ps; /* w_s, w_o: m/s at 1 m */
        double alignment, cohesion_per_s, targeting_per_s; /* w_a, w_c, w_t */
        double speed_max_mps; /* of each behaviour */
};

/* Olfati-Saber (2006) with a virtual leader that informed agents know (Su, Wang and Lin 2009). */
struct flock_olfati_saber_params {
        double distance_m; /* d of the lattice */
        double range_ratio; /* r/d */
        double epsilon, a, b, h; /* of the sigma norm, phi and rho */
        double c1_per_s2, c2_per_s; /* towards the leader's position and velocity */
        bool informed; /* h_i */
        double accel_max_mps2;
};

/* Vasarhelyi et al. (Science Robotics 3, eaat3536, 2018), (1) to (10), in an arena about the target. */
struct flock_vasarhelyi_params {
        double speed_mps; /* v_flock; 0: none of its own, it is drawn to the target */
        double repulsion_m, repulsion_per_s; /* r0_rep, p_rep */
        double friction_m, friction_per_s, friction_mps2; /* r0_frict, p_frict, a_frict */
        double friction_gain, friction_mps; /* C_frict, v_frict */
        double arena_m; /* half of its sides; 0: no walls */
        double wall_m, wall_per_s, wall_mps2,
                wall_mps; /* r0, p, a and v of the shill agents */
        double cohesion_per_s; /* towards the target, not of the paper; with no speed of its own */
};

/* Places about the target, by the vehicle's address on the radio. */
struct flock_formation_params {
        int places;
        struct vec3 place_ned_m[FLOCK_PLACES_MAX];
        double target_per_s; /* towards its own place, */
        double speed_mps; /* no faster than this */
        double lattice_per_s; /* towards the differences to those near */
};

/* The FINken's: what is near in front of a sonar pushes away. */
struct flock_finken_params {
        double near_m, push_per_s;
};

struct flock_params {
        double radius_m; /* who is near: Micklisch (9) */
        double silent_s; /* who is silent for longer is forgotten */
        double period_s; /* of its own word by radio: Micklisch's global timer */
        double speed_max_mps; /* of the sum */
        bool level; /* height is held as without a law */
        /* Whatever a law says, it approaches another no faster than safe_per_s times what is left to safe_m (a control
         * barrier: Wang, Ames and Egerstedt, IEEE T-RO 33, 2017). 0: does nothing. */
        double safe_m, safe_per_s;
        struct flock_micklisch_params micklisch;
        struct flock_olfati_saber_params olfati_saber;
        struct flock_vasarhelyi_params vasarhelyi;
        struct flock_formation_params formation;
        struct flock_finken_params finken;
};

struct flock_other {
        int address;
        struct vec3 pos_ned_m, vel_ned_mps;
};

/* What one vehicle knows at one instant. */
struct flock_view {
        int address; /* its own */
        struct vec3 pos_ned_m, vel_ned_mps;
        struct vec3 target_ned_m;
        uint32_t behaviours; /* enum flock_behaviour */
        int others; /* within radius_m */
        struct flock_other other[FLOCK_OTHERS_MAX];
        int obstacles;
        struct vec3 obstacle_ned_m[FLOCK_OBSTACLES_MAX];
        /* Directions in which sonars look, level, and what they measure; INFINITY: nothing. */
        int sonars;
        struct vec3 sonar_ned[16];
        double sonar_m[16];
};

struct flocking {
        bool flying; /* vel_ned_mps is its own */
        struct vec3 vel_ned_mps; /* commanded last */
};

/* The velocity to fly for the next dt_s. A law that has no answer (a formation without a place for it) gives that of
 * rest. */
struct vec3 flock_step(struct flocking *f, enum flock_law law,
                       const struct flock_params *p, const struct flock_view *v,
                       double dt_s);

/* The laws, one file each. */
struct vec3 flock_micklisch(const struct flock_params *p, const struct flock_view *v);
/* Acceleration: (u_i) of docs/fleets.md. */
struct vec3 flock_olfati_saber(const struct flock_params *p, const struct flock_view *v);
struct vec3 flock_vasarhelyi(const struct flock_params *p, const struct flock_view *v);
struct vec3 flock_formation(const struct flock_params *p, const struct flock_view *v);
struct vec3 flock_finken(const struct flock_params *p, const struct flock_view *v);

static inline struct vec3 flock_limit(struct vec3 v, double most)
{
        double norm = vec3_norm(v);

        return norm > most ? vec3_scale(most / norm, v) : v;
}
