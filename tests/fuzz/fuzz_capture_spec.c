/* Any text as a source of motor signals: it is refused in one line, or every field is inside its bounds. */
#include "io/capture/capture.h"
#include "io/capture/fx2lafw.h"
#include "tests/fuzz/fuzz.h"

static void check_reason(const struct link_error *why)
{
        check_text(why->text, sizeof why->text);
        expect(strchr(why->text, '\n') == NULL);
        expect(why->reason > 0 && (size_t)why->reason < strlen(why->text));
}

static void check_spec(const struct capture_spec *s)
{
        const struct usb_id id = { (uint16_t)s->usb_vid, (uint16_t)s->usb_pid };

        expect(s->bus_path[0] == '\0' || usb_bus_path_valid(s->bus_path));
        expect(s->usb_vid == -1 || fx2lafw_kind_find(id) != NULL);
        expect(strnlen(s->path, sizeof s->path) < sizeof s->path);
        expect((s->kind == CAPTURE_SR) == (s->path[0] != '\0'));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
        char *text = malloc(len + 1);
        struct capture_spec spec;
        struct link_error why = { "" };

        if (text == NULL)
                return 0;
        if (len > 0)
                memcpy(text, bytes, len);
        text[len] = '\0';
        if (capture_spec_parse(&spec, text, &why))
                check_spec(&spec);
        else
                check_reason(&why);
        free(text);
        return 0;
}
