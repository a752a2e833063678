/* Which kind of configuration file a file is, for whoever gave one where another was wanted. */
#ifndef HIL_CONFIG_KIND_H
#define HIL_CONFIG_KIND_H

#include "hil/config/config.h"

struct json;

/* "rig", "suite", ... by the schema that the file names, else by its keys; NULL: it could be any. */
const char *config_kind_name(const struct json *root);

/* Where the file is of a known kind and no rig: replaces the reason why `hilrig COMMAND` could not read it
 * as one by which kind it is, and what to do with it. */
void config_kind_explain(const char *command, const char *path, struct config_error *why);

#endif
