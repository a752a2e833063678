/* The recorder: the loop's side puts entries into a ring, the writing thread takes them
 * out. After a write error the thread goes on taking entries, and hashing, so that the
 * loop never waits for a disk that is gone. */
#include "hil/record.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hil/record_file.h"
#include "hil/record_topics.h"
#include "hil/ring.h"
#include "hil/signal_hash.h"

#define RING_BYTES      (16 * 1024 * 1024)
#define RING_BYTES_MIN  4096
#define RING_BYTES_MAX  ((size_t)1 << 32)
#define BATCH           256 /* entries between two looks at the clock */
#define FLUSH_PERIOD_NS 250000000 /* half of what is promised */
#define IDLE_NS         2000000 /* the thread's sleep when the ring is empty */
#define FULL_NS         50000 /* the loop's, in lockstep, when it is full */
#define TEXT_MAX        1024
#define STACK_BYTES     (256 * 1024) /* little enough to be locked in memory */

enum entry_kind {
        ENTRY_TICK,
        ENTRY_ESTIMATE,
        ENTRY_SETPOINT,
        ENTRY_SYNC,
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
        struct ring ring;
        void *ring_memory;
        bool wait;
        _Atomic bool closing, failed;
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

static void sleep_ns(long ns)
{
        nanosleep(&(struct timespec){ .tv_nsec = ns }, NULL);
}

/* The loop's side. */

/* Room for an entry with len bytes after it, or NULL: dropped and counted. */
static void *entry_claim(struct recorder *r, enum entry_kind kind, int64_t t_ns,
                         size_t len)
{
        struct entry *e = ring_claim(&r->ring, sizeof *e + len);

        while (!e && r->wait && ring_fits(&r->ring, sizeof *e + len)) {
                sleep_ns(FULL_NS);
                e = ring_claim(&r->ring, sizeof *e + len);
        }
        if (!e) {
                r->drops++;
                r->lost++;
                r->lost_last_ns = t_ns;
                return NULL;
        }
        *e = (struct entry){ .kind = (uint8_t)kind, .lost = r->lost, .t_ns = t_ns };
        r->lost = 0;
        return e;
}

static bool push(struct recorder *r, enum entry_kind kind, int64_t t_ns, const void *body,
                 size_t len)
{
        struct entry *e = entry_claim(r, kind, t_ns, len);

        if (!e)
                return false;
        memcpy(e + 1, body, len);
        ring_publish(&r->ring);
        return true;
}

bool recorder_tick(struct recorder *r, const struct tick_record *tick)
{
        assert(tick->vehicle >= 0 && tick->vehicle < VEHICLES_MAX);
        return push(r, ENTRY_TICK, tick->t_ns, tick, sizeof *tick);
}

bool recorder_estimate(struct recorder *r, const struct estimate_record *e)
{
        assert(e->vehicle >= 0 && e->vehicle < VEHICLES_MAX);
        return push(r, ENTRY_ESTIMATE, e->t_ns, e, sizeof *e);
}

bool recorder_setpoint(struct recorder *r, const struct setpoint_record *s)
{
        assert(s->vehicle >= 0 && s->vehicle < VEHICLES_MAX);
        return push(r, ENTRY_SETPOINT, s->t_ns, s, sizeof *s);
}

bool recorder_sync(struct recorder *r, const struct sync_record *s)
{
        assert(s->vehicle >= 0 && s->vehicle < VEHICLES_MAX);
        return push(r, ENTRY_SYNC, s->t_ns, s, sizeof *s);
}

bool recorder_bytes(struct recorder *r, int64_t t_ns, enum wire_direction direction,
                    int vehicle, int channel, const void *bytes, size_t len)
{
        struct entry *e = entry_claim(r, ENTRY_BYTES, t_ns, len);

        if (!e)
                return false;
        e->direction = (uint8_t)direction;
        e->vehicle = (uint8_t)vehicle;
        e->channel = (uint8_t)channel;
        memcpy(e + 1, bytes, len);
        ring_publish(&r->ring);
        return true;
}

bool recorder_text(struct recorder *r, int64_t t_ns, char level, const char *text)
{
        size_t len = strlen(text) < TEXT_MAX ? strlen(text) : TEXT_MAX;
        struct entry *e = entry_claim(r, ENTRY_TEXT, t_ns, len + 1);
        char *copy;

        if (!e)
                return false;
        e->level = level;
        copy = (char *)(e + 1);
        memcpy(copy, text, len);
        copy[len] = 0;
        ring_publish(&r->ring);
        return true;
}

bool recorder_failed(const struct recorder *r)
{
        return atomic_load_explicit(&r->failed, memory_order_relaxed);
}

/* The writing thread's side. */

/* The first failure is the one that is reported. */
static void take_failure(struct recorder *r, const struct record_file *f)
{
        if (r->failure[0] == 0)
                memcpy(r->failure, f->failure, sizeof r->failure);
        atomic_store_explicit(&r->failed, true, memory_order_relaxed);
}

static void flush(struct recorder *r)
{
        if (r->log_file.file && !record_file_flush(&r->log_file))
                take_failure(r, &r->log_file);
        if (r->wire_file.file && !record_file_flush(&r->wire_file))
                take_failure(r, &r->wire_file);
        r->topics.ulog.pending = r->wire.pending = 0;
}

static void write_dropout(struct recorder *r, int64_t until_ns)
{
        int64_t ms = (until_ns - r->last_ns) / 1000000;

        ulog_dropout(&r->topics.ulog, (uint16_t)(ms < 1            ? 1
                                                 : ms > UINT16_MAX ? UINT16_MAX
                                                                   : ms));
}

static void log_entry(struct recorder *r, const struct entry *e)
{
        if (e->lost)
                write_dropout(r, e->t_ns);
        switch ((enum entry_kind)e->kind) {
        case ENTRY_TICK:
                record_topics_tick(&r->topics, (const struct tick_record *)(e + 1));
                break;
        case ENTRY_ESTIMATE:
                record_topics_estimate(&r->topics,
                                       (const struct estimate_record *)(e + 1));
                break;
        case ENTRY_SETPOINT:
                record_topics_setpoint(&r->topics,
                                       (const struct setpoint_record *)(e + 1));
                break;
        case ENTRY_SYNC:
                record_topics_sync(&r->topics, (const struct sync_record *)(e + 1));
                break;
        case ENTRY_TEXT:
                ulog_text(&r->topics.ulog, record_us(e->t_ns), e->level,
                          (const char *)(e + 1));
                break;
        case ENTRY_BYTES:
                break;
        }
}

static void capture_entry(struct recorder *r, const struct entry *e, size_t len)
{
        /* Opened with its first bytes; a path is set, so it is not tried twice. */
        if (r->wire_file.path[0] == 0) {
                if (record_file_open(&r->wire_file, r->folder, "wire.cap",
                                     wire_capture_whole))
                        wire_capture_begin(&r->wire, r->wire_file.file);
                else
                        take_failure(r, &r->wire_file);
        }
        if (r->wire_file.file)
                wire_capture_add(&r->wire, e->t_ns, (enum wire_direction)e->direction,
                                 e->vehicle, e->channel, e + 1, len);
}

static void write_entry(struct recorder *r, const struct entry *e, size_t len)
{
        if (e->kind == ENTRY_TICK)
                signal_hash_add(r->hash, (const struct tick_record *)(e + 1));
        if (r->log_file.file)
                log_entry(r, e);
        if (e->kind == ENTRY_BYTES)
                capture_entry(r, e, len - sizeof *e);
        r->last_ns = e->t_ns;
        if (r->topics.ulog.pending + r->wire.pending > RECORD_FILE_PENDING_MAX)
                flush(r);
}

/* False: the ring was empty. */
static bool write_batch(struct recorder *r)
{
        const struct entry *e;
        size_t len;
        int n = 0;

        while (n < BATCH && (e = ring_front(&r->ring, &len))) {
                write_entry(r, e, len);
                ring_release(&r->ring);
                n++;
        }
        return n > 0;
}

static int64_t now_ns(void)
{
        struct timespec t;

        clock_gettime(CLOCK_MONOTONIC, &t);
        return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void *write_out(void *arg)
{
        struct recorder *r = arg;
        int64_t flush_next_ns = now_ns() + FLUSH_PERIOD_NS;

        for (;;) {
                /* In this order: what was pushed before closing is then still found. */
                bool closing = atomic_load_explicit(&r->closing, memory_order_acquire);
                bool any = write_batch(r);

                if (now_ns() >= flush_next_ns) {
                        flush(r);
                        flush_next_ns = now_ns() + FLUSH_PERIOD_NS;
                }
                if (!any && closing)
                        return NULL;
                if (!any)
                        sleep_ns(IDLE_NS);
        }
}

/* SCHED_OTHER whatever the caller's class is; signals stay with the other threads. */
static int start_thread(struct recorder *r)
{
        struct sched_param lowest = { .sched_priority = 0 };
        pthread_attr_t attr;
        sigset_t all, before;
        int error;

        pthread_attr_init(&attr);
        pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
        pthread_attr_setschedpolicy(&attr, SCHED_OTHER);
        pthread_attr_setschedparam(&attr, &lowest);
        pthread_attr_setstacksize(&attr, STACK_BYTES);
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        error = pthread_create(&r->thread, &attr, write_out, r);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        pthread_attr_destroy(&attr);
        return error;
}

/* Opening and closing. */

static size_t ring_bytes(const struct recorder_setup *setup)
{
        size_t bytes = RING_BYTES_MIN;

        while (bytes < (setup->ring_bytes ? setup->ring_bytes : RING_BYTES) &&
               bytes < RING_BYTES_MAX)
                bytes *= 2;
        return bytes;
}

static bool open_parts(struct recorder *r, const struct recorder_setup *setup, char *why,
                       size_t cap)
{
        size_t bytes = ring_bytes(setup);
        int error = ENOMEM;

        r->wait = setup->wait;
        snprintf(r->folder, sizeof r->folder, "%s", setup->folder);
        if (!record_file_open(&r->log_file, setup->folder, "run.ulg", ulog_whole)) {
                snprintf(why, cap, "%s", r->log_file.failure);
                return false;
        }
        record_topics_begin(&r->topics, r->log_file.file, setup);
        r->hash = signal_hash_create(setup->rotors);
        r->ring_memory = malloc(bytes);
        if (r->hash && r->ring_memory) {
                /* Touched now, so that the loop meets no page fault in it. */
                memset(r->ring_memory, 0, bytes);
                ring_init(&r->ring, r->ring_memory, bytes);
                error = start_thread(r);
        }
        if (error)
                snprintf(why, cap, "recorder: could not be started: %s", strerror(error));
        return error == 0;
}

static void release(struct recorder *r)
{
        free(r->ring_memory);
        free(r);
}

struct recorder *recorder_open(const struct recorder_setup *setup, char *why, size_t cap)
{
        char unused[65];
        struct recorder *r = NULL;

        assert(setup->vehicles <= VEHICLES_MAX);
        if (posix_memalign((void **)&r, _Alignof(struct recorder), sizeof *r) != 0) {
                snprintf(why, cap, "recorder: could not be started: out of memory");
                return NULL;
        }
        memset(r, 0, sizeof *r);
        if (open_parts(r, setup, why, cap))
                return r;
        if (r->log_file.file)
                record_file_close(&r->log_file);
        if (r->hash)
                signal_hash_finish(r->hash, unused);
        release(r);
        return NULL;
}

void recorder_close(struct recorder *r, struct record_totals *totals)
{
        atomic_store_explicit(&r->closing, true, memory_order_release);
        pthread_join(r->thread, NULL);
        if (r->lost && r->log_file.file)
                write_dropout(r, r->lost_last_ns);
        if (!record_file_close(&r->log_file))
                take_failure(r, &r->log_file);
        if (r->wire_file.path[0] && !record_file_close(&r->wire_file))
                take_failure(r, &r->wire_file);

        totals->drops = r->drops;
        memcpy(totals->failure, r->failure, sizeof totals->failure);
        signal_hash_finish(r->hash, totals->signal_sha256);
        release(r);
}
