/* What a summary.json says was required of a flight, one thing after another: its requirements, then the items of its mission
 * and the fence. */
#pragma once

#include "hil/text/json.h"

struct required {
        char name[100]; /* without its vehicle */
        const struct json *entry; /* of a requirement; NULL: of the mission */
        double outcome; /* 1 it passed, 0 it failed, NaN it was not judged */
};

struct required_walk {
        const struct json *root;
        const struct json *next;
        enum { REQUIRED_BEGIN, REQUIRED_SCENARIO, REQUIRED_ITEMS, REQUIRED_FENCE } part;
        int stop; /* of the mission, from 1; one that jumps back has an item several times */
        double highest; /* item so far */
};

/* { .root = summary } before the first. False: no more. What is no requirement is passed over. */
bool required_next(struct required_walk *walk, struct required *r);
