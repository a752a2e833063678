/* Text files that stand whole or not at all. */
#ifndef HIL_TEXT_TEXT_FILE_H
#define HIL_TEXT_TEXT_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* False with the reason, which names the path. */
bool text_file_write(const char *path, const char *text, char *why, size_t cap);

/* The same for `hilrig COMMAND`, which says on standard error what went wrong; frees the text. NULL:
 * there was no memory for it. */
bool text_file_leave(const char *command, const char *path, char *text);

#endif
