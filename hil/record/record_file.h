/* A file of a run folder that is written record by record and stays readable when it
 * cannot be written to its end: it is then cut after its last whole record. */
#ifndef HIL_RECORD_RECORD_FILE_H
#define HIL_RECORD_RECORD_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct record_file {
        FILE *file; /* NULL: not open, or given up */
        char *buffer;
        int64_t flushed; /* length of the file at the last flush that succeeded */
        /* How many of len bytes, from the start of the file or of a record, are whole
         * records. */
        size_t (*whole)(const void *bytes, size_t len);
        char path[PATH_MAX];
        char failure[200]; /* "" or the path and the reason */
};

/* A record handed to the stream before a flush may be as large as this, and the caller
 * flushes when more than this is pending: so the stream never writes by itself, amid a
 * record. */
#define RECORD_FILE_PENDING_MAX (128 * 1024)

/* Makes or empties folder/name. False with f->failure. */
bool record_file_open(struct record_file *f, const char *folder, const char *name,
                      size_t (*whole)(const void *bytes, size_t len));

/* Hands everything to the kernel. On an error: notes it, cuts the file, gives it up. */
bool record_file_flush(struct record_file *f);

/* Flushes and closes. False with f->failure when anything was lost, then or earlier. */
bool record_file_close(struct record_file *f);

#endif
