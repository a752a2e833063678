/* Samples from the capturing thread to a file. The two share a ring of slots and two counters. */
#include "hil/capture/recorder.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/time/clock.h"

#define SLOT_SAMPLES 4096 /* a transfer of an analyzer */
#define SLOTS        16384U
#define POLL_NS      (2 * NS_PER_MS)
#define FILL_MAX_S   10.0

struct slot {
        int64_t tick; /* of its first sample */
        uint32_t count;
        uint8_t samples[SLOT_SAMPLES];
};

struct capture_recorder {
        pthread_t thread;
        struct sr_writer *writer;
        double rate_hz;
        struct slot *slots;
        _Atomic uint32_t put, taken; /* slots since the start */
        _Atomic bool stop, failed;
        uint64_t lost; /* of the capturing thread */
        /* Of the writing thread. */
        bool begun;
        int64_t tick; /* expected next */
        uint8_t last;
        struct capture_recorded done;
        struct link_error why;
};

static bool write_samples(struct capture_recorder *r, const uint8_t *samples,
                          size_t count)
{
        if (!sr_write(r->writer, samples, count, &r->why)) {
                atomic_store(&r->failed, true);
                return false;
        }
        r->done.samples += count;
        return true;
}

/* What is missing stands as the level before it, so that the time behind it is right. */
static bool fill(struct capture_recorder *r, int64_t missing)
{
        uint8_t same[SLOT_SAMPLES];

        r->done.gaps++;
        if ((double)missing > FILL_MAX_S * r->rate_hz)
                return true;
        memset(same, r->last, sizeof same);
        r->done.filled_ticks += missing;
        while (missing > 0) {
                size_t n = missing < SLOT_SAMPLES ? (size_t)missing : SLOT_SAMPLES;

                if (!write_samples(r, same, n))
                        return false;
                missing -= (int64_t)n;
        }
        return true;
}

static void write_slot(struct capture_recorder *r, const struct slot *s)
{
        if (atomic_load(&r->failed))
                return;
        if (r->begun && s->tick > r->tick && !fill(r, s->tick - r->tick))
                return;
        if (!write_samples(r, s->samples, s->count))
                return;
        r->begun = true;
        r->tick = s->tick + s->count;
        r->last = s->samples[s->count - 1];
}

static void *run(void *arg)
{
        struct capture_recorder *r = arg;

        for (;;) {
                bool stop = atomic_load(&r->stop);
                uint32_t put = atomic_load(&r->put), taken = atomic_load(&r->taken);

                while (taken != put) {
                        write_slot(r, &r->slots[taken % SLOTS]);
                        atomic_store(&r->taken, ++taken);
                }
                if (stop)
                        return NULL;
                clock_sleep_until(clock_now_ns() + POLL_NS);
        }
}

static void release(struct capture_recorder *r)
{
        free(r->slots);
        free(r);
}

struct capture_recorder *capture_recorder_start(const char *path,
                                                const struct sr_info *info,
                                                struct link_error *why)
{
        struct capture_recorder *r = calloc(1, sizeof *r);

        if (r != NULL)
                r->slots = malloc(SLOTS * sizeof *r->slots);
        if (r == NULL || r->slots == NULL) {
                snprintf(why->text, sizeof why->text, "%s: out of memory", path);
                free(r);
                return NULL;
        }
        /* Its pages are there before the first sample is. */
        memset(r->slots, 0, SLOTS * sizeof *r->slots);
        r->rate_hz = info->rate_hz;
        r->writer = sr_create(path, info, why);
        if (r->writer == NULL) {
                release(r);
                return NULL;
        }
        if (pthread_create(&r->thread, NULL, run, r) != 0) {
                struct link_error ignored;

                sr_finish(r->writer, &ignored);
                snprintf(why->text, sizeof why->text, "%s: no thread could be had", path);
                release(r);
                return NULL;
        }
        return r;
}

/* A free slot, or NULL. */
static struct slot *free_slot(struct capture_recorder *r, bool wait)
{
        uint32_t put = atomic_load(&r->put);

        while (put - atomic_load(&r->taken) >= SLOTS) {
                if (!wait)
                        return NULL;
                clock_sleep_until(clock_now_ns() + POLL_NS);
        }
        return &r->slots[put % SLOTS];
}

bool capture_recorder_put(struct capture_recorder *r, const struct capture_block *block,
                          bool wait)
{
        for (size_t at = 0; at < block->count;) {
                size_t left = block->count - at;
                size_t n = left < SLOT_SAMPLES ? left : SLOT_SAMPLES;
                struct slot *s = free_slot(r, wait);

                if (s != NULL) {
                        s->tick = block->first_tick + (int64_t)at;
                        s->count = (uint32_t)n;
                        memcpy(s->samples, block->samples + at, n);
                        atomic_fetch_add(&r->put, 1);
                } else {
                        r->lost += n;
                }
                at += n;
        }
        return !atomic_load(&r->failed);
}

bool capture_recorder_finish(struct capture_recorder *r, struct capture_recorded *done,
                             struct link_error *why)
{
        bool ok;

        atomic_store(&r->stop, true);
        pthread_join(r->thread, NULL);
        ok = sr_finish(r->writer, why);
        *done = r->done;
        done->lost = r->lost;
        release(r);
        return ok;
}
