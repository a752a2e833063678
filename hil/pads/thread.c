#include "hil/pads/pads.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "hil/time/clock.h"

#define READ_NS   (5 * NS_PER_MS) /* so often it looks whether it is to stop */
#define REOPEN_NS (250 * NS_PER_MS)
#define REFUSALS  8 /* then it is said why: plugging in takes no longer */

static void wake_loop(struct pads *p)
{
        const uint64_t one = 1;

        /* A counter that is full is readable all the same. */
        if (write(p->event_fd, &one, sizeof(one)) < 0)
                return;
}

/* A ring that is full holds older snapshots: the newest waits for room. */
static void push_snapshot(struct pads *p)
{
        struct pads_snapshot *slot = ring_claim(&p->ring, sizeof(*slot));

        p->pending = slot == NULL;
        if (slot == NULL)
                return;
        *slot = p->decode.now;
        slot->ready_ns = clock_now_ns();
        ring_publish(&p->ring);
        wake_loop(p);
}

static void set_state(struct pads *p, enum pads_state state)
{
        atomic_store(&p->state, state);
        wake_loop(p);
}

static void lose(struct pads *p)
{
        capture_close(p->capture);
        p->capture = NULL;
        p->lost_ns = clock_now_ns();
        p->decode.now.gaps++;
        p->pending = true;
        p->refusals = 0;
        atomic_store(&p->other_hz, 0);
        atomic_fetch_add(&p->losses, 1);
        set_state(p, PADS_GONE);
}

/* Another one may sample at another rate, or have fewer inputs. */
static bool is_alike(const struct pads *p)
{
        return p->capture->tick_hz == p->decode.params.tick_hz &&
               p->decode.params.mask >> p->capture->pads == 0;
}

/* The loop says it once for each that is another. */
static void refuse_capture(struct pads *p)
{
        int64_t hz = llround(p->capture->tick_hz);
        int pads = p->capture->pads;

        capture_close(p->capture);
        p->capture = NULL;
        if (hz == atomic_load(&p->other_hz) && pads == atomic_load(&p->other_pads))
                return;
        atomic_store(&p->other_hz, hz);
        atomic_store(&p->other_pads, pads);
        atomic_fetch_add(&p->misfits, 1);
        wake_loop(p);
}

static void note_refusal(struct pads *p, const char *why)
{
        if (++p->refusals != REFUSALS || atomic_load(&p->refused))
                return;
        snprintf(p->refusal, sizeof(p->refusal), "%s", why);
        atomic_store(&p->refused, true);
        wake_loop(p);
}

static void try_reopen(struct pads *p)
{
        struct link_error why;

        clock_sleep_until(clock_now_ns() + REOPEN_NS);
        if (atomic_load(&p->stop))
                return;
        p->capture = capture_open(&p->config->source, &why);
        if (p->capture == NULL) {
                note_refusal(p, why.text);
                return;
        }
        if (!is_alike(p)) {
                refuse_capture(p);
                return;
        }
        pads_decode_reopen(&p->decode,
                           p->decode.params.host_clock ? clock_now_ns() - p->lost_ns : 0);
        set_state(p, PADS_LIVE);
}

/* The loop has waited in vain. */
static void skip(struct pads *p)
{
        int64_t tick = atomic_exchange(&p->skip_tick, -1);

        if (tick <= p->decode.now.until_tick)
                return;
        if (p->capture->ops->restart != NULL)
                p->capture->ops->restart(p->capture);
        pads_decode_skip(&p->decode, tick);
        p->pending = true;
}

static void read_on(struct pads *p)
{
        struct capture_block block;

        switch (capture_read(p->capture, READ_NS, &block)) {
        case 1:
                p->pending |= pads_decode_block(&p->decode, &block);
                break;
        case 0:
                break;
        default:
                lose(p);
                return;
        }
        skip(p);
}

static void *run(void *pads)
{
        struct pads *p = pads;
        struct sched_param param = { .sched_priority = p->priority };

        /* Refused: the loop, which asks for more, says so. */
        if (p->priority > 0)
                sched_setscheduler(0, SCHED_FIFO, &param);
        while (!atomic_load(&p->stop)) {
                if (p->capture != NULL)
                        read_on(p);
                else if (p->reconnect)
                        try_reopen(p);
                else
                        clock_sleep_until(clock_now_ns() + READ_NS);
                if (p->pending)
                        push_snapshot(p);
        }
        return NULL;
}

bool pads_thread_start(struct pads *p, struct link_error *why)
{
        sigset_t all, before;
        int error;

        /* Signals are the loop's. */
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        error = pthread_create(&p->thread, NULL, run, p);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        if (error == 0)
                return true;
        snprintf(why->text, sizeof(why->text), "pads: no thread: %s", strerror(error));
        return false;
}
