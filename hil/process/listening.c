#include "hil/process/listening.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hil/process/socket_table.h"

#define UNIX_LISTENS 0x10000

/* "Num: RefCount Protocol Flags Type St Inode Path" */
static bool is_at_path(const char *line, const char *path)
{
        unsigned flags;
        int at = 0;

        return sscanf(line, "%*[^:]: %*X %*X %X %*X %*X %*u %n", &flags, &at) == 1 &&
               at > 0 && (flags & UNIX_LISTENS) &&
               strncmp(line + at, path, strlen(path)) == 0 &&
               strchr("\n", line[at + (int)strlen(path)]) != NULL;
}

static bool is_listed(const char *path)
{
        FILE *f = fopen("/proc/net/unix", "re");
        char line[400];
        bool found = false;

        while (f != NULL && !found && fgets(line, sizeof line, f) != NULL)
                found = is_at_path(line, path);
        if (f != NULL)
                fclose(f);
        return found;
}

/* By the name that it was bound to, which may be the whole path. */
static bool unix_listens(const char *path)
{
        char *whole = realpath(path, NULL);
        bool found = is_listed(path) || (whole != NULL && is_listed(whole));

        free(whole);
        return found;
}

bool listening_at(const struct link_spec *spec)
{
        struct socket_wanted wanted = { .udp = spec->kind == LINK_UDP,
                                        .listens = spec->kind == LINK_TCP,
                                        .port = spec->port };

        switch (spec->kind) {
        case LINK_TCP:
        case LINK_UDP:
                return socket_table_find(&wanted) != 0;
        case LINK_UNIX:
                return unix_listens(spec->path);
        default:
                return false;
        }
}
