/* Loops out of lists. Entries are copied and their expressions replaced; an error points at what the
 * user wrote. What is refused stays where it is. */
#include "hil/config/scenario/expand.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So far, of all loops of all lists: bounded, however they nest. */
struct spent {
        int turns, values;
        bool over; /* too much, which has been said */
};

/* One list on its way from what was written to what is meant. */
struct expansion {
        const char *key; /* of the list, and of the lists in its loops */
        struct json *made;
        struct spent *spent;
        struct config_error *why;
};

/* Where in the loops the entries are. */
struct place {
        char path[120]; /* "2.steps." */
        char turn[120]; /* "i=3,j=0" */
        int loops; /* around */
};

static bool expand_entries(struct expansion *x, const struct json *list,
                           struct scenario_terms *terms, const struct place *place);
static bool expand_value(struct json *value, struct scenario_terms *terms,
                         struct spent *spent, struct config_error *why);

static bool is_loop(const struct json *entry)
{
        return json_member(entry, "repeat") != NULL;
}

static int count_values(const struct json *value)
{
        int n = 1;

        for (const struct json *c = value->first; c; c = c->next)
                n += count_values(c);
        return n;
}

/* The entry, at level 0, stands `lifted` levels higher now: the path to a value of its file is so much
 * shorter. It stays long enough to show the entry's own name where it did. */
static void lift(struct json *value, int level, int lifted)
{
        if (value->depth > level + 1)
                value->depth =
                        value->depth - lifted > level ? value->depth - lifted : level + 1;
        for (struct json *c = value->first; c; c = c->next)
                lift(c, level + 1, lifted);
}

/* The key of an array's entry is what messages call it. */
static char *name_of(const struct place *place, int index)
{
        char *name = NULL;
        int made = place->turn[0]
                           ? asprintf(&name, "%s%d(%s)", place->path, index, place->turn)
                           : asprintf(&name, "%s%d", place->path, index);

        return made < 0 ? NULL : name;
}

static bool refuse_amount(struct expansion *x, const struct json *at, const char *what,
                          int most)
{
        x->spent->over = true;
        return config_refuse(x->why, at, NULL, what, most);
}

/* A copy of the entry at the end of what is made; NULL: no memory. */
static struct json *copy_entry(struct expansion *x, const struct json *entry, int index,
                               const struct place *place)
{
        struct json *copy = json_copy(entry);
        char *name = name_of(place, index);

        if (copy)
                lift(copy, 0, 2 * place->loops);
        if (!copy || !name || !json_attach(x->made, name, copy)) {
                config_refuse(x->why, entry, NULL, "out of memory");
                if (!name)
                        json_free(copy);
                copy = NULL;
        }
        free(name);
        return copy;
}

static bool add_entry(struct expansion *x, const struct json *entry, int index,
                      struct scenario_terms *terms, const struct place *place)
{
        struct json *copy;

        x->spent->values += count_values(entry);
        if (x->made->count == SCENARIO_ENTRIES_MAX)
                return refuse_amount(x, entry,
                                     "a list must have at most %d entries when its loops "
                                     "are written out",
                                     SCENARIO_ENTRIES_MAX);
        if (x->spent->values > JSON_VALUES_MAX)
                return refuse_amount(x, entry,
                                     "a scenario must have at most %d values when its "
                                     "loops are written out",
                                     JSON_VALUES_MAX);
        copy = copy_entry(x, entry, index, place);
        return copy && expand_value(copy, terms, x->spent, x->why);
}

/* A loop that is not understood, in place of its entries: nothing follows from a list without them. */
static void keep_refused(struct expansion *x, const struct json *loop, int at,
                         const struct place *around)
{
        struct json *copy = copy_entry(x, loop, at, around);

        if (copy)
                copy->refused = true;
}

static bool check_loop_keys(const struct json *loop, const char *list_key,
                            struct config_error *why)
{
        for (const struct json *c = loop->first; c; c = c->next)
                if (strcmp(c->key, "repeat") != 0 && strcmp(c->key, "index") != 0 &&
                    strcmp(c->key, "comment") != 0 && strcmp(c->key, list_key) != 0)
                        return config_refuse(
                                why, c, NULL,
                                "unknown key; known in a loop: repeat, index, %s",
                                list_key);
        if (!json_is(json_member(loop, list_key), JSON_ARRAY))
                return config_refuse(why, loop, list_key,
                                     "must be an array: what the loop repeats");
        return true;
}

static bool loop_count(const struct expansion *x, const struct json *loop,
                       const struct scenario_terms *terms, int *count)
{
        static const char expected[] = "a whole number from 0 to 256";
        const struct json *repeat = json_member(loop, "repeat");
        double number;

        if (!scenario_terms_number(terms, repeat, expected, &number, x->why))
                return false;
        if (!(number >= 0.0 && number <= SCENARIO_ENTRIES_MAX && number == floor(number)))
                return config_refuse(x->why, repeat, NULL, "must be %s, is %.15g",
                                     expected, number);
        *count = (int)number;
        return true;
}

/* The loop's place, without its turn; the index becomes a name. */
static bool enter_loop(struct expansion *x, const struct json *loop, int at,
                       struct scenario_terms *terms, const struct place *around,
                       struct place *inside)
{
        const struct json *index = json_member(loop, "index");

        if (around->loops == SCENARIO_LOOPS_MAX)
                return config_refuse(x->why, loop, NULL,
                                     "at most %d loops may stand inside each other",
                                     SCENARIO_LOOPS_MAX);
        *inside = (struct place){ .loops = around->loops + 1 };
        snprintf(inside->path, sizeof(inside->path), "%.80s%d.%.20s.", around->path, at,
                 x->key);
        if (!index)
                return true;
        if (!json_is(index, JSON_STRING))
                return config_refuse(x->why, index, NULL,
                                     "must be a string: the name of the loop's variable");
        return scenario_terms_add(terms, index->text, 0.0, index, x->why);
}

