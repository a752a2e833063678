#include "models/world/radio_store.h"

#include <math.h>

#define NS_PER_S 1e9

/* Streams of the noise: the sensors' are below 64. */
enum { STREAM_BACKOFF = 80, STREAM_PATH, STREAM_JITTER };

/* Two uniforms that belong to one packet, for one purpose and other radio. */
static void draw(const struct radio *r, const struct stored *s, uint32_t stream,
                 uint32_t about, double out[2])
{
        uint32_t bits[4], counter[4] = { s->number, about, 0, 0 };
        struct rng rng;

        rng_init(&rng, r->seed, (uint32_t)s->from, stream, 0);
        rng_philox(counter, rng.key, bits);
        out[0] = rng_uniform_from((uint64_t)bits[0] << 32 | bits[1]);
        out[1] = rng_uniform_from((uint64_t)bits[2] << 32 | bits[3]);
}

/* Whole slots, from t_ns on. */
static int64_t slot_after(const struct radio_params *p, int64_t t_ns)
{
        int64_t slot_ns = llrint(p->slot_s * NS_PER_S);

        return slot_ns > 0 ? (t_ns + slot_ns - 1) / slot_ns * slot_ns : t_ns;
}

/* When it tries to begin, at t_ns or later. */
static int64_t begin_after(const struct radio *r, struct stored *s, int64_t t_ns)
{
        const struct radio_params *p = &r->params;
        double u[2];

        draw(r, s, STREAM_BACKOFF, (uint32_t)s->tries++, u);
        t_ns = slot_after(p, t_ns);
        return t_ns + llrint(floor(u[0] * p->backoff_slots) * p->slot_s * NS_PER_S);
}

void radio_offer(struct radio *r, int from, const struct peer_packet *packet,
                 int64_t t_ns)
{
        struct radio_node *node = &r->node[from];
        bool fits = packet->len <= r->params.bytes_max && node->queued < r->params.queue;
        int at = fits ? r->free : RADIO_FREE;
        struct stored *s;

        node->counts.offered++;
        if (at == RADIO_FREE) {
                node->counts.dropped++;
                return;
        }
        s = &r->stored[at];
        r->free = s->next_free;
        *s = (struct stored){
                .packet = *packet, .from = from, .number = node->offered++, .refs = 1
        };
        s->earliest_ns = begin_after(r, s, t_ns);
        node->queue[node->queued++] = at;
        r->waiting++;
}

struct place {
        const struct world *world;
        const struct radio_antenna *antenna;
        int64_t t_ns; /* of the step */
};

/* Of one packet where another radio is. *chance: what decides whether it is lost all the same. */
static double power_at(const struct radio *r, const struct place *at,
                       const struct stored *s, int to, double *chance)
{
        struct vec3 a = at->antenna[s->from].pos_ned_m, b = at->antenna[to].pos_ned_m;
        double u[2];

        draw(r, s, STREAM_PATH, (uint32_t)to, u);
        *chance = u[1];
        return radio_power_dbm(&r->params, vec3_norm(vec3_sub(a, b)),
                               radio_walls(at->world, a, b)) +
               r->params.shadowing_db * rng_normal_quantile(u[0]);
}

/* The end of what this radio hears on the channel just before t_ns; t_ns: nothing. */
static int64_t busy_until(const struct radio *r, const struct place *at, int radio,
                          int64_t t_ns)
{
        int64_t until_ns = t_ns;
        double chance;

        /* At least until the next step, which knows more. */
        if (at->antenna[radio].noise_dbm >= r->params.sensitivity_dbm)
                until_ns = at->t_ns + 1;
        for (int i = 0; i < r->on_air; i++) {
                const struct stored *s = &r->stored[r->air[i]];

                if (s->start_ns < t_ns && s->end_ns > until_ns && s->from != radio &&
                    power_at(r, at, s, radio, &chance) >= r->params.sensitivity_dbm)
                        until_ns = s->end_ns;
        }
        return until_ns;
}

/* When the next one of a radio would begin. */
static int64_t next_start_ns(const struct radio *r, const struct radio_node *n)
{
        int64_t earliest_ns = r->stored[n->queue[0]].earliest_ns;

        return earliest_ns > n->busy_until_ns ? earliest_ns
                                              : slot_after(&r->params, n->busy_until_ns);
}

static void leave_queue(struct radio *r, struct radio_node *n)
{
        r->waiting--;
        n->queued--;
        for (int i = 0; i < n->queued; i++)
                n->queue[i] = n->queue[i + 1];
}

static void begin_packet(struct radio *r, const struct place *at, int radio, int64_t t_ns)
{
        struct radio_node *n = &r->node[radio];
        int stored = n->queue[0];
        struct stored *s = &r->stored[stored];
        int64_t until_ns =
                r->params.carrier_sense ? busy_until(r, at, radio, t_ns) : t_ns;

        if (until_ns > t_ns) {
                s->earliest_ns = begin_after(r, s, until_ns);
                return;
        }
        leave_queue(r, n);
        if (at->antenna[radio].mute) {
                n->counts.dropped++;
                radio_let_go(r, stored);
                return;
        }
        s->start_ns = t_ns;
        s->end_ns = n->busy_until_ns = t_ns + radio_airtime_ns(&r->params, s->packet.len);
        n->counts.sent++;
        r->air[r->on_air++] = stored;
}

