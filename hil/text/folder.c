#include "hil/text/folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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

static bool refuse(const char *path, int error, char *why, size_t cap)
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
                        return refuse(path, error, why, cap);
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
        return error == 0 || refuse(path, error, why, cap);
}
