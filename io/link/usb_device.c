/* Opens, claims, waits for and closes a USB device, and explains failures. usb_find.c finds it. */
#include "io/link/usb_device.h"

#include <libusb-1.0/libusb.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "io/background.h"

#define STACK_BYTES (256 * 1024)

int64_t usb_now_ns(void)
{
        struct timespec t;

        clock_gettime(CLOCK_MONOTONIC, &t);
        return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

bool usb_device_refuse(const struct usb_device *d, struct link_error *why,
                       const char *format, ...)
{
        int start = snprintf(why->text, sizeof why->text, "%s: %s: ", d->who, d->name);
        va_list args;

        va_start(args, format);
        vsnprintf(why->text + start, sizeof why->text - (size_t)start, format, args);
        va_end(args);
        return false;
}

const char *usb_error_words(int error)
{
        switch (error) {
        case LIBUSB_ERROR_NO_DEVICE:
                return "not there any more";
        case LIBUSB_ERROR_PIPE:
                return "the device refused";
        case LIBUSB_ERROR_TIMEOUT:
                return "no answer in time";
        case LIBUSB_ERROR_NO_MEM:
                return "no memory left for transfers";
        case LIBUSB_ERROR_OVERFLOW:
                return "the device sent too much";
        case LIBUSB_ERROR_BUSY:
                return "busy";
        default:
                return "input or output error";
        }
}

/* The library starts a hotplug thread with the process's defaults. In a real-time process with
 * locked memory it must not lock 8 MiB of stack, must run at the lowest priority, and must receive
 * none of our signals. */
static pthread_mutex_t defaults_lock = PTHREAD_MUTEX_INITIALIZER;

static int init_modestly(libusb_context **context)
{
        pthread_attr_t before, modest;
        sigset_t all, mask;
        int error;

        /* Otherwise two concurrent opens would take each other's settings for the process's own. */
        pthread_mutex_lock(&defaults_lock);
        pthread_getattr_default_np(&before);
        background_attr(&modest, STACK_BYTES);
        pthread_setattr_default_np(&modest);
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &mask);
        error = libusb_init(context);
        pthread_setattr_default_np(&before);
        /* For example, because a program with much thread-local memory does not fit that stack. */
        if (error != 0)
                error = libusb_init(context);
        pthread_sigmask(SIG_SETMASK, &mask, NULL);
        pthread_mutex_unlock(&defaults_lock);
        pthread_attr_destroy(&modest);
        pthread_attr_destroy(&before);
        return error;
}

/* Only a context, with no device open; usb_device_close() releases it. False: the system has no USB. */
static bool usb_context_open(struct usb_device *d, const char *who)
{
        *d = (struct usb_device){ .who = who, .interface = -1, .fd = -1 };
        if (init_modestly(&d->context) == 0)
                return true;
        d->context = NULL;
        return false;
}

/* Everything that libusb waits for, in one descriptor. */
static void watch(int fd, short events, void *user)
{
        struct usb_device *d = user;
        struct epoll_event e = { .data.fd = fd };

        if ((events & POLLIN) != 0)
                e.events |= EPOLLIN;
        if ((events & POLLOUT) != 0)
                e.events |= EPOLLOUT;
        if (d->fd < 0 || epoll_ctl(d->fd, EPOLL_CTL_ADD, fd, &e) == 0)
                return;
        /* A regular file, or no memory: the caller has to poll from time to time. */
        close(d->fd);
        d->fd = -1;
}

static void unwatch(int fd, void *user)
{
        struct usb_device *d = user;

        if (d->fd >= 0)
                epoll_ctl(d->fd, EPOLL_CTL_DEL, fd, NULL);
}

static void watch_all(struct usb_device *d)
{
        const struct libusb_pollfd **list = libusb_get_pollfds(d->context);

        d->fd = epoll_create1(EPOLL_CLOEXEC);
        for (int i = 0; list != NULL && list[i] != NULL; i++)
                watch(list[i]->fd, list[i]->events, d);
        libusb_free_pollfds(list);
        libusb_set_pollfd_notifiers(d->context, watch, unwatch, d);
}

const char *usb_device_rule(const struct usb_device *d)
{
        return d->listed ? "make install, or copy scripts/60-hilrig.rules to "
                           "/etc/udev/rules.d"
                         : "add a line for these ids to scripts/60-hilrig.rules and make "
                           "install, or copy it to /etc/udev/rules.d";
}

static bool refuse_open(struct usb_device *d, int error, struct link_error *why)
{
        if (error == LIBUSB_ERROR_ACCESS)
                return usb_device_refuse(
                        d, why,
                        "permission denied: %s, then udevadm control --reload; udevadm "
                        "trigger",
                        usb_device_rule(d));
        return usb_device_refuse(d, why, "could not be opened: %s",
                                 usb_error_words(error));
}

bool usb_device_open(struct usb_device *d, const struct usb_wanted *wanted,
                     struct link_error *why)
{
        libusb_device *device;
        int error;

        if (!usb_context_open(d, wanted->who)) {
                snprintf(d->name, sizeof d->name, "usb");
                return usb_device_refuse(d, why, "this system has no USB");
        }
        device = usb_find(d, wanted, why);
        if (device != NULL) {
                error = libusb_open(device, &d->handle);
                libusb_unref_device(device);
                if (error == 0) {
                        watch_all(d);
                        return true;
                }
                d->handle = NULL;
                refuse_open(d, error, why);
        }
        usb_device_close(d);
        return false;
}

static bool refuse_claim(struct usb_device *d, int interface, int error,
                         struct link_error *why)
{
        libusb_device *device = libusb_get_device(d->handle);
        char holder[64];

        if (error != LIBUSB_ERROR_BUSY)
                return usb_device_refuse(d, why, "interface %d could not be taken: %s",
                                         interface, usb_error_words(error));
        usb_holder_find(holder, libusb_get_bus_number(device),
                        libusb_get_device_address(device));
        return usb_device_refuse(d, why, "busy: interface %d is held by %s", interface,
                                 holder);
}

bool usb_device_claim(struct usb_device *d, int interface, int setting,
                      struct link_error *why)
{
        int error;

        libusb_set_auto_detach_kernel_driver(d->handle, 1);
        error = libusb_claim_interface(d->handle, interface);
        if (error != 0)
                return refuse_claim(d, interface, error, why);
        d->interface = interface;
        if (setting != 0)
                error = libusb_set_interface_alt_setting(d->handle, interface, setting);
        if (error != 0)
                return usb_device_refuse(d, why,
                                         "setting %d of interface %d was refused: %s",
                                         setting, interface, usb_error_words(error));
        return true;
}

void usb_device_close(struct usb_device *d)
{
        if (d->context == NULL)
                return;
        if (d->fd >= 0)
                libusb_set_pollfd_notifiers(d->context, NULL, NULL, NULL);
        if (d->handle != NULL) {
                if (d->interface >= 0)
                        libusb_release_interface(d->handle, d->interface);
                libusb_close(d->handle);
        }
        libusb_exit(d->context);
        if (d->fd >= 0)
                close(d->fd);
        d->context = NULL;
        d->handle = NULL;
        d->fd = d->interface = -1;
}

void usb_device_step(struct usb_device *d, int64_t timeout_ns)
{
        struct timeval wait = { .tv_sec = timeout_ns / 1000000000,
                                .tv_usec = timeout_ns % 1000000000 / 1000 };

        libusb_handle_events_timeout_completed(d->context, &wait, NULL);
}
