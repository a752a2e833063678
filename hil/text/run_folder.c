#include "hil/text/run_folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "hil/text/folder.h"
#include "hil/text/text_file.h"

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
