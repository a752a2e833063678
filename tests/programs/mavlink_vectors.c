/* Random MAVLink messages for an implementation that is not ours to compare:
 *
 *   mavlink_vectors write [messages] [seed]   a line each: the frame in hexadecimal, then JSON
 *   mavlink_vectors read                      frames from stdin, a line of JSON for each
 *
 * 64-bit integers are strings, since JSON's readers round them. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/codec/mavlink_messages.h"
#include "tests/io/codec/hilp/hilp_random.h"

/* A struct of any message. */
union values {
        uint8_t bytes[512];
        uint64_t aligned;
};

static size_t elements(const struct mavlink_field *f)
{
        return f->count > 0 ? f->count : 1;
}

static void random_float(struct dice *d, uint8_t *to)
{
        float v;

        do {
                uint32_t bits = dice_u32(d);

                memcpy(&v, &bits, sizeof v);
        } while (!isfinite(v));
        memcpy(to, &v, sizeof v);
}

static void random_text(struct dice *d, uint8_t *to, size_t room)
{
        size_t len = dice_below(d, (uint32_t)room + 1);

        for (size_t i = 0; i < len; i++)
                to[i] = (uint8_t)('0' + dice_below(d, 43)); /* to 'Z' */
}

static void random_field(struct dice *d, const struct mavlink_field *f, uint8_t *to)
{
        size_t size = mavlink_type_size(f->type);

        if (f->type == MAVLINK_CHAR) {
                random_text(d, to, elements(f));
                return;
        }
        for (size_t n = 0; n < elements(f); n++, to += size) {
                uint64_t bits = dice_roll(d);

                if (f->type == MAVLINK_FLOAT)
                        random_float(d, to);
                else if (dice_below(d, 4) > 0) /* else it stays 0 */
                        memcpy(to, &bits, size);
        }
}

static void print_element(enum mavlink_type type, const void *p)
{
        switch (type) {
        case MAVLINK_CHAR:
                break;
        case MAVLINK_U8:
                printf("%u", *(const uint8_t *)p);
                break;
        case MAVLINK_I8:
                printf("%d", *(const int8_t *)p);
                break;
        case MAVLINK_U16:
                printf("%u", *(const uint16_t *)p);
                break;
        case MAVLINK_I16:
                printf("%d", *(const int16_t *)p);
                break;
        case MAVLINK_U32:
                printf("%" PRIu32, *(const uint32_t *)p);
                break;
        case MAVLINK_I32:
                printf("%" PRId32, *(const int32_t *)p);
                break;
        case MAVLINK_U64:
                printf("\"%" PRIu64 "\"", *(const uint64_t *)p);
                break;
        case MAVLINK_I64:
                printf("\"%" PRId64 "\"", *(const int64_t *)p);
                break;
        case MAVLINK_FLOAT:
                printf("%.9g", (double)*(const float *)p);
                break;
        }
}

static void print_field(const struct mavlink_field *f, const uint8_t *from)
{
        printf("\"%s\": ", f->name);
        if (f->type == MAVLINK_CHAR) {
                printf("\"%.*s\"", (int)elements(f), (const char *)from);
                return;
        }
        if (f->count > 0)
                putchar('[');
        for (size_t n = 0; n < elements(f); n++, from += mavlink_type_size(f->type)) {
                if (n > 0)
                        printf(", ");
                print_element(f->type, from);
        }
        if (f->count > 0)
                putchar(']');
}

static void print_message(const struct mavlink_frame *frame)
{
        const struct mavlink_message *m = mavlink_message_find(frame->id);
        union values v;

        if (!mavlink_unpack(frame, m, &v))
                return;
        printf("{\"id\": %u, \"name\": \"%s\", \"version\": %d, \"sequence\": %d, "
               "\"system\": %d, "
               "\"component\": %d, \"fields\": {",
               m->id, m->name, frame->version, frame->sequence, frame->system,
               frame->component);
        for (int i = 0; i < m->field_count; i++) {
                if (i > 0)
                        printf(", ");
                print_field(&m->fields[i], v.bytes + m->fields[i].offset);
        }
        printf("}}\n");
}

static void write_one(struct dice *d, const struct mavlink_message *m, int version)
{
        struct mavlink_sender sender = { version, dice_u8(d), dice_u8(d), dice_u8(d) };
        uint8_t bytes[MAVLINK_FRAME_MAX];
        struct mavlink_frame frame;
        enum mavlink_found found;
        union values v = { { 0 } };
        size_t len;

        for (int i = 0; i < m->field_count; i++)
                random_field(d, &m->fields[i], v.bytes + m->fields[i].offset);
        len = mavlink_send(&sender, m->id, &v, bytes);
        for (size_t i = 0; i < len; i++)
                printf("%02x", bytes[i]);
        putchar(' ');
        mavlink_find(bytes, len, &frame, &found);
        print_message(&frame);
}

static void write_messages(long messages, uint64_t seed)
{
        const struct mavlink_message *m = mavlink_message_all();
        struct dice d = { seed };

        for (long i = 0; i < messages; i++) {
                int version = 1 + (int)dice_below(&d, 2);

                write_one(&d, m, m->id > UINT8_MAX ? 2 : version);
                m++;
                if (m->name == NULL)
                        m = mavlink_message_all();
        }
}

static void read_messages(void)
{
        struct mavlink_stream s = { 0 };
        uint8_t bytes[4096];
        size_t len;

        while ((len = fread(bytes, 1, sizeof bytes, stdin)) > 0) {
                for (size_t at = 0; at < len;) {
                        struct mavlink_frame frame;
                        bool got;

                        at += mavlink_stream_take(&s, bytes + at, len - at, &frame, &got);
                        if (got)
                                print_message(&frame);
                }
        }
        printf("{\"bad_crc\": %" PRIu64 ", \"unknown\": %" PRIu64
               ", \"noise_bytes\": %" PRIu64 ", \"left\": %zu}\n",
               s.bad_crc, s.unknown, s.noise_bytes, s.len);
}

int main(int argc, char **argv)
{
        if (argc >= 2 && strcmp(argv[1], "write") == 0)
                write_messages(argc > 2 ? strtol(argv[2], NULL, 10) : 5000,
                               argc > 3 ? strtoull(argv[3], NULL, 10) | 1 : 20091016);
        else if (argc == 2 && strcmp(argv[1], "read") == 0)
                read_messages();
        else
                return 2;
        return ferror(stdout) || fflush(stdout) == EOF;
}
