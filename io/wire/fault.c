#include "io/wire/fault.h"

#include <stdlib.h>

#include "io/wire/damage.h"
#include "io/wire/lane.h"

/* Of rng_init()'s `sensor`: no other's. */
#define STREAM_WIRE 120
/* Blocks of noise for one frame: more than any fault draws. */
#define FRAME_BLOCKS_LOG2 16

_Static_assert(WIRE_IN_FORCE_MAX < 32, "free_slot() has a bit for each");
_Static_assert(CODEC_FRAME_TYPES_MAX <= 32, "wire_unit.types has a bit for each");

struct wire_faults *wire_faults_create(int capacity, uint32_t vehicle, bool lockstep)
{
        struct wire_faults *all =
                calloc(1, sizeof *all + (size_t)capacity * sizeof all->entry[0]);

        if (all == NULL)
                return NULL;
        all->capacity = capacity;
        all->vehicle = vehicle;
        all->lockstep = lockstep;
        return all;
}

static struct wire_fault_entry *find(struct wire_faults *all, int id)
{
        for (int i = 0; i < all->count; i++)
                if (all->entry[i].id == id)
                        return &all->entry[i];
        return NULL;
}

static int free_slot(const struct wire_faults *all)
{
        unsigned used = 0;
        int slot = 0;

        for (int i = 0; i < all->in_force; i++)
                used |= 1U << all->entry[all->order[i]].slot;
        while (used >> slot & 1)
                slot++;
        return slot;
}

const struct wire_fault_entry *wire_faults_begin(struct wire_faults *all,
                                                 const struct wire_fault *fault, int id,
                                                 uint64_t seed, int64_t end_ns)
{
        struct wire_fault_entry *e = find(all, id);
        bool is_new = e == NULL;

        if (is_new && all->count == all->capacity)
                return NULL;
        if ((is_new || !e->in_force) && all->in_force == WIRE_IN_FORCE_MAX)
                return NULL;
        if (is_new)
                e = &all->entry[all->count++];
        e->id = id;
        e->fault = *fault;
        e->seed = seed;
        e->end_ns = end_ns;
        e->left = fault->count;
        if (e->in_force)
                return e;
        e->slot = free_slot(all);
        e->in_force = true;
        all->order[all->in_force++] = (int)(e - all->entry);
        return e;
}

int wire_faults_place(const struct wire_faults *all, int id)
{
        for (int i = 0; i < all->in_force; i++)
                if (all->entry[all->order[i]].id == id)
                        return i;
        return -1;
}

int wire_faults_place_over(const struct wire_faults *all, int64_t t_ns)
{
        for (int i = 0; i < all->in_force; i++)
                if (all->entry[all->order[i]].end_ns <= t_ns)
                        return i;
        return -1;
}

void wire_faults_end(struct wire_faults *all, int place)
{
        all->entry[all->order[place]].in_force = false;
        all->in_force--;
        for (int i = place; i < all->in_force; i++)
                all->order[i] = all->order[i + 1];
}

struct wire_fault_counts wire_faults_counts(const struct wire_faults *all, int id)
{
        for (int i = 0; i < all->count; i++)
                if (all->entry[i].id == id)
                        return all->entry[i].counts;
        return (struct wire_fault_counts){ 0 };
}

bool wire_fault_watches(const struct wire_fault_entry *e, enum wire_direction direction,
                        int channel)
{
        const struct wire_fault *f = &e->fault;

        return (f->directions & WIRE_BIT(direction)) != 0 &&
               (f->channel < 0 || f->channel == channel);
}

bool wire_faults_watch(const struct wire_faults *all, enum wire_direction direction,
                       int channel)
{
        for (int i = 0; i < all->in_force && !all->greeting; i++)
                if (wire_fault_watches(&all->entry[all->order[i]], direction, channel))
                        return true;
        return false;
}

bool wire_fault_overlooks(const struct wire_faults *all, const struct wire_fault_entry *e,
                          const struct wire_unit *u)
{
        return all->lockstep && u->unpaced && e->fault.frame < 0 &&
               e->fault.kind != WIRE_SILENCE;
}

bool wire_fault_acts(struct wire_faults *all, struct wire_fault_entry *e,
                     enum wire_direction direction, int channel,
                     const struct wire_unit *u, struct rng *rng)
{
        const struct wire_fault *f = &e->fault;
        int type = u->type >= 0 ? u->type : CODEC_FRAME_TYPES_MAX;
        uint32_t *seen = &e->seen[direction][channel][type];
        uint32_t axis = (uint32_t)e->id;

        if (f->frame >= 0 && (u->types >> f->frame & 1) == 0)
                return false;
        if (f->count > 0 && e->left == 0)
                return false;
        axis = ((axis * 2 + direction) * CODEC_CHANNELS_MAX + (uint32_t)channel) *
                       (CODEC_FRAME_TYPES_MAX + 1) +
               (uint32_t)type;
        rng_init(rng, e->seed, all->vehicle, STREAM_WIRE, axis);
        rng->counter = (uint64_t)(*seen)++ << FRAME_BLOCKS_LOG2;
        return wire_chance(rng, f->probability);
}

void wire_fault_acted(struct wire_fault_entry *e, size_t bytes)
{
        e->counts.frames++;
        e->counts.bytes += bytes;
        if (e->left > 0)
                e->left--;
}
