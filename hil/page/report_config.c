/* The configuration of a fleet in few words: the first vehicle whole, of every other one what differs from it. */
#include <string.h>

#include "hil/page/report.h"

static bool is_same(const struct json *a, const struct json *b)
{
        const struct json *x = a->first, *y = b->first;

        if (a->type != b->type || a->number != b->number || a->count != b->count ||
            strcmp(a->text != NULL ? a->text : "", b->text != NULL ? b->text : "") != 0)
                return false;
        for (; x != NULL; x = x->next, y = y->next)
                if (strcmp(x->key != NULL ? x->key : "", y->key != NULL ? y->key : "") !=
                            0 ||
                    !is_same(x, y))
                        return false;
        return true;
}

static void drop_what_is_same(struct json *of, const struct json *as)
{
        struct json *next;

        for (struct json *m = of->first; m != NULL; m = next) {
                const struct json *other = json_member(as, m->key);

                next = m->next;
                if (other == NULL)
                        continue;
                if (is_same(m, other))
                        json_free(json_detach(m));
                else if (json_is(m, JSON_OBJECT) && json_is(other, JSON_OBJECT))
                        drop_what_is_same(m, other);
        }
}

char *report_brief_config(const struct json *config)
{
        struct json *copy = json_copy(config);
        const struct json *list = json_member(copy, "vehicles");
        char *text;

        if (json_is(list, JSON_ARRAY) && json_is(list->first, JSON_OBJECT))
                for (struct json *v = list->first->next; v != NULL; v = v->next)
                        if (json_is(v, JSON_OBJECT))
                                drop_what_is_same(v, list->first);
        text = copy != NULL ? json_print(copy) : NULL;
        json_free(copy);
        return text;
}
