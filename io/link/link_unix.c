/* Unix stream sockets, connecting or listening. A path that a dead program left behind is reused;
 * one that is in use, or that is not a socket, is left alone. */
#include "io/link/link.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "io/link/link_stream.h"

struct unix_link {
        struct link_stream stream; /* first: a link is cast to it */
        bool bound;
        char path[sizeof(((struct link_spec *)NULL)->path)];
        dev_t dev; /* identify our file */
        ino_t ino;
};

static void remove_own(const struct unix_link *u)
{
        struct stat st;

        if (u->bound && lstat(u->path, &st) == 0 && st.st_dev == u->dev &&
            st.st_ino == u->ino)
                unlink(u->path);
}

static void unix_close(struct link *l)
{
        struct unix_link *u = (struct unix_link *)l;

        remove_own(u);
        link_stream_release(&u->stream);
        free(u);
}

static const struct link_ops unix_ops = {
        .write = link_stream_write,
        .read = link_stream_read,
        .confirm = link_stream_confirm,
        .close = unix_close,
};

static struct sockaddr_un address_of(const struct link_spec *spec)
{
        struct sockaddr_un to = { .sun_family = AF_UNIX };

        _Static_assert(sizeof to.sun_path >= sizeof spec->path, "a path fits");
        memcpy(to.sun_path, spec->path, strnlen(spec->path, sizeof spec->path - 1));
        return to;
}

/* Is there a living socket behind the path? A datagram socket asks: a stream socket refuses it with
 * EPROTOTYPE and its owner notices nothing, whereas a rig that waits for its flight controller
 * would see a stream connection as a peer that came and hung up. */
static bool held(const struct sockaddr_un *at)
{
        int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        bool stale;

        if (fd < 0)
                return true;
        stale = connect(fd, (const struct sockaddr *)at, sizeof *at) != 0 &&
                errno == ECONNREFUSED;
        close(fd);
        return !stale;
}

/* False, with a reason, if the path is not free and must not be freed. */
static bool clear_path(const struct sockaddr_un *at, const char *name,
                       struct link_error *why)
{
        struct stat st;

        if (lstat(at->sun_path, &st) != 0)
                return true; /* bind() will report what is wrong with the folder, if anything
                              */
        if (!S_ISSOCK(st.st_mode))
                link_refuse(why, "%s: exists and is not a socket", name);
        else if (held(at))
                link_refuse(why, "%s: in use by another program", name);
        else if (unlink(at->sun_path) != 0 && errno != ENOENT)
                link_refuse_errno(why, name, errno);
        else
                return true;
        return false;
}

static bool unix_listen(struct unix_link *u, int fd, const struct sockaddr_un *at,
                        struct link_error *why)
{
        const char *name = u->stream.link.name;
        struct stat st;

        link_stream_listening(&u->stream, fd);
        if (!clear_path(at, name, why))
                return false;
        if (bind(fd, (const struct sockaddr *)at, sizeof *at) != 0 ||
            lstat(at->sun_path, &st) != 0) {
                link_refuse_errno(why, name, errno);
                return false;
        }
        u->bound = true;
        u->dev = st.st_dev;
        u->ino = st.st_ino;
        if (listen(fd, 1) == 0)
                return true;
        link_refuse_errno(why, name, errno);
        return false;
}

/* connect() refuses a folder or a plain file with the same error as a socket that nobody listens to. */
static bool is_other_file(const char *path)
{
        struct stat st;

        return stat(path, &st) == 0 && !S_ISSOCK(st.st_mode);
}

static bool unix_connect(struct unix_link *u, int fd, const struct sockaddr_un *to,
                         struct link_error *why)
{
        const char *name = u->stream.link.name;
        bool other;
        int error;

        link_stream_connected(&u->stream, fd);
        if (connect(fd, (const struct sockaddr *)to, sizeof *to) == 0)
                return true;
        error = errno;
        other = error == ECONNREFUSED && is_other_file(to->sun_path);
        /* A program that has not started, or left its socket behind when it ended. */
        why->absent = error == ENOENT || (error == ECONNREFUSED && !other);
        if (other)
                link_refuse(why, "%s: exists and is not a socket", name);
        else if (error == EAGAIN)
                link_refuse(why, "%s: busy with other connections", name);
        else
                link_refuse_errno(why, name, error);
        return false;
}

static bool unix_begin(struct unix_link *u, const struct link_spec *spec,
                       struct link_error *why)
{
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        struct sockaddr_un address = address_of(spec);

        if (fd < 0) {
                link_refuse_errno(why, u->stream.link.name, errno);
                return false;
        }
        if (spec->kind == LINK_UNIX_LISTEN ? unix_listen(u, fd, &address, why)
                                           : unix_connect(u, fd, &address, why))
                return true;
        remove_own(u);
        link_stream_release(&u->stream);
        return false;
}

struct link *link_unix_open(const struct link_spec *spec, struct link_error *why)
{
        struct unix_link *u = calloc(1, sizeof *u);
        struct link *l;

        if (u == NULL)
                return link_refuse(why, "out of memory");
        l = &u->stream.link;
        l->ops = &unix_ops;
        memcpy(u->path, spec->path, sizeof u->path);
        u->path[sizeof u->path - 1] = '\0';
        snprintf(l->name, sizeof l->name, "%s %s",
                 spec->kind == LINK_UNIX_LISTEN ? "unix-listen" : "unix", u->path);
        if (unix_begin(u, spec, why))
                return l;
        free(u);
        return NULL;
}
