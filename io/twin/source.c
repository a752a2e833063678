/* The sources of twins by their names. */
#include "io/twin/source.h"

#include <stdio.h>
#include <string.h>

static const struct twin_source_ops *const sources[] = {
        &twin_ivy_ops,  &twin_mavlink_ops, &twin_natnet_ops,
        &twin_vrpn_ops, &twin_log_ops,     &twin_hand_ops,
        NULL,
};

const struct twin_source_ops *const *twin_source_all(void)
{
        return sources;
}

struct twin_source *twin_source_open(const char *name, const struct twin_setup *setup,
                                     struct link_error *why)
{
        for (int i = 0; sources[i] != NULL; i++)
                if (strcmp(sources[i]->name, name) == 0)
                        return sources[i]->open(setup, why);
        snprintf(why->text, sizeof why->text, "no source is called \"%s\"", name);
        return NULL;
}
