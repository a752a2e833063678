/* Files and whole folders: copied, removed. Symbolic links are copied as links and never followed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Copies a file into the folder under its own name, or what is in a folder, over what is there. False: why
 * names what could not be copied. */
bool tree_copy_into(const char *folder, const char *path, char *why, size_t cap);

/* Removes a folder with everything in it. True: it is not there afterwards. */
bool tree_remove(const char *path);
