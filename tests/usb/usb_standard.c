/* The requests that every USB device answers, from its descriptors (USB 2.0, 9.4). */
#include <string.h>

#include "io/le.h"
#include "tests/usb/usb_model.h"

enum {
        GET_STATUS = 0,
        CLEAR_FEATURE = 1,
        SET_FEATURE = 3,
        GET_DESCRIPTOR = 6,
        GET_CONFIGURATION = 8,
        SET_CONFIGURATION = 9,
        GET_INTERFACE = 10,
        SET_INTERFACE = 11
};

enum { DEVICE = 1, CONFIGURATION = 2, STRING = 3 };

#define TO_ENDPOINT 2 /* the recipient, in the type's low five bits */
#define US_ENGLISH  0x0409

static int give(const struct usb_setup *setup, uint8_t *data, const void *bytes,
                size_t len)
{
        size_t given = len < setup->len ? len : setup->len;

        memcpy(data, bytes, given);
        return (int)given;
}

static int give_string(const struct usb_model *m, const struct usb_setup *setup,
                       uint8_t *data)
{
        unsigned index = setup->value & 0xFF;
        uint8_t text[2 + 2 * 126] = { 4, STRING, US_ENGLISH & 0xFF, US_ENGLISH >> 8 };
        size_t len = 4;

        if (index >= sizeof m->strings / sizeof *m->strings ||
            (index > 0 && m->strings[index] == NULL))
                return USB_STALL;
        if (index > 0) {
                len = 2;
                for (const char *c = m->strings[index]; *c != '\0' && len < 254; c++) {
                        le_put_u16(text + len, (uint8_t)*c);
                        len += 2;
                }
                text[0] = (uint8_t)len;
        }
        return give(setup, data, text, len);
}

static int give_descriptor(const struct usb_model *m, const struct usb_setup *setup,
                           uint8_t *data)
{
        switch (setup->value >> 8) {
        case DEVICE:
                return give(setup, data, m->device, m->device[0]);
        case CONFIGURATION:
                return give(setup, data, m->configuration,
                            le_get_u16(m->configuration + 2));
        case STRING:
                return give_string(m, setup, data);
        default: /* among them the qualifier, of a device that has one speed */
                return USB_STALL;
        }
}

static void set_halt(struct usb_model *m, const struct usb_setup *setup, bool on)
{
        uint32_t bit = usb_halt_bit(setup->index & 0x0F, setup->index & 0x80);

        if ((setup->type & 0x1F) != TO_ENDPOINT || setup->value != 0)
                return;
        m->halted = on ? m->halted | bit : m->halted & ~bit;
}

static int give_status(const struct usb_model *m, const struct usb_setup *setup,
                       uint8_t *data)
{
        uint8_t status[2] = { 0 };

        if ((setup->type & 0x1F) == TO_ENDPOINT)
                status[0] = (m->halted &
                             usb_halt_bit(setup->index & 0x0F, setup->index & 0x80)) != 0;
        return give(setup, data, status, sizeof status);
}

void usb_standard_reset(struct usb_model *m)
{
        m->configured = 0;
        m->halted = 0;
        m->replaced = false;
}

int usb_standard_control(struct usb_model *m, const struct usb_setup *setup,
                         uint8_t *data)
{
        static const uint8_t first_alternate = 0;

        if ((setup->type & 0x60) != 0)
                return m->ops->control(m, setup, data);
        switch (setup->request) {
        case GET_STATUS:
                return give_status(m, setup, data);
        case GET_DESCRIPTOR:
                return give_descriptor(m, setup, data);
        case GET_CONFIGURATION:
                return give(setup, data, &m->configured, 1);
        case GET_INTERFACE:
                return give(setup, data, &first_alternate, 1);
        case SET_CONFIGURATION:
                m->configured = (uint8_t)setup->value;
                m->halted = 0;
                return 0;
        case SET_INTERFACE:
                return setup->value == 0 ? 0 : USB_STALL;
        case CLEAR_FEATURE:
        case SET_FEATURE:
                set_halt(m, setup, setup->request == SET_FEATURE);
                return 0;
        default:
                return USB_STALL;
        }
}
