/* Finds the one USB device that the user specified, or says what there is instead. */
#include "io/link/usb_device.h"

#include <ctype.h>
#include <libusb-1.0/libusb.h>
#include <stdio.h>
#include <string.h>

#define PORTS_DEEP 7 /* maximum depth of hubs in USB */

struct search {
        const struct usb_wanted *wanted;
        struct libusb_device *found; /* the first */
        int matches;
        int devices; /* without hubs */
        bool unread; /* a device whose serial number we may not read could be it */
        char seen[120]; /* the others, as far as they fit the line */
        char alike[120]; /* those that match */
};

void usb_bus_path(char path[32], struct libusb_device *device)
{
        uint8_t ports[PORTS_DEEP];
        int deep = libusb_get_port_numbers(device, ports, PORTS_DEEP), len;
        unsigned bus = libusb_get_bus_number(device);

        if (deep <= 0) {
                snprintf(path, 32, "usb%u", bus);
                return;
        }
        len = snprintf(path, 32, "%u-%u", bus, ports[0]);
        for (int i = 1; i < deep && len < 32; i++)
                len += snprintf(path + len, (size_t)(32 - len), ".%u", ports[i]);
}

static const char *skip_digits(const char *at)
{
        const char *begin = at;

        while (isdigit((unsigned char)*at) && at - begin < 3)
                at++;
        return at > begin ? at : NULL;
}

bool usb_bus_path_valid(const char *text)
{
        const char *at = skip_digits(text);
        int deep = 0;

        if (at == NULL || *at != '-')
                return false;
        do {
                at = skip_digits(at + 1);
                deep++;
        } while (at != NULL && *at == '.' && deep < PORTS_DEEP);
        return at != NULL && *at == '\0' && strlen(text) < 32;
}

static bool said(const char *text)
{
        return text != NULL && text[0] != '\0';
}

static bool of_kind(const struct usb_wanted *w, struct usb_id id)
{
        for (int i = 0; w->ids != NULL && i < w->id_count; i++)
                if (w->ids[i].vid == id.vid && w->ids[i].pid == id.pid)
                        return true;
        return w->ids == NULL;
}

static bool has_serial(struct search *s, struct libusb_device *device, uint8_t index)
{
        unsigned char text[64] = "";
        libusb_device_handle *handle;
        int error;

        if (!said(s->wanted->serial))
                return true;
        if (index == 0)
                return false;
        error = libusb_open(device, &handle);
        if (error != 0) {
                s->unread |= error == LIBUSB_ERROR_ACCESS;
                return false;
        }
        if (libusb_get_string_descriptor_ascii(handle, index, text, sizeof text) < 0)
                text[0] = '\0';
        libusb_close(handle);
        return strcmp((const char *)text, s->wanted->serial) == 0;
}

static void note_device(char *list, size_t size, struct usb_id id, const char *bus_path)
{
        size_t len = strlen(list);

        snprintf(list + len, size - len, "%s%04x:%04x at %s", len > 0 ? ", " : "", id.vid,
                 id.pid, bus_path);
}

static void look_at(struct search *s, struct libusb_device *device)
{
        const struct usb_wanted *w = s->wanted;
        struct libusb_device_descriptor d;
        struct usb_id id;
        char path[32];

        if (libusb_get_device_descriptor(device, &d) != 0)
                return;
        id = (struct usb_id){ d.idVendor, d.idProduct };
        usb_bus_path(path, device);
        if (d.bDeviceClass != LIBUSB_CLASS_HUB) {
                s->devices++;
                note_device(s->seen, sizeof s->seen, id, path);
        }
        if ((w->vid >= 0 && (w->vid != id.vid || w->pid != id.pid)) || !of_kind(w, id) ||
            (said(w->bus_path) && strcmp(w->bus_path, path) != 0) ||
            !has_serial(s, device, d.iSerialNumber))
                return;
        note_device(s->alike, sizeof s->alike, id, path);
        if (s->matches++ == 0)
                s->found = libusb_ref_device(device);
}

/* As the user would write it. */
static void name_wanted(struct usb_device *d, const struct usb_wanted *w)
{
        char ids[24] = "";

        if (w->vid >= 0)
                snprintf(ids, sizeof ids, "%04x:%04x", (unsigned)w->vid,
                         (unsigned)w->pid);
        if (said(w->bus_path))
                snprintf(d->name, sizeof d->name, "usb %s%s%s", w->bus_path,
                         ids[0] != '\0' ? " as " : "", ids);
        else if (w->vid >= 0)
                snprintf(d->name, sizeof d->name, "usb %s%s%.40s", ids,
                         said(w->serial) ? ":" : "", said(w->serial) ? w->serial : "");
        else
                snprintf(d->name, sizeof d->name, "%s",
                         w->kind != NULL ? w->kind : "usb");
}

static void explain_failure(struct usb_device *d, const struct search *s,
                            struct link_error *why)
{
        const struct usb_wanted *w = s->wanted;
        char none[60] = "none"; /* of any: its kind is in the name already */

        if (w->vid >= 0 || said(w->bus_path) || w->kind == NULL)
                snprintf(none, sizeof none, "no such %s",
                         w->kind != NULL ? w->kind : "device");

        if (s->matches > 1)
                usb_device_refuse(d, why, "%d match, give the %s of one: %s", s->matches,
                                  said(s->wanted->serial) || s->wanted->ids != NULL
                                          ? "bus path"
                                          : "serial number or the bus path",
                                  s->alike);
        else if (s->unread)
                usb_device_refuse(d, why,
                                  "permission denied to read the serial number: %s",
                                  usb_device_rule(d));
        else if (s->devices == 0)
                usb_device_refuse(d, why, "%s, no USB device is plugged in", none);
        else
                usb_device_refuse(d, why, "%s among %d: %s", none, s->devices, s->seen);
}

struct libusb_device *usb_find(struct usb_device *d, const struct usb_wanted *wanted,
                               struct link_error *why)
{
        struct search s = { .wanted = wanted };
        struct libusb_device_descriptor descriptor;
        libusb_device **list;
        ssize_t count = libusb_get_device_list(d->context, &list);

        name_wanted(d, wanted);
        d->listed = wanted->ids != NULL;
        for (ssize_t i = 0; i < count; i++)
                look_at(&s, list[i]);
        if (count >= 0)
                libusb_free_device_list(list, 1);
        if (s.matches != 1) {
                if (s.found != NULL)
                        libusb_unref_device(s.found);
                explain_failure(d, &s, why);
                return NULL;
        }
        libusb_get_device_descriptor(s.found, &descriptor);
        d->id = (struct usb_id){ descriptor.idVendor, descriptor.idProduct };
        usb_bus_path(d->bus_path, s.found);
        snprintf(d->name, sizeof d->name, "usb %s (%04x:%04x)", d->bus_path, d->id.vid,
                 d->id.pid);
        return s.found;
}
