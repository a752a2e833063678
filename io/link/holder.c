#include "io/link/holder.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_open(pid_t pid, const char *target)
{
        char path[64], open[64];
        const struct dirent *entry;
        bool found = false;
        DIR *fds;

        snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
        fds = opendir(path);
        while (fds != NULL && !found && (entry = readdir(fds)) != NULL) {
                ssize_t len =
                        readlinkat(dirfd(fds), entry->d_name, open, sizeof open - 1);

                open[len > 0 ? len : 0] = '\0';
                found = strcmp(open, target) == 0;
        }
        if (fds != NULL)
                closedir(fds);
        return found;
}

pid_t holder_find(const char *target)
{
        DIR *processes = opendir("/proc");
        const struct dirent *entry;
        pid_t found = 0;

        while (processes != NULL && found == 0 && (entry = readdir(processes)) != NULL) {
                pid_t pid = (pid_t)atoi(entry->d_name);

                if (pid > 0 && pid != getpid() && has_open(pid, target))
                        found = pid;
        }
        if (processes != NULL)
                closedir(processes);
        return found;
}
