/* A pseudo-terminal on termios alone: a new one, of which the rig holds the master and the flight
 * controller opens the other end by its path, or an existing one (or any bare tty) by path. Raw
 * both ways; it sets no baud rate and no modem lines; the serial port's link does that. */
#include "io/link/link.h"
#include "io/link/pty_speed.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <termios.h>
#include <unistd.h>

struct pty {
        struct link link;
        int tty;
        int watch; /* -1, or reports, while we wait, that the other end was opened */
        int watched; /* what it watches */
        bool waiting; /* the other end of a new one has not been opened yet */
        char *path; /* of a symbolic link to the other end; NULL: none */
        bool chosen; /* the other end has set its own baud rate */
        uint32_t speed; /* before that */
        bool gone; /* permanently, even if someone else opens the other end later */
};

static bool hung_up(int fd)
{
        struct pollfd p = { .fd = fd };

        return poll(&p, 1, 0) == 1 && (p.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
}

static void drain_watch(int watch)
{
        char events[512] __attribute__((aligned(__alignof__(struct inotify_event))));

        while (watch >= 0 && read(watch, events, sizeof events) > 0)
                ;
}

static void stop_waiting(struct pty *t)
{
        t->waiting = false;
        /* Closed with the link: closing one that has just watched something takes the kernel 5 to 15 ms. */
        if (t->watch >= 0)
                inotify_rm_watch(t->watch, t->watched);
        t->link.fd = t->tty;
}

static int be_gone(struct pty *t)
{
        t->gone = true;
        return LINK_GONE;
}

static bool for_now(int error)
{
        return error == EAGAIN || error == EINTR;
}

static int pty_write(struct link *l, const void *buf, size_t len)
{
        struct pty *t = (struct pty *)l;

        if (t->gone)
                return LINK_GONE;
        /* Checked first, because a master accepts bytes that nobody will ever read. */
        if (hung_up(t->tty))
                return t->waiting ? 0 : be_gone(t);
        if (t->waiting)
                stop_waiting(t);

        ssize_t sent = write(t->tty, buf, len < INT_MAX ? len : INT_MAX);

        if (sent >= 0)
                return (int)sent;
        return for_now(errno) ? 0 : be_gone(t);
}

static int pty_read(struct link *l, void *buf, size_t cap)
{
        struct pty *t = (struct pty *)l;

        if (t->gone)
                return LINK_GONE;
        if (cap == 0)
                return 0;
        /* Before the read: an opening after it is then still in the watch and wakes
         * poll(). */
        if (t->waiting)
                drain_watch(t->watch);

        ssize_t got = read(t->tty, buf, cap < INT_MAX ? cap : INT_MAX);

        if (got < 0 && t->waiting && errno == EIO)
                return 0;
        if (t->waiting)
                stop_waiting(t);
        if (got > 0)
                return (int)got;
        if (got < 0)
                return for_now(errno) ? 0 : be_gone(t);
        return hung_up(t->tty) ? be_gone(t) : 0;
}

/* Bytes take no time here, but both ends of a pseudo-terminal share its settings, so the other
 * end's choice is visible. Until it has chosen, it is not known. */
static uint32_t pty_speed(struct link *l, uint32_t baud)
{
        struct pty *t = (struct pty *)l;
        uint32_t now = pty_speed_now(t->tty);

        (void)baud;
        t->chosen |= now != t->speed;
        return t->chosen ? now : 0;
}

static void pty_close(struct link *l)
{
        struct pty *t = (struct pty *)l;

        char target[sizeof t->link.name];
        ssize_t len = t->path != NULL ? readlink(t->path, target, sizeof target) : -1;

        /* Another run may have put its own link there. */
        if (len > 0 && (size_t)len == strlen(t->link.name) &&
            memcmp(target, t->link.name, (size_t)len) == 0)
                unlink(t->path);
        free(t->path);
        if (t->watch >= 0)
                close(t->watch);
        if (t->tty >= 0)
                close(t->tty);
        free(t);
}

static const struct link_ops pty_ops = {
        .write = pty_write,
        .read = pty_read,
        .speed = pty_speed,
        .close = pty_close,
};

static bool make_raw(int fd)
{
        struct termios t;

        if (tcgetattr(fd, &t) != 0)
                return false;
        cfmakeraw(&t); /* VMIN 1: a read of 0 bytes then means a hang-up */
        t.c_cflag |= CLOCAL | CREAD;
        return tcsetattr(fd, TCSANOW, &t) == 0;
}

/* A master that was never opened from the other side looks connected and swallows bytes
 * that the flight controller would find, stale, when it starts. Once the other end has
 * been opened and closed, the kernel reports the hang-up until somebody opens it. That
 * alone would make poll() return at once all the time, so while we wait the link's fd is
 * a watch on the path. */
static bool begin_waiting(struct pty *t)
{
        int other = open(t->link.name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);

        if (other < 0)
                return false;
        close(other);
        t->waiting = hung_up(t->tty);
        if (!t->waiting)
                return true;
        t->watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
        t->watched =
                t->watch >= 0 ? inotify_add_watch(t->watch, t->link.name, IN_OPEN) : -1;
        if (t->watch >= 0 && t->watched < 0) {
                close(t->watch);
                t->watch = -1;
        }
        t->link.fd = t->watch;
        return true;
}

/* A symbolic link to a pseudo-terminal, as an earlier run may have left it; another one is somebody's own. */
static bool leads_to_a_pty(const char *path)
{
        static const char folder[] = "/dev/pts/";
        char target[sizeof folder + 10];
        ssize_t len = readlink(path, target, sizeof target - 1);

        if (len < (ssize_t)sizeof folder || len == (ssize_t)sizeof target - 1)
                return false;
        target[len] = '\0';
        return strncmp(target, folder, sizeof folder - 1) == 0 &&
               strspn(target + sizeof folder - 1, "0123456789") ==
                       (size_t)len - (sizeof folder - 1);
}

/* Under this path too, in place of one that an earlier run left. */
static int link_path(struct pty *t, const char *path)
{
        if (leads_to_a_pty(path))
                unlink(path);
        if (symlink(t->link.name, path) != 0)
                return errno;
        t->path = strdup(path);
        if (t->path != NULL)
                return 0;
        unlink(path);
        return ENOMEM;
}

static int open_new(struct pty *t)
{
        snprintf(t->link.name, sizeof t->link.name, "new pty");
        t->tty = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
        if (t->tty < 0 || grantpt(t->tty) != 0 || unlockpt(t->tty) != 0 ||
            !make_raw(t->tty))
                return errno;
        t->speed = pty_speed_now(t->tty);

        char path[sizeof t->link.name];
        int error = ptsname_r(t->tty, path, sizeof path);

        if (error != 0)
                return error;
        memcpy(t->link.name, path, sizeof path);
        t->link.fd = t->tty;
        return begin_waiting(t) ? 0 : errno;
}

static int open_linked(struct pty *t, const char *path)
{
        int error = open_new(t);

        if (error == 0)
                error = link_path(t, path);
        if (error != 0)
                snprintf(t->link.name, sizeof t->link.name, "%s", path);
        return error;
}

static int open_existing(struct pty *t, const char *path)
{
        snprintf(t->link.name, sizeof t->link.name, "%s", path);
        t->tty = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
        if (t->tty < 0)
                return errno;
        t->link.fd = t->tty;
        if (!isatty(t->tty))
                return ENOTTY;
        if (flock(t->tty, LOCK_EX | LOCK_NB) != 0)
                return errno == EWOULDBLOCK ? EBUSY : errno;
        if (!make_raw(t->tty))
                return errno;
        t->speed = pty_speed_now(t->tty);
        return 0;
}

static void refuse_path(struct link_error *why, const char *name, int error)
{
        if (error == ENOENT || error == ENXIO || error == ENODEV || error == EIO)
                link_refuse(why, "%s: no such device", name);
        else if (error == EBUSY)
                link_refuse(why, "%s: busy, another program holds it", name);
        else if (error == ENOTTY)
                link_refuse(why, "%s: not a terminal", name);
        else if (error == EEXIST)
                link_refuse(why,
                            "%s: is there already, and is no link to a pseudo-terminal "
                            "that an earlier run left",
                            name);
        else
                link_refuse_errno(why, name, error);
}

struct link *link_pty_open(const struct link_spec *spec, struct link_error *why)
{
        struct pty *t = calloc(1, sizeof *t);
        int error;

        if (t == NULL)
                return link_refuse(why, "out of memory");
        t->link.ops = &pty_ops;
        t->link.fd = t->tty = t->watch = -1;

        if (spec->kind == LINK_PTY_LINK)
                error = open_linked(t, spec->path);
        else
                error = spec->path[0] == '\0' ? open_new(t)
                                              : open_existing(t, spec->path);
        if (error == 0)
                return &t->link;
        refuse_path(why, t->link.name, error);
        pty_close(&t->link);
        return NULL;
}
