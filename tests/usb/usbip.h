/* The messages by which Linux's vhci_hcd hands the transfers of a USB port to a program at the other end of
 * a stream socket, and takes back what became of them. Each begins with 48 bytes, big-endian; behind a submit
 * to an OUT endpoint, and behind the answer to one from an IN endpoint, stands the data. Bytes in, structs out;
 * isochronous transfers are refused.
 *
 * Source: Linux, Documentation/usb/usbip_protocol.rst, USBIP_CMD_SUBMIT and following. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define USBIP_HEADER   48
#define USBIP_DATA_MAX 65536 /* of one transfer, either way */

enum usbip_command {
        USBIP_SUBMIT = 1,
        USBIP_UNLINK = 2,
        USBIP_SUBMITTED = 3, /* the answers */
        USBIP_UNLINKED = 4
};

struct usbip_request {
        enum usbip_command command; /* USBIP_SUBMIT or USBIP_UNLINK */
        uint32_t seqnum; /* its own number, by which it is answered */
        uint32_t devid; /* as it was written to `attach` */
        uint32_t unlinks; /* unlink: the seqnum of the submit to take back */
        /* Submit */
        bool in; /* the device sends */
        unsigned endpoint; /* 0 to 15, without the direction */
        size_t len; /* bytes to be moved, to USBIP_DATA_MAX */
        uint32_t packets; /* 0 or ~0: not isochronous; goes back as it came */
        uint8_t setup[8]; /* endpoint 0 alone */
};

static inline uint32_t usbip_get_u32(const uint8_t *p)
{
        return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline void usbip_put_u32(uint8_t *p, uint32_t v)
{
        for (int i = 0; i < 4; i++)
                p[i] = (uint8_t)(v >> (24 - 8 * i));
}

/* How many bytes stand behind this request's header. */
static inline size_t usbip_data_behind(const struct usbip_request *r)
{
        return r->command == USBIP_SUBMIT && !r->in ? r->len : 0;
}

static inline bool usbip_decode_submit(struct usbip_request *r,
                                       const uint8_t bytes[USBIP_HEADER])
{
        uint32_t direction = usbip_get_u32(bytes + 12);

        r->in = direction == 1;
        r->endpoint = usbip_get_u32(bytes + 16);
        r->len = usbip_get_u32(bytes + 24);
        r->packets = usbip_get_u32(bytes + 32);
        memcpy(r->setup, bytes + 40, sizeof r->setup);
        return direction <= 1 && r->endpoint <= 15 && r->len <= USBIP_DATA_MAX &&
               (r->packets == 0 || r->packets == UINT32_MAX);
}

/* False: not a request that this file knows; the stream cannot be read any further. */
static inline bool usbip_decode(struct usbip_request *r,
                                const uint8_t bytes[USBIP_HEADER])
{
        uint32_t command = usbip_get_u32(bytes);

        *r = (struct usbip_request){ .seqnum = usbip_get_u32(bytes + 4),
                                     .devid = usbip_get_u32(bytes + 8) };
        if (command == USBIP_SUBMIT) {
                r->command = USBIP_SUBMIT;
                return usbip_decode_submit(r, bytes);
        }
        r->command = USBIP_UNLINK;
        r->unlinks = usbip_get_u32(bytes + 20);
        return command == USBIP_UNLINK;
}

/* What became of a submit: 0 or a negative errno, and how many bytes were moved. From an IN endpoint these
 * follow the header. */
static inline void usbip_encode_submitted(uint8_t bytes[USBIP_HEADER],
                                          const struct usbip_request *r, int status,
                                          size_t moved)
{
        memset(bytes, 0, USBIP_HEADER);
        usbip_put_u32(bytes, USBIP_SUBMITTED);
        usbip_put_u32(bytes + 4, r->seqnum);
        usbip_put_u32(bytes + 20, (uint32_t)status);
        usbip_put_u32(bytes + 24, (uint32_t)moved);
        usbip_put_u32(bytes + 32, r->packets);
}

/* -ECONNRESET: the submit will not be answered any more; 0: it has been already. */
static inline void usbip_encode_unlinked(uint8_t bytes[USBIP_HEADER],
                                         const struct usbip_request *r, int status)
{
        memset(bytes, 0, USBIP_HEADER);
        usbip_put_u32(bytes, USBIP_UNLINKED);
        usbip_put_u32(bytes + 4, r->seqnum);
        usbip_put_u32(bytes + 20, (uint32_t)status);
}
