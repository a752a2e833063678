/* Prints the newest table of a capture. It reads no device. */
#include "hil/capture/live.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "hil/time/clock.h"

#define TERMINAL_PERIOD_NS (200 * NS_PER_MS)
#define PLAIN_PERIOD_NS    (5 * NS_PER_S)
#define JSON_PERIOD_NS     NS_PER_S

struct capture_live {
        pthread_t thread;
        FILE *out;
        enum capture_live_form form;
        bool terminal;
        int lines; /* that stand on the terminal */
        struct capture_view view; /* for which they were printed */
        atomic_bool failed;
        pthread_mutex_t lock; /* of the two below and the table */
        pthread_cond_t wake;
        bool stop, known;
        struct capture_table table;
};

static int64_t period_ns(const struct capture_live *l)
{
        if (l->form == CAPTURE_LIVE_JSON)
                return JSON_PERIOD_NS;
        return l->terminal ? TERMINAL_PERIOD_NS : PLAIN_PERIOD_NS;
}

/* To where the table began. A terminal of another size than before may have broken its lines anew: nobody knows
 * where that is, and it begins at the top. */
static void go_up(struct capture_live *l)
{
        struct capture_view view = capture_view_of(l->out);

        if (l->lines > 0 &&
            (view.columns != l->view.columns || view.rows != l->view.rows))
                fputs("\x1b[H\x1b[J", l->out);
        else if (l->lines > 0)
                fprintf(l->out, "\x1b[%dA", l->lines);
        l->lines = 0;
        l->view = view;
}

static void print(struct capture_live *l, const struct capture_table *t)
{
        if (l->form == CAPTURE_LIVE_JSON) {
                (void)capture_table_print_json(l->out, t);
        } else if (l->terminal) {
                go_up(l);
                l->lines = capture_table_print(l->out, t, &l->view);
        } else {
                capture_table_print_lines(l->out, t);
        }
        if (fflush(l->out) != 0 || ferror(l->out) != 0)
                atomic_store(&l->failed, true);
}

static void *run(void *arg)
{
        struct capture_live *l = arg;
        int64_t next_ns = clock_now_ns() + period_ns(l);

        pthread_mutex_lock(&l->lock);
        while (!l->stop) {
                struct timespec until = clock_timespec(next_ns);

                pthread_cond_timedwait(&l->wake, &l->lock, &until);
                if (l->stop || clock_now_ns() < next_ns)
                        continue;
                next_ns = clock_now_ns() + period_ns(l);
                if (l->known) {
                        struct capture_table t = l->table;

                        /* A terminal that stands still does not keep the lock. */
                        pthread_mutex_unlock(&l->lock);
                        print(l, &t);
                        pthread_mutex_lock(&l->lock);
                }
        }
        pthread_mutex_unlock(&l->lock);
        return NULL;
}

struct capture_live *capture_live_start(FILE *out, enum capture_live_form form)
{
        struct capture_live *l = calloc(1, sizeof *l);
        pthread_condattr_t attr;

        if (l == NULL)
                return NULL;
        l->out = out;
        l->form = form;
        l->terminal = form == CAPTURE_LIVE_TABLE && isatty(fileno(out)) == 1;
        pthread_mutex_init(&l->lock, NULL);
        pthread_condattr_init(&attr);
        pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
        pthread_cond_init(&l->wake, &attr);
        pthread_condattr_destroy(&attr);
        if (pthread_create(&l->thread, NULL, run, l) != 0) {
                pthread_cond_destroy(&l->wake);
                pthread_mutex_destroy(&l->lock);
                free(l);
                return NULL;
        }
        return l;
}

bool capture_live_set(struct capture_live *l, const struct capture_table *t)
{
        if (l == NULL || pthread_mutex_trylock(&l->lock) != 0)
                return false;
        l->table = *t;
        l->known = true;
        pthread_mutex_unlock(&l->lock);
        return true;
}

bool capture_live_failed(const struct capture_live *l)
{
        return l != NULL && atomic_load(&l->failed);
}

void capture_live_stop(struct capture_live *l)
{
        if (l == NULL)
                return;
        pthread_mutex_lock(&l->lock);
        l->stop = true;
        pthread_cond_signal(&l->wake);
        pthread_mutex_unlock(&l->lock);
        pthread_join(l->thread, NULL);
        go_up(l);
        fflush(l->out);
        pthread_cond_destroy(&l->wake);
        pthread_mutex_destroy(&l->lock);
        free(l);
}
