/* The recorder's writing thread: entries out of the ring into the log, the capture and the hash. */
#include <string.h>
#include <time.h>

#include "hil/record/record_entry.h"

#define BATCH           256 /* entries between two looks at the clock */
#define FLUSH_PERIOD_NS 250000000 /* half of what is promised */
#define IDLE_NS         2000000 /* the thread's sleep when the ring is empty */

void record_take_failure(struct recorder *r, const struct record_file *f)
{
        if (r->failure[0] == 0)
                memcpy(r->failure, f->failure, sizeof r->failure);
        atomic_store_explicit(&r->failed, true, memory_order_relaxed);
}

static void flush_files(struct recorder *r)
{
        if (r->log_file.file && !record_file_flush(&r->log_file))
                record_take_failure(r, &r->log_file);
        if (r->wire_file.file && !record_file_flush(&r->wire_file))
                record_take_failure(r, &r->wire_file);
        r->topics.ulog.pending = r->wire.pending = 0;
}

void record_write_dropout(struct recorder *r, int64_t until_ns)
{
        int64_t ms = (until_ns - r->last_ns) / 1000000;

        ulog_dropout(&r->topics.ulog, (uint16_t)(ms < 1            ? 1
                                                 : ms > UINT16_MAX ? UINT16_MAX
                                                                   : ms));
}

static void log_entry(struct recorder *r, const struct entry *e)
{
        if (e->lost)
                record_write_dropout(r, e->t_ns);
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
        case ENTRY_PADS:
                record_topics_pads(&r->topics, (const struct pads_record *)(e + 1));
                break;
        case ENTRY_EVENT:
                record_topics_event(&r->topics, (const struct event_record *)(e + 1));
                break;
        case ENTRY_RANGES:
                record_topics_ranges(&r->topics, (const struct ranges_record *)(e + 1));
                break;
        case ENTRY_TWIN:
                record_topics_twin(&r->topics, (const struct twin_record *)(e + 1));
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
                        record_take_failure(r, &r->wire_file);
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
                flush_files(r);
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

void *record_write_out(void *recorder)
{
        struct recorder *r = recorder;
        int64_t flush_next_ns = now_ns() + FLUSH_PERIOD_NS;

        for (;;) {
                /* In this order: what was pushed before closing is then still found. */
                bool closing = atomic_load_explicit(&r->closing, memory_order_acquire);
                bool any = write_batch(r);

                if (now_ns() >= flush_next_ns) {
                        flush_files(r);
                        flush_next_ns = now_ns() + FLUSH_PERIOD_NS;
                }
                if (!any && closing)
                        return NULL;
                if (!any)
                        nanosleep(&(struct timespec){ .tv_nsec = IDLE_NS }, NULL);
        }
}
