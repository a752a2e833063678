/* Mesh files are read in a child process. The library was written for one's own artwork: files that are
 * made to break it do, and it leaks what it had read of those it refuses. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hil/config/world/mesh_file.h"

/* A million triangles, in 35 to 48 MiB, take less than 8 s. On a busy host the processor's seconds are longer than the clock's. */
#define SECONDS          2
#define BYTES_A_SECOND   (1 << 20) /* one more for so many */
#define CLOCK_PER_SECOND 4
#define MEMORY_MAX       ((rlim_t)4 << 30) /* on top of what the process has */

/* What the child sends first: the triangles follow. */
struct answer {
        int triangles; /* 0: why says the reason */
        char why[400];
};

static bool refuse_mesh_child(char *why, size_t cap, const char *path, const char *text)
{
        snprintf(why, cap, "%s: %s", path, text);
        return false;
}

/* All of it, or false. */
static bool transfer(int fd, void *data, size_t len,
                     ssize_t (*move)(int fd, void *data, size_t len))
{
        char *at = data;

        while (len > 0) {
                ssize_t n = move(fd, at, len);

                if (n < 0 && errno == EINTR)
                        continue;
                if (n <= 0)
                        return false;
                at += n;
                len -= (size_t)n;
        }
        return true;
}

static ssize_t write_whole(int fd, void *data, size_t len)
{
        return write(fd, data, len);
}

/* Address space in use, which sanitizers make very large. */
static rlim_t memory_now(void)
{
        unsigned long pages = 0;
        FILE *f = fopen("/proc/self/statm", "re");

        if (f) {
                if (fscanf(f, "%lu", &pages) != 1)
                        pages = 0;
                fclose(f);
        }
        return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static int seconds_for(size_t len)
{
        return SECONDS + (int)(len / BYTES_A_SECOND);
}

static void limit(__rlimit_resource_t what, rlim_t to, rlim_t at_most)
{
        struct rlimit l = { to, at_most };

        setrlimit(what, &l);
}

static void confine(size_t len)
{
        static const int fatal[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL };
        int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

        for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
                signal(fatal[i], SIG_DFL);
        /* Its last words mean nothing to the user. */
        if (null >= 0)
                dup2(null, STDERR_FILENO);
        signal(SIGXCPU, SIG_DFL);
        limit(RLIMIT_CORE, 0, 0);
        limit(RLIMIT_CPU, (rlim_t)seconds_for(len), (rlim_t)seconds_for(len) + 1);
        limit(RLIMIT_AS, memory_now() + MEMORY_MAX, memory_now() + MEMORY_MAX);
}

static _Noreturn void child(int fd, const char *path, const char *data, size_t len)
{
        struct answer answer = { 0 };
        struct mesh mesh;

        confine(len);
        if (mesh_file_parse(&mesh, path, data, len, answer.why, sizeof(answer.why)))
                answer.triangles = mesh.triangles;
        if (transfer(fd, &answer, sizeof(answer), write_whole) && answer.triangles > 0)
                transfer(fd, mesh.triangle,
                         (size_t)mesh.triangles * sizeof(*mesh.triangle), write_whole);
        /* Without freeing anything: what the library leaked ends here too. */
        _exit(0);
}

static bool all_finite(const struct mesh *m)
{
        for (int i = 0; i < m->triangles; i++)
                for (int k = 0; k < 3; k++) {
                        struct vec3 c = m->triangle[i].corner[k];

                        if (!isfinite(c.x) || !isfinite(c.y) || !isfinite(c.z))
                                return false;
                }
        return true;
}

static bool receive(struct mesh *m, int fd, const char *path, char *why, size_t cap)
{
        struct answer answer;

        if (!transfer(fd, &answer, sizeof(answer), read))
                return refuse_mesh_child(why, cap, path,
                                         "cannot be read: it broke its reader");
        answer.why[sizeof(answer.why) - 1] = '\0';
        if (answer.triangles == 0)
                return snprintf(why, cap, "%s", answer.why) < 0;
        if (answer.triangles < 0 || answer.triangles > MESH_TRIANGLES_MAX)
                return refuse_mesh_child(why, cap, path,
                                         "cannot be read: it broke its reader");
        m->triangle = calloc((size_t)answer.triangles, sizeof(*m->triangle));
        if (!m->triangle)
                return refuse_mesh_child(why, cap, path, "out of memory");
        m->triangles = answer.triangles;
        if (!transfer(fd, m->triangle, (size_t)m->triangles * sizeof(*m->triangle),
                      read) ||
            !all_finite(m)) {
                mesh_free(m);
                return refuse_mesh_child(why, cap, path,
                                         "cannot be read: it broke its reader");
        }
        return true;
}

/* The child speaks when it has done. False: it has not, and is ended. */
static bool speaks_in_time(int fd, pid_t pid, size_t len)
{
        struct pollfd p = { .fd = fd, .events = POLLIN };
        int n;

        while ((n = poll(&p, 1, seconds_for(len) * CLOCK_PER_SECOND * 1000)) < 0 &&
               errno == EINTR)
                ;
        if (n == 0)
                kill(pid, SIGKILL);
        return n != 0;
}

static bool refuse_endless(char *why, size_t cap, const char *path, size_t len)
{
        snprintf(why, cap,
                 "%s: cannot be read: its reader was still busy after %d s, the limit "
                 "for %zu bytes",
                 path, seconds_for(len), len);
        return false;
}

bool mesh_file_read_bytes(struct mesh *m, const char *path, const char *data, size_t len,
                          char *why, size_t cap)
{
        int end[2], status = 0;
        bool ok, in_time;
        pid_t pid;

        *m = (struct mesh){ 0 };
        if (!mesh_file_prepare(why, cap))
                return false;
        if (pipe2(end, O_CLOEXEC) != 0)
                return refuse_mesh_child(why, cap, path, strerror(errno));
        pid = fork();
        if (pid == 0) {
                close(end[0]);
                child(end[1], path, data, len);
        }
        close(end[1]);
        if (pid < 0) {
                close(end[0]);
                return refuse_mesh_child(why, cap, path, strerror(errno));
        }
        in_time = speaks_in_time(end[0], pid, len);
        ok = receive(m, end[0], path, why, cap);
        close(end[0]);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
                ;
        if (!ok && (!in_time || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)))
                return refuse_endless(why, cap, path, len);
        return ok;
}

