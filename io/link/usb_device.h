/* One USB device as a program holds it: found by its ids, serial number or bus path, opened, an
 * interface claimed, its events waited for. What the USB link and the analyzer share. It moves no
 * bytes by itself (usb_stream.h does).
 *
 * Each has a libusb context of its own, so that two of them, in two threads too, know nothing of each
 * other; one device belongs to one thread. */
#ifndef IO_LINK_USB_DEVICE_H
#define IO_LINK_USB_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/link/link.h"

struct libusb_context;
struct libusb_device;
struct libusb_device_handle;
struct libusb_config_descriptor;

struct usb_id {
        uint16_t vid, pid;
};

/* Which device is meant: all that is said must fit. */
struct usb_wanted {
        const char *who; /* for messages: "link", "capture" */
        int vid, pid; /* -1: any */
        const char *serial; /* NULL or "": any */
        const char *
                bus_path; /* "1-4.2": bus 1, port 4 of it, port 2 of the hub there; NULL or "": any */
        const struct usb_id *ids; /* one of these; NULL: any */
        int id_count;
        const char *kind; /* what `ids` are, for messages: "fx2lafw analyzer" */
};

struct usb_device {
        struct libusb_context *context;
        struct libusb_device_handle *handle;
        const char *who;
        struct usb_id id;
        bool listed; /* scripts/60-hilrig.rules has its ids */
        char bus_path[32];
        char name[64]; /* "usb 1-4.2 (1209:5741)" */
        int interface; /* claimed; -1: none */
        /* An epoll descriptor that becomes readable when usb_device_step() has something to do; -1: the
         * system cannot wait for this device's node. */
        int fd;
};

/* Opens the one device that is wanted. False with a reason: none is there (and what is), several are
 * (and which), the user may not (and the udev rule that would let him). Nothing stays open then. */
bool usb_device_open(struct usb_device *d, const struct usb_wanted *wanted,
                     struct link_error *why);

/* Takes the interface, from its kernel driver too, which gets it back at close. False with a
 * reason: another program holds it (and which). */
bool usb_device_claim(struct usb_device *d, int interface, int setting,
                      struct link_error *why);

/* Releases everything. Transfers must have ended before, or are lost with it. Also for a zeroed
 * device. */
void usb_device_close(struct usb_device *d);

/* Lets what has happened happen: callbacks of transfers run inside. Waits up to timeout_ns for it,
 * 0: not at all. */
void usb_device_step(struct usb_device *d, int64_t timeout_ns);

/* "1-4.2"; of a root hub "usb1". */
void usb_bus_path(char path[32], struct libusb_device *device);

/* Digits, one '-', digits, and ".digits" up to six times. */
bool usb_bus_path_valid(const char *text);

/* Where bytes go in and out. */
struct usb_endpoints {
        int interface, setting;
        bool vendor; /* of a class of the maker's own */
        uint8_t in, out; /* addresses: in has 0x80 */
        size_t in_bytes, out_bytes; /* of the largest packet, 1 to 1024 */
};

/* The first interface with a bulk endpoint each way: of vendor class, and where there is none of any
 * other but mass storage. False: there is none. */
bool usb_endpoints_find(struct usb_endpoints *e,
                        const struct libusb_config_descriptor *config);

/* Writes "who: name: " and the reason. Returns false. */
bool usb_device_refuse(const struct usb_device *d, struct link_error *why,
                       const char *format, ...) __attribute__((format(printf, 3, 4)));

/* What lets the user open this device, behind "permission denied: ". The rule file has the kinds that somebody looks for by
 * a list of ids (usb_wanted.ids), and boards only by a line of their own. */
const char *usb_device_rule(const struct usb_device *d);

/* libusb's error in the words of this program: "not there any more", ... */
const char *usb_error_words(int error);

/* CLOCK_MONOTONIC: when transfers end. */
int64_t usb_now_ns(void);

/* Who has opened this node of /dev/bus/usb: "sigrok-cli, process 1234"; "another program" when it
 * cannot be told. */
void usb_holder_find(char holder[64], unsigned bus, unsigned address);

#endif
