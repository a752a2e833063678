#include "hil/farm/farm.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

void farm_host(char name[NAME_MAX_LEN])
{
        const char *node = getenv("SLURMD_NODENAME");

        if (node != NULL)
                snprintf(name, NAME_MAX_LEN, "%s", node);
        else if (gethostname(name, NAME_MAX_LEN) != 0)
                name[0] = '\0';
        name[NAME_MAX_LEN - 1] = '\0';
        name[strcspn(name, ".")] = '\0';
}

bool farm_board_is_here(const struct farm_board *board)
{
        char own[NAME_MAX_LEN];

        farm_host(own);
        return board->host[0] == '\0' || strcmp(board->host, own) == 0;
}

/* Whoever asks makes the file; everybody may lock it. -1 with the reason. */
static int open_lock(const struct farm_file *farm, const struct farm_board *board,
                     char *why, size_t cap)
{
        char path[SUITE_PATH_MAX + NAME_MAX_LEN + 20];
        int fd;

        snprintf(path, sizeof path, "%s/hilrig-board-%s", farm->locks, board->name);
        /* In a folder for all, what is another's may be opened, and not made (fs.protected_regular). */
        fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        if (fd < 0 && errno == ENOENT) {
                fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                          0666);
                if (fd >= 0)
                        fchmod(fd, 0666);
        }
        if (fd < 0)
                snprintf(why, cap, "%s: cannot be opened (%s)", path, strerror(errno));
        return fd;
}

static void read_holder(int fd, char *holder, size_t cap)
{
        ssize_t n = pread(fd, holder, cap - 1, 0);

        holder[n > 0 ? n : 0] = '\0';
        holder[strcspn(holder, "\n")] = '\0';
        if (holder[0] == '\0')
                snprintf(holder, cap, "somebody");
}

/* What stands there is for people: that it could not be written takes nothing away. */
static void write_holder(int fd, const char *holder)
{
        if (ftruncate(fd, 0) == 0 && dprintf(fd, "%s\n", holder) < 0)
                return;
}

bool farm_board_take(const struct farm_file *farm, const struct farm_board *board,
                     const char *holder, int *fd, char *why, size_t cap)
{
        int error;

        *fd = open_lock(farm, board, why, cap);
        if (*fd < 0)
                return false;
        if (flock(*fd, LOCK_EX | LOCK_NB) == 0) {
                write_holder(*fd, holder);
                return true;
        }
        error = errno;
        snprintf(why, cap, "%s/hilrig-board-%s: cannot be locked (%s)", farm->locks,
                 board->name, strerror(error));
        close(*fd);
        *fd = -1;
        return error == EWOULDBLOCK;
}

bool farm_board_holder(const struct farm_file *farm, const struct farm_board *board,
                       char *holder, size_t holder_cap, char *why, size_t cap)
{
        int fd = open_lock(farm, board, why, cap);

        holder[0] = '\0';
        if (fd < 0)
                return false;
        /* A shared one: two who only look do not see each other. */
        if (flock(fd, LOCK_SH | LOCK_NB) != 0)
                read_holder(fd, holder, holder_cap);
        close(fd);
        return true;
}

/* As a JSON string: a link may hold what JSON reads as something else. */
static void add_text(char *set, const char *key, int index, const char *below,
                     const char *value)
{
        int used = index < 0
                           ? snprintf(set, FARM_SET_MAX, "%s=\"", key)
                           : snprintf(set, FARM_SET_MAX, "%s.%d%s=\"", key, index, below);

        for (; *value != '\0' && used + 4 < FARM_SET_MAX; value++) {
                if (*value == '"' || *value == '\\')
                        set[used++] = '\\';
                set[used++] = *value;
        }
        snprintf(set + used, (size_t)(FARM_SET_MAX - used), "\"");
}

/* The channels of a codec are one value. */
static void add_links(char *set, const struct farm_board *b)
{
        size_t used = 0, cap = FARM_SET_MAX;

        if (b->links == 1) {
                add_text(set, "vehicles.0.fc.link", -1, "", b->link[0]);
                return;
        }
        used = (size_t)snprintf(set, cap, "vehicles.0.fc.link=[");
        for (int i = 0; i < b->links && used < cap; i++)
                used += (size_t)snprintf(set + used, cap - used, "%s\"%s\"",
                                         i > 0 ? "," : "", b->link[i]);
        if (used < cap)
                snprintf(set + used, cap - used, "]");
}

int farm_board_sets(const struct farm_board *board, char (*text)[FARM_SET_MAX])
{
        int n = 0;

        snprintf(text[n++], FARM_SET_MAX, "vehicles.0.fc.spawn=false");
        add_links(text[n++], board);
        for (int i = 0; i < board->ports; i++)
                add_text(text[n++], "vehicles.0.ports", i, ".link", board->port[i]);
        if (board->analyzer[0] != '\0')
                add_text(text[n++], "vehicles.0.pads.source", -1, "", board->analyzer);
        for (int i = 0; i < board->set.count; i++)
                snprintf(text[n++], FARM_SET_MAX, "%s", board->set.text[i]);
        return n;
}
