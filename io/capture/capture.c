/* Reads a source of motor signals as the user wrote it, and opens one of its kind. */
#include "io/capture/capture.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "io/capture/fx2lafw.h"

/* Writes "capture "TEXT": part: must be expectation". Returns false. */
static bool refuse_part(struct link_error *why, const char *text, const char *part,
                        const char *expectation)
{
        bool is_long = strnlen(text, 61) > 60;

        why->reason = snprintf(why->text, sizeof why->text, "capture \"%.60s%s\": ", text,
                               is_long ? "..." : "");
        snprintf(why->text + why->reason, sizeof why->text - (size_t)why->reason,
                 "%s: must be %s", part, expectation);
        /* The message stays one line of text, whatever the bytes were. */
        for (char *c = why->text; *c != '\0'; c++)
                if (iscntrl((unsigned char)*c))
                        *c = '?';
        return false;
}

static bool hex4(const char *at, int *value)
{
        *value = 0;
        for (int i = 0; i < 4; i++) {
                int c = tolower((unsigned char)at[i]);

                if (!isxdigit(c))
                        return false;
                *value = *value * 16 + (c <= '9' ? c - '0' : c - 'a' + 10);
        }
        return true;
}

static bool parse_ids(struct capture_spec *spec, const char *text, const char *ids,
                      struct link_error *why)
{
        struct usb_id id;

        if (!hex4(ids, &spec->usb_vid) || ids[4] != ':' ||
            !hex4(ids + 5, &spec->usb_pid) || ids[9] != '\0')
                return refuse_part(why, text, "USB ids",
                                   "four hexadecimal digits each, such as 0925:3881");
        id = (struct usb_id){ (uint16_t)spec->usb_vid, (uint16_t)spec->usb_pid };
        return fx2lafw_kind_find(id) != NULL ||
               refuse_part(why, text, "USB ids",
                           "0925:3881, 08a9:0014, 04b4:8613 or 1d50:608c");
}

static bool parse_fx2(struct capture_spec *spec, const char *text, const char *rest,
                      struct link_error *why)
{
        if (rest == NULL)
                return true;
        if (strchr(rest, ':') != NULL)
                return parse_ids(spec, text, rest, why);
        if (!usb_bus_path_valid(rest))
                return refuse_part(why, text, "bus path", "such as 1-4 or 1-4.2");
        strcpy(spec->bus_path, rest);
        return true;
}

static bool parse_board(struct capture_spec *spec, const char *text, const char *rest,
                        struct link_error *why)
{
        if (rest == NULL || rest[0] == '\0')
                return refuse_part(why, text, "form",
                                   "board:LINK, such as board:uart:/dev/ttyACM1@921600");
        return link_spec_parse(&spec->link, rest, why);
}

static bool parse_sr(struct capture_spec *spec, const char *text, const char *rest,
                     struct link_error *why)
{
        if (rest == NULL || rest[0] == '\0')
                return refuse_part(why, text, "form", "sr:FILE.sr");
        /* It fits: no longer than the text. */
        snprintf(spec->path, sizeof spec->path, "%s", rest);
        return true;
}

static const struct {
        const char *name;
        enum capture_kind kind;
        bool (*parse)(struct capture_spec *spec, const char *text, const char *rest,
                      struct link_error *why);
        struct capture *(*open)(const struct capture_spec *spec, struct link_error *why);
} kinds[] = {
        { "fx2", CAPTURE_FX2, parse_fx2, capture_fx2_open },
        { "board", CAPTURE_BOARD, parse_board, capture_board_open },
        { "sr", CAPTURE_SR, parse_sr, capture_sr_open },
};

#define KINDS (sizeof kinds / sizeof kinds[0])

bool capture_spec_parse(struct capture_spec *spec, const char *text,
                        struct link_error *why)
{
        size_t len = strnlen(text, LINK_TEXT_MAX + 1), name = strcspn(text, ":");

        *spec = (struct capture_spec){ .usb_vid = -1, .usb_pid = -1 };
        if (len > LINK_TEXT_MAX)
                return refuse_part(why, text, "length", "at most 159 characters");
        for (size_t i = 0; i < len; i++)
                if (iscntrl((unsigned char)text[i]))
                        return refuse_part(why, text, "text",
                                           "free of control characters");
        for (size_t i = 0; i < KINDS; i++)
                if (strlen(kinds[i].name) == name &&
                    memcmp(kinds[i].name, text, name) == 0) {
                        spec->kind = kinds[i].kind;
                        return kinds[i].parse(spec, text,
                                              text[name] == ':' ? text + name + 1 : NULL,
                                              why);
                }
        return refuse_part(why, text, "kind", "fx2, board or sr");
}

struct capture *capture_open(const struct capture_spec *spec, struct link_error *why)
{
        for (size_t i = 0; i < KINDS; i++)
                if (kinds[i].kind == spec->kind)
                        return kinds[i].open(spec, why);
        snprintf(why->text, sizeof why->text, "capture: unknown kind %d",
                 (int)spec->kind);
        return NULL;
}
