/* Flies a suite's runs, each as a process of its own: as many side by side as may be, those that need
 * the machine or a port to themselves alone. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hil/time/clock.h"
#include "hil/text/files.h"
#include "hil/text/tree.h"
#include "hil/suite/suite.h"
#include "hil/text/terminal.h"

#define REDRAW_MS 250
#define PATIENCE  (10 * NS_PER_S) /* of runs that were asked to end */
#define BAR       24

struct flight {
        struct suite *s;
        FILE *out;
        bool terminal;
        int fd; /* of signals */
        int flying, next;
        int64_t start_ns;
        char *why;
        size_t cap;
};

static bool refuse_flight(struct flight *f, const char *what, int error)
{
        snprintf(f->why, f->cap, "%s: %s", what, strerror(error));
        return false;
}

/* What an unfinished or older run left, by name: nothing else is touched. */
static void clear_folder(const struct suite_run *r)
{
        static const char *const file[] = { "run.ulg",     "summary.json", "wire.cap",
                                            "config.json", "junit.xml",    "report.html",
                                            "output.txt" };
        char path[600];
        DIR *folder;
        const struct dirent *d;

        for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
                snprintf(path, sizeof path, "%s/%s", r->folder, file[i]);
                unlink(path);
        }
        /* Of each vehicle's firmware: where it ran, and what it said. */
        folder = opendir(r->folder);
        while (folder != NULL && (d = readdir(folder)) != NULL) {
                snprintf(path, sizeof path, "%s/%s", r->folder, d->d_name);
                if (strncmp(d->d_name, "fc-", 3) == 0)
                        tree_remove(path);
        }
        if (folder != NULL)
                closedir(folder);
}

/* A process group of its own: the terminal's Ctrl-C is the suite's to pass on. */
static int spawn_run(const struct suite_run *r, char *const *argv, pid_t *child)
{
        posix_spawn_file_actions_t files;
        posix_spawnattr_t attr;
        sigset_t none;
        char path[600];
        int error;

        snprintf(path, sizeof path, "%s/output.txt", r->folder);
        sigemptyset(&none);
        posix_spawnattr_init(&attr);
        posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
        posix_spawnattr_setsigmask(&attr, &none);
        posix_spawnattr_setpgroup(&attr, 0);
        posix_spawn_file_actions_init(&files);
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&files, 1, path, O_WRONLY | O_CREAT | O_TRUNC,
                                         0666);
        posix_spawn_file_actions_adddup2(&files, 1, 2);
        error = posix_spawn(child, "/proc/self/exe", &files, &attr, argv, environ);
        posix_spawn_file_actions_destroy(&files);
        posix_spawnattr_destroy(&attr);
        return error;
}

static bool launch_run(struct flight *f, struct suite_run *r)
{
        char text[SUITE_ARGS_MAX][SUITE_ARG_MAX];
        char *argv[SUITE_WORDS_MAX];
        int error, folder_fd;

        suite_run_words(f->s, r, text, argv);
        if (!folder_make(r->folder, f->why, f->cap) ||
            (folder_fd = folder_take(r->folder, f->why, f->cap)) < 0)
                return false;
        clear_folder(r);
        close(folder_fd);
        error = spawn_run(r, argv, &r->child);
        if (error != 0)
                return refuse_flight(f, "no process could be started", error);
        r->state = SUITE_FLYING;
        r->tries++;
        r->start_ns = clock_now_ns();
        f->flying++;
        return true;
}

static void print_time(FILE *out, double s)
{
        long t = (long)(s + 0.5);

        if (t >= 3600)
                fprintf(out, "%ld:%02ld:%02ld", t / 3600, t / 60 % 60, t % 60);
        else
                fprintf(out, "%ld:%02ld", t / 60, t % 60);
}

static void print_left(const struct flight *f)
{
        double left =
                suite_remaining_s(f->s, (double)(clock_now_ns() - f->start_ns) * 1e-9);

        if (left < 0.0)
                return;
        fputs(", ", f->out);
        print_time(f->out, left);
        fputs(" left", f->out);
}

static void draw_bar(const struct flight *f)
{
        struct suite_count c = suite_count(f->s);
        int done = f->s->runs - c.open, full = BAR * done / f->s->runs;

        fputs("\r[", f->out);
        for (int i = 0; i < BAR; i++)
                fputc(i < full ? '#' : '.', f->out);
        fprintf(f->out, "] %d of %d, %d passed", done, f->s->runs, c.verdict[RUN_PASSED]);
        for (int v = RUN_FAILED; v <= RUN_ERROR; v++)
                if (c.verdict[v] > 0)
                        fprintf(f->out, ", %d %s", c.verdict[v],
                                compared_run_name((enum compared_run)v));
        fprintf(f->out, ", %d flying", f->flying);
        print_left(f);
        fputs("\x1b[K", f->out);
        fflush(f->out);
}

