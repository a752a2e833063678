/* The stage's files: the program's own open(), close(), ioctl() and statfs(), which show libusb a sysfs and device nodes,
 * and leave everything else to the kernel. */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statfs.h>

#include "tests/usb/stage_transfers.h"

static struct stage_device *stage_of(int fd)
{
        struct stage_device *of = NULL;

        pthread_mutex_lock(&stage_mutex);
        for (struct stage_device *d = stage.device; d < stage.device + STAGE_DEVICES; d++)
                if (fd > 0 && d->node == fd)
                        of = d;
        pthread_mutex_unlock(&stage_mutex);
        return of;
}

int ioctl(int fd, unsigned long request, ...)
{
        struct stage_device *d = stage_of(fd);
        va_list args;
        void *arg;
        int error;

        va_start(args, request);
        arg = va_arg(args, void *);
        va_end(args);
        if (d == NULL)
                return (int)syscall(SYS_ioctl, fd, request, arg);
        pthread_mutex_lock(&stage_mutex);
        error = stage_ioctl(d, request, arg);
        pthread_mutex_unlock(&stage_mutex);
        if (error == 0)
                return request == USBDEVFS_IOCTL;
        errno = error;
        return -1;
}

static int stage_open_node(const char *path)
{
        int bus, address, ends[2];

        if (sscanf(path, "/dev/bus/usb/%d/%d", &bus, &address) != 2)
                return ENOENT;
        for (struct stage_device *d = stage.device; d < stage.device + STAGE_DEVICES;
             d++) {
                if (!stage_present(d) || d->address != address)
                        continue;
                if (d->open_errno != 0)
                        return d->open_errno;
                if (d->node > 0 || pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0)
                        return EMFILE;
                fcntl(ends[1], F_SETPIPE_SZ, 4096);
                d->drain = ends[0];
                d->node = ends[1];
                d->dead = false;
                d->signalled = true;
                stage_lower(d);
                return 0;
        }
        return ENOENT;
}

/* A file that holds these bytes. */
static int stage_file(const void *bytes, size_t len)
{
        int fd = memfd_create("stage", MFD_CLOEXEC);

        if (fd >= 0 && (syscall(SYS_write, fd, bytes, len) != (long)len ||
                        syscall(SYS_lseek, fd, 0, SEEK_SET) != 0))
                abort();
        return fd;
}

static int stage_open_attribute(const struct stage_device *d, const char *name)
{
        size_t configuration = le_get_u16(d->model->configuration + 2);
        uint8_t bytes[18 + 512];
        int len = -1;

        if (strcmp(name, "descriptors") == 0 && configuration <= 512) {
                memcpy(bytes, d->model->device, 18);
                memcpy(bytes + 18, d->model->configuration, configuration);
                len = 18 + (int)configuration;
        } else if (strcmp(name, "busnum") == 0) {
                len = sprintf((char *)bytes, "%d\n", atoi(d->name));
        } else if (strcmp(name, "devnum") == 0) {
                len = sprintf((char *)bytes, "%d\n", d->address);
        } else if (strcmp(name, "speed") == 0) {
                len = sprintf((char *)bytes, "%d\n",
                              d->model->speed == USB_HIGH_SPEED ? 480 : 12);
        } else if (strcmp(name, "bConfigurationValue") == 0) {
                len = sprintf((char *)bytes, "%d\n", d->model->configuration[5]);
        }
        errno = ENOENT;
        return len < 0 ? -1 : stage_file(bytes, (size_t)len);
}

static int stage_open_sysfs(const char *path)
{
        const char *attribute = strchr(path, '/');

        for (struct stage_device *d = stage.device; d < stage.device + STAGE_DEVICES; d++)
                if (attribute != NULL && stage_present(d) &&
                    strlen(d->name) == (size_t)(attribute - path) &&
                    strncmp(d->name, path, strlen(d->name)) == 0)
                        return stage_open_attribute(d, attribute + 1);
        errno = ENOENT;
        return -1;
}

static int stage_open(const char *path, int flags, mode_t mode)
{
        static const char sysfs[] = "/sys/bus/usb/devices/";

        if (strncmp(path, sysfs, sizeof sysfs - 1) == 0)
                return stage_open_sysfs(path + sizeof sysfs - 1);
        if (strncmp(path, "/dev/bus/usb/", 13) == 0) {
                int fd = -1;

                pthread_mutex_lock(&stage_mutex);
                errno = stage_open_node(path);
                for (struct stage_device *d = stage.device;
                     errno == 0 && d < stage.device + STAGE_DEVICES; d++)
                        if (d->node > 0 && d->address == atoi(path + 17))
                                fd = d->node;
                pthread_mutex_unlock(&stage_mutex);
                return fd;
        }
        return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
        mode_t mode = 0;
        va_list args;

        va_start(args, flags);
        if (flags & O_CREAT)
                mode = va_arg(args, mode_t);
        va_end(args);
        return stage_open(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
        mode_t mode = 0;
        va_list args;

        va_start(args, flags);
        if (flags & O_CREAT)
                mode = va_arg(args, mode_t);
        va_end(args);
        return stage_open(path, flags, mode);
}

/* What a fortified library calls. */
int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags)
{
        return stage_open(path, flags, 0);
}

int __open64_2(const char *path, int flags);
int __open64_2(const char *path, int flags)
{
        return stage_open(path, flags, 0);
}

int close(int fd)
{
        struct stage_device *d = stage_of(fd);

        pthread_mutex_lock(&stage_mutex);
        if (d != NULL) {
                for (unsigned i = 0; i < 32; i++)
                        while (d->queue[i].count > 0)
                                stage.memory_used -= (size_t)stage_take(&d->queue[i], 0)
                                                             ->buffer_length;
                d->ended_count = 0;
                d->node = 0;
                syscall(SYS_close, d->drain);
        }
        pthread_mutex_unlock(&stage_mutex);
        return (int)syscall(SYS_close, fd);
}

static int stage_statfs(const char *path, struct statfs *fs)
{
        if (strcmp(path, "/sys") == 0) {
                *fs = (struct statfs){ .f_type = SYSFS_MAGIC };
                return 0;
        }
        return (int)syscall(SYS_statfs, path, fs);
}

int statfs(const char *path, struct statfs *fs)
{
        return stage_statfs(path, fs);
}

int statfs64(const char *path, struct statfs64 *fs);
int statfs64(const char *path, struct statfs64 *fs)
{
        return stage_statfs(path, (struct statfs *)fs);
}
