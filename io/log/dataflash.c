/* Reads ArduPilot's DataFlash messages: resynchronises after damage, and believes no length that leaves the file. */
#include "io/log/dataflash.h"

#include <math.h>
#include <string.h>

#include "io/le.h"

#define HEAD       3
#define FMT        128
#define FMT_BYTES  89
#define LABELS     64
#define HEAD_BYTE1 0xA3
#define HEAD_BYTE2 0x95

bool dataflash_is(const uint8_t *bytes, size_t len)
{
        return len >= HEAD && bytes[0] == HEAD_BYTE1 && bytes[1] == HEAD_BYTE2 &&
               bytes[2] == FMT;
}

/* 0: no type. */
static unsigned type_size(char type)
{
        switch (type) {
        case 'b':
        case 'B':
        case 'M':
                return 1;
        case 'h':
        case 'H':
        case 'c':
        case 'C':
        case 'g':
                return 2;
        case 'i':
        case 'I':
        case 'e':
        case 'E':
        case 'L':
        case 'f':
        case 'n':
                return 4;
        case 'd':
        case 'q':
        case 'Q':
                return 8;
        case 'N':
                return 16;
        case 'Z':
        case 'a':
                return 64;
        default:
                return 0;
        }
}

/* The next of labels with commas between them into 17 bytes; false: there is none, or it is too long. */
static bool take_label(const char **at, const char *end, char label[17])
{
        const char *comma = memchr(*at, ',', (size_t)(end - *at));
        size_t len = (size_t)((comma != NULL ? comma : end) - *at);

        if (len == 0 || len > 16)
                return false;
        memcpy(label, *at, len);
        label[len] = '\0';
        *at += len + (comma != NULL);
        return true;
}

/* A format may come again, the same; a log that continues another has them twice. */
static bool take_format(struct dataflash *d, const uint8_t *body)
{
        struct dataflash_format f = { .size = body[1] };
        const char *types = (const char *)body + 6;
        const char *labels = (const char *)body + 22;
        const char *end = labels + strnlen(labels, LABELS);
        unsigned at = 0;

        memcpy(f.name, body + 2, 4);
        for (int i = 0; i < DATAFLASH_FIELDS_MAX && types[i] != '\0'; i++) {
                unsigned size = type_size(types[i]);

                if (size == 0 || at + size > 255 || !take_label(&labels, end, f.label[i]))
                        return false;
                f.type[i] = types[i];
                f.offset[i] = (uint8_t)at;
                f.fields++;
                at += size;
        }
        if (f.name[0] == '\0' || f.fields == 0 || at + HEAD != f.size ||
            (body[0] == FMT && f.size != FMT_BYTES))
                return false;
        d->format[body[0]] = f;
        return true;
}

void dataflash_open(struct dataflash *d, const uint8_t *bytes, size_t len)
{
        *d = (struct dataflash){ .bytes = bytes, .len = len };
        d->format[FMT] = (struct dataflash_format){ .name = "FMT", .size = FMT_BYTES };
}

bool dataflash_next(struct dataflash *d, struct dataflash_message *m)
{
        bool lost = false;

        while (d->len - d->at >= HEAD) {
                const uint8_t *p = d->bytes + d->at;
                const struct dataflash_format *f = &d->format[p[2]];

                if (p[0] != HEAD_BYTE1 || p[1] != HEAD_BYTE2 || f->size == 0 ||
                    f->size > d->len - d->at) {
                        d->skipped += !lost;
                        lost = true;
                        d->at++;
                        continue;
                }
                d->at += f->size;
                if (p[2] == FMT && !take_format(d, p + HEAD))
                        d->skipped++;
                *m = (struct dataflash_message){ f, p[2], p + HEAD };
                return true;
        }
        return false;
}

int dataflash_field(const struct dataflash_format *format, const char *label)
{
        for (int i = 0; i < format->fields; i++)
                if (strcmp(format->label[i], label) == 0)
                        return i;
        return -1;
}

/* IEEE 754's 16 bits. */
static double half_float(uint16_t h)
{
        int exponent = (h >> 10) & 0x1F;
        double mantissa = h & 0x3FF, sign = h & 0x8000 ? -1.0 : 1.0;

        if (exponent == 0)
                return sign * ldexp(mantissa, -24);
        if (exponent == 31)
                return mantissa > 0.0 ? (double)NAN : sign * (double)INFINITY;
        return sign * ldexp(1024.0 + mantissa, exponent - 25);
}

double dataflash_number(const struct dataflash_message *m, int field)
{
        const uint8_t *p;

        if (field < 0 || field >= m->format->fields)
                return (double)NAN;
        p = m->body + m->format->offset[field];
        switch (m->format->type[field]) {
        case 'b':
                return (int8_t)*p;
        case 'B':
        case 'M':
                return *p;
        case 'h':
                return (int16_t)le_get_u16(p);
        case 'H':
                return le_get_u16(p);
        case 'c':
                return (int16_t)le_get_u16(p) * 0.01;
        case 'C':
                return le_get_u16(p) * 0.01;
        case 'g':
                return half_float(le_get_u16(p));
        case 'i':
                return (int32_t)le_get_u32(p);
        case 'I':
                return le_get_u32(p);
        case 'e':
                return (int32_t)le_get_u32(p) * 0.01;
        case 'E':
                return le_get_u32(p) * 0.01;
        case 'L':
                return (int32_t)le_get_u32(p) * 1e-7;
        case 'f':
                return (double)le_get_f32(p);
        case 'd':
                return le_get_f64(p);
        case 'q':
                return (double)(int64_t)le_get_u64(p);
        case 'Q':
                return (double)le_get_u64(p);
        default:
                return (double)NAN;
        }
}

const uint8_t *dataflash_text(const struct dataflash_message *m, int field, size_t *len)
{
        char type = field >= 0 && field < m->format->fields ? m->format->type[field] : 0;

        if (type != 'n' && type != 'N' && type != 'Z')
                return NULL;
        *len = strnlen((const char *)m->body + m->format->offset[field], type_size(type));
        return m->body + m->format->offset[field];
}
