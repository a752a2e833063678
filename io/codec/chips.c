/* Which of the board's own chips count. */
#include "io/codec/chips.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ID_MAX 4294967295.0

const char *chips_param(const struct chips *c, const struct chip_table *t, int which)
{
        int row = which / 2;

        if (which % 2 == 0)
                return c->chip[row].id_known ? NULL : t->row[row].id;
        return c->chip[row].use_known ? NULL : t->row[row].use;
}

/* NULL: it is none of the board's own. */
static const char *bus_of(int64_t id)
{
        switch (id & 7) {
        case 1:
                return "I2C";
        case 2:
                return "SPI";
        default:
                return NULL;
        }
}

static bool counts(const struct chips *c, const struct chip_table *t, int row)
{
        int at = t->row[row].counts_at;
        int64_t use = c->chip[row].use;

        return c->chip[row].id_known && c->chip[row].use_known &&
               bus_of(c->chip[row].id) != NULL &&
               (at == CHIP_UNLESS_0 ? use != 0 : use == at);
}

/* Once: what it was at the start. */
static bool keep(bool *known, int64_t *kept, int64_t value)
{
        if (*known)
                return false;
        *known = true;
        *kept = value;
        return true;
}

int chips_take(struct chips *c, const struct chip_table *t, const char *name,
               double value)
{
        int found = -1;

        if (!(fabs(value) <= ID_MAX))
                return -1;
        for (int i = 0; i < t->rows; i++) {
                bool fresh = false;

                if (strncmp(name, t->row[i].id, CHIP_PARAM_LENGTH) == 0)
                        fresh = keep(&c->chip[i].id_known, &c->chip[i].id,
                                     llround(value));
                if (strncmp(name, t->row[i].use, CHIP_PARAM_LENGTH) == 0)
                        fresh = keep(&c->chip[i].use_known, &c->chip[i].use,
                                     llround(value));
                if (fresh && counts(c, t, i))
                        found = i;
        }
        return found;
}

void chips_say(const struct chips *c, const struct chip_table *t, int row, char *text,
               size_t cap)
{
        const struct chip_params *params = &t->row[row];

        snprintf(text, cap,
                 "its own %s counts (%s %lld, on %s) and knows nothing of the flight: "
                 "set %s %s",
                 params->what, params->id, (long long)c->chip[row].id,
                 bus_of(c->chip[row].id), params->use,
                 params->counts_at == CHIP_UNLESS_0 ? "0" : "to the port's device");
}
