#include "tests/usb/model_board.h"

#include <stdio.h>
#include <string.h>

#include "io/le.h"

enum { IN_BULK = 0x81, OUT_BULK = 0x02, IN_NEWS = 0x83 };

#define PACKET 64 /* full speed */

/* USB CDC 1.2, PSTN subclass 1.2: requests of an abstract control model. */
enum {
        SET_LINE_CODING = 0x20,
        GET_LINE_CODING = 0x21,
        SET_CONTROL_LINE_STATE = 0x22,
        SEND_BREAK = 0x23
};

static const uint8_t serial_device[] = {
        18,   1,    0,    2, /* USB 2.0 */
        2,    0,    0,    64, /* communications; 64 bytes on endpoint 0 */
        0x83, 0x04, 0x40, 0x57, 0, 2, /* 0483:5740, release 2.00 */
        1,    2,    3,    1,
};

static const uint8_t bulk_device[] = {
        18, 1, 0, 2, 0, 0, 0, 64, 0x09, 0x12, 0x01, 0x00, 0, 1, 1, 2, 3, 1,
};

static const uint8_t serial_configuration[] = {
        9, 2,    67,      0,    2,      1,  0,  0x80, 50, 9,        4, 0,      0, 1,
        2, 2,    1,       0, /* communications, abstract control model, AT commands */
        5, 0x24, 0,       0x10, 1, /* CDC 1.10 */
        5, 0x24, 1,       0,    1, /* no call management, data interface 1 */
        4, 0x24, 2,       2, /* line coding and line state are known */
        5, 0x24, 6,       0,    1, /* interfaces 0 and 1 belong together */
        7, 5,    IN_NEWS, 3,    8,      0,  16, /* interrupt, 8 bytes, every 16 ms */
        9, 4,    1,       0,    2,      10, 0,  0,    0, /* data */
        7, 5,    IN_BULK, 2,    PACKET, 0,  0,  7,    5,  OUT_BULK, 2, PACKET, 0, 0,
};

static const uint8_t bulk_configuration[] = {
        9,    2, 32,      0, 1,      1, 0, 0x80, 50, 9,        4, 0,      0, 2,
        0xFF, 0, 0,       0, /* a class of the maker's own */
        7,    5, IN_BULK, 2, PACKET, 0, 0, 7,    5,  OUT_BULK, 2, PACKET, 0, 0,
};

static int board_control(struct usb_model *m, const struct usb_setup *setup,
                         uint8_t *data)
{
        struct model_board *b = (struct model_board *)m;

        if (m->device != serial_device)
                return USB_STALL;
        switch (setup->request) {
        case SET_LINE_CODING:
                if (setup->len < 7)
                        return USB_STALL;
                b->baud = le_get_u32(data);
                return 0;
        case GET_LINE_CODING:
                if (setup->len < 7)
                        return USB_STALL;
                le_put_u32(data, b->baud);
                memcpy(data + 4, (uint8_t[3]){ 0, 0, 8 }, 3); /* 1 stop bit, none, 8 */
                return 7;
        case SET_CONTROL_LINE_STATE:
                b->ready = setup->value & 1;
                return 0;
        case SEND_BREAK:
                return 0;
        default:
                return USB_STALL;
        }
}

static bool is_due(struct model_board *b, uint64_t every, uint64_t number)
{
        if (every == 0 || number % every != 0)
                return false;
        b->halts++;
        return true;
}

static int take(struct model_board *b, const uint8_t *data, size_t len)
{
        size_t room = sizeof b->bytes - b->held;
        int n;

        if (b->echo) {
                n = (int)(len < room ? len : room);
                memcpy(b->bytes + b->held, data, (size_t)n);
                b->held += (size_t)n;
        } else {
                n = link_write(b->link, data, len);
        }
        /* A flight controller that has crashed takes bytes no more, and the bus does not tell. */
        return n > 0 ? n : USB_NAK;
}

static int give(struct model_board *b, uint8_t *data, size_t cap)
{
        int n;

        if (b->echo) {
                n = (int)(cap < b->held ? cap : b->held);
                memcpy(data, b->bytes, (size_t)n);
                b->held -= (size_t)n;
                memmove(b->bytes, b->bytes + n, b->held);
        } else {
                n = link_read(b->link, data, cap);
                if (n > 0)
                        link_confirm(b->link);
        }
        return n > 0 ? n : USB_NAK;
}

static int board_out(struct usb_model *m, unsigned endpoint, const uint8_t *data,
                     size_t len)
{
        struct model_board *b = (struct model_board *)m;
        int n;

        if (endpoint != OUT_BULK)
                return USB_STALL;
        if (is_due(b, b->stall_out, b->outs + 1)) {
                b->outs++;
                return USB_STALL;
        }
        n = take(b, data, len);
        b->outs += n > 0;
        return n;
}

static int board_in(struct usb_model *m, unsigned endpoint, uint8_t *data, size_t cap)
{
        struct model_board *b = (struct model_board *)m;
        int n;

        if ((endpoint | 0x80) == IN_NEWS)
                return USB_NAK; /* there never are any */
        if (b->piece > 0 && cap > b->piece)
                cap = b->piece;
        if (is_due(b, b->stall_in, b->ins + 1)) {
                b->ins++;
                return USB_STALL;
        }
        n = give(b, data, cap);
        b->ins += n > 0;
        return n;
}

/* Over USB come power and, with it, a flight controller that starts anew. */
static bool board_plug(struct usb_model *m)
{
        struct model_board *b = (struct model_board *)m;
        struct link_error why;

        b->held = 0;
        b->ready = false;
        if (b->echo)
                return true;
        b->link = link_open(&b->spec, &why);
        if (b->link == NULL)
                fprintf(stderr, "usbip_device: %s\n", why.text);
        return b->link != NULL;
}

static void board_unplug(struct usb_model *m)
{
        struct model_board *b = (struct model_board *)m;

        if (b->link != NULL)
                link_close(b->link);
        b->link = NULL;
}

static int board_fd(struct usb_model *m)
{
        const struct model_board *b = (const struct model_board *)m;

        return b->link != NULL ? b->link->fd : -1;
}

static const struct usb_model_ops board_ops = {
        .control = board_control,
        .out = board_out,
        .in = board_in,
        .plug = board_plug,
        .unplug = board_unplug,
        .fd = board_fd,
};

void model_board_init(struct model_board *b, bool serial_port)
{
        *b = (struct model_board){
                .model = { .ops = &board_ops,
                           .speed = USB_FULL_SPEED,
                           .device = serial_port ? serial_device : bulk_device,
                           .configuration = serial_port ? serial_configuration
                                                        : bulk_configuration,
                           .strings = { NULL, "hilrig tests",
                                        serial_port ? "flight controller, serial"
                                                    : "flight controller, bulk",
                                        "HILP01" } },
                .baud = 115200,
        };
}
