/* ArduPilot's packets seen from outside the conversation: where one ends and what it is. */
#include <string.h>

#include "io/codec/ardupilot/ardupilot.h"
#include "io/le.h"

enum { SENSORS, SERVOS, MAVLINK };

const char *const codec_ardupilot_frame_names[] = {
        [SENSORS] = "sensors", [SERVOS] = "servos", [MAVLINK] = "mavlink", NULL
};

static bool begins_frame(const uint8_t *bytes, size_t len)
{
        if (bytes[0] == '{' || bytes[0] == 0xFD || bytes[0] == 0xFE)
                return true;
        if (bytes[0] != (ARDUPILOT_MAGIC_16 & 0xFF) &&
            bytes[0] != (ARDUPILOT_MAGIC_32 & 0xFF))
                return false;
        if (len < 2)
                return true;
        return le_get_u16(bytes) == ARDUPILOT_MAGIC_16 ||
               le_get_u16(bytes) == ARDUPILOT_MAGIC_32;
}

/* Up to where the next may begin. */
static size_t skip(const uint8_t *bytes, size_t len)
{
        size_t n = 1;

        while (n < len && !begins_frame(bytes + n, len - n))
                n++;
        return n;
}

/* The number behind the last key. */
static uint32_t number_of(const uint8_t *text, size_t len)
{
        uint32_t number = 0, digit = 1;

        while (len > 0 && (text[len - 1] < '0' || text[len - 1] > '9'))
                len--;
        for (; len > 0 && text[len - 1] >= '0' && text[len - 1] <= '9'; len--) {
                number += (uint32_t)(text[len - 1] - '0') * digit;
                digit *= 10;
        }
        return number;
}

static size_t find_text(const uint8_t *bytes, size_t len, struct codec_frame *frame)
{
        const uint8_t *end = memchr(bytes, '\n', len);

        if (end == NULL)
                return len > PACKET_MAX ? skip(bytes, len) : 0;
        len = (size_t)(end - bytes) + 1;
        if (len > PACKET_MAX)
                return skip(bytes, len);
        frame->type = SENSORS;
        frame->asks = true;
        frame->number = number_of(bytes, len);
        return len;
}

static size_t find_servos(const uint8_t *bytes, size_t len, struct codec_frame *frame)
{
        size_t whole = le_get_u16(bytes) == ARDUPILOT_MAGIC_16 ? ARDUPILOT_BYTES_16
                                                               : ARDUPILOT_BYTES_32;

        if (len < whole)
                return 0;
        frame->type = SERVOS;
        frame->answers = true;
        frame->number = le_get_u32(bytes + 4);
        return whole;
}

static size_t find_mavlink(const uint8_t *bytes, size_t len, struct codec_frame *frame)
{
        struct mavlink_frame message;
        enum mavlink_found found;
        size_t n = mavlink_find(bytes, len, &message, &found);

        if (found == MAVLINK_FRAME || found == MAVLINK_UNKNOWN) {
                frame->type = MAVLINK;
                frame->unpaced = true;
        }
        return n;
}

/* A sensor frame begins with the end of a line; both are one write. */
size_t codec_ardupilot_frame_find(const uint8_t *bytes, size_t len,
                                  struct codec_frame *frame)
{
        size_t n;

        *frame = (struct codec_frame){ .type = -1 };
        if (len == 0)
                return 0;
        if (bytes[0] == '\n' && len > 1 && bytes[1] == '{') {
                n = find_text(bytes + 1, len - 1, frame);
                return n > 0 ? n + 1 : 0;
        }
        if (bytes[0] == '\n' && len == 1)
                return 0;
        if (!begins_frame(bytes, len))
                return skip(bytes, len);
        if (bytes[0] == '{')
                return find_text(bytes, len, frame);
        if (bytes[0] == 0xFD || bytes[0] == 0xFE)
                return find_mavlink(bytes, len, frame);
        return len < 2 ? 0 : find_servos(bytes, len, frame);
}
