/* What record.c, the loop's side of the recorder, shares with record_write.c, the writing
 * thread's: the recorder itself and the entries in its ring. */
#pragma once

#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>

#include "hil/record/record_topics.h"
#include "hil/time/ring.h"
#include "hil/record/signal_hash.h"

/* A file of a run folder that is written record by record and stays readable when it cannot be written
 * to its end: it is then cut after its last whole record. */
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

enum entry_kind {
        ENTRY_TICK,
        ENTRY_ESTIMATE,
        ENTRY_SETPOINT,
        ENTRY_SYNC,
        ENTRY_PADS,
        ENTRY_EVENT,
        ENTRY_RANGES,
        ENTRY_TWIN,
        ENTRY_BYTES,
        ENTRY_TEXT
};

/* Opens every record in the ring; what it is about follows. */
struct entry {
        uint8_t kind; /* enum entry_kind */
        uint8_t direction; /* of bytes */
        uint8_t vehicle, channel;
        char level; /* of a text */
        uint32_t lost; /* entries dropped since the one before */
        int64_t t_ns;
};

struct recorder {
        int vehicles; /* boards from this number on are stations' */
        struct ring ring;
        void *ring_memory;
        struct ring *watched; /* NULL: none */
        bool wait;
        _Atomic bool closing, failed;
        sem_t wanted; /* the writing thread, before its rest is over */
        pthread_t thread;

        /* The loop's. */
        uint64_t drops;
        uint32_t lost; /* since the last entry that got in */
        int64_t lost_last_ns; /* time of the newest dropped entry */

        /* The writing thread's. */
        struct record_topics topics;
        struct wire_capture wire;
        struct record_file log_file, wire_file;
        struct signal_hash *hash;
        int64_t last_ns; /* time of the newest entry */
        char folder[PATH_MAX];
        char failure[200];
};

/* The writing thread: takes entries out until the recorder is closing and the ring is empty.
 * After a write error it goes on taking entries, and hashing, so that the loop never waits for
 * a disk that is gone. */
void *record_write_out(void *recorder);

/* The first failure is the one that is reported. */
void record_take_failure(struct recorder *r, const struct record_file *f);
/* Says in the log that entries before this one were lost. */
void record_write_dropout(struct recorder *r, int64_t until_ns);
