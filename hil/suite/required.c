#include "hil/suite/required.h"

#include <math.h>
#include <stdio.h>
#include <strings.h>

static const struct json *first_of(const struct json *list)
{
        return json_is(list, JSON_ARRAY) ? list->first : NULL;
}

static double outcome_of(const char *outcome)
{
        return strcasecmp(outcome, "passed") == 0   ? 1.0
               : strcasecmp(outcome, "failed") == 0 ? 0.0
                                                    : NAN;
}

static bool read_requirement(struct required *r, const struct json *o)
{
        const char *name = json_string(o, "name"), *outcome = json_string(o, "outcome");

        if (name == NULL)
                return false;
        snprintf(r->name, sizeof r->name, "%.90s", name);
        r->entry = o;
        if (outcome != NULL)
                r->outcome = outcome_of(outcome);
        else if (json_is(json_member(o, "passed"), JSON_BOOL))
                r->outcome = json_bool(o, "passed", false) ? 1.0 : 0.0;
        return true;
}

/* Of an item that asks for nothing, as a speed does, the outcome is empty. */
static bool read_item(struct required_walk *walk, struct required *r,
                      const struct json *o)
{
        const char *what = json_string(o, "what"), *outcome = json_string(o, "outcome");
        double item = json_number(o, "item");
        int used;

        walk->stop++;
        if (!(item >= 1.0 && item < 1e6) || what == NULL || outcome == NULL ||
            outcome[0] == '\0')
                return false;
        used = snprintf(r->name, sizeof r->name, "mission item %.0f: %.40s", item, what);
        if (item <= walk->highest)
                snprintf(r->name + used, sizeof r->name - (size_t)used, ", stop %d",
                         walk->stop);
        walk->highest = fmax(walk->highest, item);
        r->outcome = outcome_of(outcome);
        return true;
}

static bool read_fence(struct required *r, const struct json *root)
{
        const char *outcome = json_string(root, "mission.fence_outcome");

        if (outcome == NULL || outcome[0] == '\0')
                return false;
        snprintf(r->name, sizeof r->name, "mission: fence");
        r->outcome = outcome_of(outcome);
        return true;
}

static void begin_part(struct required_walk *walk)
{
        static const char *const list[] = {
                [REQUIRED_SCENARIO] = "requirements", [REQUIRED_ITEMS] = "mission.items"
        };

        walk->part++;
        walk->next = walk->part < REQUIRED_FENCE
                             ? first_of(json_at(walk->root, list[walk->part]))
                             : NULL;
}

bool required_next(struct required_walk *walk, struct required *r)
{
        while (walk->part < REQUIRED_FENCE) {
                const struct json *o = walk->next;

                *r = (struct required){ .outcome = NAN };
                if (o == NULL) {
                        begin_part(walk);
                        if (walk->part == REQUIRED_FENCE)
                                return read_fence(r, walk->root);
                        continue;
                }
                walk->next = o->next;
                if (walk->part == REQUIRED_SCENARIO ? read_requirement(r, o)
                                                    : read_item(walk, r, o))
                        return true;
        }
        return false;
}