/* The loop's entries, once for each turn. known: the names that it found. */
static bool turn_loop(struct expansion *x, const struct json *loop, int count,
                      struct scenario_terms *terms, int known, const struct place *around,
                      struct place *inside)
{
        const char *name = terms->count > known ? terms->name[known] : "turn";
        bool ok = true;

        for (int i = 0; i < count && !x->spent->over; i++) {
                if (terms->count > known)
                        terms->value[known] = i;
                snprintf(inside->turn, sizeof(inside->turn), "%.60s%s%.40s=%d",
                         around->turn, around->turn[0] ? "," : "", name, i);
                if (++x->spent->turns > SCENARIO_ENTRIES_MAX * SCENARIO_LOOPS_MAX)
                        ok = refuse_amount(
                                x, loop, "all loops together must turn at most %d times",
                                SCENARIO_ENTRIES_MAX * SCENARIO_LOOPS_MAX);
                else
                        ok = expand_entries(x, json_member(loop, x->key), terms,
                                            inside) &&
                             ok;
        }
        return ok;
}

static bool expand_loop(struct expansion *x, const struct json *loop, int at,
                        struct scenario_terms *terms, const struct place *around)
{
        int known = terms->count, count = 0;
        struct place inside;
        bool ok = check_loop_keys(loop, x->key, x->why) &&
                  loop_count(x, loop, terms, &count) &&
                  enter_loop(x, loop, at, terms, around, &inside);

        if (ok)
                ok = turn_loop(x, loop, count, terms, known, around, &inside);
        else
                keep_refused(x, loop, at, around);
        terms->count = known;
        return ok;
}

static bool expand_entries(struct expansion *x, const struct json *list,
                           struct scenario_terms *terms, const struct place *place)
{
        bool ok = true;
        int index = 0;

        for (const struct json *c = list->first; c && !x->spent->over;
             c = c->next, index++) {
                bool done = is_loop(c) ? expand_loop(x, c, index, terms, place)
                                       : add_entry(x, c, index, terms, place);

                ok = done && ok;
        }
        return ok;
}

static bool has_loop(const struct json *value)
{
        if (!json_is(value, JSON_ARRAY) || !value->key)
                return false;
        for (const struct json *c = value->first; c; c = c->next)
                if (is_loop(c))
                        return true;
        return false;
}

/* An empty list with the place and the key of this one, for the paths in messages; the parent does
 * not know of it yet. */
static struct json *list_beside(const struct json *list)
{
        struct json *made = json_new_array();

        if (!made)
                return NULL;
        made->key = strdup(list->key);
        made->parent = list->parent;
        made->file = list->file;
        made->depth = list->depth;
        made->place = list->place;
        if (!made->key) {
                json_free(made);
                return NULL;
        }
        return made;
}

static bool expand_list(struct json *list, struct scenario_terms *terms,
                        struct spent *spent, struct config_error *why)
{
        struct expansion x = { list->key, list_beside(list), spent, why };
        const struct place top = { .loops = 0 };
        bool ok;

        if (!x.made)
                return config_refuse(why, list, NULL, "out of memory");
        ok = expand_entries(&x, list, terms, &top);
        json_replace(list, x.made);
        /* A list that was cut short says nothing. */
        x.made->refused = spent->over;
        return ok;
}

static bool expand_value(struct json *value, struct scenario_terms *terms,
                         struct spent *spent, struct config_error *why)
{
        bool ok = true;

        if (has_loop(value))
                return expand_list(value, terms, spent, why);
        if (!value->first)
                return scenario_terms_replace(terms, value, why);
        for (struct json *c = value->first, *next; c; c = next) {
                next = c->next;
                ok = expand_value(c, terms, spent, why) && ok;
        }
        return ok;
}

static bool read_parameters(const struct json *parameters, struct scenario_terms *terms,
                            struct config_error *why)
{
        char is[64];

        if (!json_is(parameters, JSON_OBJECT)) {
                json_describe(parameters, is, sizeof(is));
                return config_refuse(why, parameters, NULL, "must be an object, is %s",
                                     is);
        }
        if (parameters->count > SCENARIO_PARAMETERS_MAX)
                return config_refuse(why, parameters, NULL,
                                     "must have at most %d entries, has %d",
                                     SCENARIO_PARAMETERS_MAX, parameters->count);
        for (const struct json *c = parameters->first; c; c = c->next) {
                double number;

                if (strcmp(c->key, "comment") == 0)
                        continue;
                if (!scenario_terms_number(terms, c, "a number", &number, why) ||
                    !scenario_terms_add(terms, c->key, number, c, why))
                        return false;
        }
        return true;
}

bool scenario_expand(struct json *scenario, struct config_error *why)
{
        struct json *parameters = json_member(scenario, "parameters");
        struct scenario_terms terms;
        struct spent spent = { .turns = 0 };
        bool ok = true;

        if (!json_is(scenario, JSON_OBJECT))
                return true;
        scenario_terms_init(&terms);
        if (parameters && !read_parameters(parameters, &terms, why)) {
                /* Any expression may be wrong because of it. */
                scenario->refused = true;
                return false;
        }
        for (struct json *c = scenario->first, *next; c; c = next) {
                next = c->next;
                if (c != parameters)
                        ok = expand_value(c, &terms, &spent, why) && ok;
        }
        /* Last: the terms point into it. */
        if (parameters)
                json_free(json_detach(parameters));
        return ok;
}