static bool read_open(struct mesh *m, int fd, const char *path, char *why, size_t cap)
{
        struct stat st;
        char *data;
        bool ok;

        if (fstat(fd, &st) != 0)
                return refuse_mesh_child(why, cap, path, strerror(errno));
        if (!S_ISREG(st.st_mode))
                return refuse_mesh_child(why, cap, path, "is not a regular file");
        if (st.st_size == 0)
                return refuse_mesh_child(why, cap, path, "is empty");
        if (st.st_size > MESH_BYTES_MAX)
                return refuse_mesh_child(why, cap, path, "is larger than 256 MiB");
        data = malloc((size_t)st.st_size);
        if (!data)
                return refuse_mesh_child(why, cap, path, "out of memory");
        ok = transfer(fd, data, (size_t)st.st_size, read)
                     ? mesh_file_read_bytes(m, path, data, (size_t)st.st_size, why, cap)
                     : refuse_mesh_child(why, cap, path, "cannot be read as a whole");
        free(data);
        return ok;
}

bool mesh_file_read(struct mesh *m, const char *path, char *why, size_t cap)
{
        /* Without O_NONBLOCK a FIFO of that name would hold the rig up for ever. */
        int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        bool ok;

        *m = (struct mesh){ 0 };
        if (fd < 0)
                return refuse_mesh_child(why, cap, path,
                                         errno == ENOENT ? "no such file"
                                                         : strerror(errno));
        ok = read_open(m, fd, path, why, cap);
        close(fd);
        return ok;
}
