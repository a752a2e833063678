/* A stage on which libusb plays with models of devices instead of a kernel: for one test program, which
 * must include this once. The program's own open(), ioctl() and friends, and its own udev_*(), stand before
 * the libraries'; they show libusb a bus, device nodes and a usbfs that answers from tests/usb/usb_model.h.
 * Everything else is the kernel's. libusb itself is the machine's own, unmodified.
 *
 * A device node is the write end of a pipe of one page: full, so that poll() sees nothing, and emptied when
 * a transfer has ended, which usbfs tells by POLLOUT. Nothing happens by itself: a test that gives a model
 * something to say calls stage_run(); where libusb runs in another thread, with stage_mutex held. */
#ifndef TESTS_USB_STAGE_H
#define TESTS_USB_STAGE_H

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/usbdevice_fs.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "io/le.h"
#include "tests/usb/usb_model.h"

#define STAGE_DEVICES 6
#define STAGE_URBS    512 /* at an endpoint */
#define STAGE_ENDED   4096

struct stage_queue {
        struct usbdevfs_urb *urb[STAGE_URBS];
        unsigned head, count;
        size_t done; /* bytes of the first that the model has taken already */
};

struct stage_device {
        struct usb_model *model; /* NULL: nothing is plugged in here */
        char name[32]; /* bus path */
        int address;
        bool away; /* replaced, and not back yet */
        int back_after; /* looks at the bus until it is */
        int open_errno; /* what opening the node fails with */
        int open_after_replug; /* and what after the next plugging-in */
        bool busy; /* another program has claimed it */
        bool driven; /* a kernel driver has it, until it is detached */
        int detached, attached; /* how often that was done */
        int claimed; /* interfaces */
        int node, drain; /* the pipe; 0: not open */
        bool signalled;
        bool dead; /* unplugged under its open node */
        struct stage_queue queue[32]; /* by endpoint, IN from 16 on */
        struct usbdevfs_urb *ended[STAGE_ENDED];
        unsigned ended_head, ended_count;
        uint64_t submitted, cancelled, zero_packets, clears;
};

/* The machine that libusb sees. One a process: each test runs in its own. */
static struct {
        bool set;
        struct stage_device device[STAGE_DEVICES];
        int addresses; /* given so far */
        int looks; /* at the bus so far */
        size_t memory_limit, memory_used; /* 0: no limit */
        bool own_time; /* CLOCK_MONOTONIC is time_ns, and goes on by 1 us with each look */
        int64_t time_ns;
} stage;

static pthread_mutex_t stage_mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void stage_raise(struct stage_device *d)
{
        char byte;

        if (d->node > 0 && !d->signalled && syscall(SYS_read, d->drain, &byte, 1) == 1)
                d->signalled = true;
}

static void stage_lower(struct stage_device *d)
{
        if (d->node > 0 && d->signalled && syscall(SYS_write, d->node, "", 1) == 1)
                d->signalled = false;
}

static struct usbdevfs_urb *stage_take(struct stage_queue *q, unsigned at)
{
        struct usbdevfs_urb *urb = q->urb[(q->head + at) % STAGE_URBS];

        for (unsigned i = at; i > 0; i--)
                q->urb[(q->head + i) % STAGE_URBS] =
                        q->urb[(q->head + i - 1) % STAGE_URBS];
        q->head = (q->head + 1) % STAGE_URBS;
        q->count--;
        if (at == 0)
                q->done = 0;
        return urb;
}

static void stage_end(struct stage_device *d, struct usbdevfs_urb *urb, int status)
{
        urb->status = status;
        stage.memory_used -= (size_t)urb->buffer_length;
        d->ended[(d->ended_head + d->ended_count++) % STAGE_ENDED] = urb;
        stage_raise(d);
}

static void stage_end_all(struct stage_device *d, struct stage_queue *q, int status)
{
        while (q->count > 0)
                stage_end(d, stage_take(q, 0), status);
}

/* Moves what the model has or takes for the first transfer. False: nothing now. */
static bool stage_move(struct stage_device *d, unsigned index, struct stage_queue *q)
{
        struct usbdevfs_urb *urb = q->urb[q->head];
        uint8_t *buffer = urb->buffer;
        size_t len = (size_t)urb->buffer_length;
        bool in = index >= 16;
        int moved = USB_STALL;

        if ((d->model->halted & usb_halt_bit(index & 15, in)) == 0)
                moved = in ? d->model->ops->in(d->model, index & 15, buffer, len)
                           : d->model->ops->out(d->model, index & 15, buffer + q->done,
                                                len - q->done);
        if (moved == USB_NAK)
                return false;
        if (moved == USB_STALL) {
                d->model->halted |= usb_halt_bit(index & 15, in);
                stage_end_all(d, q, -EPIPE);
                return true;
        }
        if (moved == USB_BROKEN) {
                stage_end(d, stage_take(q, 0), -EPROTO);
                return true;
        }
        q->done += (size_t)moved;
        if (!in && q->done < len)
                return true;
        urb->actual_length = (int)q->done;
        d->zero_packets += (urb->flags & USBDEVFS_URB_ZERO_PACKET) != 0;
        stage_end(d, stage_take(q, 0), 0);
        return true;
}

