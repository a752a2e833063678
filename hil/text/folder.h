/* Folders that a command leaves things in. */
#ifndef HIL_TEXT_FOLDER_H
#define HIL_TEXT_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* Makes the folder, and those above it that are not there. One that is there already is as good. False:
 * why names the first that could not be made, or is something else; those above it may have been made. */
bool folder_make(const char *path, char *why, size_t cap);

#endif
