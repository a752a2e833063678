/* CAN frames as lines of text: what a serial CAN adapter is told and says. */
#include "io/can/can.h"

#include <string.h>

#define STAMP_DIGITS 4
#define LINE_MOST    (SLCAN_LINE_MAX + STAMP_DIGITS)

static size_t put_hex(char *out, uint32_t value, int digits)
{
        for (int i = 0; i < digits; i++)
                out[i] = "0123456789ABCDEF"[value >> (4 * (digits - 1 - i)) & 15];
        return (size_t)digits;
}

/* -1: not all of them are digits. */
static int64_t hex_value(const uint8_t *text, int digits)
{
        int64_t value = 0;

        for (int i = 0; i < digits; i++) {
                int c = text[i], d = -1;

                if (c >= '0' && c <= '9')
                        d = c - '0';
                else if ((c | 32) >= 'a' && (c | 32) <= 'f')
                        d = (c | 32) - 'a' + 10;
                if (d < 0)
                        return -1;
                value = value * 16 + d;
        }
        return value;
}

size_t slcan_encode(const struct can_frame *frame, char line[SLCAN_LINE_MAX])
{
        size_t n = 0;

        line[n++] = 'T';
        n += put_hex(line + n, frame->id & CAN_ID_MASK, 8);
        n += put_hex(line + n, frame->len, 1);
        for (int i = 0; i < frame->len; i++)
                n += put_hex(line + n, frame->data[i], 2);
        line[n++] = '\r';
        return n;
}

/* The line without its CR. */
static enum slcan_found read_frame(const uint8_t *line, size_t len,
                                   struct can_frame *frame)
{
        int64_t id = len >= 10 ? hex_value(line + 1, 8) : -1;
        int size = len >= 10 ? line[9] - '0' : -1;

        if (id < 0 || id > CAN_ID_MASK || size < 0 || size > CAN_DATA_MAX ||
            (len != 10 + 2 * (size_t)size && len != 10 + 2 * (size_t)size + STAMP_DIGITS))
                return SLCAN_NOISE;
        *frame = (struct can_frame){ .id = (uint32_t)id, .len = (uint8_t)size };
        for (int i = 0; i < size; i++) {
                int64_t byte = hex_value(line + 10 + 2 * i, 2);

                if (byte < 0)
                        return SLCAN_NOISE;
                frame->data[i] = (uint8_t)byte;
        }
        return SLCAN_FRAME;
}

static enum slcan_found read_line(const uint8_t *line, size_t len,
                                  struct can_frame *frame)
{
        if (len > 0 && line[0] == 'T')
                return read_frame(line, len, frame);
        /* CR alone, z, Z: done; t, r, R: frames that DroneCAN does not have; V, N, F: answers. */
        return len == 0 || strchr("zZtrRVNF", line[0]) != NULL ? SLCAN_OTHER
                                                               : SLCAN_NOISE;
}

size_t slcan_find(const uint8_t *bytes, size_t len, struct can_frame *frame,
                  enum slcan_found *found)
{
        size_t end = 0;

        while (end < len && end < LINE_MOST && bytes[end] != '\r' && bytes[end] != '\a')
                end++;
        if (end == LINE_MOST) {
                *found = SLCAN_NOISE;
                return end;
        }
        if (end == len) {
                *found = SLCAN_INCOMPLETE;
                return 0;
        }
        *found = bytes[end] == '\a' ? SLCAN_REFUSED : read_line(bytes, end, frame);
        return end + 1;
}
