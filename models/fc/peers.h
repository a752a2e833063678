/* What a flight controller knows of others, by radio: its own word every so often, and what it has heard of theirs. */
#pragma once

#include "models/fc/estimate/estimator.h"
#include "models/fc/flock/flock.h"
#include "models/fc/peer_word.h"

struct peer {
        int address;
        bool flying;
        int64_t t_ns; /* of its sensors, by its own word */
        struct vec3 pos_ned_m, vel_ned_mps; /* then, in the listener's NED */
        int obstacles;
        struct vec3 obstacle_ned_m[PEER_OBSTACLES_MAX];
};

struct peers {
        bool radio; /* it has one */
        int address; /* its own on it */
        int radios; /* addresses in use */
        int64_t said_ns; /* frame time of its last word; -1: none yet */
        bool paused; /* by a hub */
        uint32_t behaviours; /* that a hub allows */
        int count;
        struct peer at[FLOCK_OTHERS_MAX]; /* by address */
};

/* As if just switched on. */
void peers_init(struct peers *k);

/* A word that came from an address. Impossible ones change nothing; where there is no room for another, the farthest is
 * forgotten. */
void peers_hear(struct peers *k, const struct fc_estimator *e, int from,
                const struct peer_word *word);

/* Whether its turn has come to speak at t_ns, having spoken last at said_ns: addresses share the period evenly, so that not all
 * speak at once. late: by so much of the period. */
bool peers_in_turn(const struct peers *k, double period_s, double late, int64_t said_ns,
                   int64_t t_ns);

/* Its own word at a frame of time t_ns, where one is due and it knows where it is. */
bool peers_say(struct peers *k, const struct fc_estimator *e,
               const struct flock_params *p, const struct flock_view *seen, bool flying,
               int64_t t_ns, struct peer_word *out);

/* Those within the radius and not silent, and what they report; forgets the silent. */
void peers_view(struct peers *k, const struct flock_params *p, int64_t t_ns,
                struct flock_view *v);
