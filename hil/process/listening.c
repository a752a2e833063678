#include "hil/process/listening.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TCP_LISTENS  0x0A
#define UNIX_LISTENS 0x10000

/* A line of /proc/net/tcp or its like, "sl: ADDRESS:PORT ADDRESS:PORT STATE ...", IPv4 or IPv6. */
static bool is_at_port(const char *line, unsigned port, bool tcp)
{
        unsigned at, state;

        return sscanf(line, " %*d: %*[0-9A-Fa-f]:%X %*[0-9A-Fa-f]:%*X %X", &at, &state) ==
                       2 &&
               at == port && (!tcp || state == TCP_LISTENS);
}

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

/* A socket of the spec's kind, at its port, or of this path. */
static bool is_listed(const char *table, const struct link_spec *spec, const char *path)
{
        FILE *f = fopen(table, "re");
        char line[400];
        bool found = false;

        while (f != NULL && !found && fgets(line, sizeof line, f) != NULL)
                found = path != NULL
                                ? is_at_path(line, path)
                                : is_at_port(line, spec->port, spec->kind == LINK_TCP);
        if (f != NULL)
                fclose(f);
        return found;
}

/* By the name that it was bound to, which may be the whole path. */
static bool unix_listens(const struct link_spec *spec)
{
        char *whole = realpath(spec->path, NULL);
        bool found = is_listed("/proc/net/unix", spec, spec->path) ||
                     (whole != NULL && is_listed("/proc/net/unix", spec, whole));

        free(whole);
        return found;
}

bool listening_at(const struct link_spec *spec)
{
        switch (spec->kind) {
        case LINK_TCP:
                return is_listed("/proc/net/tcp", spec, NULL) ||
                       is_listed("/proc/net/tcp6", spec, NULL);
        case LINK_UDP:
                return is_listed("/proc/net/udp", spec, NULL) ||
                       is_listed("/proc/net/udp6", spec, NULL);
        case LINK_UNIX:
                return unix_listens(spec);
        default:
                return false;
        }
}