/* Lets transfers end that the models now have bytes or room for. */
static void stage_run(void)
{
        for (struct stage_device *d = stage.device; d < stage.device + STAGE_DEVICES; d++)
                for (unsigned i = 0; i < 32 && d->model != NULL && d->node > 0; i++)
                        while (d->queue[i].count > 0 && stage_move(d, i, &d->queue[i]))
                                ;
}

static void stage_unplug(struct stage_device *d)
{
        for (unsigned i = 0; i < 32; i++)
                stage_end_all(d, &d->queue[i], -ESHUTDOWN);
        d->dead = d->node > 0;
        d->away = true;
        d->back_after = -1;
        if (d->model->ops->unplug != NULL)
                d->model->ops->unplug(d->model);
        stage_raise(d);
}

/* In again, or for the first time, with an address that nobody has had. */
static void stage_replug(struct stage_device *d)
{
        usb_standard_reset(d->model);
        d->away = d->model->ops->plug != NULL && !d->model->ops->plug(d->model);
        d->back_after = -1;
        d->model->configured = 1;
        d->open_errno = d->open_after_replug;
        d->address = ++stage.addresses;
}

static struct stage_device *stage_plug(struct usb_model *model, const char *bus_path)
{
        struct stage_device *d = stage.device;

        stage.set = true;
        while (d->model != NULL)
                if (++d == stage.device + STAGE_DEVICES)
                        abort();
        d->model = model;
        snprintf(d->name, sizeof d->name, "%s", bus_path);
        stage_replug(d);
        return d;
}

static bool stage_present(struct stage_device *d)
{
        return d->model != NULL && !d->away;
}

/* One more look at the bus: what let go of it comes back. */
static void stage_look(void)
{
        stage.looks++;
        for (struct stage_device *d = stage.device; d < stage.device + STAGE_DEVICES; d++)
                if (d->away && d->back_after >= 0 && d->back_after-- == 0)
                        stage_replug(d);
}

/* usbfs. */
static void stage_control(struct stage_device *d, struct usbdevfs_urb *urb)
{
        uint8_t *bytes = urb->buffer;
        const struct usb_setup setup = { bytes[0], bytes[1], le_get_u16(bytes + 2),
                                         le_get_u16(bytes + 4), le_get_u16(bytes + 6) };
        int moved = usb_standard_control(d->model, &setup, bytes + 8);

        urb->actual_length = moved > 0 ? moved : 0;
        if ((setup.type & 0x80) == 0 && moved >= 0)
                urb->actual_length = setup.len;
        stage_end(d, urb, moved < 0 ? -EPIPE : 0);
        if (d->model->replaced) {
                int looks = d->back_after > 0 ? d->back_after : 2;

                stage_unplug(d);
                d->back_after = looks;
        }
}

static int stage_submit(struct stage_device *d, struct usbdevfs_urb *urb)
{
        struct stage_queue *q =
                &d->queue[(urb->endpoint & 15) + ((urb->endpoint & 0x80) != 0 ? 16 : 0)];

        if (stage.memory_limit != 0 &&
            stage.memory_used + (size_t)urb->buffer_length > stage.memory_limit)
                return ENOMEM;
        if (q->count == STAGE_URBS || urb->buffer_length < 0)
                return EINVAL;
        stage.memory_used += (size_t)urb->buffer_length;
        urb->actual_length = 0;
        d->submitted++;
        if (urb->type == USBDEVFS_URB_TYPE_CONTROL) {
                stage_control(d, urb);
                return 0;
        }
        q->urb[(q->head + q->count++) % STAGE_URBS] = urb;
        while (q->count > 0 && stage_move(d, (unsigned)(q - d->queue), q))
                ;
        return 0;
}

static int stage_discard(struct stage_device *d, const struct usbdevfs_urb *urb)
{
        for (struct stage_queue *q = d->queue; q < d->queue + 32; q++)
                for (unsigned i = 0; i < q->count; i++)
                        if (q->urb[(q->head + i) % STAGE_URBS] == urb) {
                                d->cancelled++;
                                stage_end(d, stage_take(q, i), -ENOENT);
                                return 0;
                        }
        return EINVAL;
}

