/* A file to be read where it lies: a run's log may be larger than memory. */
#ifndef HIL_TEXT_MAPPED_FILE_H
#define HIL_TEXT_MAPPED_FILE_H

#include <stddef.h>

/* NULL and len 0: not there, empty, or no regular file. */
const void *mapped_file_open(const char *path, size_t *len);
/* NULL is allowed. */
void mapped_file_close(const void *map, size_t len);

#endif
