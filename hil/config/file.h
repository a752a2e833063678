/* The text of one file, bounded, and the names of files beside it. */
#ifndef HIL_CONFIG_FILE_H
#define HIL_CONFIG_FILE_H

#include <sys/stat.h>

#include "hil/config/config.h"

/* config_load_text(), and which file it was. */
char *config_file_text(const char *path, size_t *len, struct stat *st,
                       struct config_error *why);

/* The path of `name` as written in `file`; freed by the caller. NULL: no memory. */
char *config_file_beside(const char *file, const char *name);

#endif
