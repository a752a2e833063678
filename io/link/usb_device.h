/* An open USB device: found by its ids, serial number or bus path, opened, an interface claimed,
 * its events waited for. Shared by the USB link and the analyzer. It moves no bytes itself
 * (usb_stream.h does).
 *
 * Each has a libusb context of its own, so that two of them are independent, even in two threads;
 * one device belongs to one thread. */
#pragma once

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

/* Selects a device: all given properties must match. */
struct usb_wanted {
        const char *who; /* for messages: "link", "capture" */
        int vid, pid; /* -1: any */
        const char *serial; /* NULL or "": any */
        const char *
                bus_path; /* "1-4.2": bus 1, port 4 of it, port 2 of the hub there; NULL or "": any */
        const struct usb_id *ids; /* one of these; NULL: any */
        int id_count;
        const char *kind; /* what `ids` describe, for messages: "fx2lafw analyzer" */
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

/* Opens the one wanted device. False with a reason: there is none (and which others there are),
 * there are several (and which), or the user lacks permission (and the udev rule that would grant
 * it). Nothing stays open then. */
bool usb_device_open(struct usb_device *d, const struct usb_wanted *wanted,
                     struct link_error *why);

/* Claims the interface, if necessary from its kernel driver, which gets it back at close. False
 * with a reason: another program holds it (and which). */
bool usb_device_claim(struct usb_device *d, int interface, int setting,
                      struct link_error *why);

/* Releases everything. Transfers must have ended before, or are lost. Also accepts a zeroed device. */
void usb_device_close(struct usb_device *d);

/* Processes events: callbacks of transfers run inside. Waits up to timeout_ns for them, 0: not at
 * all. */
void usb_device_step(struct usb_device *d, int64_t timeout_ns);

/* "1-4.2"; of a root hub "usb1". */
void usb_bus_path(char path[32], struct libusb_device *device);

/* Digits, one '-', digits, and ".digits" up to six times. */
bool usb_bus_path_valid(const char *text);

/* The endpoints for bytes in and out. */
struct usb_endpoints {
        int interface, setting;
        bool vendor; /* vendor-specific class */
        uint8_t in, out; /* addresses: in has 0x80 */
        size_t in_bytes, out_bytes; /* of the largest packet, 1 to 1024 */
};

/* The first interface with a bulk endpoint in each direction: of vendor class, or else of any other
 * class except mass storage. False: there is none. */
bool usb_endpoints_find(struct usb_endpoints *e,
                        const struct libusb_config_descriptor *config);

/* Writes "who: name: " and the reason. Returns false. */
bool usb_device_refuse(const struct usb_device *d, struct link_error *why,
                       const char *format, ...) __attribute__((format(printf, 3, 4)));

/* How to let the user open this device, after "permission denied: ". The rule file covers the kinds
 * that are selected by a list of ids (usb_wanted.ids), but boards only with a line of their own. */
const char *usb_device_rule(const struct usb_device *d);

/* libusb's error in this program's wording: "not there any more", ... */
const char *usb_error_words(int error);

/* CLOCK_MONOTONIC: when transfers end. */
int64_t usb_now_ns(void);

/* Which program has opened this node of /dev/bus/usb: "sigrok-cli, process 1234"; "another program"
 * if it is not known. */
void usb_holder_find(char holder[64], unsigned bus, unsigned address);

/* The one wanted device, to be released with libusb_unref_device(); its id, bus path and name in d.
 * NULL with a reason. */
struct libusb_device *usb_find(struct usb_device *d, const struct usb_wanted *wanted,
                               struct link_error *why);
