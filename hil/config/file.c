/* The text of one file, bounded, and the names of files beside it. */
#include "hil/config/load.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hil/text/installed.h"

static char *refuse_file(struct config_error *why, const char *path, const char *what)
{
        config_refuse_line(why, "%s: %s", path, what);
        return NULL;
}

static bool read_all(int fd, char *text, size_t len, size_t *got)
{
        *got = 0;
        while (*got < len) {
                ssize_t n = read(fd, text + *got, len - *got);

                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        return false;
                if (n == 0)
                        break;
                *got += (size_t)n;
        }
        return true;
}

static char *read_text(int fd, const char *path, size_t size, size_t *len,
                       struct config_error *why)
{
        char *text;

        if (size == 0)
                return refuse_file(why, path, "is empty");
        if (size > CONFIG_BYTES_MAX)
                return refuse_file(why, path, "is larger than 16 MiB");
        text = malloc(size + 1);
        if (!text)
                return refuse_file(why, path, "out of memory");
        if (!read_all(fd, text, size, len)) {
                refuse_file(why, path, strerror(errno));
                free(text);
                return NULL;
        }
        text[*len] = '\0';
        return text;
}

/* It is not there, nor where the name is looked for besides. */
static char *refuse_missing(struct config_error *why, const char *path, const char *name)
{
        char other[PATH_MAX];

        if (name && installed_path(name, other, sizeof other))
                config_refuse_line(why, "%s: no such file, nor is there %s", path, other);
        else
                refuse_file(why, path, "no such file");
        return NULL;
}

char *config_file_text(const char *path, const char *name, size_t *len, struct stat *st,
                       struct config_error *why)
{
        /* Without O_NONBLOCK a FIFO of that name would hold the rig up for ever. */
        int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        char *text = NULL;

        if (fd < 0 && errno == ENOENT)
                return refuse_missing(why, path, name);
        /* ENXIO: it is a socket. */
        if (fd < 0)
                return refuse_file(why, path,
                                   errno == ENXIO ? "is not a regular file"
                                                  : strerror(errno));
        if (fstat(fd, st) != 0)
                refuse_file(why, path, strerror(errno));
        else if (!S_ISREG(st->st_mode))
                refuse_file(why, path, "is not a regular file");
        else
                text = read_text(fd, path, (size_t)st->st_size, len, why);
        close(fd);
        return text;
}

char *config_load_text(const char *path, size_t *len, struct config_error *why)
{
        struct stat st;

        config_error_clear(why);
        return config_file_text(path, NULL, len, &st, why);
}

char *config_load_named(const char *name, size_t *len, struct config_error *why)
{
        char *path = config_file_named(name), *text;
        struct stat st;

        config_error_clear(why);
        if (!path)
                return refuse_file(why, name, "out of memory");
        text = config_file_text(path, name, len, &st, why);
        free(path);
        return text;
}

static bool same_file(const char *a, const char *b)
{
        struct stat x, y;

        return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
               x.st_ino == y.st_ino;
}

/* "rigs/../default.json" -> "default.json", in place: easier to read in a message. */
static void fold_parents(char *path)
{
        char *up;

        while ((up = strstr(path, "/../")) != NULL && up != path) {
                char *start = up;

                while (start > path && start[-1] != '/')
                        start--;
                if (strncmp(start, "..", 2) == 0 || start == up)
                        return;
                memmove(start, up + 4, strlen(up + 4) + 1);
        }
}

/* The path, or, where nothing is there, the installed file of that name. Takes over the path; NULL: no memory. */
static char *path_or_installed(char *path, const char *name)
{
        char other[PATH_MAX];

        if (!path || access(path, F_OK) == 0 || errno != ENOENT ||
            !installed_path(name, other, sizeof other) || access(other, F_OK) != 0)
                return path;
        free(path);
        return strdup(other);
}

char *config_file_named(const char *name)
{
        return path_or_installed(strdup(name), name);
}

static char *join_folded(const char *file, const char *name)
{
        const char *slash = strrchr(file, '/');
        int dir = slash && name[0] != '/' ? (int)(slash - file) + 1 : 0;
        char *path, *folded;

        if (asprintf(&path, "%.*s%s", dir, file, name) < 0)
                return NULL;
        folded = strdup(path);
        if (!folded)
                return path;
        fold_parents(folded);
        /* A symbolic link on the way makes it another file. */
        if (!same_file(path, folded)) {
                free(folded);
                return path;
        }
        free(path);
        return folded;
}

char *config_file_beside(const char *file, const char *name)
{
        return path_or_installed(join_folded(file, name), name);
}
