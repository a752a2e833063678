/* The recorder as the loop sees it: entries go into a ring, from which the thread of
 * record_write.c takes them. */
#include "hil/record/record.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hil/record/record_entry.h"
#include "io/background.h"

#define RING_BYTES (16 * 1024 * 1024)
/* Where the loop waits for room, more would be more pages to touch and less of it in the caches. */
#define RING_BYTES_WAITED_FOR (2 * 1024 * 1024)
#define RING_BYTES_MIN        4096
#define RING_BYTES_MAX        ((size_t)1 << 32)
#define FULL_NS               50000 /* the loop's sleep, in lockstep, when the ring is full */
#define TEXT_MAX              1024
#define STACK_BYTES           (256 * 1024)

/* Room for an entry with len bytes after it, or NULL: dropped and counted. */
static void *entry_claim(struct recorder *r, enum entry_kind kind, int64_t t_ns,
                         size_t len)
{
        struct entry *e = ring_claim(&r->ring, sizeof *e + len);

        if (!e && r->wait && ring_fits(&r->ring, sizeof *e + len)) {
                sem_post(&r->wanted);
                do {
                        nanosleep(&(struct timespec){ .tv_nsec = FULL_NS }, NULL);
                        e = ring_claim(&r->ring, sizeof *e + len);
                } while (!e);
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

static bool push_record(struct recorder *r, enum entry_kind kind, int64_t t_ns,
                        const void *body, size_t len)
{
        struct entry *e = entry_claim(r, kind, t_ns, len);

        if (!e)
                return false;
        memcpy(e + 1, body, len);
        ring_publish(&r->ring);
        return true;
}

/* Most ticks bring an IMU sample and nothing else: two thirds of the record are then stale, and
 * stay behind. What takes entries out looks at fresh samples and the IMU's alone. */
static size_t tick_bytes(const struct tick_record *tick)
{
        bool imu_alone = (tick->frame.fresh & ~SENSOR_BIT(SENSOR_IMU)) == 0;

        return imu_alone ? offsetof(struct tick_record, frame.gps) : sizeof *tick;
}

bool recorder_tick(struct recorder *r, const struct tick_record *tick)
{
        assert(tick->vehicle >= 0 && tick->vehicle < VEHICLES_MAX);
        return push_record(r, ENTRY_TICK, tick->t_ns, tick, tick_bytes(tick));
}

bool recorder_estimate(struct recorder *r, const struct estimate_record *e)
{
        if (e->vehicle >= r->vehicles)
                return true;
        return push_record(r, ENTRY_ESTIMATE, e->t_ns, e, sizeof *e);
}

bool recorder_setpoint(struct recorder *r, const struct setpoint_record *s)
{
        assert(s->vehicle >= 0 && s->vehicle < VEHICLES_MAX);
        return push_record(r, ENTRY_SETPOINT, s->t_ns, s, sizeof *s);
}

bool recorder_sync(struct recorder *r, const struct sync_record *s)
{
        if (s->vehicle >= r->vehicles)
                return true;
        return push_record(r, ENTRY_SYNC, s->t_ns, s, sizeof *s);
}

bool recorder_pads(struct recorder *r, const struct pads_record *p)
{
        assert(p->vehicle >= 0 && p->vehicle < VEHICLES_MAX);
        return push_record(r, ENTRY_PADS, p->t_ns, p, sizeof *p);
}

/* What finds no room is not seen there; the record has it. */
static void show_watcher(struct recorder *r, struct watched w, const void *body,
                         size_t len)
{
        struct watched *to =
                r->watched != NULL ? ring_claim(r->watched, sizeof w + len) : NULL;

        if (to == NULL)
                return;
        *to = w;
        memcpy(to + 1, body, len);
        ring_publish(r->watched);
}

bool recorder_event(struct recorder *r, const struct event_record *e)
{
        if (e->vehicle >= r->vehicles)
                return true;
        show_watcher(r, (struct watched){ WATCHED_EVENT, 0, e->t_ns }, e, sizeof *e);
        return push_record(r, ENTRY_EVENT, e->t_ns, e, sizeof *e);
}

bool recorder_ranges(struct recorder *r, const struct ranges_record *ranges)
{
        if (ranges->vehicle >= r->vehicles)
                return true;
        return push_record(r, ENTRY_RANGES, ranges->t_ns, ranges, sizeof *ranges);
}

bool recorder_twin(struct recorder *r, const struct twin_record *twin)
{
        if (twin->vehicle >= r->vehicles)
                return true;
        return push_record(r, ENTRY_TWIN, twin->t_ns, twin, sizeof *twin);
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
        show_watcher(r, (struct watched){ WATCHED_TEXT, level, t_ns }, copy, len + 1);
        ring_publish(&r->ring);
        return true;
}

bool recorder_failed(const struct recorder *r)
{
        return atomic_load_explicit(&r->failed, memory_order_relaxed);
}

/* Opening and closing. */

static size_t ring_bytes(const struct recorder_setup *setup)
{
        size_t bytes = RING_BYTES_MIN, wanted = setup->ring_bytes;

        if (wanted == 0)
                wanted = setup->wait ? RING_BYTES_WAITED_FOR : RING_BYTES;
        while (bytes < wanted && bytes < RING_BYTES_MAX)
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
                /* Touched now, so that a loop in real time meets no page fault in it. */
                if (!setup->wait)
                        memset(r->ring_memory, 0, bytes);
                ring_init(&r->ring, r->ring_memory, bytes);
                error = background_start(&r->thread, STACK_BYTES, record_write_out, r);
        }
        if (error)
                snprintf(why, cap, "recorder: could not be started: %s", strerror(error));
        return error == 0;
}

static void free_recorder(struct recorder *r)
{
        sem_destroy(&r->wanted);
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
        sem_init(&r->wanted, 0, 0);
        r->vehicles = setup->vehicles;
        r->watched = setup->watched;
        if (open_parts(r, setup, why, cap))
                return r;
        if (r->log_file.file)
                record_file_close(&r->log_file);
        if (r->hash)
                signal_hash_finish(r->hash, unused);
        free_recorder(r);
        return NULL;
}

void recorder_close(struct recorder *r, struct record_totals *totals)
{
        atomic_store_explicit(&r->closing, true, memory_order_release);
        sem_post(&r->wanted);
        pthread_join(r->thread, NULL);
        if (r->lost && r->log_file.file)
                record_write_dropout(r, r->lost_last_ns);
        if (!record_file_close(&r->log_file))
                record_take_failure(r, &r->log_file);
        if (r->wire_file.path[0] && !record_file_close(&r->wire_file))
                record_take_failure(r, &r->wire_file);

        totals->drops = r->drops;
        memcpy(totals->failure, r->failure, sizeof totals->failure);
        signal_hash_finish(r->hash, totals->signal_sha256);
        free_recorder(r);
}
