/* Flies what is open of a campaign as jobs of Slurm: submits, and looks at the queue until all have ended. */
#include "hil/campaign/slurm.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/record/signal_hash.h"
#include "hil/text/files.h"
#include "hil/time/clock.h"

#define LOOK_MS                                                                          \
        1000 /* from look to look at least, and LOOK_SHARE times as long as one took */
#define LOOK_SHARE  20
#define LOOK_MAX_MS 10000
#define TOOL_WORDS  600
#define PATIENCE_NS (180 * NS_PER_S) /* with jobs that were cancelled */

static struct campaign_flight *flight_of(const struct slurm *s, int i)
{
        return &s->p->c->flight[i];
}

static bool waits(const struct slurm *s, int i)
{
        return flight_of(s, i)->run->state == SUITE_WAITING && !s->flight[i].submitted;
}

/* May be of the same array. */
static bool goes_with(const struct slurm *s, const struct slurm_array *a, int i)
{
        const struct campaign_flight *f = flight_of(s, i);

        return waits(s, i) && i >= a->base && i < a->base + s->most &&
               f->attempts == a->first->attempts &&
               f->run->alone == a->first->run->alone &&
               strcmp(f->run->board, a->first->run->board) == 0;
}

/* "1-4,7", as far as there is room; the flights in it are marked as of this array. */
static void gather(struct slurm *s, struct slurm_array *a, int first)
{
        int most = a->base + s->most, used = 0;

        if (most > s->p->c->flights)
                most = s->p->c->flights;
        for (int i = first; i < most && used < (int)sizeof a->indices - 24; i++) {
                int begin = i;

                for (; i < most && goes_with(s, a, i); i++) {
                        s->flight[i].array = s->arrays;
                        s->flight[i].submitted = true;
                        s->flight[i].looks = 0;
                }
                if (i == begin)
                        continue;
                used += snprintf(a->indices + used, sizeof a->indices - (size_t)used,
                                 "%s%d", used > 0 ? "," : "", begin + 1 - a->base);
                if (i > begin + 1)
                        used += snprintf(a->indices + used,
                                         sizeof a->indices - (size_t)used, "-%d",
                                         i - a->base);
        }
}

static bool submit(struct slurm *s, int first, char *why, size_t cap)
{
        struct slurm_array a = { .base = first / s->most * s->most,
                                 .first = flight_of(s, first) };
        bool ok;

        s->arrays++;
        gather(s, &a, first);
        ok = slurm_submit(s, &a, why, cap);
        for (int i = first; i < s->p->c->flights; i++) {
                if (s->flight[i].array != s->arrays)
                        continue;
                s->flight[i].submitted = ok;
                if (ok)
                        flight_of(s, i)->run->state = SUITE_FLYING;
        }
        return ok;
}

/* All that waits. False with the reason: Slurm did not take an array, and what is of it waits on. */
static bool submit_waiting(struct slurm *s, char *why, size_t cap)
{
        for (int i = 0; i < s->p->c->flights; i++)
                if (waits(s, i) && !submit(s, i, why, cap))
                        return false;
        return true;
}

/* Once; Slurm may be started again under a campaign. */
static void tell_silence(struct slurm *s, bool answered, const char *words)
{
        if (!answered && !s->silent)
                session_say(s->p, "Slurm: %s; asked again until it answers", words);
        if (answered && s->silent)
                session_say(s->p, "Slurm answers again");
        s->silent = !answered;
}

static bool any_submitted(const struct slurm *s)
{
        for (int i = 0; i < s->p->c->flights; i++)
                if (s->flight[i].submitted)
                        return true;
        return false;
}

static bool any_waits(const struct slurm *s)
{
        for (int i = 0; i < s->p->c->flights; i++)
                if (waits(s, i))
                        return true;
        return false;
}

/* A squeue is a process, and on a busy machine takes from the flights. */
static int pause_ms(int64_t look_ns)
{
        int64_t ms = LOOK_SHARE * look_ns / NS_PER_MS;

        return ms < LOOK_MS ? LOOK_MS : ms > LOOK_MAX_MS ? LOOK_MAX_MS : (int)ms;
}

/* With a full disk, or without boards, what is in the air flies on and counts. */
static bool fly_all(struct slurm *s)
{
        struct session *p = s->p;
        char words[TOOL_WORDS] = "", full[300];
        bool cancelled = false;

        while (p->c->stop != CAMPAIGN_INTERRUPTED) {
                int64_t began_ns = clock_now_ns();
                bool answered = slurm_look(s, words, sizeof words);
                int wait_ms = pause_ms(clock_now_ns() - began_ns);

                if (answered && !slurm_take_ends(s))
                        return false;
                if (p->c->stop == CAMPAIGN_GOES_ON &&
                    campaign_disk_is_full(p->c, full, sizeof full))
                        session_stop(p, CAMPAIGN_DISK_FULL, full);
                if (answered && p->c->stop == CAMPAIGN_GOES_ON)
                        answered = submit_waiting(s, words, sizeof words);
                else if (answered && p->c->stop != CAMPAIGN_GOES_ON && !cancelled)
                        answered = cancelled =
                                slurm_cancel(s, CANCEL_WAITING, words, sizeof words);
                tell_silence(s, answered, words);
                if (!any_submitted(s) &&
                    (!any_waits(s) || p->c->stop != CAMPAIGN_GOES_ON))
                        return true;
                session_draw(p);
                session_await(p, wait_ms);
        }
        return true;
}

