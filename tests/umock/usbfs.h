/* The requests of another process to usbfs, as umockdev brings them, for the usbfs of tests/usb/stage_transfers.h: a
 * transfer is in that process's memory, and here is its image, which umockdev writes back when it is reaped. For one
 * program, which must include this once. */
#pragma once

#include <string.h>
#include <umockdev.h>

#include "tests/usb/stage_transfers.h"

struct usbfs {
        GHashTable *transfers; /* queued: struct usbdevfs_urb here -> UMockdevIoctlData */
        uint64_t broken; /* or stalled, of those that were reaped */
};

static void usbfs_open(struct usbfs *u)
{
        u->transfers = g_hash_table_new_full(NULL, NULL, NULL, g_object_unref);
}

/* Whoever had the node open has closed it: nothing is queued any more. */
static void usbfs_forget(struct usbfs *u, struct stage_device *d)
{
        for (unsigned i = 0; i < 32; i++)
                while (d->queue[i].count > 0)
                        stage_take(&d->queue[i], 0);
        d->ended_count = 0;
        stage_lower(d);
        g_hash_table_remove_all(u->transfers);
}

static int usbfs_submit(struct usbfs *u, struct stage_device *d, UMockdevIoctlData *data)
{
        struct usbdevfs_urb *urb = (struct usbdevfs_urb *)data->data;
        int error;

        if (urb->buffer_length > 0 &&
            umockdev_ioctl_data_resolve(data, offsetof(struct usbdevfs_urb, buffer),
                                        (gsize)urb->buffer_length, NULL) == NULL)
                return EFAULT;
        g_hash_table_insert(u->transfers, urb, g_object_ref(data));
        error = stage_ioctl(d, USBDEVFS_SUBMITURB, urb);
        if (error != 0)
                g_hash_table_remove(u->transfers, urb);
        return error;
}

static int usbfs_reap(struct usbfs *u, struct stage_device *d, UMockdevIoctlData *data)
{
        struct usbdevfs_urb *urb;
        int error = stage_ioctl(d, USBDEVFS_REAPURBNDELAY, &urb);

        if (error != 0)
                return error;
        u->broken += urb->status == -EPROTO || urb->status == -EPIPE;
        umockdev_ioctl_data_set_ptr(data, 0, g_hash_table_lookup(u->transfers, urb));
        g_hash_table_remove(u->transfers, urb);
        return 0;
}

/* Named by its address in the other process. */
static int usbfs_discard(struct usbfs *u, struct stage_device *d,
                         UMockdevIoctlClient *client)
{
        UMockdevIoctlData *data;
        GHashTableIter i;
        gpointer urb;
        gulong address;

        memcpy(&address, umockdev_ioctl_client_get_arg(client)->data, sizeof address);
        g_hash_table_iter_init(&i, u->transfers);
        while (g_hash_table_iter_next(&i, &urb, (gpointer *)&data))
                if (data->client_addr == address)
                        return stage_ioctl(d, USBDEVFS_DISCARDURB, urb);
        return EINVAL;
}

/* data: what the request's argument points to, NULL: nothing. 0, or an error number. */
static int usbfs_answer(struct usbfs *u, struct stage_device *d,
                        UMockdevIoctlClient *client, UMockdevIoctlData *data)
{
        gulong request = umockdev_ioctl_client_get_request(client);

        if (_IOC_SIZE(request) > 0 && data == NULL)
                return EFAULT;
        switch (request) {
        case USBDEVFS_SUBMITURB:
                return usbfs_submit(u, d, data);
        case USBDEVFS_REAPURBNDELAY:
                return usbfs_reap(u, d, data);
        case USBDEVFS_DISCARDURB:
                return usbfs_discard(u, d, client);
        default:
                return stage_ioctl(d, request, data != NULL ? data->data : NULL);
        }
}
