/* Any text as a link: it is refused in one line, or every field is inside its bounds. */
#include <arpa/inet.h>

#include "io/link/link.h"
#include "io/link/usb_device.h"
#include "tests/fuzz/fuzz.h"

static void check_reason(const struct link_error *why)
{
        check_text(why->text, sizeof why->text);
        expect(strchr(why->text, '\n') == NULL);
        expect(why->reason > 0 && (size_t)why->reason < strlen(why->text));
}

static void check_spec(const struct link_spec *s)
{
        struct in_addr address;
        bool on_usb = s->usb_vid >= 0;

        expect(strnlen(s->path, sizeof s->path) < sizeof s->path);
        expect(strnlen(s->usb_serial, sizeof s->usb_serial) < sizeof s->usb_serial);
        switch (s->kind) {
        case LINK_UART:
                expect(s->baud >= 1 && s->baud <= 12000000);
                expect(on_usb ? s->path[0] == '\0' : s->path[0] == '/');
                expect(s->data_bits >= 5 && s->data_bits <= 8);
                expect(s->stop_bits >= 1 && s->stop_bits <= 2);
                expect(s->usb_vid <= 0xffff && s->usb_pid <= 0xffff);
                break;
        case LINK_USB:
                expect(on_usb == (s->path[0] == '\0'));
                expect(on_usb || usb_bus_path_valid(s->path));
                expect(s->usb_vid <= 0xffff && s->usb_pid <= 0xffff);
                break;
        case LINK_PTY_LINK:
                expect(s->path[0] == '/');
                break;
        case LINK_INSIDE:
        case LINK_PTY:
                expect(s->path[0] == '\0' || s->path[0] == '/');
                break;
        case LINK_SOCKETCAN:
        case LINK_UNIX:
        case LINK_UNIX_LISTEN:
                expect(s->path[0] != '\0');
                break;
        case LINK_TCP:
        case LINK_TCP_LISTEN:
        case LINK_UDP:
        case LINK_UDP_LISTEN:
        case LINK_UDP_MULTICAST:
                expect(s->port != 0 && inet_pton(AF_INET, s->host, &address) == 1);
                break;
        }
}

/* On a device's line: with its framing, or refused. */
static void check_line(const char *text)
{
        const struct link_line sbus = { 100000, "8E2" };
        struct link_spec spec;
        struct link_error why = { "" };

        if (!link_spec_parse_line(&spec, text, &sbus, &why)) {
                check_reason(&why);
                return;
        }
        check_spec(&spec);
        expect(spec.kind != LINK_UART || (spec.data_bits == 8 && spec.stop_bits == 2 &&
                                          spec.parity == LINK_PARITY_EVEN));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
        char *text = malloc(len + 1);
        struct link_spec spec;
        struct link_error why = { "" };

        if (text == NULL)
                return 0;
        if (len > 0)
                memcpy(text, bytes, len);
        text[len] = '\0';
        if (link_spec_parse(&spec, text, &why))
                check_spec(&spec);
        else
                check_reason(&why);
        check_line(text);
        free(text);
        return 0;
}
