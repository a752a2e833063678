/* Flies what is open of a campaign, as many side by side as may be, each as a process that ends with this one, and lets each
 * count once. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hil/campaign/session.h"
#include "hil/text/files.h"
#include "hil/time/clock.h"

#define REDRAW_MS   250
#define LOOK_MS     500 /* for a board that somebody else has */
#define PATIENCE_NS (10 * NS_PER_S) /* with flights that were asked to end */
#define BUSY_NS                                                                          \
        (60 * NS_PER_S) /* that a job waits for a board which Slurm says is free */

static bool refuse_flight(struct session *p, const char *what, int error)
{
        snprintf(p->why, p->cap, "%s: %s", what, strerror(error));
        return false;
}

bool session_start(struct session *p, struct session_slot *slot, char **word,
                   const char *name)
{
        const struct campaign_flight *f = slot->flight;
        struct campaign_environment e;
        char log[600];
        struct child_command command = { .argv = word,
                                         .folder = ".",
                                         .log = log,
                                         .kept_fd =
                                                 slot->lock_fd > 0 ? slot->lock_fd : 0 };
        bool ok;

        snprintf(log, sizeof log, "%s/%s", f->run->folder, name);
        campaign_enter_version(&e, &p->c->file.version[f->version]);
        command.environment = environ;
        ok = child_start(&slot->child, &command, p->why, p->cap);
        campaign_leave_version(&e);
        return ok;
}

/* On a board with the board's settings, which come last. */
static bool fly_process(struct session *p, struct session_slot *slot)
{
        struct campaign_flight *f = slot->flight;
        char text[SUITE_ARGS_MAX][SUITE_ARG_MAX], own[FARM_SETS_MAX][FARM_SET_MAX];
        char *word[SUITE_WORDS_MAX + 2 * FARM_SETS_MAX];
        int n = suite_run_words(&p->c->suite[f->version], f->run, text, word), sets = 0;

        if (slot->board >= 0)
                sets = farm_board_sets(&p->c->farm.board[slot->board], own);
        for (int i = 0; i < sets; i++) {
                word[n++] = "--set";
                word[n++] = own[i];
        }
        word[n] = NULL;
        word[0] = "/proc/self/exe";
        slot->preparing = false;
        slot->start_ns = clock_now_ns();
        slot->until_ns = slot->start_ns + p->c->file.time_limit_ns;
        return session_start(p, slot, word, "output.txt");
}

/* The flight, or first of all what its board needs. */
static bool begin_flight(struct session *p, struct session_slot *slot)
{
        bool needed;

        return session_prepare_board(p, slot, &needed) &&
               (needed || fly_process(p, slot));
}

/* False: without a process, and with the reason. The slot is free again. */
static bool launch(struct session *p, struct session_slot *slot,
                   struct campaign_flight *f)
{
        slot->flight = f;
        slot->asked = slot->killed = false;
        if (!campaign_move_aside(p->c, f, p->why, p->cap) ||
            !folder_make(f->run->folder, p->why, p->cap) || !begin_flight(p, slot)) {
                session_give_board(p, slot, true);
                slot->flight = NULL;
                return false;
        }
        f->run->state = SUITE_FLYING;
        p->flying++;
        return true;
}

/* Its board is ready. False with the reason: no process could be had, and the flight is open. */
static bool follow_up(struct session *p, struct session_slot *slot)
{
        struct campaign_flight *f = slot->flight;

        if (fly_process(p, slot))
                return true;
        p->flying--;
        slot->flight = NULL;
        session_wait_again(p, f);
        session_give_board(p, slot, true);
        return false;
}

/* The flight's process, or the one that made its board ready. */
static bool finish_slot(struct session *p, struct session_slot *slot)
{
        struct campaign_flight *f = slot->flight;
        bool ready = slot->preparing && session_board_is_ready(slot), ok;

        /* What is left of its group holds the board's lock as long as it lives. */
        child_leave(&slot->child);
        if (ready && !slot->asked && p->c->stop != CAMPAIGN_INTERRUPTED)
                return follow_up(p, slot);
        if (!slot->preparing)
                session_judge(p, slot);
        p->flying--;
        slot->flight = NULL;
        ok = session_conclude(p, f, WIFSIGNALED(slot->child.status));
        session_give_board(p, slot, f->run->verdict != RUN_ERROR && !slot->asked);
        return ok;
}

