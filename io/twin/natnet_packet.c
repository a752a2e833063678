/* Reads NatNet packets: no count is believed beyond the bytes that are there. */
#include "io/twin/natnet_packet.h"

#include <ctype.h>
#include <string.h>

#include "io/le.h"

#define SERVER_NAME 256

enum description {
        DESCRIPTION_MARKERS,
        DESCRIPTION_BODY,
        DESCRIPTION_SKELETON,
        DESCRIPTION_FORCE_PLATE,
        DESCRIPTION_DEVICE,
        DESCRIPTION_CAMERA
};

struct cursor {
        const uint8_t *at, *end;
        bool bad; /* it ran out */
};

static const uint8_t *take_bytes(struct cursor *c, size_t len)
{
        const uint8_t *at = c->at;

        if (c->bad || (size_t)(c->end - c->at) < len) {
                c->bad = true;
                return NULL;
        }
        c->at += len;
        return at;
}

static int32_t take_int(struct cursor *c)
{
        const uint8_t *p = take_bytes(c, 4);

        return p != NULL ? (int32_t)le_get_u32(p) : 0;
}

static double take_float(struct cursor *c)
{
        const uint8_t *p = take_bytes(c, 4);

        return p != NULL ? (double)le_get_f32(p) : 0.0;
}

/* How many; each takes at least so many bytes. */
static int32_t take_count(struct cursor *c, size_t each)
{
        int32_t count = take_int(c);

        if (count < 0 || (size_t)count > (size_t)(c->end - c->at) / each) {
                c->bad = true;
                return 0;
        }
        return count;
}

/* Terminated by zero; NULL: it is not. */
static const char *take_text(struct cursor *c)
{
        const uint8_t *end = c->bad ? NULL : memchr(c->at, 0, (size_t)(c->end - c->at));
        const char *text = (const char *)c->at;

        if (end == NULL) {
                c->bad = true;
                return NULL;
        }
        c->at = end + 1;
        return text;
}

static bool has_sizes(struct natnet_version v)
{
        return v.major > 4 || (v.major == 4 && v.minor > 0);
}

bool natnet_read_server(const uint8_t *body, size_t len, struct natnet_server *server)
{
        *server = (struct natnet_server){ .name = "" };
        if (len < SERVER_NAME + 8)
                return false;
        for (size_t i = 0; i + 1 < sizeof server->name && isprint(body[i]); i++)
                server->name[i] = (char)body[i];
        server->version =
                (struct natnet_version){ body[SERVER_NAME + 4], body[SERVER_NAME + 5] };
        if (len >= SERVER_NAME + 16)
                server->clock_hz = le_get_u64(body + SERVER_NAME + 8);
        return true;
}

/* Sections of a frame, each with its count read already. */
static void skip_marker_sets(struct cursor *c, int32_t count)
{
        for (int32_t i = 0; i < count && !c->bad; i++) {
                take_text(c);
                take_bytes(c, 12 * (size_t)take_count(c, 12));
        }
}

static void take_bodies(struct cursor *c, int32_t count, int32_t id,
                        struct natnet_frame *frame)
{
        for (int32_t i = 0; i < count && !c->bad; i++) {
                bool wanted = take_int(c) == id && frame != NULL;
                double v[8];
                const uint8_t *params;

                for (int k = 0; k < 8; k++) /* position, orientation, error */
                        v[k] = take_float(c);
                params = take_bytes(c, 2);
                if (!wanted || params == NULL)
                        continue;
                frame->found = true;
                frame->tracked = (params[0] & 1) != 0;
                memcpy(frame->position, v, sizeof frame->position);
                memcpy(frame->orientation, v + 3, sizeof frame->orientation);
        }
}

static void skip_skeletons(struct cursor *c, int32_t count)
{
        for (int32_t i = 0; i < count && !c->bad; i++) {
                take_int(c);
                take_bytes(c, 38 * (size_t)take_count(c, 38));
        }
}

/* Force plates and devices: channels with values each. */
static void skip_channels(struct cursor *c, int32_t count)
{
        for (int32_t i = 0; i < count && !c->bad; i++) {
                int32_t channels;

                take_int(c);
                channels = take_count(c, 4);
                for (int32_t k = 0; k < channels && !c->bad; k++)
                        take_bytes(c, 4 * (size_t)take_count(c, 4));
        }
}

enum section {
        SECTION_MARKER_SETS,
        SECTION_OTHER_MARKERS,
        SECTION_BODIES,
        SECTION_SKELETONS,
        SECTION_ASSETS, /* with sizes alone */
        SECTION_LABELED_MARKERS,
        SECTION_FORCE_PLATES,
        SECTION_DEVICES,
        SECTIONS
};

static void take_section(struct cursor *c, enum section section, int32_t count,
                         int32_t id, struct natnet_frame *frame)
{
        switch (section) {
        case SECTION_MARKER_SETS:
                skip_marker_sets(c, count);
                break;
        case SECTION_OTHER_MARKERS:
                take_bytes(c, 12 * (size_t)count);
                break;
        case SECTION_BODIES:
                frame->bodies = count;
                take_bodies(c, count, id, frame);
                break;
        case SECTION_SKELETONS:
                skip_skeletons(c, count);
                break;
        case SECTION_LABELED_MARKERS:
                take_bytes(c, 26 * (size_t)count);
                break;
        case SECTION_FORCE_PLATES:
        case SECTION_DEVICES:
                skip_channels(c, count);
                break;
        default:
                break;
        }
}

