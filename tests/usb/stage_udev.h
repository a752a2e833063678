/* The stage's libudev, as far as libusb uses it. A device, and an entry of the list of them, is a stage_device; nobody
 * is told of plugging: who wants to know looks. */
#pragma once

#include <sys/eventfd.h>

#include "tests/usb/stage_bus.h"

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
