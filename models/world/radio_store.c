/* Where packets are kept: in one piece of memory, which is laid out once. */
#include "models/world/radio_store.h"

static int pool_of(int radios)
{
        return radios * RADIO_QUEUE_MAX;
}

static int arrivals_of(int radios)
{
        return 16 * radios;
}

/* Each part begins where a struct with a double in it may. */
static size_t rounded(size_t bytes)
{
        return (bytes + 15) / 16 * 16;
}

static size_t nodes_size(int radios)
{
        return rounded(sizeof(struct radio) + (size_t)radios * sizeof(struct radio_node));
}

static size_t stored_size(int radios)
{
        return rounded((size_t)pool_of(radios) * sizeof(struct stored));
}

static size_t air_size(int radios)
{
        return rounded((size_t)pool_of(radios) * sizeof(int));
}

size_t radio_size(int radios)
{
        return nodes_size(radios) + stored_size(radios) + air_size(radios) +
               (size_t)radios * (size_t)arrivals_of(radios) * sizeof(struct arrival);
}

void radio_let_go(struct radio *r, int stored)
{
        r->stored[stored].refs = RADIO_FREE;
        r->stored[stored].next_free = r->free;
        r->free = stored;
}

struct radio *radio_init(void *memory, const struct radio_params *p, int radios,
                         uint64_t seed)
{
        struct radio *r = memory;
        char *at = (char *)memory + nodes_size(radios);

        r->params = *p;
        r->seed = seed;
        r->radios = radios;
        r->pool = pool_of(radios);
        r->arrivals_max = arrivals_of(radios);
        r->stored = (struct stored *)at;
        at += stored_size(radios);
        r->air = (int *)at;
        at += air_size(radios);
        r->free = RADIO_FREE;
        for (int i = r->pool - 1; i >= 0; i--)
                radio_let_go(r, i);
        for (int i = 0; i < radios; i++)
                r->node[i].arrival =
                        (struct arrival *)at + (size_t)i * (size_t)r->arrivals_max;
        return r;
}

void radio_release(struct radio *r, int stored)
{
        if (--r->stored[stored].refs == 0)
                radio_let_go(r, stored);
}

bool radio_take(struct radio *r, int to, int64_t t_ns, struct peer_packet *out)
{
        struct radio_node *n = &r->node[to];
        struct arrival first;

        if (n->arrivals == 0 || n->arrival[0].due_ns > t_ns)
                return false;
        first = n->arrival[0];
        n->arrivals--;
        for (int i = 0; i < n->arrivals; i++)
                n->arrival[i] = n->arrival[i + 1];
        *out = r->stored[first.stored].packet;
        out->peer = (uint16_t)r->stored[first.stored].from;
        out->power_dbm = (int16_t)first.power_dbm;
        radio_release(r, first.stored);
        return true;
}

const struct radio_counts *radio_counts(const struct radio *r, int radio)
{
        return &r->node[radio].counts;
}