/* With sizes a section is a cursor of its own. */
static void take_sized_section(struct cursor *c, enum section section, int32_t id,
                               struct natnet_frame *frame)
{
        int32_t count = take_int(c);
        size_t size = (size_t)take_count(c, 1);
        const uint8_t *at = take_bytes(c, size);
        struct cursor inside = { at, at != NULL ? at + size : NULL, false };

        if (c->bad || count < 0)
                c->bad = true;
        else if (section == SECTION_BODIES)
                take_section(&inside, section, count, id, frame);
        c->bad |= inside.bad;
}

static void take_times(struct cursor *c, struct natnet_frame *frame)
{
        const uint8_t *p;

        take_bytes(c, 8); /* time code */
        p = take_bytes(c, 16);
        if (p == NULL)
                return;
        frame->timed = true;
        frame->software_s = le_get_f64(p);
        frame->exposure_ticks = le_get_u64(p + 8);
}

bool natnet_read_frame(const uint8_t *body, size_t len, struct natnet_version version,
                       int32_t id, struct natnet_frame *frame)
{
        static const uint8_t least[SECTIONS] = { 5, 12, 38, 8, 4, 26, 8, 8 };
        struct cursor c = { body, body + len, false };

        *frame = (struct natnet_frame){ .number = take_int(&c) };
        if (version.major < 3)
                return false;
        for (int section = 0; section < SECTIONS && !c.bad; section++) {
                if (has_sizes(version))
                        take_sized_section(&c, (enum section)section, id, frame);
                else if (section != SECTION_ASSETS)
                        take_section(&c, (enum section)section,
                                     take_count(&c, least[section]), id, frame);
        }
        take_times(&c, frame);
        return !c.bad;
}

/* One rigid body; its name, NULL: malformed. Where sizes tell its end, what follows the id, which 4.2 changed, is
 * left unread. */
static const char *take_body_description(struct cursor *c, struct natnet_version v,
                                         int32_t *id)
{
        const char *name = take_text(c);
        int32_t markers;

        *id = take_int(c);
        if (has_sizes(v))
                return c->bad ? NULL : name;
        take_bytes(c, 4 + 12); /* parent and the place in it */
        markers = take_count(c, 16);
        take_bytes(c, 16 * (size_t)markers);
        for (int32_t i = 0; v.major >= 4 && i < markers && !c->bad; i++)
                take_text(c);
        return c->bad ? NULL : name;
}

static void skip_texts(struct cursor *c)
{
        int32_t count = take_count(c, 1);

        for (int32_t i = 0; i < count && !c->bad; i++)
                take_text(c);
}

static void skip_description(struct cursor *c, int32_t type, struct natnet_version v)
{
        int32_t bodies, id;

        switch (type) {
        case DESCRIPTION_MARKERS:
                take_text(c);
                skip_texts(c);
                break;
        case DESCRIPTION_SKELETON:
                take_text(c);
                take_int(c);
                bodies = take_count(c, 25);
                for (int32_t i = 0; i < bodies && !c->bad; i++)
                        take_body_description(c, v, &id);
                break;
        case DESCRIPTION_FORCE_PLATE:
                take_int(c);
                take_text(c);
                take_bytes(c, 4 * (2 + 3 + 144 + 12) + 8);
                skip_texts(c);
                break;
        case DESCRIPTION_DEVICE:
                take_int(c);
                take_text(c);
                take_text(c);
                take_bytes(c, 8);
                skip_texts(c);
                break;
        case DESCRIPTION_CAMERA:
                take_text(c);
                take_bytes(c, 4 * 7);
                break;
        default:
                c->bad = true;
        }
}

enum natnet_search natnet_find_body(const uint8_t *body, size_t len,
                                    struct natnet_version version, const char *name,
                                    int32_t *id)
{
        struct cursor c = { body, body + len, false };
        int32_t count = take_count(&c, 4), number;

        for (int32_t i = 0; i < count && !c.bad; i++) {
                int32_t type = take_int(&c);
                struct cursor inside = c;

                if (has_sizes(version)) {
                        size_t size = (size_t)take_count(&c, 1);
                        const uint8_t *at = take_bytes(&c, size);

                        inside = (struct cursor){ at, at != NULL ? at + size : NULL,
                                                  at == NULL };
                }
                if (type == DESCRIPTION_BODY) {
                        const char *found =
                                take_body_description(&inside, version, &number);

                        if (found != NULL && strcmp(found, name) == 0) {
                                *id = number;
                                return NATNET_FOUND;
                        }
                } else if (!has_sizes(version)) {
                        skip_description(&inside, type, version);
                }
                if (!has_sizes(version))
                        c = inside;
        }
        return c.bad ? NATNET_MALFORMED : NATNET_ABSENT;
}

void natnet_write_connect(uint8_t packet[NATNET_HEAD + NATNET_CONNECT_LEN])
{
        static const uint8_t spoken[4] = { 4, 1, 0, 0 };

        memset(packet, 0, NATNET_HEAD + NATNET_CONNECT_LEN);
        le_put_u16(packet, NATNET_CONNECT);
        le_put_u16(packet + 2, NATNET_CONNECT_LEN);
        memcpy(packet + NATNET_HEAD, "Ping", 4);
        /* What it speaks, and behind "all data" what it asks for. */
        memcpy(packet + NATNET_HEAD + SERVER_NAME + 4, spoken, sizeof spoken);
        memcpy(packet + NATNET_HEAD + SERVER_NAME + 9, spoken, sizeof spoken);
}
