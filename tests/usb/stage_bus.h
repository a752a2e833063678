/* The bus of the stage in usb_stage.h: which devices are plugged in where, the transfers that wait at each of their
 * endpoints, and plugging, unplugging, coming back. */
#pragma once

#include <errno.h>
#include <linux/usbdevice_fs.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

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
        uint64_t
                unplug_after; /* transfers submitted: the next one finds it gone; 0: never */
        struct stage_queue queue[32]; /* by endpoint, IN from 16 on */
        struct usbdevfs_urb *ended[STAGE_ENDED];
        unsigned ended_head, ended_count;
        uint64_t submitted, cancelled, zero_packets, clears;
};

/* The machine that libusb sees. One a process: each test runs in its own. */
static struct {
        struct stage_device device[STAGE_DEVICES];
        int addresses; /* given so far */
        int looks; /* at the bus so far */
        size_t memory_limit, memory_used; /* 0: no limit */
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
static inline void stage_replug(struct stage_device *d)
{
        usb_standard_reset(d->model);
        d->away = d->model->ops->plug != NULL && !d->model->ops->plug(d->model);
        d->back_after = -1;
        d->model->configured = 1;
        d->open_errno = d->open_after_replug;
        d->address = ++stage.addresses;
}

static inline struct stage_device *stage_plug(struct usb_model *model,
                                              const char *bus_path)
{
        struct stage_device *d = stage.device;

        while (d->model != NULL)
                if (++d == stage.device + STAGE_DEVICES)
                        abort();
        d->model = model;
        snprintf(d->name, sizeof d->name, "%s", bus_path);
        stage_replug(d);
        return d;
}

static inline bool stage_present(struct stage_device *d)
{
        return d->model != NULL && !d->away;
}

/* One more look at the bus: what let go of it comes back. */
static inline void stage_look(void)
{
        stage.looks++;
        for (struct stage_device *d = stage.device; d < stage.device + STAGE_DEVICES; d++)
                if (d->away && d->back_after >= 0 && d->back_after-- == 0)
                        stage_replug(d);
}
