#include "hil/text/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "hil/text/terminal.h"

#define PATH_LONGEST 4096

/* 0, or why it is not a folder afterwards. */
static int make_one(const char *path)
{
        struct stat st;

        if (mkdir(path, 0777) == 0)
                return 0;
        if (errno != EEXIST)
                return errno;
        if (stat(path, &st) != 0)
                return errno;
        return S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
}

static bool refuse_folder(const char *path, int error, char *why, size_t cap)
{
        if (path[0] == '\0')
                snprintf(why, cap, "a folder must have a name");
        else if (error == ENOTDIR)
                snprintf(why, cap, "%s: is no folder", path);
        else
                snprintf(why, cap, "%s: cannot be made (%s)", path, strerror(error));
        return false;
}

/* From the top, each in turn: only those that are missing, as one above may be nobody's to touch. */
static bool make_above(char *path, char *why, size_t cap)
{
        for (char *slash = path; (slash = strchr(slash + 1, '/')) != NULL;) {
                struct stat st;
                int error = 0;

                *slash = '\0';
                if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
                        error = make_one(path);
                if (error != 0)
                        return refuse_folder(path, error, why, cap);
                *slash = '/';
        }
        return true;
}

bool folder_make(const char *path, char *why, size_t cap)
{
        char above[PATH_LONGEST];
        int error = make_one(path);

        if ((error == ENOENT || error == ENOTDIR) && strlen(path) < sizeof above) {
                snprintf(above, sizeof above, "%s", path);
                if (!make_above(above, why, cap))
                        return false;
                error = make_one(path);
        }
        return error == 0 || refuse_folder(path, error, why, cap);
}

/* A device, a pipe or a link to one holds nothing that could be taken for a whole file. */
static void remove_half(const char *path)
{
        struct stat st;

        if (lstat(path, &st) == 0 && S_ISREG(st.st_mode))
                unlink(path);
}

/* Closes the file. */
static bool write_text(FILE *f, const char *path, const char *text, char *why, size_t cap)
{
        bool ok = fputs(text, f) >= 0;

        if (fclose(f) == 0 && ok)
                return true;
        snprintf(why, cap, "%s: could not be written (%s)", path, strerror(errno));
        remove_half(path);
        return false;
}

bool text_file_write(const char *path, const char *text, char *why, size_t cap)
{
        FILE *f = fopen(path, "we");

        if (f != NULL)
                return write_text(f, path, text, why, cap);
        snprintf(why, cap, "%s: could not be written (%s)", path, strerror(errno));
        return false;
}

bool text_file_leave(const char *command, const char *path, char *text)
{
        char why[4200] = "";
        bool ok = false;

        if (text == NULL)
                snprintf(why, sizeof why, "%s: could not be written (out of memory)",
                         path);
        else
                ok = text_file_write(path, text, why, sizeof why);
        if (!ok)
                terminal_complain(command, "%s", why);
        free(text);
        return ok;
}

static bool holds_run(const char *path)
{
        static const char *const file[] = { "run.ulg", "summary.json", "wire.cap" };
        char name[PATH_LONGEST];

        for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
                snprintf(name, sizeof name, "%s/%s", path, file[i]);
                if (access(name, F_OK) == 0)
                        return true;
        }
        return false;
}

/* False: with the reason. */
static bool refuse_held(const char *path, char *why, size_t cap)
{
        if (!holds_run(path))
                return true;
        snprintf(why, cap, "%s: holds a run already; give another folder", path);
        return false;
}

static bool make_dated(const char *name, char *path, size_t cap, char *why,
                       size_t why_cap)
{
        char stamp[32];
        struct tm utc;
        time_t now = time(NULL);

        if (!folder_make("runs", why, why_cap))
                return false;
        gmtime_r(&now, &utc);
        strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", &utc);
        for (int n = 1; n < 1000; n++) {
                if (n == 1)
                        snprintf(path, cap, "runs/%s-%s", stamp, name);
                else
                        snprintf(path, cap, "runs/%s-%s-%d", stamp, name, n);
                if (mkdir(path, 0777) == 0)
                        return true;
                if (errno != EEXIST)
                        break;
        }
        snprintf(why, why_cap, "%s: cannot be made (%s)", path, strerror(errno));
        return false;
}

bool run_folder_make(const char *wanted, const char *name, char *path, size_t cap,
                     char *why, size_t why_cap)
{
        if (wanted == NULL)
                return make_dated(name, path, cap, why, why_cap);
        if ((size_t)snprintf(path, cap, "%s", wanted) >= cap) {
                snprintf(why, why_cap, "run folder: must be shorter than %zu characters",
                         cap);
                return false;
        }
        return folder_make(path, why, why_cap) && refuse_held(path, why, why_cap);
}

int folder_take(const char *path, char *why, size_t cap)
{
        int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        if (fd < 0) {
                snprintf(why, cap, "%s: %s", path, strerror(errno));
                return -1;
        }
        /* Where the file system knows no such locks, nobody can be asked. */
        if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
                return fd;
        close(fd);
        snprintf(why, cap,
                 "%s: another hilrig is writing there; give another folder, or wait for "
                 "it",
                 path);
        return -1;
}

int run_folder_take(const char *path, char *why, size_t cap)
{
        int fd = folder_take(path, why, cap);

        /* Whoever had it until now may have left a run. */
        if (fd >= 0 && !refuse_held(path, why, cap)) {
                close(fd);
                return -1;
        }
        return fd;
}

FILE *run_file_open(const char *path, char *why, size_t cap)
{
        /* Without O_NONBLOCK a FIFO of that name would hold the rig up for ever. */
        int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
        int error = fd < 0 ? errno : 0;
        struct stat st;
        FILE *f = NULL;

        /* A FIFO without a reader, or a socket, cannot even be opened. */
        if (error == ENXIO || (fd >= 0 && fstat(fd, &st) == 0 && !S_ISREG(st.st_mode))) {
                snprintf(why, cap, "%s: could not be written (not a regular file)", path);
        } else {
                if (fd >= 0 && ftruncate(fd, 0) == 0)
                        f = fdopen(fd, "w");
                if (f == NULL)
                        snprintf(why, cap, "%s: could not be written (%s)", path,
                                 strerror(error != 0 ? error : errno));
        }
        if (f == NULL && fd >= 0)
                close(fd);
        return f;
}

bool run_folder_write(const char *folder, const char *file, const char *text, char *why,
                      size_t why_cap)
{
        char path[PATH_LONGEST];
        FILE *f;

        snprintf(path, sizeof path, "%s/%s", folder, file);
        f = run_file_open(path, why, why_cap);
        return f != NULL && write_text(f, path, text, why, why_cap);
}

static const char *map_file(int fd, const void **map, size_t *len)
{
        struct stat st;
        void *at;

        if (fstat(fd, &st) != 0)
                return strerror(errno);
        if (!S_ISREG(st.st_mode))
                return "is not a regular file";
        if (st.st_size == 0)
                return "is empty";
        at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (at == MAP_FAILED)
                return strerror(errno);
        *map = at;
        *len = (size_t)st.st_size;
        return NULL;
}

const void *mapped_file_open(const char *path, size_t *len, const char **why)
{
        int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        const void *map = NULL;

        *len = 0;
        if (fd < 0) {
                *why = errno == ENOENT  ? "is missing"
                       : errno == ENXIO ? "is not a regular file" /* a socket */
                                        : strerror(errno);
                return NULL;
        }
        *why = map_file(fd, &map, len);
        close(fd);
        return map;
}

void mapped_file_close(const void *map, size_t len)
{
        if (map != NULL)
                munmap((void *)(uintptr_t)map, len);
}
