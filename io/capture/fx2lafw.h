/* Facts about analyzers on a Cypress FX2LP that run sigrok's fx2lafw firmware: ids, files,
 * requests, rates. No input or output.
 *
 * Sources: sigrok-firmware-fx2lafw 0.1.7, include/command.h and gpif-acquisition.c; the FX2LP
 * technical reference manual (Cypress 001-13670), 3.4, for loading; ids and files as in libsigrok,
 * src/hardware/fx2lafw/api.c. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "io/link/usb_device.h"

/* Vendor requests. */
#define FX2_WRITE_MEMORY    0xA0 /* of the chip itself: wValue is the address */
#define FX2LAFW_GET_VERSION 0xB0 /* 2 bytes: major, minor */
#define FX2LAFW_START                                                                    \
        0xB1 /* 3 bytes: clock (0x40: 48 MHz), divider - 1, high byte first */

#define FX2_CPUCS        0xE600 /* bit 0: the processor is held in reset */
#define FX2_MEMORY_BYTES 0x4000
#define FX2_PIECE_BYTES  4096 /* of firmware per request */

#define FX2LAFW_ENDPOINT 0x82
#define FX2LAFW_PACKET   512 /* it sends only full ones */
#define FX2LAFW_PADS     8
#define FX2LAFW_MAJOR    1

/* 48 MHz or 30 MHz is divided by an integer of at most this: the firmware silently ignores a start
 * command whose high byte is 6 or more. */
#define FX2LAFW_DIVIDER_MIN 2
#define FX2LAFW_DIVIDER_MAX 1536
#define FX2LAFW_RATE_MAX_HZ 24e6
/* The same as text. */
#define FX2LAFW_RATES                                                                    \
        "48 MHz or 30 MHz divided by a whole number of 2 to 1536, 24 MHz at most"

struct fx2lafw_kind {
        struct usb_id id; /* with and without the firmware */
        const char *file; /* of the firmware */
};

#define FX2LAFW_KINDS 4
extern const struct fx2lafw_kind fx2lafw_kinds[FX2LAFW_KINDS];

/* NULL: none of these. */
const struct fx2lafw_kind *fx2lafw_kind_find(struct usb_id id);

/* The start command for a sampling rate. False: not possible; nearest_hz is the nearest possible
 * rate. */
bool fx2lafw_start_encode(uint8_t command[3], double rate_hz, double *nearest_hz);

/* Bytes of a transfer at that rate: about 170 us of samples, whole packets, 512 to 4096. */
int fx2lafw_transfer_bytes(double rate_hz);
