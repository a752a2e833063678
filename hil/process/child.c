#include "hil/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hil/time/clock.h"

#define LOOK_NS (2 * NS_PER_MS)

/* What the new process could not do, sent to the rig before it ends. */
struct refusal {
        const char *what; /* valid in the rig, too: it was forked from it */
        int error;
};

/* The rig holds the other end of the guard and never writes: when it is gone, so is the group. */
static _Noreturn void keep_group(int guard)
{
        sigset_t all;
        char byte;

        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, NULL);
        prctl(PR_SET_NAME, "hilrig-keeper");
        dup2(guard, 0);
        close_range(1, ~0U, 0);
        while (read(0, &byte, 1) < 0 && errno == EINTR)
                ;
        kill(0, SIGKILL);
        _exit(0);
}

static bool start_keeper(struct child *c)
{
        int end[2];

        if (pipe2(end, O_CLOEXEC) != 0)
                return false;
        c->keeper = fork();
        if (c->keeper == 0) {
                setpgid(0, 0);
                close(end[1]);
                keep_group(end[0]);
        }
        close(end[0]);
        c->guard = end[1];
        /* Both sides: whoever comes first. */
        if (c->keeper > 0)
                setpgid(c->keeper, c->keeper);
        return c->keeper > 0;
}

static _Noreturn void refuse_start(int fd, const char *what)
{
        struct refusal r = { what, errno };

        if (write(fd, &r, sizeof r) < 0)
                _exit(126);
        _exit(127);
}

static bool open_streams(const char *log)
{
        int in = open("/dev/null", O_RDONLY);
        int out = open(log != NULL ? log : "/dev/null",
                       O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOCTTY, 0666);

        return in >= 0 && out >= 0 && dup2(in, 0) == 0 && dup2(out, 1) == 1 &&
               dup2(out, 2) == 2;
}

/* The descriptor of the refusals may be one of those that are given away. */
static void give_talk(int fd, int *refusals)
{
        int from = fcntl(fd, F_DUPFD_CLOEXEC, 5);

        *refusals = fcntl(*refusals, F_DUPFD_CLOEXEC, 5);
        if (dup2(from, 3) != 3 || dup2(from, 4) != 4)
                refuse_start(*refusals, "its descriptors");
}

static _Noreturn void become_program(const struct child_command *command, pid_t rig,
                                     pid_t group, int refusals)
{
        struct sched_param param = { .sched_priority = command->priority };
        sigset_t none;

        setpgid(0, group);
        prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL, 0UL, 0UL, 0UL);
        if (getppid() != rig)
                _exit(127);
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        signal(SIGPIPE, SIG_DFL);
        signal(SIGXFSZ, SIG_DFL);
        if (!open_streams(command->log))
                refuse_start(refusals, "its log");
        if (chdir(command->folder) != 0)
                refuse_start(refusals, command->folder);
        if (command->priority > 0)
                sched_setscheduler(0, SCHED_FIFO, &param);
        /* Its sleeps are not rounded up by 50 us, as they are without SCHED_FIFO. */
        prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
        /* PX4's GPS driver sets the host's clock to the receiver's, which here is that of a simulation. */
        prctl(PR_CAPBSET_DROP, (unsigned long)CAP_SYS_TIME, 0UL, 0UL, 0UL);
        /* What the rig has open must close when the rig closes it. */
        close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
        if (command->kept_fd > 0)
                fcntl(command->kept_fd, F_SETFD, 0);
        if (command->talk_fd > 0)
                give_talk(command->talk_fd, &refusals);
        /* The other one hands what is no program to a shell. */
        if (strchr(command->argv[0], '/') != NULL)
                execve(command->argv[0], command->argv, command->environment);
        else
                execvpe(command->argv[0], command->argv, command->environment);
        refuse_start(refusals, NULL);
}

static bool explain_refusal(const char *program, const struct refusal *r, char *why,
                            size_t cap)
{
        if (r->what != NULL)
                snprintf(why, cap, "%s: %s", r->what, strerror(r->error));
        else if (r->error == ENOENT && strchr(program, '/') == NULL)
                snprintf(why, cap, "%s: no program of this name is in PATH", program);
        else if (r->error == ENOENT && access(program, F_OK) == 0)
                snprintf(why, cap,
                         "%s: the interpreter or loader that it names is not there",
                         program);
        else if (r->error == ENOENT)
                snprintf(why, cap, "%s: no such file", program);
        else if (r->error == EACCES)
                snprintf(why, cap, "%s: is not executable (chmod +x)", program);
        else if (r->error == ENOEXEC)
                snprintf(why, cap,
                         "%s: is no program for this machine, nor a script with #!",
                         program);
        else
                snprintf(why, cap, "%s: %s", program, strerror(r->error));
        return false;
}

static void name_program(struct child *c, const char *path)
{
        const char *slash = strrchr(path, '/');

        snprintf(c->name, sizeof c->name, "%s", slash != NULL ? slash + 1 : path);
}

/* The pipe closes by itself when the program begins. */
static bool await_program(int fd, struct refusal *r)
{
        ssize_t n;

        while ((n = read(fd, r, sizeof *r)) < 0 && errno == EINTR)
                ;
        return n != (ssize_t)sizeof *r;
}

