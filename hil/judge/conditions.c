#include "hil/judge/conditions.h"

#include <math.h>
#include <stdlib.h>

static bool uses(const struct scenario *s, int number)
{
        for (int i = 0; i < s->steps; i++)
                if (s->step[i].when != NULL && formula_uses(s->step[i].when, number))
                        return true;
        return false;
}

bool conditions_open(struct conditions *c, const struct scenario *s, int vehicles)
{
        int all = vehicles * quantity_count;

        *c = (struct conditions){ 0 };
        c->number = calloc((size_t)all, sizeof *c->number);
        c->value = calloc((size_t)all, sizeof *c->value);
        if (c->number == NULL || c->value == NULL) {
                conditions_close(c);
                return false;
        }
        for (int i = 0; i < all; i++) {
                c->value[i] = NAN;
                if (uses(s, i))
                        c->number[c->used++] = i;
        }
        return true;
}

void conditions_close(struct conditions *c)
{
        free(c->number);
        free(c->value);
        *c = (struct conditions){ 0 };
}

void conditions_observe(struct conditions *c, const struct observation *vehicle)
{
        for (int i = 0; i < c->used; i++) {
                int number = c->number[i];
                const struct quantity *q = &quantities[quantity_of(number)];

                c->value[number] = q->of(&vehicle[quantity_vehicle(number)], q->index);
        }
        c->observed = true;
}

const double *conditions_value(const struct conditions *c)
{
        return c->observed ? c->value : NULL;
}
