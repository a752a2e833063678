/* Lists USB devices through libusb. */
#include "hil/attached/ports_scan.h"

#include <libusb-1.0/libusb.h>
#include <stdio.h>
#include <string.h>

#include "io/link/usb_device.h"

static void read_string(libusb_device_handle *handle, uint8_t index, char text[64])
{
        if (index == 0 || libusb_get_string_descriptor_ascii(
                                  handle, index, (unsigned char *)text, 63) < 0)
                text[0] = '\0';
}

static void read_strings(libusb_device *device, const struct libusb_device_descriptor *d,
                         struct port *p)
{
        libusb_device_handle *handle;

        if (libusb_open(device, &handle) != 0)
                return;
        read_string(handle, d->iManufacturer, p->manufacturer);
        read_string(handle, d->iProduct, p->product);
        read_string(handle, d->iSerialNumber, p->usb_serial);
        libusb_close(handle);
}

/* From the descriptors that the kernel keeps: nothing is asked of the device. */
static bool has_bulk(libusb_device *device)
{
        struct libusb_config_descriptor *config;
        struct usb_endpoints e;
        bool bulk;

        if (libusb_get_active_config_descriptor(device, &config) != 0)
                return false;
        bulk = usb_endpoints_find(&e, config) && e.vendor;
        libusb_free_config_descriptor(config);
        return bulk;
}

static void describe(libusb_device *device, const struct libusb_device_descriptor *d,
                     struct port *p)
{
        char bus_path[32];

        *p = (struct port){ .usb_vid = d->idVendor, .usb_pid = d->idProduct };
        usb_bus_path(bus_path, device);
        snprintf(p->path, sizeof p->path, "usb %s", bus_path);
        /* Only what could be ours is opened: a string request may wake a sleeping device. */
        p->bulk = has_bulk(device);
        if (p->bulk || ports_guess(p->usb_vid, p->usb_pid) != NULL)
                read_strings(device, d, p);
}

int ports_list_usb(struct port *ports, int max)
{
        struct libusb_device_descriptor d;
        libusb_context *context;
        libusb_device **devices;
        ssize_t found;
        int count = 0;

        /* A kernel without USB: nothing is attached. */
        if (libusb_init(&context) != 0)
                return 0;
        found = libusb_get_device_list(context, &devices);
        for (ssize_t i = 0; i < found && count < max; i++)
                if (libusb_get_device_descriptor(devices[i], &d) == 0)
                        describe(devices[i], &d, &ports[count++]);
        if (found >= 0)
                libusb_free_device_list(devices, 1);
        libusb_exit(context);
        return count;
}
