/* Variables of the environment in a text. */
#pragma once

#include <stddef.h>

/* The text with each ${NAME} replaced by what this process's environment has of that name; any other $ is itself. The
 * caller frees it. NULL: the environment has none of the name that missing then holds, or, where that is empty, there is
 * no memory. */
char *variables_expand(const char *text, char *missing, size_t cap);
