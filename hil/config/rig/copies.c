/* Vehicles out of one that says how many there are of it: written out before anything is read, so that all
 * that follows sees vehicles alone. */
#include "hil/config/rig/rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum grid { GRID_SQUARE, GRID_RING, GRID_LINE };

static const char *const grid_names[] = { "square", "ring", "line", NULL };

static const struct config_field copies_fields[] = {
        { "count", CONFIG_INTEGER, "How many there are.", BETWEEN(1, VEHICLES_MAX),
          AT(copies_file, count) },
        { "spacing_m", CONFIG_NUMBER, "Distance from one to the next.", BETWEEN(0, 1e4),
          .preset = "2", AT(copies_file, spacing_m) },
        { "grid", CONFIG_CHOICE,
          "square: rows to the east, the next row north of it, from the start's place. "
          "line: one such row. ring: around the start's place.",
          .names = grid_names, .preset = "\"square\"", AT(copies_file, grid) },
        { NULL },
};

const struct config_table config_copies_table = {
        .name = "copies",
        .about = "Several vehicles of the same kind. In all strings {i} becomes the "
                 "number of the "
                 "copy from 0, and {A+B*i}, with whole numbers A and B, what that is. A "
                 "name "
                 "without it ends in _{i}.",
        .field = copies_fields,
};

/* "{i}", "{3+i}", "{10*i}", "{3+10*i}": its value for copy i, and its length; 0: it is none. */
static size_t term_of(const char *text, int i, long *value)
{
        long number[2] = { 0, 1 };
        const char *c = text + 1;
        char *end;

        if (text[0] != '{')
                return 0;
        for (int k = 0; *c >= '0' && *c <= '9' && k < 2; k++) {
                long n = strtol(c, &end, 10);

                if (end - c > 9 || ((*end != '+' || k > 0) && *end != '*'))
                        return 0;
                number[*end == '*'] = n;
                c = end + 1;
                if (*end == '*')
                        break;
        }
        if (c[0] != 'i' || c[1] != '}')
                return 0;
        *value = number[0] + number[1] * i;
        return (size_t)(c + 2 - text);
}

/* NULL: no memory. */
static char *number_text(const char *text, int i)
{
        char *made = NULL;
        size_t size = 0, len;
        FILE *out = open_memstream(&made, &size);
        long value;

        if (!out)
                return NULL;
        for (; *text; text += len) {
                len = term_of(text, i, &value);
                if (len > 0)
                        fprintf(out, "%ld", value);
                else
                        fputc(*text, out);
                len = len > 0 ? len : 1;
        }
        if (fclose(out) != 0) {
                free(made);
                return NULL;
        }
        return made;
}

static bool number_strings(struct json *value, int i)
{
        char *made;

        if (value->type == JSON_STRING && strchr(value->text, '{')) {
                made = number_text(value->text, i);
                if (!made)
                        return false;
                free(value->text);
                value->text = made;
        }
        for (struct json *c = value->first; c; c = c->next)
                if (!number_strings(c, i))
                        return false;
        return true;
}

static void place(const struct copies_file *p, int i, double *north_m, double *east_m)
{
        int side = (int)ceil(sqrt(p->count)), row = i / side, column = i % side;
        double turn = 2.0 * 3.14159265358979323846 / p->count;

        *north_m = *east_m = 0.0;
        if (p->grid == GRID_LINE)
                *east_m = p->spacing_m * i;
        else if (p->grid == GRID_SQUARE) {
                *north_m = p->spacing_m * row;
                *east_m = p->spacing_m * column;
        } else if (p->count > 1) {
                double radius_m = p->spacing_m / (2.0 * sin(turn / 2.0));

                *north_m = radius_m * cos(turn * i);
                *east_m = radius_m * sin(turn * i);
        }
}

/* What was not written stands where its parent does. */
static struct json *adopt(struct json *made, const struct json *parent)
{
        if (made) {
                made->file = parent->file;
                made->depth = parent->depth + 1;
        }
        return made;
}

static struct json *member_object(struct json *parent, const char *key)
{
        struct json *there = json_member(parent, key);

        return there || !json_is(parent, JSON_OBJECT)
                       ? there
                       : adopt(json_add_object(parent, key), parent);
}

/* What is no number is refused where it is read. */
static void shift(struct json *at, const char *key, double by_m)
{
        struct json *there = json_member(at, key);

        if (!there && json_is(at, JSON_OBJECT)) {
                json_add_number(at, key, by_m);
                adopt(json_member(at, key), at);
        } else if (there && there->type == JSON_NUMBER) {
                there->number += by_m;
        }
}

static bool add_copy(struct json *made, const struct json *vehicle,
                     const struct copies_file *p, int i)
{
        struct json *copy = json_copy(vehicle), *at;
        double north_m, east_m;

        if (!copy)
                return false;
        json_free(json_detach(json_member(copy, "copies")));
        if (!number_strings(copy, i)) {
                json_free(copy);
                return false;
        }
        if (!json_attach(made, NULL, copy))
                return false;
        place(p, i, &north_m, &east_m);
        at = member_object(member_object(copy, "start"), "at_m");
        shift(at, "north", north_m);
        shift(at, "east", east_m);
        return true;
}

/* Names are unique in a rig: one that does not say otherwise gets the number at its end. */
static bool number_name(struct json *name)
{
        char *numbered = NULL;
        long value;

        if (!json_is(name, JSON_STRING))
                return true;
        for (const char *c = name->text; *c; c++)
                if (term_of(c, 0, &value) > 0)
                        return true;
        if (asprintf(&numbered, "%s_{i}", name->text) < 0)
                return false;
        free(name->text);
        name->text = numbered;
        return true;
}

/* False: no memory. */
static bool write_out(struct json *made, struct json *vehicle, struct config_error *why)
{
        struct json *node = json_member(vehicle, "copies");
        struct copies_file p = { 0 };

        if (!node || node->type == JSON_NULL) {
                vehicle = json_copy(vehicle);
                return vehicle && json_attach(made, NULL, vehicle);
        }
        /* What was refused is one vehicle, in which there may be more to tell. */
        if (!config_table_read(&config_copies_table, node, &p, NULL, why))
                p = (struct copies_file){ .count = 1 };
        if (!number_name(json_member(vehicle, "name")))
                return false;
        for (int i = 0; i < p.count; i++)
                if (made->count == VEHICLES_MAX) {
                        config_refuse_at(why, node, "count",
                                         "makes more vehicles than %d", VEHICLES_MAX);
                        break;
                } else if (!add_copy(made, vehicle, &p, i)) {
                        return false;
                }
        return true;
}

void config_expand_copies(struct json *root, struct config_error *why)
{
        struct json *list = json_member(root, "vehicles"), *made;
        bool any = false;

        for (struct json *c = list ? list->first : NULL; c; c = c->next)
                any |= json_member(c, "copies") != NULL;
        if (!any || !json_is(list, JSON_ARRAY))
                return;
        made = adopt(json_new_array(), root);
        for (struct json *c = list->first; made && c; c = c->next)
                if (!write_out(made, c, why)) {
                        json_free(made);
                        made = NULL;
                }
        if (!made) {
                config_refuse(why, list, NULL, "out of memory");
                return;
        }
        json_replace(list, made);
}
