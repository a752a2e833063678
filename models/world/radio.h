/* The radio between vehicles: one channel that all share. A packet waits for the channel, is on the air for as long as
 * its bits take, and is heard by each radio that it reaches loudly enough, unless another packet that this one hears at
 * the same time is nearly as loud. There is no acknowledgement and no repetition.
 *
 * Power: P = power_dbm - 20 log10(4 pi 1 m f / c) - 10 n log10(d / 1 m) - walls, and a normal deviate of each packet on
 * each way (log-distance path loss with shadowing: Rappaport, Wireless Communications, 4.9). Every obstacle of the world on
 * the straight line is a wall. Radios are taken to be where they are when the packet has ended.
 *
 * Time is counted in whole ticks at both ends: a packet is offered at the tick that hears of it, and is there at the
 * first tick after it has come. What is drawn depends on the seed and the sender's own packets alone. */
#pragma once

#include <stddef.h>

#include "models/rng.h"
#include "models/signals.h"
#include "models/world/world.h"

/* Waiting or on the air, of one radio. */
#define RADIO_QUEUE_MAX 32

struct radio_params {
        double rate_bps; /* on the air */
        int overhead_bytes; /* preamble, header and checksum of each packet */
        int bytes_max; /* of the boards' own in a packet, at most PEER_BYTES_MAX */
        double latency_s; /* of both ends' chips and drivers together */
        double jitter_s; /* up to so much more, uniform */
        double power_dbm, sensitivity_dbm; /* sent; just heard */
        double frequency_hz;
        double path_loss_exponent; /* n; 2 in free space */
        double wall_db; /* lost in each obstacle */
        double shadowing_db; /* standard deviation */
        double capture_db; /* a packet so much louder than all others at once is heard all the same */
        double loss_ratio; /* of what would be heard, lost for any other reason */
        double slot_s; /* packets begin at whole multiples of it; 0: at any time */
        int backoff_slots; /* a packet waits for a random number of slots below this; 0: for none */
        bool carrier_sense; /* it waits until the channel is silent, as far as it hears */
        int queue; /* packets that wait or are on the air, 1 to RADIO_QUEUE_MAX; more are dropped */
};

/* Of one radio. */
struct radio_counts {
        uint64_t offered,
                dropped; /* by its board; of those, for a full queue or an impossible length */
        uint64_t sent;
        /* What others sent to it: heard, or lost for distance and walls; for another packet, or its own, at the same
         * time; by chance; for a jammer's noise. */
        uint64_t heard, faint, collided, lost, jammed;
};

/* Of one radio, as a step finds it. */
struct radio_antenna {
        struct vec3 pos_ned_m;
        bool mute; /* it neither sends nor hears */
        double noise_dbm; /* of a jammer, at it; -INFINITY: there is none */
};

struct radio;

/* Bytes of so many radios together. */
size_t radio_size(int radios);
/* In radio_size() zeroed bytes of the caller's, aligned as malloc() does. */
struct radio *radio_init(void *memory, const struct radio_params *p, int radios,
                         uint64_t seed);

/* The board of `from` wants to send it, at t_ns. */
void radio_offer(struct radio *r, int from, const struct peer_packet *packet,
                 int64_t t_ns);
/* Time has come to t_ns, later than before. What has ended since is heard or not: of a jammed radio only what is louder than
 * the noise by capture_db. Noise that it hears is a busy channel for one that looks before it sends. */
void radio_step(struct radio *r, const struct world *w,
                const struct radio_antenna *antenna, int64_t t_ns);
/* The next packet that has come to `to` by t_ns; false: there is none. */
bool radio_take(struct radio *r, int to, int64_t t_ns, struct peer_packet *out);

const struct radio_counts *radio_counts(const struct radio *r, int radio);
/* Of one packet with len bytes of the board's own. */
int64_t radio_airtime_ns(const struct radio_params *p, int len);
/* At d_m with so many walls between, without shadowing. */
double radio_power_dbm(const struct radio_params *p, double d_m, int walls);
/* Obstacles on the straight line: 0, 1, or 2 for two and more. */
int radio_walls(const struct world *w, struct vec3 a_ned_m, struct vec3 b_ned_m);
/* How far it is heard over free ground, without shadowing. */
double radio_range_m(const struct radio_params *p);
