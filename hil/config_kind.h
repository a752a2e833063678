/* Which kind of configuration file a file is, for whoever gave one where another was wanted. */
#ifndef HIL_CONFIG_KIND_H
#define HIL_CONFIG_KIND_H

#include "hil/config.h"

/* Where the file is of a known kind and no rig: replaces the reason why it could not be read as one by
 * which kind it is, and what to do with it. */
void config_kind_explain(const char *path, struct config_error *why);

#endif
