/* What a board's own tools print: its parameters, compared line by line, and its storage. The texts may be any. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* How many lines differ, in any order; a line that has the same first word before and after counts once. `names` gets the first
 * words of some. -1: no memory. */
int said_lines_changed(const char *before, const char *after, char *names, size_t cap);

/* Lines "free_bytes N" and "errors N", with a space, "=" or ":" between; NAN: there is none. */
void said_storage(const char *text, double *free_bytes, double *errors);
