#include "io/capture/fx2_firmware.h"

#include <libusb-1.0/libusb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_MS 5000

static bool has_string(struct usb_device *d, uint8_t index, const char *wanted)
{
        unsigned char text[32] = "";

        return index != 0 &&
               libusb_get_string_descriptor_ascii(d->handle, index, text, sizeof text) >
                       0 &&
               strcmp((const char *)text, wanted) == 0;
}

bool fx2_firmware_runs(struct usb_device *d)
{
        struct libusb_device_descriptor descriptor;

        return libusb_get_device_descriptor(libusb_get_device(d->handle), &descriptor) ==
                       0 &&
               has_string(d, descriptor.iManufacturer, "sigrok") &&
               has_string(d, descriptor.iProduct, "fx2lafw");
}

static FILE *open_in(const char *folder, const char *name)
{
        char path[512];

        if (folder == NULL ||
            snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
                return NULL;
        return fopen(path, "rbe");
}

/* Bytes of the file; 0 with a reason. */
static size_t read_file(uint8_t bytes[FX2_MEMORY_BYTES], const struct usb_device *d,
                        const char *name, struct link_error *why)
{
        const char *chosen = getenv("SIGROK_FIRMWARE_DIR");
        FILE *f = open_in(chosen, name);
        size_t len;
        bool whole;

        if (f == NULL && chosen == NULL)
                f = open_in("/usr/local/share/sigrok-firmware", name);
        if (f == NULL && chosen == NULL)
                f = open_in("/usr/share/sigrok-firmware", name);
        if (f == NULL) {
                usb_device_refuse(d, why,
                                  "has no firmware yet and there is no %s in %.60s; the "
                                  "package sigrok-firmware-fx2lafw has it",
                                  name,
                                  chosen != NULL ? chosen : "/usr/share/sigrok-firmware");
                return 0;
        }
        len = fread(bytes, 1, FX2_MEMORY_BYTES, f);
        whole = ferror(f) == 0 && fgetc(f) == EOF;
        fclose(f);
        if (len > 0 && whole)
                return len;
        usb_device_refuse(d, why, "%s must be 1 to %d bytes long", name,
                          FX2_MEMORY_BYTES);
        return 0;
}

static int write_memory(struct usb_device *d, uint16_t address, uint8_t *bytes,
                        size_t len)
{
        int moved = libusb_control_transfer(
                d->handle, LIBUSB_REQUEST_TYPE_VENDOR | LIBUSB_RECIPIENT_DEVICE,
                FX2_WRITE_MEMORY, address, 0, bytes, (uint16_t)len, ANSWER_MS);

        if (moved < 0)
                return moved;
        return moved == (int)len ? 0 : LIBUSB_ERROR_IO;
}

static int set_reset(struct usb_device *d, bool held)
{
        uint8_t byte = held;

        return write_memory(d, FX2_CPUCS, &byte, 1);
}

static int write_all(struct usb_device *d, uint8_t *bytes, size_t len)
{
        int error = set_reset(d, true);

        for (size_t at = 0; at < len && error == 0; at += FX2_PIECE_BYTES)
                error = write_memory(d, (uint16_t)at, bytes + at,
                                     len - at < FX2_PIECE_BYTES ? len - at
                                                                : FX2_PIECE_BYTES);
        if (error != 0)
                return error;
        error = set_reset(d, false);
        /* It may leave the bus before it has acknowledged. */
        return error == LIBUSB_ERROR_NO_DEVICE ? 0 : error;
}

bool fx2_firmware_load(struct usb_device *d, const struct fx2lafw_kind *kind,
                       struct link_error *why)
{
        uint8_t bytes[FX2_MEMORY_BYTES];
        size_t len = read_file(bytes, d, kind->file, why);
        int error;

        if (len == 0)
                return false;
        error = write_all(d, bytes, len);
        return error == 0 || usb_device_refuse(d, why, "%s could not be loaded: %s",
                                               kind->file, usb_error_words(error));
}