/* Orphans of flights that were killed come to this process. */
static void reap_orphans(const struct session *p)
{
        siginfo_t info = { 0 };

        while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
               info.si_pid != 0) {
                for (int i = 0; i < p->c->jobs; i++)
                        if (p->slot[i].flight != NULL &&
                            (p->slot[i].child.pid == info.si_pid ||
                             p->slot[i].child.keeper == info.si_pid))
                                return;
                waitpid(info.si_pid, NULL, 0);
                info.si_pid = 0;
        }
}

static bool collect_ended(struct session *p)
{
        bool ok = true;

        for (int i = 0; i < p->c->jobs; i++)
                if (p->slot[i].flight != NULL && child_look(&p->slot[i].child))
                        ok = finish_slot(p, &p->slot[i]) && ok;
        reap_orphans(p);
        return ok;
}

static void end_hung(struct session *p)
{
        int64_t now_ns = clock_now_ns();

        for (int i = 0; i < p->c->jobs; i++) {
                struct session_slot *s = &p->slot[i];

                if (s->flight == NULL || s->killed || now_ns < s->until_ns)
                        continue;
                if (s->asked)
                        child_kill(&s->child);
                else
                        child_ask_to_end(&s->child, SIGTERM);
                s->killed = s->asked;
                s->asked = true;
                s->until_ns = now_ns + PATIENCE_NS;
        }
}

static struct session_slot *free_slot(struct session *p)
{
        for (int i = 0; i < p->c->jobs; i++)
                if (p->slot[i].flight == NULL)
                        return &p->slot[i];
        return NULL;
}

static bool flies_alone(const struct session *p)
{
        for (int i = 0; i < p->c->jobs; i++)
                if (p->slot[i].flight != NULL && p->slot[i].flight->run->alone)
                        return true;
        return false;
}

/* Starts the flight, or leaves it for later, and *without is the family of which no board is free. False with the reason. */
static bool try_flight(struct session *p, struct campaign_flight *f, bool *hopeless,
                       const char **without)
{
        struct session_slot *slot = free_slot(p);

        slot->board = slot->lock_fd = -1;
        if (f->run->board[0] != '\0') {
                enum session_choice choice = session_take_board(p, slot, f);

                *hopeless = *hopeless && choice == BOARD_NONE_LEFT;
                if (choice != BOARD_GIVEN) {
                        *without = f->run->board;
                        return choice != BOARD_BROKEN;
                }
        }
        *hopeless = false;
        return launch(p, slot, f);
}

/* Whatever may fly now. A flight that needs the machine to itself waits until nobody flies, and all behind it wait for it;
 * one that waits for a board lets others pass. */
static bool start_more(struct session *p)
{
        struct campaign *c = p->c;
        const char *without = "";
        bool hopeless = true;
        char why[300];

        p->awaits_board = false;
        while (p->next < c->flights && c->flight[p->next].run->state != SUITE_WAITING)
                p->next++;
        if (p->next < c->flights && campaign_disk_is_full(c, why, sizeof why)) {
                session_stop(p, CAMPAIGN_DISK_FULL, why);
                return true;
        }
        for (int i = p->next; i < c->flights && p->flying < c->jobs; i++) {
                struct campaign_flight *f = &c->flight[i];

                if (f->run->state != SUITE_WAITING ||
                    (without[0] != '\0' && strcmp(f->run->board, without) == 0))
                        continue;
                if (flies_alone(p) || (f->run->alone && p->flying > 0))
                        return true;
                if (!try_flight(p, f, &hopeless, &without))
                        return false;
        }
        if (c->options.job.number > 0 && p->awaits_board &&
            clock_now_ns() - p->start_ns > BUSY_NS)
                session_stop(p, CAMPAIGN_BUSY, "somebody else has the boards");
        if (p->next < c->flights && p->flying == 0 && hopeless)
                session_stop(p, CAMPAIGN_NO_BOARD,
                             "every board on which the rest could fly was left out");
        return true;
}

