/* Which interface and endpoints of a device carry bytes both ways, from its descriptors, which come
 * from the device and may contain anything. */
#include <libusb-1.0/libusb.h>

#include "io/link/usb_device.h"

static void take_endpoint(struct usb_endpoints *e,
                          const struct libusb_endpoint_descriptor *d)
{
        size_t bytes = d->wMaxPacketSize & 0x7ff;

        if ((d->bmAttributes & LIBUSB_TRANSFER_TYPE_MASK) != LIBUSB_TRANSFER_TYPE_BULK ||
            bytes == 0 || bytes > 1024)
                return;
        if ((d->bEndpointAddress & LIBUSB_ENDPOINT_IN) != 0 && e->in_bytes == 0) {
                e->in = d->bEndpointAddress;
                e->in_bytes = bytes;
        } else if ((d->bEndpointAddress & LIBUSB_ENDPOINT_IN) == 0 && e->out_bytes == 0) {
                e->out = d->bEndpointAddress;
                e->out_bytes = bytes;
        }
}

static bool take_setting(struct usb_endpoints *e,
                         const struct libusb_interface_descriptor *d)
{
        *e = (struct usb_endpoints){ .interface = d->bInterfaceNumber,
                                     .setting = d->bAlternateSetting,
                                     .vendor = d->bInterfaceClass ==
                                               LIBUSB_CLASS_VENDOR_SPEC };
        /* libusb leaves out truncated descriptors, whatever their count says. */
        for (int i = 0; d->endpoint != NULL && i < d->bNumEndpoints; i++)
                take_endpoint(e, &d->endpoint[i]);
        return e->in_bytes > 0 && e->out_bytes > 0;
}

static bool may_be(const struct libusb_interface_descriptor *d, bool vendor)
{
        if (vendor)
                return d->bInterfaceClass == LIBUSB_CLASS_VENDOR_SPEC;
        return d->bInterfaceClass != LIBUSB_CLASS_MASS_STORAGE;
}

static bool find(struct usb_endpoints *e, const struct libusb_config_descriptor *config,
                 bool vendor)
{
        for (int i = 0; i < config->bNumInterfaces; i++) {
                const struct libusb_interface *settings = &config->interface[i];

                for (int s = 0; s < settings->num_altsetting; s++)
                        if (may_be(&settings->altsetting[s], vendor) &&
                            take_setting(e, &settings->altsetting[s]))
                                return true;
        }
        return false;
}

bool usb_endpoints_find(struct usb_endpoints *e,
                        const struct libusb_config_descriptor *config)
{
        return find(e, config, true) || find(e, config, false);
}