static int stage_reap(struct stage_device *d, struct usbdevfs_urb **urb)
{
        if (d->ended_count == 0 && !d->dead)
                stage_lower(d);
        if (d->ended_count == 0)
                return d->dead ? ENODEV : EAGAIN;
        *urb = d->ended[d->ended_head];
        d->ended_head = (d->ended_head + 1) % STAGE_ENDED;
        d->ended_count--;
        return 0;
}

static int stage_claim(struct stage_device *d, bool detach)
{
        if (d->busy || (d->driven && !detach))
                return EBUSY;
        d->detached += d->driven;
        d->driven = false;
        d->claimed++;
        return 0;
}

static int stage_clear(struct stage_device *d, unsigned endpoint)
{
        d->model->halted &= ~usb_halt_bit(endpoint & 15, (endpoint & 0x80) != 0);
        d->clears++;
        return 0;
}

static int stage_ioctl(struct stage_device *d, unsigned long request, void *arg)
{
        if (request == USBDEVFS_REAPURBNDELAY)
                return stage_reap(d, arg);
        if (d->dead)
                return ENODEV;
        switch (request) {
        case USBDEVFS_SUBMITURB:
                return stage_submit(d, arg);
        case USBDEVFS_DISCARDURB:
                return stage_discard(d, arg);
        case USBDEVFS_GET_CAPABILITIES:
                *(uint32_t *)arg = USBDEVFS_CAP_ZERO_PACKET |
                                   USBDEVFS_CAP_NO_PACKET_SIZE_LIM |
                                   USBDEVFS_CAP_BULK_SCATTER_GATHER |
                                   USBDEVFS_CAP_REAP_AFTER_DISCONNECT;
                return 0;
        case USBDEVFS_CLAIMINTERFACE:
                return stage_claim(d, false);
        case USBDEVFS_DISCONNECT_CLAIM:
                return stage_claim(d, true);
        case USBDEVFS_RELEASEINTERFACE:
                d->claimed--;
                return 0;
        case USBDEVFS_IOCTL: /* attach: the only one that is left to libusb here */
                d->attached++;
                d->driven = d->detached > 0;
                return d->driven ? 0 : ENODATA;
        case USBDEVFS_CLEAR_HALT:
                return stage_clear(d, *(unsigned *)arg);
        case USBDEVFS_SETINTERFACE:
                return 0;
        default:
                return ENOTTY;
        }
}

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

        if (stage.set && strncmp(path, sysfs, sizeof sysfs - 1) == 0)
                return stage_open_sysfs(path + sizeof sysfs - 1);
        if (stage.set && strncmp(path, "/dev/bus/usb/", 13) == 0) {
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
        if (stage.set && strcmp(path, "/sys") == 0) {
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

int clock_gettime(clockid_t clock, struct timespec *t)
{
        static int (*real)(clockid_t, struct timespec *);

        if (real == NULL)
                *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
        if (!stage.own_time || clock != CLOCK_MONOTONIC)
                return real(clock, t);
        stage.time_ns += 1000;
        t->tv_sec = stage.time_ns / 1000000000;
        t->tv_nsec = stage.time_ns % 1000000000;
        return 0;
}

int nanosleep(const struct timespec *wanted, struct timespec *left)
{
        if (!stage.own_time)
                return (int)syscall(SYS_nanosleep, wanted, left);
        stage.time_ns += (int64_t)wanted->tv_sec * 1000000000 + wanted->tv_nsec;
        return 0;
}

/* Waiting takes no time but the stage's own; for good (libusb's thread) it is the kernel's. */
int poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
        bool played = stage.own_time && timeout_ms > 0;
        int ready = (int)syscall(SYS_poll, fds, count, played ? 0 : timeout_ms);

        if (played && ready == 0)
                stage.time_ns += (int64_t)timeout_ms * 1000000;
        return ready;
}

/* libudev, as libusb uses it. A device, and an entry of the list of them, is a stage_device. */
struct udev;
struct udev_monitor;
struct udev_enumerate;
struct udev_list_entry;
struct udev_device;

static struct stage_device *stage_next(struct stage_device *d)
{
        while (d < stage.device + STAGE_DEVICES)
                if (stage_present(d))
                        return d;
                else
                        d++;
        return NULL;
}

#define STAGE_ANY ((void *)&stage) /* of what has no state */

struct udev *udev_new(void);
struct udev *udev_new(void)
{
        return STAGE_ANY;
}

struct udev *udev_unref(struct udev *u);
struct udev *udev_unref(struct udev *u)
{
        (void)u;
        return NULL;
}

struct udev_monitor *udev_monitor_new_from_netlink(struct udev *u, const char *name);
struct udev_monitor *udev_monitor_new_from_netlink(struct udev *u, const char *name)
{
        (void)u, (void)name;
        return STAGE_ANY;
}

int udev_monitor_filter_add_match_subsystem_devtype(struct udev_monitor *m,
                                                    const char *subsystem,
                                                    const char *type);
int udev_monitor_filter_add_match_subsystem_devtype(struct udev_monitor *m,
                                                    const char *subsystem,
                                                    const char *type)
{
        (void)m, (void)subsystem, (void)type;
        return 0;
}

int udev_monitor_enable_receiving(struct udev_monitor *m);
int udev_monitor_enable_receiving(struct udev_monitor *m)
{
        (void)m;
        return 0;
}

static int stage_monitor;

int udev_monitor_get_fd(struct udev_monitor *m);
int udev_monitor_get_fd(struct udev_monitor *m)
{
        (void)m;
        if (stage_monitor == 0)
                stage_monitor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        return stage_monitor;
}

struct udev_monitor *udev_monitor_unref(struct udev_monitor *m);
struct udev_monitor *udev_monitor_unref(struct udev_monitor *m)
{
        (void)m;
        if (stage_monitor != 0)
                syscall(SYS_close, stage_monitor);
        stage_monitor = 0;
        return NULL;
}

struct udev_device *udev_monitor_receive_device(struct udev_monitor *m);
struct udev_device *udev_monitor_receive_device(struct udev_monitor *m)
{
        (void)m;
        return NULL;
}

struct udev_enumerate *udev_enumerate_new(struct udev *u);
struct udev_enumerate *udev_enumerate_new(struct udev *u)
{
        (void)u;
        return STAGE_ANY;
}

int udev_enumerate_add_match_subsystem(struct udev_enumerate *e, const char *name);
int udev_enumerate_add_match_subsystem(struct udev_enumerate *e, const char *name)
{
        (void)e, (void)name;
        return 0;
}

int udev_enumerate_add_match_property(struct udev_enumerate *e, const char *name,
                                      const char *value);
int udev_enumerate_add_match_property(struct udev_enumerate *e, const char *name,
                                      const char *value)
{
        (void)e, (void)name, (void)value;
        return 0;
}

int udev_enumerate_scan_devices(struct udev_enumerate *e);
int udev_enumerate_scan_devices(struct udev_enumerate *e)
{
        (void)e;
        pthread_mutex_lock(&stage_mutex);
        stage_look();
        pthread_mutex_unlock(&stage_mutex);
        return 0;
}

struct udev_list_entry *udev_enumerate_get_list_entry(struct udev_enumerate *e);
struct udev_list_entry *udev_enumerate_get_list_entry(struct udev_enumerate *e)
{
        (void)e;
        return (struct udev_list_entry *)stage_next(stage.device);
}

struct udev_list_entry *udev_list_entry_get_next(struct udev_list_entry *e);
struct udev_list_entry *udev_list_entry_get_next(struct udev_list_entry *e)
{
        return (struct udev_list_entry *)stage_next((struct stage_device *)e + 1);
}

const char *udev_list_entry_get_name(struct udev_list_entry *e);
const char *udev_list_entry_get_name(struct udev_list_entry *e)
{
        return ((struct stage_device *)e)->name;
}

struct udev_enumerate *udev_enumerate_unref(struct udev_enumerate *e);
struct udev_enumerate *udev_enumerate_unref(struct udev_enumerate *e)
{
        (void)e;
        return NULL;
}

struct udev_device *udev_device_new_from_syspath(struct udev *u, const char *path);
struct udev_device *udev_device_new_from_syspath(struct udev *u, const char *path)
{
        (void)u;
        for (struct stage_device *d = stage.device; d < stage.device + STAGE_DEVICES; d++)
                if (d->name == path)
                        return (struct udev_device *)d;
        return NULL;
}

const char *udev_device_get_devnode(struct udev_device *d);
const char *udev_device_get_devnode(struct udev_device *d)
{
        (void)d;
        return "/dev/bus/usb/001/001"; /* libusb asks sysfs for the numbers */
}

const char *udev_device_get_sysname(struct udev_device *d);
const char *udev_device_get_sysname(struct udev_device *d)
{
        return ((struct stage_device *)d)->name;
}

const char *udev_device_get_action(struct udev_device *d);
const char *udev_device_get_action(struct udev_device *d)
{
        (void)d;
        return NULL;
}

struct udev_device *udev_device_unref(struct udev_device *d);
struct udev_device *udev_device_unref(struct udev_device *d)
{
        (void)d;
        return NULL;
}

#endif
