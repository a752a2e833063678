#include "hil/host/system_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_MAX (4 * 1024 * 1024)

void system_file_path(const char *root, const char *path, char real[HOST_PATH_MAX])
{
        snprintf(real, HOST_PATH_MAX, "%s%s", root, path);
}

static int open_in(const char *root, const char *path, int flags)
{
        char real[HOST_PATH_MAX];

        system_file_path(root, path, real);
        return open(real, flags | O_CLOEXEC | O_NONBLOCK);
}

bool system_file_read(const char *root, const char *path, char *text, size_t cap)
{
        int fd = open_in(root, path, O_RDONLY);
        ssize_t n = fd >= 0 ? read(fd, text, cap - 1) : -1;

        if (fd >= 0)
                close(fd);
        text[n > 0 ? n : 0] = '\0';
        for (size_t len = strlen(text); len > 0 && text[len - 1] == '\n';)
                text[--len] = '\0';
        return n >= 0;
}

bool system_file_number(const char *root, const char *path, long long *number)
{
        char text[40], *end;

        if (!system_file_read(root, path, text, sizeof text))
                return false;
        errno = 0;
        *number = strtoll(text, &end, 10);
        return end != text && *end == '\0' && errno == 0;
}

char *system_file_read_whole(const char *root, const char *path)
{
        int fd = open_in(root, path, O_RDONLY);
        size_t len = 0, cap = 65536;
        char *text = fd >= 0 ? malloc(cap) : NULL, *more;
        ssize_t n = 0;

        while (text != NULL && (n = read(fd, text + len, cap - len - 1)) > 0) {
                len += (size_t)n;
                if (cap - len > 1)
                        continue;
                more = cap < TEXT_MAX ? realloc(text, cap *= 2) : NULL;
                if (more == NULL)
                        break;
                text = more;
        }
        if (fd >= 0)
                close(fd);
        if (text == NULL || n < 0) {
                free(text);
                return NULL;
        }
        text[len] = '\0';
        return text;
}

int system_file_write(const char *root, const char *path, const char *text)
{
        /* A copy's files are regular ones, of which an old end would stay. */
        int fd = open_in(root, path, root[0] != '\0' ? O_WRONLY | O_TRUNC : O_WRONLY);
        int error = 0;

        if (fd < 0)
                return errno;
        if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
                error = errno;
        close(fd);
        return error;
}

glob_t system_file_find(const char *root, const char *pattern)
{
        char whole[2 * HOST_PATH_MAX];
        size_t used = 0, len = strlen(root);
        glob_t found = { 0 };

        for (size_t i = 0; i < len && used + 2 < HOST_PATH_MAX; i++) {
                if (strchr("*?[\\", root[i]) != NULL)
                        whole[used++] = '\\';
                whole[used++] = root[i];
        }
        snprintf(whole + used, sizeof whole - used, "%s", pattern);
        if (glob(whole, 0, NULL, &found) != 0) {
                globfree(&found);
                return (glob_t){ 0 };
        }
        for (size_t i = 0; i < found.gl_pathc; i++)
                memmove(found.gl_pathv[i], found.gl_pathv[i] + len,
                        strlen(found.gl_pathv[i]) - len + 1);
        return found;
}
