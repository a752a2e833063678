#include "hil/text/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MAX 32

static bool refuse_copy(const char *path, int error, char *why, size_t cap)
{
        snprintf(why, cap, "%s: cannot be copied (%s)", path, strerror(error));
        return false;
}

static int copy_bytes(int from, int to)
{
        char buf[65536];
        ssize_t n;

        while ((n = read(from, buf, sizeof buf)) > 0)
                for (ssize_t at = 0; at < n;) {
                        ssize_t put = write(to, buf + at, (size_t)(n - at));

                        if (put < 0)
                                return errno;
                        at += put;
                }
        return n < 0 ? errno : 0;
}

/* Anew: what hangs on the old file by another name stays as it is. */
static bool copy_file(const char *from, const char *to, mode_t mode, char *why,
                      size_t cap)
{
        int in = open(from, O_RDONLY | O_CLOEXEC | O_NONBLOCK), out = -1, error = errno;

        if (in >= 0) {
                unlink(to);
                out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                           (mode & 0777) | S_IWUSR);
                error = out >= 0 ? copy_bytes(in, out) : errno;
                close(in);
        }
        if (out >= 0 && close(out) != 0 && error == 0)
                error = errno;
        return in >= 0 && out >= 0 && error == 0 ? true
                                                 : refuse_copy(from, error, why, cap);
}

static bool copy_link(const char *from, const char *to, char *why, size_t cap)
{
        char target[PATH_MAX];
        ssize_t n = readlink(from, target, sizeof target - 1);

        if (n < 0)
                return refuse_copy(from, errno, why, cap);
        target[n] = '\0';
        unlink(to);
        return symlink(target, to) == 0 || refuse_copy(from, errno, why, cap);
}

static bool copy_folder(const char *from, const char *to, int depth, char *why,
                        size_t cap);

static bool copy_entry(const char *from, const char *to, int depth, char *why, size_t cap)
{
        struct stat st;

        if (lstat(from, &st) != 0)
                return refuse_copy(from, errno, why, cap);
        if (S_ISREG(st.st_mode))
                return copy_file(from, to, st.st_mode, why, cap);
        if (S_ISLNK(st.st_mode))
                return copy_link(from, to, why, cap);
        if (!S_ISDIR(st.st_mode))
                return true; /* sockets and pipes are of the process that made them */
        if (mkdir(to, 0777) != 0 && errno != EEXIST)
                return refuse_copy(to, errno, why, cap);
        return copy_folder(from, to, depth + 1, why, cap);
}

static bool copy_named(const char *from, const char *to, const char *name, int depth,
                       char *why, size_t cap)
{
        char in[PATH_MAX], out[PATH_MAX];

        if ((size_t)snprintf(in, sizeof in, "%s/%s", from, name) >= sizeof in ||
            (size_t)snprintf(out, sizeof out, "%s/%s", to, name) >= sizeof out)
                return refuse_copy(from, ENAMETOOLONG, why, cap);
        return copy_entry(in, out, depth, why, cap);
}

static bool copy_folder(const char *from, const char *to, int depth, char *why,
                        size_t cap)
{
        DIR *folder = depth < DEPTH_MAX ? opendir(from) : NULL;
        const struct dirent *d;
        bool ok = true;

        if (folder == NULL)
                return refuse_copy(from, depth < DEPTH_MAX ? errno : ELOOP, why, cap);
        while (ok && (d = readdir(folder)) != NULL)
                if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0)
                        ok = copy_named(from, to, d->d_name, depth, why, cap);
        closedir(folder);
        return ok;
}

bool tree_copy_into(const char *folder, const char *path, char *why, size_t cap)
{
        const char *slash = strrchr(path, '/');
        char to[PATH_MAX];
        struct stat st;

        /* What the user names may be a link. */
        if (stat(path, &st) != 0)
                return refuse_copy(path, errno, why, cap);
        if (S_ISDIR(st.st_mode))
                return copy_folder(path, folder, 0, why, cap);
        if (!S_ISREG(st.st_mode))
                return refuse_copy(path, EINVAL, why, cap);
        if ((size_t)snprintf(to, sizeof to, "%s/%s", folder,
                             slash != NULL ? slash + 1 : path) >= sizeof to)
                return refuse_copy(path, ENAMETOOLONG, why, cap);
        return copy_file(path, to, st.st_mode, why, cap);
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *at)
{
        (void)st;
        (void)type;
        (void)at;
        return remove(path);
}

bool tree_remove(const char *path)
{
        return nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) == 0 ||
               errno == ENOENT;
}
