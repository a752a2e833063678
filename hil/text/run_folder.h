/* The folder that a run leaves behind: runs/<UTC time>-<name>/, or the one given by the user. */
#ifndef HIL_TEXT_RUN_FOLDER_H
#define HIL_TEXT_RUN_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* Makes the folder, with those above it, and writes its path. `wanted` NULL: a new one under runs/. A
 * folder that holds a run already is refused: nothing is overwritten. */
bool run_folder_make(const char *wanted, const char *name, char *path, size_t cap,
                     char *why, size_t why_cap);

/* Writes a whole file in the folder; false with the reason. */
bool run_folder_write(const char *folder, const char *file, const char *text, char *why,
                      size_t why_cap);

#endif
