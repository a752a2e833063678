#include "models/sensors/schedule.h"

#include <assert.h>
#include <string.h>

void schedule_init(struct schedule *s, const struct schedule_params *p)
{
        s->next_ns = p->phase_ns;
}

static void drop_oldest(struct delay_line *d)
{
        d->first = (d->first + 1) % DELAY_SLOTS;
        d->count--;
}

void delay_push(struct delay_line *d, int64_t due_ns, const void *sample, size_t size)
{
        unsigned last;

        assert(size <= DELAY_SAMPLE_MAX);
        if (d->count == DELAY_SLOTS)
                drop_oldest(d);
        last = (d->first + d->count) % DELAY_SLOTS;
        d->slot[last].due_ns = due_ns;
        memcpy(d->slot[last].sample, sample, size);
        d->count++;
}

bool delay_pop(struct delay_line *d, int64_t t_ns, void *sample, size_t size)
{
        const unsigned char *newest = NULL;

        assert(size <= DELAY_SAMPLE_MAX);
        while (d->count > 0 && d->slot[d->first].due_ns <= t_ns) {
                newest = d->slot[d->first].sample;
                drop_oldest(d);
        }
        if (newest == NULL)
                return false;
        memcpy(sample, newest, size);
        return true;
}
