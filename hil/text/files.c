#include "hil/text/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

bool text_file_write(const char *path, const char *text, char *why, size_t cap)
{
        FILE *f = fopen(path, "we");
        bool ok = f != NULL && fputs(text, f) >= 0;

        if (f != NULL && fclose(f) != 0)
                ok = false;
        if (ok)
                return true;
        snprintf(why, cap, "%s: could not be written (%s)", path, strerror(errno));
        if (f != NULL)
                remove_half(path);
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
                fprintf(stderr, "hilrig %s: %s\n", command, why);
        free(text);
        return ok;
}

static bool holds_run(const char *path)
{
        static const char *const file[] = { "run.ulg", "summary.json", "wire.cap" };
        char name[4096];

        for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
                snprintf(name, sizeof name, "%s/%s", path, file[i]);
                if (access(name, F_OK) == 0)
                        return true;
        }
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
        if (!folder_make(path, why, why_cap))
                return false;
        if (!holds_run(path))
                return true;
        snprintf(why, why_cap, "%s: holds a run already; give another folder", path);
        return false;
}

bool run_folder_write(const char *folder, const char *file, const char *text, char *why,
                      size_t why_cap)
{
        char path[4096];

        snprintf(path, sizeof path, "%s/%s", folder, file);
        if (text_file_write(path, text, why, why_cap))
                return true;
        /* Whatever it was: what stands in a run folder would be taken for whole. */
        unlink(path);
        return false;
}

const void *mapped_file_open(const char *path, size_t *len)
{
        void *map = NULL;
        struct stat st;
        int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

        *len = 0;
        if (fd < 0)
                return NULL;
        if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
                map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
                if (map == MAP_FAILED)
                        map = NULL;
                else
                        *len = (size_t)st.st_size;
        }
        close(fd);
        return map;
}

void mapped_file_close(const void *map, size_t len)
{
        if (map != NULL)
                munmap((void *)(uintptr_t)map, len);
}
