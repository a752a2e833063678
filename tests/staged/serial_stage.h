/* A stage on which libserialport plays with a pseudo-terminal instead of an adapter: for one test
 * program, which must include this once. The program's own open(), ioctl() and friends stand
 * before the C library's; they show the library a /sys/class/tty and a /dev/ttyUSB0 out of a
 * folder, and answer the modem-line and driver calls that a pseudo-terminal does not know.
 * Everything else is the kernel's. */
#pragma once

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/serial.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>

#include "tests/io/link/link_ends.h"

#define LATENCY_FILE "/sys/class/tty/ttyUSB0/device/latency_timer"

/* The machine that the library sees. One a process: each test runs in its own. */
static struct {
        char root[32]; /* in place of / for /dev/tty... and /sys/class/tty */
        int open_errno; /* what opening a port fails with */
        int latency_errno; /* what writing the latency timer fails with */
        bool low_latency_works; /* the driver sets the timer itself */
        int io_errno; /* what reading and writing failing_fd fails with */
        int failing_fd;
        speed_t only_speed; /* the one that the driver can do; 0: any */
        tcflag_t
                asked; /* every control flag that any call asked for: a pty has no parity */
        bool exclusive;
        int modem_lines;
} fake;

/* Where the path really is: under the root when the test plays it. */
static const char *really(const char *path, char buf[256])
{
        if (fake.root[0] == '\0' ||
            (strncmp(path, "/dev/tty", 8) != 0 && strncmp(path, "/dev/serial", 11) != 0 &&
             strncmp(path, "/sys/class/tty", 14) != 0))
                return path;
        snprintf(buf, 256, "%s%s", fake.root, path);
        return buf;
}

int open(const char *path, int flags, ...)
{
        char buf[256];
        mode_t mode = 0;
        va_list args;

        va_start(args, flags);
        if (flags & O_CREAT)
                mode = va_arg(args, mode_t);
        va_end(args);
        if (fake.open_errno != 0 && strncmp(path, "/dev/ttyUSB", 11) == 0) {
                errno = fake.open_errno;
                return -1;
        }
        if (fake.latency_errno != 0 && strstr(path, "latency_timer") != NULL) {
                errno = fake.latency_errno;
                return -1;
        }
        return (int)syscall(SYS_openat, AT_FDCWD, really(path, buf), flags, mode);
}

/* What a fortified library calls. */
int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags)
{
        return open(path, flags);
}

/* The next definition of a function: the C library's. */
static void *next(const char *name)
{
        void *f = dlsym(RTLD_NEXT, name);

        if (f == NULL)
                abort();
        return f;
}

FILE *fopen(const char *path, const char *mode)
{
        FILE *(*real)(const char *, const char *);
        char buf[256];

        *(void **)&real = next("fopen");
        return real(really(path, buf), mode);
}

DIR *opendir(const char *path)
{
        DIR *(*real)(const char *);
        char buf[256];

        *(void **)&real = next("opendir");
        return real(really(path, buf));
}

ssize_t readlink(const char *path, char *target, size_t size)
{
        char buf[256];

        return syscall(SYS_readlinkat, AT_FDCWD, really(path, buf), target, size);
}

int lstat(const char *path, struct stat *st)
{
        char buf[256];

        return fstatat(AT_FDCWD, really(path, buf), st, AT_SYMLINK_NOFOLLOW);
}

/* What a library that was built against an older C library calls. */
int __lxstat(int version, const char *path, struct stat *st);
int __lxstat(int version, const char *path, struct stat *st)
{
        (void)version;
        return lstat(path, st);
}

/* Follows one link, as /dev/serial/by-id has them; the played /dev/ttyUSB0 is itself a link. */
char *realpath(const char *path, char *resolved)
{
        char buf[256];
        struct stat st;
        ssize_t len = 0;

        if (lstat(path, &st) != 0)
                return NULL;
        if (strncmp(path, "/dev/serial", 11) == 0)
                len = readlink(path, buf, sizeof buf - 1);
        buf[len] = '\0';
        return strcpy(resolved, len > 0 ? buf : path);
}

