#include "hil/text/installed.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* How much of the text is left without its last "/name". */
static size_t length_above(const char *path, size_t len)
{
        while (len > 0 && path[len - 1] != '/')
                len--;
        return len > 0 ? len - 1 : 0;
}

bool installed_path_beside(const char *program, const char *name, char *path, size_t cap)
{
        size_t bin = length_above(program, strlen(program));
        int prefix = (int)length_above(program, bin);

        if (name[0] == '\0' || name[0] == '/' || strncmp(name, "./", 2) == 0 ||
            strncmp(name, "../", 3) == 0 || bin == 0)
                return false;
        return (size_t)snprintf(path, cap, "%.*s/share/hilrig/%s", prefix, program,
                                name) < cap;
}

bool installed_path(const char *name, char *path, size_t cap)
{
        char program[PATH_MAX], folder[PATH_MAX];
        ssize_t len = readlink("/proc/self/exe", program, sizeof program - 1);
        struct stat st;

        if (len <= 0)
                return false;
        program[len] = '\0';
        return installed_path_beside(program, ".", folder, sizeof folder) &&
               stat(folder, &st) == 0 && S_ISDIR(st.st_mode) &&
               installed_path_beside(program, name, path, cap);
}
