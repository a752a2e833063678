#include "hil/rig/live.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/text/terminal.h"
#include "hil/time/clock.h"

#define TERMINAL_PERIOD_NS (200 * NS_PER_MS)
#define PLAIN_PERIOD_NS    (5 * NS_PER_S)

/* The figures as words, under a sequence count that is odd while they change. */
#define WORDS ((sizeof(struct live_figures) + 7) / 8)

struct live {
        pthread_t thread;
        FILE *out;
        bool terminal;
        int64_t duration_ns;
        pthread_mutex_t lock;
        pthread_cond_t wake;
        bool stop;
        _Atomic uint64_t sequence;
        _Atomic uint64_t word[WORDS];
};

void live_set(struct live *l, const struct live_figures *f)
{
        uint64_t word[WORDS] = { 0 };
        uint64_t n;

        if (l == NULL)
                return;
        memcpy(word, f, sizeof *f);
        n = atomic_load_explicit(&l->sequence, memory_order_relaxed);
        atomic_store_explicit(&l->sequence, n + 1, memory_order_seq_cst);
        for (size_t i = 0; i < WORDS; i++)
                atomic_store_explicit(&l->word[i], word[i], memory_order_seq_cst);
        atomic_store_explicit(&l->sequence, n + 2, memory_order_seq_cst);
}

static bool live_get(struct live *l, struct live_figures *f)
{
        uint64_t word[WORDS];
        uint64_t before = atomic_load(&l->sequence);

        for (size_t i = 0; i < WORDS; i++)
                word[i] = atomic_load(&l->word[i]);
        if (before == 0 || before % 2 != 0 || before != atomic_load(&l->sequence))
                return false;
        memcpy(f, word, sizeof *f);
        return true;
}

static void print_fleet(FILE *out, const struct live_fleet *fleet)
{
        fprintf(out, "%d vehicles  tilt worst %5.1f (", fleet->vehicles,
                fleet->tilt_worst_deg);
        terminal_print(out, "%s", fleet->worst);
        fprintf(out, "), median %5.1f deg  altitude %.2f to %.2f m",
                fleet->tilt_median_deg, fleet->low_m, fleet->high_m);
}

static void print(struct live *l)
{
        struct live_figures f;
        const struct live_fleet *fleet = &f.fleet;

        if (!live_get(l, &f))
                return;
        fprintf(l->out, "%s%7.2f of %.0f s  %5.1fx  ", l->terminal ? "\r" : "",
                (double)f.sim_ns * 1e-9, (double)l->duration_ns * 1e-9,
                f.host_ns > 0 ? (double)f.sim_ns / (double)f.host_ns : 0.0);
        if (fleet->vehicles > 0)
                print_fleet(l->out, fleet);
        else
                fprintf(l->out,
                        "roll %+6.1f pitch %+6.1f yaw %+6.1f deg  altitude %7.2f m",
                        f.roll_deg, f.pitch_deg, f.yaw_deg, f.altitude_m);
        fprintf(l->out, "  loop %s%6.0f us  missed %llu  ",
                fleet->vehicles > 0 ? "worst " : "", (double)f.loop_ns * 1e-3,
                (unsigned long long)f.missed);
        if (fleet->vehicles > 0)
                fprintf(l->out, "%d armed", fleet->armed);
        else
                fprintf(l->out, "%s", f.armed ? "armed   " : "disarmed");
        fprintf(l->out, "%s", l->terminal ? "\x1b[K" : "\n");
        fflush(l->out);
}

static void *run(void *arg)
{
        struct live *l = arg;
        int64_t period_ns = l->terminal ? TERMINAL_PERIOD_NS : PLAIN_PERIOD_NS;
        int64_t next_ns = clock_now_ns() + period_ns;

        pthread_mutex_lock(&l->lock);
        while (!l->stop) {
                struct timespec until = clock_timespec(next_ns);

                pthread_cond_timedwait(&l->wake, &l->lock, &until);
                if (l->stop || clock_now_ns() < next_ns)
                        continue;
                print(l);
                next_ns = clock_now_ns() + period_ns;
        }
        pthread_mutex_unlock(&l->lock);
        return NULL;
}

struct live *live_start(FILE *out, int64_t duration_ns)
{
        struct live *l = calloc(1, sizeof *l);
        pthread_condattr_t attr;

        if (l == NULL)
                return NULL;
        l->out = out;
        l->terminal = isatty(fileno(out)) == 1;
        l->duration_ns = duration_ns;
        pthread_mutex_init(&l->lock, NULL);
        pthread_condattr_init(&attr);
        pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
        pthread_cond_init(&l->wake, &attr);
        pthread_condattr_destroy(&attr);
        if (pthread_create(&l->thread, NULL, run, l) != 0) {
                free(l);
                return NULL;
        }
        return l;
}

void live_stop(struct live *l)
{
        if (l == NULL)
                return;
        pthread_mutex_lock(&l->lock);
        l->stop = true;
        pthread_cond_signal(&l->wake);
        pthread_mutex_unlock(&l->lock);
        pthread_join(l->thread, NULL);
        if (l->terminal) {
                print(l);
                fputc('\n', l->out);
        }
        pthread_cond_destroy(&l->wake);
        pthread_mutex_destroy(&l->lock);
        free(l);
}