/* What a fortified library calls. */
char *__realpath_chk(const char *path, char *resolved, size_t size);
char *__realpath_chk(const char *path, char *resolved, size_t size)
{
        (void)size;
        return realpath(path, resolved);
}

static bool fails(int fd)
{
        errno = fake.io_errno;
        return fake.io_errno != 0 && fd == fake.failing_fd;
}

ssize_t read(int fd, void *to, size_t cap)
{
        return fails(fd) ? -1 : syscall(SYS_read, fd, to, cap);
}

ssize_t write(int fd, const void *from, size_t len)
{
        return fails(fd) ? -1 : syscall(SYS_write, fd, from, len);
}

/* A driver that takes a baud rate and does the nearest it can. */
int tcsetattr(int fd, int when, const struct termios *wanted)
{
        int (*real)(int, int, const struct termios *);
        struct termios t = *wanted;

        fake.asked |= wanted->c_cflag;
        t.c_cflag &= ~(tcflag_t)(PARENB | PARODD);
        *(void **)&real = next("tcsetattr");
        if (fake.only_speed != 0)
                cfsetspeed(&t, fake.only_speed);
        return real(fd, when, &t);
}

static void write_text(const char *path, const char *text)
{
        FILE *f = fopen(path, "w");

        ck_assert_ptr_nonnull(f);
        ck_assert_int_ge(fputs(text, f), 0);
        fclose(f);
}

static int ask_driver(unsigned long request, void *arg)
{
        switch (request) {
        case TIOCMGET:
                *(int *)arg = fake.modem_lines;
                return 0;
        case TIOCMBIS:
                fake.modem_lines |= *(int *)arg;
                return 0;
        case TIOCMBIC:
                fake.modem_lines &= ~*(int *)arg;
                return 0;
        case TIOCGSERIAL:
                *(struct serial_struct *)arg = (struct serial_struct){ .type = 4 };
                return 0;
        case TIOCSSERIAL:
                if (fake.low_latency_works &&
                    ((struct serial_struct *)arg)->flags & (int)ASYNC_LOW_LATENCY)
                        write_text(LATENCY_FILE, "1");
                return 0;
        case TIOCEXCL:
        case TIOCNXCL:
                fake.exclusive = request == TIOCEXCL;
                return 0;
        default:
                return -1;
        }
}

int ioctl(int fd, unsigned long request, ...)
{
        va_list args;
        void *arg;

        va_start(args, request);
        arg = va_arg(args, void *);
        va_end(args);
        if (ask_driver(request, arg) == 0)
                return 0;
        return (int)syscall(SYS_ioctl, fd, request, arg);
}

/* Gives the stage its folder; it takes effect at once. */
static void set_stage(void)
{
        char folder[32];

        make_folder(folder);
        memcpy(fake.root, folder, sizeof folder);
}

static void strike_stage(void)
{
        char command[64];

        snprintf(command, sizeof command, "rm -r %s", fake.root);
        ck_assert_int_eq(system(command), 0);
}

/* Plugs an adapter in: /dev/ttyUSBn is the far end of wire, a new pty; sysfs shows the ids as
 * Linux does for usb-serial drivers. */
static void plug(int n, const struct link *wire, const char *vid, const char *pid,
                 const char *serial)
{
        char command[1024];

        snprintf(command, sizeof command,
                 "set -e; cd %s; u=sys/devices/usb1/1-%d; p=$u/1-%d:1.0/ttyUSB%d;"
                 "mkdir -p dev sys/class/tty $p/tty/ttyUSB%d;"
                 "ln -s %s dev/ttyUSB%d;"
                 "ln -s ../../devices/${p#sys/devices/}/tty/ttyUSB%d "
                 "sys/class/tty/ttyUSB%d;"
                 "ln -s ../../../ttyUSB%d $p/tty/ttyUSB%d/device;"
                 "echo 1 >$u/busnum; echo %d >$u/devnum; echo %s >$u/idVendor;"
                 "echo %s >$u/idProduct; echo ACME >$u/manufacturer; echo Adapter "
                 ">$u/product;"
                 "test -z '%s' || echo '%s' >$u/serial",
                 fake.root, n, n, n, n, wire->name, n, n, n, n, n, n + 1, vid, pid,
                 serial, serial);
        ck_assert_int_eq(system(command), 0);
}
