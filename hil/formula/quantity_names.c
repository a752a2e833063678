/* What formulas call the quantities of several vehicles. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/formula/quantity.h"

/* Of any quantity's name, with "v12." before it and the 0 behind it. */
#define ROOM_MAX 40

static void put_name(struct quantity_names *n, int vehicle, int quantity, bool plain)
{
        int i = n->names.count++;
        char *text = n->text + (size_t)i * ROOM_MAX;

        if (plain)
                snprintf(text, ROOM_MAX, "%s", quantities[quantity].name);
        else
                snprintf(text, ROOM_MAX, "v%d.%s", vehicle, quantities[quantity].name);
        n->name[i] = text;
        n->number[i] = vehicle * quantity_count + quantity;
}

bool quantity_names_make(struct quantity_names *n, int vehicles, int home)
{
        size_t all = (size_t)(vehicles + 1) * (size_t)quantity_count;

        *n = (struct quantity_names){ .text = malloc(all * ROOM_MAX),
                                      .name = malloc(all * sizeof *n->name),
                                      .number = malloc(all * sizeof *n->number) };
        if (n->text == NULL || n->name == NULL || n->number == NULL) {
                quantity_names_free(n);
                return false;
        }
        for (int q = 0; q < quantity_count; q++)
                put_name(n, home, q, true);
        for (int v = 0; v < vehicles; v++)
                for (int q = 0; q < quantity_count; q++)
                        put_name(n, v, q, false);
        n->names.name = n->name;
        n->names.number = n->number;
        n->names.vehicles = vehicles;
        n->names.each = quantity_count;
        return true;
}

void quantity_names_free(struct quantity_names *n)
{
        free(n->text);
        free(n->name);
        free(n->number);
        *n = (struct quantity_names){ 0 };
}
