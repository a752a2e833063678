/* What a flight controller knows of others, by radio: its own word every so often, and what it has heard of theirs. The words
 * are the controller's own; the rig does not read them. Little-endian:
 *
 *   state: 1; bit 0 flying; u32 time of its sensors, ms; i32 latitude and longitude, 1e-7 degrees; i32 height above the
 *          ellipsoid, mm; i16 velocity north, east, down, cm/s; u8 number of obstacles, at most 4; of each i16 north, east,
 *          down from itself, cm
 *   hub:   2; bit 0: go on, else pause where it is, on the ground or in the air; u8 behaviours, enum flock_behaviour; then
 *          a bit for each address that it is for, from 0 on, or nothing: it is for all
 *
 * All clocks are taken to be one, as GPS makes them. */
#ifndef MODELS_FC_PEERS_H
#define MODELS_FC_PEERS_H

#include <stddef.h>

#include "models/fc/estimator.h"
#include "models/fc/laws/flock.h"

#define PEER_OBSTACLES_MAX 4
#define PEERS_SAID_MAX     (25 + 6 * PEER_OBSTACLES_MAX)

#define PEERS_HUB_MAX (3 + 32)

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

/* Bytes that came from an address. Impossible ones change nothing; where there is no room for another, the farthest is
 * forgotten. */
void peers_hear(struct peers *k, const struct fc_estimator *e, int from,
                const uint8_t *bytes, size_t len);

/* Whether it is the state of who sent it. */
bool peers_is_state(const uint8_t *bytes, size_t len);
/* A hub's word to so many addresses, each below 256. Returns its length. */
size_t peers_hub_word(bool go, uint32_t behaviours, const uint16_t *address, int count,
                      uint8_t out[PEERS_HUB_MAX]);

/* Its own word at a frame of time t_ns, where one is due: addresses share the period evenly, so that not all speak at once.
 * Returns its length, 0: none is due, or it does not know where it is. */
size_t peers_say(struct peers *k, const struct fc_estimator *e,
                 const struct flock_params *p, const struct flock_view *seen, bool flying,
                 int64_t t_ns, uint8_t out[PEERS_SAID_MAX]);

/* Those within the radius and not silent, and what they report; forgets the silent. */
void peers_view(struct peers *k, const struct flock_params *p, int64_t t_ns,
                struct flock_view *v);

#endif