static int wait_ms(const struct session *p)
{
        int64_t wait_ns = INT64_MAX, now_ns = clock_now_ns();
        int most = p->awaits_board ? LOOK_MS : p->terminal ? REDRAW_MS : -1;

        for (int i = 0; i < p->c->jobs; i++)
                if (p->slot[i].flight != NULL && !p->slot[i].killed &&
                    p->slot[i].until_ns - now_ns < wait_ns)
                        wait_ns = p->slot[i].until_ns - now_ns;
        if (wait_ns == INT64_MAX)
                return most;
        wait_ns = wait_ns < 0 ? 0 : wait_ns / NS_PER_MS + 1;
        return most >= 0 && most < wait_ns ? most
               : wait_ns > INT32_MAX       ? INT32_MAX
                                           : (int)wait_ns;
}

void session_await(struct session *p, int timeout_ms)
{
        struct pollfd fd = { .fd = p->signals, .events = POLLIN };
        struct signalfd_siginfo info;

        if (poll(&fd, 1, timeout_ms) <= 0)
                return;
        while (read(p->signals, &info, sizeof info) == (ssize_t)sizeof info)
                if (info.ssi_signo != SIGCHLD)
                        session_stop(p, CAMPAIGN_INTERRUPTED, "interrupted");
}

/* With a full disk, or without boards, what is in the air flies on and counts. */
static bool fly_all(struct session *p)
{
        while (p->c->stop != CAMPAIGN_INTERRUPTED) {
                if (p->c->stop == CAMPAIGN_GOES_ON && !start_more(p))
                        return false;
                if (p->flying == 0 &&
                    (p->next >= p->c->flights || p->c->stop != CAMPAIGN_GOES_ON))
                        return true;
                session_draw(p);
                session_await(p, wait_ms(p));
                end_hung(p);
                if (!collect_ended(p))
                        return false;
        }
        return true;
}

/* Every flight writes down what it has; one that does not end by itself is ended. */
static void stop_all(struct session *p)
{
        int64_t until_ns = clock_now_ns() + PATIENCE_NS;

        for (int i = 0; i < p->c->jobs; i++)
                if (p->slot[i].flight != NULL)
                        child_ask_to_end(&p->slot[i].child, SIGTERM);
        while (p->flying > 0) {
                bool late = clock_now_ns() >= until_ns;

                for (int i = 0; late && i < p->c->jobs; i++)
                        if (p->slot[i].flight != NULL)
                                child_kill(&p->slot[i].child);
                session_await(p, REDRAW_MS);
                collect_ended(p);
        }
}

bool session_watch_signals(struct session *p, sigset_t *before)
{
        static const int number[] = { SIGCHLD, SIGINT, SIGTERM, SIGHUP };
        sigset_t set;

        sigemptyset(&set);
        for (size_t i = 0; i < sizeof number / sizeof number[0]; i++)
                sigaddset(&set, number[i]);
        sigprocmask(SIG_BLOCK, &set, before);
        p->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
        return p->signals >= 0 || refuse_flight(p, "signalfd", errno);
}

void session_forget_signals(struct session *p, const sigset_t *before)
{
        session_draw(p);
        if (p->terminal)
                fputc('\n', p->out);
        close(p->signals);
        sigprocmask(SIG_SETMASK, before, NULL);
}

static bool fly(struct session *p)
{
        sigset_t before;
        bool ok = session_watch_signals(p, &before);

        if (!ok)
                return false;
        ok = fly_all(p);
        if (!ok)
                session_stop(p, CAMPAIGN_INTERRUPTED, p->why);
        stop_all(p);
        session_forget_signals(p, &before);
        return ok;
}

bool campaign_fly(struct campaign *c, FILE *out, char *why, size_t cap)
{
        struct session p = { .c = c,
                             .out = out,
                             .terminal = isatty(fileno(out)) == 1,
                             .start_ns = clock_now_ns(),
                             .why = why,
                             .cap = cap };
        bool ok;

        why[0] = '\0';
        p.slot = calloc((size_t)c->jobs, sizeof *p.slot);
        p.board = calloc((size_t)c->farm.boards + 1, sizeof *p.board);
        ok = p.slot != NULL && p.board != NULL;
        for (int i = 0; ok && i < c->jobs; i++)
                p.slot[i].board = p.slot[i].lock_fd = -1;
        for (int i = 0; ok && i < c->farm.boards; i++)
                session_read_trouble(&p, i);
        ok = ok ? fly(&p) : refuse_flight(&p, "campaign", ENOMEM);
        free(p.slot);
        free(p.board);
        return ok;
}
