/* The recorder's writing thread: entries out of the ring into the log, the capture and the hash. */
#include <string.h>

#include "hil/record/record_entry.h"
#include "hil/time/clock.h"

#define BATCH           256 /* entries between two looks at the clock */
#define FLUSH_PERIOD_NS (250 * NS_PER_MS) /* half of what is promised */
/* The thread's rest when the ring is empty. Each time that it wakes up it takes a processor from the loop or from a
 * firmware, which then comes late. */
#define REST_LEAST_NS NS_PER_MS
#define REST_MOST_NS  (16 * NS_PER_MS)

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

struct rest {
        int64_t begin_ns;
        uint64_t popped; /* until then */
};

/* Until a quarter of the ring is full if it goes on filling as fast as since the last one, the most if nothing came; or it is closing, or full. */
static void rest(struct recorder *r, struct rest *last)
{
        struct rest now = { clock_now_ns(), ring_popped(&r->ring) };
        double bytes = (double)(now.popped - last->popped);
        double ns = (double)(now.begin_ns - last->begin_ns) * 0.25 *
                    (double)r->ring.size / bytes;
        struct timespec until;

        ns = ns > REST_LEAST_NS ? ns : REST_LEAST_NS;
        ns = ns < REST_MOST_NS ? ns : REST_MOST_NS;
        until = clock_timespec(now.begin_ns + (int64_t)ns);
        sem_clockwait(&r->wanted, CLOCK_MONOTONIC, &until);
        *last = now;
}

void *record_write_out(void *recorder)
{
        struct recorder *r = recorder;
        struct rest last = { clock_now_ns(), 0 };
        int64_t flush_next_ns = last.begin_ns + FLUSH_PERIOD_NS;

        for (;;) {
                /* In this order: what was pushed before closing is then still found. */
                bool closing = atomic_load_explicit(&r->closing, memory_order_acquire);
                bool any = write_batch(r);

                if (clock_now_ns() >= flush_next_ns) {
                        flush_files(r);
                        flush_next_ns = clock_now_ns() + FLUSH_PERIOD_NS;
                }
                if (!any && closing)
                        return NULL;
                if (!any)
                        rest(r, &last);
        }
}
