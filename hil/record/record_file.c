/* Buffered writing with every write to the kernel ending at a record's end. */
#include "hil/record/record_entry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES (2 * RECORD_FILE_PENDING_MAX)

/* The end of a long path says more than its beginning. */
static void note_failure(struct record_file *f, const char *what, int error)
{
        size_t len = strlen(f->path);
        const char *path = len > 100 ? f->path + len - 100 : f->path;

        snprintf(f->failure, sizeof f->failure, "%s: %s: %s", path, what,
                 strerror(error));
}

bool record_file_open(struct record_file *f, const char *folder, const char *name,
                      size_t (*whole)(const void *bytes, size_t len))
{
        int n;

        *f = (struct record_file){ .whole = whole };
        n = snprintf(f->path, sizeof f->path, "%s/%s", folder, name);
        if (n < 0 || (size_t)n >= sizeof f->path) {
                note_failure(f, "could not be made", ENAMETOOLONG);
                return false;
        }
        f->buffer = malloc(BUFFER_BYTES);
        /* Readable too: what the kernel took of a failed write is looked through. */
        f->file = f->buffer ? fopen(f->path, "w+be") : NULL;
        if (!f->file) {
                note_failure(f, "could not be made", errno);
                free(f->buffer);
                f->buffer = NULL;
                return false;
        }
        setvbuf(f->file, f->buffer, _IOFBF, BUFFER_BYTES);
        return true;
}

/* After a failed write the file may end amid a record: keeps the whole ones. */
static void cut_file(struct record_file *f, int fd)
{
        struct stat st;
        ssize_t got;
        size_t tail;

        if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size <= f->flushed)
                return;
        tail = (size_t)(st.st_size - f->flushed);
        if (tail > BUFFER_BYTES)
                return;
        got = pread(fd, f->buffer, tail, f->flushed);
        if (got < 0)
                return;
        f->flushed += (int64_t)f->whole(f->buffer, (size_t)got);
        /* If this fails too, the log ends amid a record, which readers allow. */
        if (ftruncate(fd, f->flushed) != 0)
                return;
}

static void give_up_file(struct record_file *f, int error)
{
        note_failure(f, "could not be written", error);
        /* What the kernel refused must not follow later, after the cut. */
        __fpurge(f->file);
        cut_file(f, fileno(f->file));
        fclose(f->file);
        free(f->buffer);
        f->file = NULL;
        f->buffer = NULL;
}

bool record_file_flush(struct record_file *f)
{
        off_t at;

        if (!f->file)
                return f->failure[0] == 0;
        if (fflush(f->file) != 0) {
                give_up_file(f, errno);
                return false;
        }
        at = lseek(fileno(f->file), 0, SEEK_CUR);
        if (at >= 0)
                f->flushed = at;
        return true;
}

bool record_file_close(struct record_file *f)
{
        int fault;

        if (!f->file || !record_file_flush(f))
                return f->failure[0] == 0;
        /* Some file systems report a full disk only here. */
        fault = fclose(f->file) != 0 ? errno : 0;
        if (fault)
                note_failure(f, "could not be written", fault);
        free(f->buffer);
        f->file = NULL;
        f->buffer = NULL;
        return fault == 0;
}
