/* `hilrig ports`: finds what is plugged in, says what it could be, and how to write it as a link. */
#include "hil/attached/ports_scan.h"

#include <string.h>

#include "io/capture/fx2lafw.h"
#include "io/joystick/joystick.h"
#include "io/link/link_uart.h"

#define ANY_PRODUCT (-1)

static const struct {
        int vid, pid;
        const char *guess;
} known[] = {
        /* Analyzers that sigrok's fx2lafw firmware drives, by their first names and its own. */
        { 0x0925, 0x3881, "logic analyzer (fx2lafw, Saleae Logic kind)" },
        { 0x08a9, 0x0014, "logic analyzer (fx2lafw, CWAV USBee AX kind)" },
        { 0x04b4, 0x8613, "logic analyzer (fx2lafw, bare Cypress FX2)" },
        { 0x1d50, 0x608c, "logic analyzer (fx2lafw, firmware loaded)" },
        /* Boards, by their vendors' and firmwares' ids. */
        { 0x0483, 0x5740, "flight controller (STM32 virtual COM port)" },
        { 0x0483, 0xdf11, "flight controller in its boot loader (STM32 DFU)" },
        { 0x2e3c, 0x5740, "flight controller (AT32 virtual COM port)" },
        { 0x1209, 0x5740, "flight controller (ArduPilot)" },
        { 0x1209, 0x5741, "flight controller (ArduPilot)" },
        { 0x1fc9, 0x001c, "flight controller (PX4, NXP FMUK66)" },
        { 0x26ac, ANY_PRODUCT, "flight controller (PX4, 3D Robotics)" },
        { 0x2dae, ANY_PRODUCT, "flight controller (CubePilot)" },
        { 0x3162, ANY_PRODUCT, "flight controller (Holybro)" },
        { 0x3163, ANY_PRODUCT, "flight controller (CUAV)" },
        { 0x3185, ANY_PRODUCT, "flight controller (PX4, Auterion or ARK)" },
        /* Bridges, behind which anything may be. */
        { 0x0403, 0x6001, "USB-UART bridge (FTDI FT232R)" },
        { 0x0403, 0x6010, "USB-UART bridge (FTDI FT2232)" },
        { 0x0403, 0x6011, "USB-UART bridge (FTDI FT4232)" },
        { 0x0403, 0x6014, "USB-UART bridge (FTDI FT232H)" },
        { 0x0403, 0x6015, "USB-UART bridge (FTDI FT-X)" },
        { 0x10c4, 0xea60, "USB-UART bridge (CP210x)" },
        { 0x1a86, 0x7523, "USB-UART bridge (CH340)" },
};

const char *ports_guess(int usb_vid, int usb_pid)
{
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
                if (known[i].vid == usb_vid &&
                    (known[i].pid == usb_pid || known[i].pid == ANY_PRODUCT))
                        return known[i].guess;
        return NULL;
}

/* A serial port can be used whatever it is; its guess is never empty. */
static const char *guess_of(const struct port *p)
{
        const char *guess = ports_guess(p->usb_vid, p->usb_pid);

        if (p->joystick)
                return "joystick, gamepad or radio in joystick mode";
        if (guess != NULL)
                return guess;
        if (!p->serial)
                return "USB device with bulk endpoints of its own";
        return p->usb_vid >= 0 ? "USB serial port" : "built-in serial port";
}

static int list_serial(struct port *ports, int max)
{
        struct link_uart_port found[SCAN_PORTS_MAX];
        int count = link_uart_list(found, max < SCAN_PORTS_MAX ? max : SCAN_PORTS_MAX);

        for (int i = 0; i < count; i++) {
                const struct link_uart_port *f = &found[i];
                struct port *p = &ports[i];

                *p = (struct port){ .serial = true,
                                    .usb_vid = f->usb_vid,
                                    .usb_pid = f->usb_pid };
                memcpy(p->path, f->path, sizeof p->path);
                memcpy(p->usb_serial, f->usb_serial, sizeof p->usb_serial);
                memcpy(p->manufacturer, f->manufacturer, sizeof p->manufacturer);
                memcpy(p->product, f->product, sizeof p->product);
        }
        return count;
}

/* Is it listed already, as the serial port that its driver made of it? A serial number that could
 * not be read is no difference. */
static bool has_serial_port(const struct port *usb, const struct port *ports, int count)
{
        for (int i = 0; i < count; i++)
                if (ports[i].serial && ports[i].usb_vid == usb->usb_vid &&
                    ports[i].usb_pid == usb->usb_pid &&
                    (usb->usb_serial[0] == '\0' ||
                     strcmp(ports[i].usb_serial, usb->usb_serial) == 0))
                        return true;
        return false;
}

