/* The sources of twins by their names. */
#include "io/twin/source.h"

#include <stdio.h>

static const struct twin_source_ops *const sources[] = { &twin_natnet_ops, &twin_vrpn_ops,
                                                         &twin_log_ops, NULL };

const struct twin_source_ops *const *twin_source_all(void)
{
        return sources;
}

struct twin_source *twin_source_open(const char *name, const struct twin_setup *setup,
                                     struct link_error *why)
{
        if (strcmp(name, "natnet") == 0)
                return twin_natnet_open(setup, why);
        if (strcmp(name, "vrpn") == 0)
                return twin_vrpn_open(setup, why);
        if (strcmp(name, "log") == 0)
                return twin_log_open(setup, why);
        snprintf(why->text, sizeof why->text, "%s: must be natnet, vrpn or log", name);
        return NULL;
}