bool child_start(struct child *c, const struct child_command *command, char *why,
                 size_t cap)
{
        pid_t rig = getpid();
        struct refusal r;
        int end[2];
        bool begun;

        *c = (struct child){ .fd = -1, .guard = -1 };
        prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL);
        name_program(c, command->argv[0]);
        snprintf(c->folder, sizeof c->folder, "%s", command->folder);
        snprintf(c->log, sizeof c->log, "%s", command->log != NULL ? command->log : "");
        if (!start_keeper(c) || pipe2(end, O_CLOEXEC) != 0) {
                snprintf(why, cap, "%s: no process could be had (%s)", c->name,
                         strerror(errno));
                child_end(c);
                return false;
        }
        c->pid = fork();
        if (c->pid == 0)
                become_program(command, rig, c->keeper, end[1]);
        close(end[1]);
        if (c->pid > 0)
                setpgid(c->pid, c->keeper);
        begun = c->pid > 0 && await_program(end[0], &r);
        close(end[0]);
        if (c->pid < 0) {
                c->pid = 0;
                snprintf(why, cap, "%s: no process could be had", c->name);
        } else if (!begun) {
                explain_refusal(command->argv[0], &r, why, cap);
        }
        if (!begun) {
                child_end(c);
                return false;
        }
        c->fd = (int)syscall(SYS_pidfd_open, c->pid, 0);
        return true;
}

void child_adopt(struct child *c, pid_t pid, const char *name)
{
        *c = (struct child){ .pid = pid, .guard = -1 };
        snprintf(c->name, sizeof c->name, "%s", name);
        c->fd = (int)syscall(SYS_pidfd_open, pid, 0);
}

bool child_look(struct child *c)
{
        if (c->pid > 0 && !c->ended)
                c->ended = waitpid(c->pid, &c->status, WNOHANG) == c->pid;
        return c->ended;
}

bool child_await(struct child *c, int64_t wait_ns)
{
        int64_t until_ns = clock_now_ns() + wait_ns;

        while (c->pid > 0 && !child_look(c) && clock_now_ns() < until_ns)
                clock_sleep_until(clock_now_ns() + LOOK_NS);
        return c->ended;
}

void child_describe_end(const struct child *c, char *text, size_t cap)
{
        if (WIFSIGNALED(c->status))
                snprintf(text, cap, "was ended by signal %d (%s)", WTERMSIG(c->status),
                         strsignal(WTERMSIG(c->status)));
        else
                snprintf(text, cap, "exited with status %d", WEXITSTATUS(c->status));
}

void child_ask_to_end(struct child *c, int number)
{
        if (number > 0 && c->pid > 0 && !child_look(c))
                kill(c->pid, number);
}

void child_kill(struct child *c)
{
        if (c->pid > 0 && !child_look(c))
                kill(c->pid, SIGKILL);
        /* The keeper has not been waited for: the group's number is nobody else's. */
        if (c->keeper > 0)
                kill(-c->keeper, SIGKILL);
}

static void forget(struct child *c)
{
        if (c->fd > 0)
                close(c->fd);
        if (c->guard > 0)
                close(c->guard);
        c->keeper = 0;
        c->fd = c->guard = -1;
}

void child_end(struct child *c)
{
        child_kill(c);
        if (c->pid > 0 && !c->ended)
                c->ended = waitpid(c->pid, &c->status, 0) == c->pid;
        /* And orphans of the group, which came to the rig: what they held is free afterwards. */
        while (c->keeper > 0 && waitpid(-c->keeper, NULL, 0) > 0)
                ;
        forget(c);
}

void child_leave(struct child *c)
{
        child_kill(c);
        forget(c);
}

#define WORDS_LINES 3

/* The last lines of text, joined. */
static void join_last_lines(char *text, char *joined, size_t cap)
{
        char *line[WORDS_LINES] = { NULL }, *save;
        size_t used = 0;

        for (char *l = strtok_r(text, "\r\n", &save); l != NULL;
             l = strtok_r(NULL, "\r\n", &save)) {
                memmove(line, line + 1, sizeof line - sizeof line[0]);
                line[WORDS_LINES - 1] = l;
        }
        for (int i = 0; i < WORDS_LINES; i++)
                if (line[i] != NULL && used < cap)
                        used += (size_t)snprintf(joined + used, cap - used, "%s%s",
                                                 used > 0 ? " | " : "", line[i]);
}

void child_last_words(const char *log, char *text, size_t cap)
{
        FILE *f = fopen(log, "re");
        char tail[1024];
        size_t n;

        text[0] = '\0';
        if (f == NULL)
                return;
        if (fseek(f, -(long)(sizeof tail - 1), SEEK_END) != 0)
                rewind(f);
        n = fread(tail, 1, sizeof tail - 1, f);
        fclose(f);
        for (size_t i = 0; i < n; i++)
                if (tail[i] != '\n' && (tail[i] < ' ' || tail[i] > '~'))
                        tail[i] = tail[i] == '\r' ? '\n' : '?';
        tail[n] = '\0';
        join_last_lines(tail, text, cap);
}
