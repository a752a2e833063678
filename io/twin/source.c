#include "io/twin/source.h"

#include <stdio.h>
#include <string.h>

static const struct {
        const struct twin_source_ops *ops;
        struct twin_source *(*open)(const struct twin_setup *setup,
                                    struct link_error *why);
} sources[] = {
        { NULL, NULL },
};

const struct twin_source_ops *const *twin_source_all(void)
{
        static const struct twin_source_ops *const all[] = { NULL };

        return all;
}

struct twin_source *twin_source_open(const char *name, const struct twin_setup *setup,
                                     struct link_error *why)
{
        for (int i = 0; sources[i].ops != NULL; i++)
                if (strcmp(sources[i].ops->name, name) == 0)
                        return sources[i].open(setup, why);
        snprintf(why->text, sizeof why->text, "no source is called \"%s\"", name);
        return NULL;
}