/* On a terminal only what needs attention gets a line that stays. */
static void tell_result(const struct flight *f, const struct suite_run *r)
{
        struct suite_count c = suite_count(f->s);

        if (f->terminal && r->verdict == RUN_PASSED)
                return;
        if (f->terminal)
                fputs("\r\x1b[K", f->out);
        terminal_print(f->out, "%d of %d  %-6s  %s", f->s->runs - c.open, f->s->runs,
                       compared_run_name(r->verdict),
                       r->folder + strlen(f->s->folder) + 1);
        if (r->verdict != RUN_PASSED || r->failed > 0)
                terminal_print(f->out, ": %s", r->reason);
        if (!f->terminal)
                print_left(f);
        fputc('\n', f->out);
        fflush(f->out);
}

static void finish_run(struct flight *f, struct suite_run *r, int status)
{
        suite_result_end(r, status);
        r->child = 0;
        f->flying--;
        /* What was cut off by the user is open, not void. */
        if (f->s->interrupted && r->verdict >= RUN_VOID) {
                r->state = SUITE_WAITING;
                return;
        }
        r->state = SUITE_FLOWN;
        tell_result(f, r);
        if (r->verdict == RUN_ERROR && !r->refused && r->tries < f->s->file.tries) {
                r->state = SUITE_WAITING;
                f->next = 0;
        }
}

static void collect_finished(struct flight *f)
{
        for (int i = 0; i < f->s->runs; i++) {
                struct suite_run *r = &f->s->run[i];
                int status;

                if (r->state == SUITE_FLYING &&
                    waitpid(r->child, &status, WNOHANG) == r->child)
                        finish_run(f, r, status);
        }
}

/* The next that waits may start if there is room, and nobody needs to be alone. */
static bool start_more(struct flight *f)
{
        struct suite *s = f->s;

        while (f->next < s->runs && f->flying < s->jobs) {
                struct suite_run *r = &s->run[f->next];

                if (r->state != SUITE_WAITING) {
                        f->next++;
                        continue;
                }
                if (r->alone && f->flying > 0)
                        return true;
                if (!launch_run(f, r))
                        return false;
                f->next++;
                if (r->alone)
                        return true;
        }
        return true;
}

static bool flies_alone(const struct suite *s)
{
        for (int i = 0; i < s->runs; i++)
                if (s->run[i].state == SUITE_FLYING && s->run[i].alone)
                        return true;
        return false;
}

static void signal_all(const struct suite *s, int number)
{
        for (int i = 0; i < s->runs; i++)
                if (s->run[i].state == SUITE_FLYING)
                        kill(s->run[i].child, number);
}

/* Waits for a child's end or the user's wish; true if there was such a wish. */
static bool await_signal(struct flight *f, int timeout_ms)
{
        struct pollfd fd = { .fd = f->fd, .events = POLLIN };
        struct signalfd_siginfo info;
        bool asked = false;

        if (poll(&fd, 1, timeout_ms) > 0)
                while (read(f->fd, &info, sizeof info) == (ssize_t)sizeof info)
                        asked = asked || info.ssi_signo != SIGCHLD;
        return asked;
}

/* Every run writes down what it has; one that does not end by itself is ended. */
static void stop_all(struct flight *f)
{
        int64_t until_ns = clock_now_ns() + PATIENCE;

        signal_all(f->s, SIGTERM);
        while (f->flying > 0 && clock_now_ns() < until_ns) {
                await_signal(f, REDRAW_MS);
                collect_finished(f);
        }
        signal_all(f->s, SIGKILL);
        while (f->flying > 0) {
                await_signal(f, REDRAW_MS);
                collect_finished(f);
        }
}

static bool fly_all(struct flight *f)
{
        while (f->next < f->s->runs || f->flying > 0) {
                if (!flies_alone(f->s) && !start_more(f))
                        return false;
                if (f->flying == 0)
                        continue;
                if (f->terminal)
                        draw_bar(f);
                if (await_signal(f, f->terminal ? REDRAW_MS : -1)) {
                        f->s->interrupted = true;
                        return true;
                }
                collect_finished(f);
        }
        return true;
}

static void watch_signals(struct flight *f, sigset_t *before)
{
        static const int number[] = { SIGCHLD, SIGINT, SIGTERM, SIGHUP };
        sigset_t set;

        sigemptyset(&set);
        for (size_t i = 0; i < sizeof number / sizeof number[0]; i++)
                sigaddset(&set, number[i]);
        sigprocmask(SIG_BLOCK, &set, before);
        f->fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

bool suite_fly(struct suite *s, FILE *out, char *why, size_t cap)
{
        struct flight f = { .s = s,
                            .out = out,
                            .terminal = isatty(fileno(out)) == 1,
                            .start_ns = clock_now_ns(),
                            .why = why,
                            .cap = cap };
        sigset_t before;
        bool ok;

        why[0] = '\0';
        watch_signals(&f, &before);
        if (f.fd < 0)
                return refuse_flight(&f, "signalfd", errno);
        ok = fly_all(&f);
        /* Interrupted, or no further process could be had: none is left behind. */
        stop_all(&f);
        if (f.terminal) {
                draw_bar(&f);
                fputc('\n', out);
        }
        close(f.fd);
        sigprocmask(SIG_SETMASK, &before, NULL);
        return ok;
}