/* Every flight writes down what it has; Slurm ends what does not end by itself. */
static void stop_all(struct slurm *s)
{
        int64_t until_ns = clock_now_ns() + PATIENCE_NS;
        char words[TOOL_WORDS];
        bool cancelled = false;

        while (any_submitted(s) && clock_now_ns() < until_ns) {
                bool answered =
                        cancelled || slurm_cancel(s, CANCEL_ALL, words, sizeof words);

                cancelled = answered;
                answered = answered && slurm_look(s, words, sizeof words);
                if (answered)
                        slurm_take_ends(s);
                tell_silence(s, answered, words);
                session_draw(s->p);
                session_await(s->p, LOOK_MS);
        }
        if (any_submitted(s))
                session_say(
                        s->p,
                        "some jobs are still in Slurm's queue: scancel ends them, and "
                        "this campaign, started again, goes on with them");
}

/* What somebody began with another file or other settings must not fly into this folder beside what flies now. */
static bool end_strangers(struct slurm *s)
{
        int64_t until_ns = clock_now_ns() + PATIENCE_NS;
        bool told = false;

        while (s->strangers > 0) {
                if (!told)
                        session_say(s->p,
                                    "%d jobs for this folder with other settings: ended",
                                    s->strangers);
                told = true;
                if (!slurm_cancel(s, CANCEL_STRANGERS, s->p->why, s->p->cap))
                        return false;
                session_await(s->p, LOOK_MS);
                if (!slurm_look(s, s->p->why, s->p->cap))
                        return false;
                if (s->strangers == 0)
                        break;
                snprintf(s->p->why, s->p->cap,
                         "jobs for this folder with other settings are in Slurm's queue "
                         "and do not end");
                if (clock_now_ns() > until_ns || s->p->c->stop != CAMPAIGN_GOES_ON)
                        return false;
        }
        return true;
}

/* By what stands in the folder, and where it is: what another folder or another plan has is not this one's. */
static bool name_jobs(struct slurm *s)
{
        char *whole = realpath(s->p->c->folder, NULL), hex[65];
        bool ok = whole != NULL;

        if (ok) {
                sha256_hex(whole, strlen(whole), hex);
                snprintf(s->name, sizeof s->name, "%.12s", hex);
        } else {
                snprintf(s->p->why, s->p->cap, "%s: %s", s->p->c->folder,
                         strerror(errno));
        }
        free(whole);
        return ok;
}

static bool begin(struct slurm *s)
{
        struct session *p = s->p;

        if (!slurm_tools_are_there(p->why, p->cap))
                return false;
        for (int i = 0; i < p->c->farm.boards; i++)
                session_forget_trouble(p, i);
        return folder_make(s->folder, p->why, p->cap) && name_jobs(s) &&
               slurm_write_plan(s, p->why, p->cap) &&
               slurm_ask_limits(s, p->why, p->cap) && slurm_look(s, p->why, p->cap) &&
               end_strangers(s) && submit_waiting(s, p->why, p->cap);
}

static bool fly(struct slurm *s)
{
        struct session *p = s->p;
        sigset_t before;
        bool ok = session_watch_signals(p, &before);

        if (!ok)
                return false;
        ok = begin(s) && fly_all(s);
        if (!ok)
                session_stop(p, CAMPAIGN_INTERRUPTED, p->why);
        stop_all(s);
        session_forget_signals(p, &before);
        return ok;
}

bool campaign_fly_slurm(struct campaign *c, FILE *out, char *why, size_t cap)
{
        struct session p = { .c = c,
                             .out = out,
                             .terminal = isatty(fileno(out)) == 1,
                             .start_ns = clock_now_ns(),
                             .why = why,
                             .cap = cap };
        struct slurm s = { .p = &p };
        bool ok;

        why[0] = '\0';
        snprintf(s.folder, sizeof s.folder, "%s/" SLURM_FOLDER, c->folder);
        s.flight = calloc((size_t)c->flights, sizeof *s.flight);
        p.board = calloc((size_t)c->farm.boards + 1, sizeof *p.board);
        ok = s.flight != NULL && p.board != NULL;
        if (!ok)
                snprintf(why, cap, "out of memory");
        ok = ok && fly(&s);
        free(s.flight);
        free(p.board);
        return ok;
}