/* In the order in which they begin, so that each finds on the channel what began before. */
static void begin_packets(struct radio *r, const struct place *at, int64_t t_ns)
{
        while (r->waiting > 0) {
                int first = -1;
                int64_t first_ns = INT64_MAX;

                for (int i = 0; i < r->radios; i++) {
                        if (r->node[i].queued == 0 ||
                            next_start_ns(r, &r->node[i]) >= first_ns)
                                continue;
                        first = i;
                        first_ns = next_start_ns(r, &r->node[i]);
                }
                if (first_ns > t_ns)
                        return;
                begin_packet(r, at, first, first_ns);
        }
}

static bool overlap(const struct stored *a, const struct stored *b)
{
        return a->start_ns < b->end_ns && b->start_ns < a->end_ns;
}

/* Whether another packet at the same time keeps this one, of that power, from being heard. */
static bool is_disturbed(const struct radio *r, const struct place *at,
                         const struct stored *s, int to, double power_dbm)
{
        double chance;

        for (int i = 0; i < r->on_air; i++) {
                const struct stored *other = &r->stored[r->air[i]];

                if (other != s && overlap(other, s) &&
                    (other->from == to ||
                     power_dbm - power_at(r, at, other, to, &chance) <
                             r->params.capture_db))
                        return true;
        }
        return false;
}

static void arrive(struct radio *r, int stored, int to, double power_dbm)
{
        struct radio_node *n = &r->node[to];
        struct stored *s = &r->stored[stored];
        int at = n->arrivals;
        double u[2];
        int64_t due_ns;

        if (n->arrivals == r->arrivals_max) {
                n->counts.lost++;
                return;
        }
        draw(r, s, STREAM_JITTER, (uint32_t)to, u);
        due_ns = s->end_ns +
                 llrint((r->params.latency_s + u[0] * r->params.jitter_s) * NS_PER_S);
        for (n->arrivals++; at > 0 && n->arrival[at - 1].due_ns > due_ns; at--)
                n->arrival[at] = n->arrival[at - 1];
        n->arrival[at] = (struct arrival){ due_ns, stored, (int)lrint(power_dbm) };
        s->refs++;
        n->counts.heard++;
}

static void end_packet(struct radio *r, const struct place *at, int stored)
{
        struct stored *s = &r->stored[stored];

        for (int to = 0; to < r->radios; to++) {
                struct radio_counts *counts = &r->node[to].counts;
                double chance, power_dbm;

                if (to == s->from || at->antenna[to].mute ||
                    (s->packet.peer != PEER_ALL && s->packet.peer != to))
                        continue;
                power_dbm = power_at(r, at, s, to, &chance);
                if (power_dbm < r->params.sensitivity_dbm)
                        counts->faint++;
                else if (power_dbm - at->antenna[to].noise_dbm < r->params.capture_db)
                        counts->jammed++;
                else if (is_disturbed(r, at, s, to, power_dbm))
                        counts->collided++;
                else if (chance < r->params.loss_ratio)
                        counts->lost++;
                else
                        arrive(r, stored, to, power_dbm);
        }
}

/* Since when a packet has been on the air that goes on after t_ns; INT64_MAX: none does. */
static int64_t open_since(const struct radio *r, int64_t t_ns)
{
        int64_t since_ns = INT64_MAX;

        for (int i = 0; i < r->on_air; i++) {
                const struct stored *s = &r->stored[r->air[i]];

                if (s->end_ns > t_ns && s->start_ns < since_ns)
                        since_ns = s->start_ns;
        }
        return since_ns;
}

/* One that has ended stays for as long as it may disturb another that has not. */
static void end_packets(struct radio *r, const struct place *at, int64_t t_ns)
{
        int64_t open_ns = open_since(r, t_ns);
        int kept = 0;

        for (int i = 0; i < r->on_air; i++) {
                struct stored *s = &r->stored[r->air[i]];

                if (s->end_ns > t_ns || s->judged)
                        continue;
                s->judged = true;
                end_packet(r, at, r->air[i]);
        }
        for (int i = 0; i < r->on_air; i++) {
                const struct stored *s = &r->stored[r->air[i]];

                if (s->end_ns <= t_ns && s->end_ns <= open_ns)
                        radio_release(r, r->air[i]);
                else
                        r->air[kept++] = r->air[i];
        }
        r->on_air = kept;
}

void radio_step(struct radio *r, const struct world *w,
                const struct radio_antenna *antenna, int64_t t_ns)
{
        struct place at = { w, antenna, t_ns };

        if (r->waiting == 0 && r->on_air == 0)
                return;
        begin_packets(r, &at, t_ns);
        end_packets(r, &at, t_ns);
}
