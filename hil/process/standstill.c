#include "hil/process/standstill.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void standstill_begin(struct standstill *s)
{
        s->looked_ns = s->stopped_ns = s->starved_ns = 0;
        s->threads = 0;
}

static bool read_small_file(int folder, const char *name, char *text, size_t cap)
{
        int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
        ssize_t n = fd >= 0 ? read(fd, text, cap - 1) : -1;

        if (fd >= 0)
                close(fd);
        text[n > 0 ? n : 0] = '\0';
        return n > 0;
}

/* The state stands behind the name, which may hold anything. */
static bool read_thread(int tasks, const char *tid, struct standstill_thread *t)
{
        char name[40], text[600];
        const char *after;
        unsigned long long ran_ns, waited_ns;

        *t = (struct standstill_thread){ .tid = (pid_t)atoi(tid) };
        snprintf(name, sizeof name, "%.20s/stat", tid);
        if (!read_small_file(tasks, name, text, sizeof text))
                return false;
        after = strrchr(text, ')');
        if (after == NULL || after[1] != ' ')
                return false;
        t->state = after[2];
        snprintf(name, sizeof name, "%.20s/schedstat", tid);
        if (read_small_file(tasks, name, text, sizeof text) &&
            sscanf(text, "%llu %llu", &ran_ns, &waited_ns) == 2) {
                t->ran_ns = ran_ns;
                t->waited_ns = waited_ns;
        }
        return true;
}

static int read_threads(int tasks, struct standstill_thread *thread)
{
        char buf[2048];
        ssize_t n;
        int count = 0;

        while ((n = getdents64(tasks, buf, sizeof buf)) > 0)
                for (ssize_t at = 0; at < n;) {
                        const struct dirent64 *d =
                                (const struct dirent64 *)(const void *)(buf + at);

                        at += d->d_reclen;
                        if (d->d_name[0] != '.' && count < STANDSTILL_THREADS_MAX &&
                            read_thread(tasks, d->d_name, &thread[count]))
                                count++;
                }
        return count;
}

static const struct standstill_thread *find_before(const struct standstill *s, pid_t tid)
{
        for (int i = 0; i < s->threads; i++)
                if (s->thread[i].tid == tid)
                        return &s->thread[i];
        return NULL;
}

/* Of the time since the last look. One that wants to run, or to go on once the disk has answered, and did not at all has not
 * been booked as waiting yet. */
static int64_t starved_since(const struct standstill_thread *before,
                             const struct standstill_thread *now, int64_t since_ns)
{
        int64_t waited_ns = (int64_t)(now->waited_ns - before->waited_ns);

        if (before->state == now->state && now->ran_ns == before->ran_ns &&
            (now->state == 'R' || now->state == 'D'))
                return since_ns;
        return waited_ns < since_ns ? waited_ns : since_ns;
}

static bool is_stopped(char state)
{
        return state == 'T' || state == 't';
}

void standstill_take(struct standstill *s, const struct standstill_thread *thread,
                     int threads, int64_t now_ns)
{
        int64_t since_ns = now_ns - s->looked_ns, starved_ns = 0;
        bool stopped = false;

        for (int i = 0; s->looked_ns != 0 && i < threads; i++) {
                const struct standstill_thread *before = find_before(s, thread[i].tid);
                int64_t ns =
                        before != NULL ? starved_since(before, &thread[i], since_ns) : 0;

                stopped = stopped || is_stopped(thread[i].state);
                starved_ns = ns > starved_ns ? ns : starved_ns;
        }
        if (stopped)
                s->stopped_ns += since_ns;
        else
                s->starved_ns += starved_ns;
        if (threads > 0)
                memcpy(s->thread, thread, (size_t)threads * sizeof *thread);
        s->threads = threads;
        s->looked_ns = now_ns;
}

void standstill_look(struct standstill *s, pid_t pid, int64_t now_ns)
{
        struct standstill_thread thread[STANDSTILL_THREADS_MAX];
        char path[40];
        int tasks;

        snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
        tasks = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (tasks < 0)
                return;
        standstill_take(s, thread, read_threads(tasks, thread), now_ns);
        close(tasks);
}

void standstill_describe(const struct standstill *s, char *text, size_t cap)
{
        if (s->stopped_ns >= s->starved_ns)
                snprintf(text, cap, "was stopped for %.3f s",
                         (double)s->stopped_ns * 1e-9);
        else
                snprintf(text, cap, "waited %.3f s for a processor or a disk",
                         (double)s->starved_ns * 1e-9);
}
