/* The sources of twins by their names. */
#include "io/twin/source.h"

#include <stdio.h>

static const struct twin_source_ops *const sources[] = { &twin_ivy_ops, &twin_mavlink_ops,
                                                         NULL };

const struct twin_source_ops *const *twin_source_all(void)
{
        return sources;
}

struct twin_source *twin_source_open(const char *name, const struct twin_setup *setup,
                                     struct link_error *why)
{
        if (strcmp(name, "ivy") == 0)
                return twin_ivy_open(setup, why);
        if (strcmp(name, "mavlink") == 0)
                return twin_mavlink_open(setup, why);
        snprintf(why->text, sizeof why->text, "%s: must be ivy or mavlink", name);
        return NULL;
}