static int add_joysticks(struct port *ports, int count, int max, bool *denied)
{
        struct joystick_found found[SCAN_PORTS_MAX];
        int joysticks = joystick_list(found, SCAN_PORTS_MAX, denied);

        for (int i = 0; i < joysticks && count < max; i++) {
                struct port *p = &ports[count++];

                *p = (struct port){ .joystick = true,
                                    .usb_vid = found[i].vendor,
                                    .usb_pid = found[i].product };
                snprintf(p->path, sizeof p->path, "%s", found[i].path);
                snprintf(p->product, sizeof p->product, "%.63s", found[i].name);
        }
        return count;
}

static int add_usb(struct port *ports, int count, int max)
{
        struct port found[SCAN_PORTS_MAX];
        int devices = ports_list_usb(found, SCAN_PORTS_MAX), serial = count;

        for (int i = 0; i < devices && count < max; i++)
                if ((found[i].bulk ||
                     ports_guess(found[i].usb_vid, found[i].usb_pid) != NULL) &&
                    !has_serial_port(&found[i], ports, serial))
                        ports[count++] = found[i];
        return count;
}

/* A device's own words go to a terminal or into JSON: no byte of them may act there. */
static void put_text(FILE *out, const char *text)
{
        for (; *text != '\0'; text++) {
                bool plain =
                        *text >= ' ' && *text <= '~' && *text != '"' && *text != '\\';

                fputc(plain ? *text : '?', out);
        }
}

/* How it is written where it is used: link or source of a capture, "" where it is neither. */
static void name_uses(const struct port *p, char link[128], char capture[128])
{
        const struct usb_id usb = { (uint16_t)p->usb_vid, (uint16_t)p->usb_pid };

        link[0] = capture[0] = '\0';
        if (p->serial)
                snprintf(link, 128, "uart:%s@115200", p->path);
        else if (p->joystick)
                return;
        else if (fx2lafw_kind_find(usb) != NULL)
                snprintf(capture, 128, "fx2:%s", p->path + 4);
        else if (p->bulk)
                snprintf(link, 128, "usb:%s", p->path + 4);
}

static void write_line(FILE *out, const struct port *p)
{
        char link[128], capture[128];

        name_uses(p, link, capture);
        fprintf(out, "%-14s ", p->path);
        if (p->usb_vid >= 0) {
                fprintf(out, "%04x:%04x", (unsigned)p->usb_vid, (unsigned)p->usb_pid);
                fputs(p->usb_serial[0] != '\0' ? ":" : "", out);
                put_text(out, p->usb_serial);
                fputs("  ", out);
        }
        fputs(guess_of(p), out);
        if (!p->serial && (link[0] != '\0' || capture[0] != '\0'))
                fprintf(out, " as %s%s", link, capture);
        if (p->manufacturer[0] != '\0' || p->product[0] != '\0') {
                fputs("  ", out);
                put_text(out, p->manufacturer);
                fputs(p->manufacturer[0] != '\0' && p->product[0] != '\0' ? " " : "",
                      out);
                put_text(out, p->product);
        }
        fputc('\n', out);
}

/* A string, or null when it is empty. */
static void write_member(FILE *out, const char *key, const char *text)
{
        fprintf(out, ", \"%s\": ", key);
        if (text[0] == '\0') {
                fputs("null", out);
                return;
        }
        fputc('"', out);
        put_text(out, text);
        fputc('"', out);
}

static void write_object(FILE *out, const struct port *p)
{
        char id[24] = "", link[128], capture[128];

        if (p->usb_vid >= 0)
                snprintf(id, sizeof id, "%04x:%04x", (unsigned)p->usb_vid,
                         (unsigned)p->usb_pid);
        name_uses(p, link, capture);
        fprintf(out, "{\"kind\": \"%s\"",
                p->serial     ? "serial"
                : p->joystick ? "joystick"
                              : "usb");
        write_member(out, "path", p->path);
        write_member(out, "usb", id);
        write_member(out, "serial", p->usb_serial);
        write_member(out, "manufacturer", p->manufacturer);
        write_member(out, "product", p->product);
        write_member(out, "guess", guess_of(p));
        write_member(out, "link", link);
        write_member(out, "capture", capture);
        fputc('}', out);
}

void ports_write(FILE *out, bool json, const struct port *ports, int count)
{
        if (json) {
                fputs("{\"ports\": [", out);
                for (int i = 0; i < count; i++) {
                        fputs(i > 0 ? ", " : "", out);
                        write_object(out, &ports[i]);
                }
                fputs("]}\n", out);
                return;
        }
        if (count == 0)
                fputs("no serial or USB devices and no joysticks found\n", out);
        for (int i = 0; i < count; i++)
                write_line(out, &ports[i]);
}

int ports_print(FILE *out, bool json)
{
        struct port ports[3 * SCAN_PORTS_MAX];
        int count = list_serial(ports, SCAN_PORTS_MAX);
        bool denied;

        count = add_usb(ports, count, 2 * SCAN_PORTS_MAX);
        count = add_joysticks(ports, count, 3 * SCAN_PORTS_MAX, &denied);
        ports_write(out, json, ports, count);
        if (denied && !json)
                fputs("input devices that may not be read are not listed: members of the "
                      "group \"input\" may\n",
                      out);
        return 0;
}
