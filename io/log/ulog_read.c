/* Reads ULog records from a buffer with arbitrary contents: nothing beyond len is touched,
 * malformed records are skipped and counted. */
#include "io/log/ulog.h"

#include <ctype.h>
#include <string.h>

#include "io/le.h"

#define FILE_HEADER   16
#define RECORD_HEADER 3
#define FLAG_BITS     40

static const uint8_t magic[7] = { 0x55, 0x4C, 0x6F, 0x67, 0x01, 0x12, 0x35 };

static bool has_header(const uint8_t *bytes, size_t len)
{
        return len >= FILE_HEADER && memcmp(bytes, magic, sizeof magic) == 0;
}

size_t ulog_whole(const void *bytes, size_t len)
{
        const uint8_t *p = bytes;
        size_t at = has_header(p, len) ? FILE_HEADER : 0;

        while (len - at >= RECORD_HEADER) {
                size_t record = RECORD_HEADER + le_get_u16(p + at);

                if (record > len - at)
                        break;
                at += record;
        }
        return at;
}

/* Bytes of one element, 0: no basic type. */
static size_t basic_size(const char *type, size_t len)
{
        static const struct {
                const char *name;
                size_t size;
        } basic[] = { { "uint64_t", 8 }, { "float", 4 },   { "uint8_t", 1 },
                      { "double", 8 },   { "int32_t", 4 }, { "bool", 1 },
                      { "uint32_t", 4 }, { "int64_t", 8 }, { "int8_t", 1 },
                      { "uint16_t", 2 }, { "int16_t", 2 }, { "char", 1 } };

        for (size_t i = 0; i < sizeof basic / sizeof basic[0]; i++)
                if (strlen(basic[i].name) == len && memcmp(basic[i].name, type, len) == 0)
                        return basic[i].size;
        return 0;
}

/* Bytes of "float" or "float[3]", 0: unknown type, or larger than a record. */
static size_t type_size(const char *type, size_t len)
{
        const char *bracket = memchr(type, '[', len);
        size_t count = 0;

        if (!bracket)
                return basic_size(type, len);
        for (const char *p = bracket + 1; p < type + len && *p >= '0' && *p <= '9'; p++) {
                count = 10 * count + (size_t)(*p - '0');
                if (count > UINT16_MAX)
                        return 0;
                if (p + 2 == type + len && p[1] == ']')
                        return count * basic_size(type, (size_t)(bracket - type));
        }
        return 0;
}

struct field {
        const char *type, *name;
        size_t type_len, name_len;
};

/* Splits "type name;" off the front of *text. False: nothing left, or not of that form.
 */
static bool field_next(const char **text, size_t *len, struct field *out)
{
        const char *end = memchr(*text, ';', *len);
        const char *space = end ? memchr(*text, ' ', (size_t)(end - *text)) : NULL;

        if (!space)
                return false;
        out->type = *text;
        out->type_len = (size_t)(space - *text);
        out->name = space + 1;
        out->name_len = (size_t)(end - space - 1);
        *len -= (size_t)(end + 1 - *text);
        *text = end + 1;
        return true;
}

static bool is_padding(const struct field *f)
{
        return f->name_len >= 8 && memcmp(f->name, "_padding", 8) == 0;
}

/* Size of all fields except trailing padding; 0: a format that cannot be read. */
static size_t fields_size(const char *fields, size_t len)
{
        static const char first[] = "uint64_t timestamp;";
        struct field f;
        size_t total = 0, used = 0;

        if (len < sizeof first - 1 || memcmp(fields, first, sizeof first - 1) != 0)
                return 0;
        while (field_next(&fields, &len, &f)) {
                size_t size = type_size(f.type, f.type_len);

                total += size;
                if (size == 0 || total > ULOG_DATA_MAX)
                        return 0;
                if (!is_padding(&f))
                        used = total;
        }
        return len == 0 ? used : 0;
}

/* "name" or "name[3]" of a type that is none of the basic ones, and may be another format's. */
static bool is_format_name(const char *type, size_t len)
{
        size_t n = 0;

        while (n < len && (isalnum((unsigned char)type[n]) || type[n] == '_'))
                n++;
        return n > 0 && basic_size(type, n) == 0 && (n == len || type[n] == '[');
}

static bool has_formats(const char *fields, size_t len)
{
        struct field f;

        while (field_next(&fields, &len, &f))
                if (is_format_name(f.type, f.type_len))
                        return true;
        return false;
}

static int format_find(const struct ulog_reader *r, const char *name, size_t len)
{
        for (int i = 0; i < r->formats; i++)
                if (strlen(r->format[i].name) == len &&
                    memcmp(r->format[i].name, name, len) == 0)
                        return i;
        return -1;
}

static bool take_format(struct ulog_reader *r, const uint8_t *body, size_t len)
{
        const char *text = (const char *)body;
        const char *colon = memchr(text, ':', len);
        size_t name_len = colon ? (size_t)(colon - text) : 0;
        int n = r->formats;

        if (name_len == 0 || name_len >= ULOG_NAME_MAX || memchr(text, 0, name_len))
                return false;
        if (n == ULOG_FORMATS_MAX || format_find(r, text, name_len) >= 0)
                return false;
        r->format[n].fields = colon + 1;
        r->format[n].fields_len = len - name_len - 1;
        r->format[n].size = fields_size(colon + 1, r->format[n].fields_len);
        if (r->format[n].size == 0 && !has_formats(colon + 1, r->format[n].fields_len))
                return false;
        memcpy(r->format[n].name, text, name_len);
        r->format[n].name[name_len] = 0;
        r->formats++;
        r->nested += r->format[n].size == 0;
        return r->format[n].size > 0;
}

static int topic_by_id(const struct ulog_reader *r, uint16_t id)
{
        /* Writers count ids from 0, so the index is nearly always the id. */
        if (id < r->topics && r->topic[id].id == id)
                return id;
        for (int i = 0; i < r->topics; i++)
                if (r->topic[i].id == id)
                        return i;
        return -1;
}

static bool take_subscription(struct ulog_reader *r, const uint8_t *body, size_t len)
{
        int format;

        if (len < 3 || r->topics == ULOG_TOPICS_MAX)
                return false;
        format = format_find(r, (const char *)body + 3, len - 3);
        if (format < 0 || topic_by_id(r, le_get_u16(body + 1)) >= 0)
                return false;
        r->topic[r->topics].instance = body[0];
        r->topic[r->topics].id = le_get_u16(body + 1);
        r->topic[r->topics].format = format;
        r->topics++;
        r->nested += r->format[format].size == 0;
        return r->format[format].size > 0;
}

static bool read_data(struct ulog_reader *r, const uint8_t *body, size_t len,
                      struct ulog_record *out)
{
        size_t size;

        out->topic = len >= 2 ? topic_by_id(r, le_get_u16(body)) : -1;
        if (out->topic < 0)
                return false;
        size = r->format[r->topic[out->topic].format].size;
        r->nested += size == 0;
        if (size == 0 || len - 2 < size)
                return false;
        out->t_us = le_get_u64(body + 2);
        out->data = body + 2;
        out->len = len - 2;
        return true;
}

static bool read_text(const uint8_t *body, size_t len, struct ulog_record *out)
{
        if (len < 9)
                return false;
        out->level = (char)body[0];
        out->t_us = le_get_u64(body + 1);
        out->data = body + 9;
        out->len = len - 9;
        return true;
}

/* A key is "type name". */
static bool read_info(const uint8_t *body, size_t len, struct ulog_record *out)
{
        const uint8_t *key = body + 1, *space;
        size_t key_len = len > 0 ? body[0] : 0, name_len;

        if (len < 1 + key_len)
                return false;
        space = key_len > 0 ? memchr(key, ' ', key_len) : NULL;
        if (!space)
                return false;
        name_len = (size_t)(key + key_len - (space + 1));
        if (name_len == 0 || name_len >= sizeof out->key ||
            memchr(space, 0, name_len + 1))
                return false;
        memcpy(out->key, space + 1, name_len);
        out->key[name_len] = 0;
        out->data = key + key_len;
        out->len = len - 1 - key_len;
        return true;
}

/* True: *out is for the caller. *sense: the record was well-formed. */
static bool record_read(struct ulog_reader *r, char type, const uint8_t *body, size_t len,
                        struct ulog_record *out, bool *sense)
{
        *out = (struct ulog_record){
                .type = type, .topic = -1, .data = body, .len = len
        };
        *sense = true;
        switch (type) {
        case 'B':
                return false;
        case 'F':
                *sense = take_format(r, body, len);
                return false;
        case 'A':
                *sense = take_subscription(r, body, len);
                return false;
        case 'D':
                return *sense = read_data(r, body, len, out);
        case 'L':
                return *sense = read_text(body, len, out);
        case 'I':
                return *sense = read_info(body, len, out);
        case 'O':
                return *sense = len >= 2;
        default:
                return true;
        }
}

bool ulog_is_header_cut(const void *bytes, size_t len)
{
        return len < FILE_HEADER &&
               memcmp(bytes, magic, len < sizeof magic ? len : sizeof magic) == 0;
}

bool ulog_open(struct ulog_reader *r, const void *bytes, size_t len)
{
        const uint8_t *p = bytes;
        const uint8_t *flags = p + FILE_HEADER + RECORD_HEADER;

        *r = (struct ulog_reader){ .bytes = bytes, .len = len, .at = FILE_HEADER };
        if (!has_header(p, len))
                return false;
        r->start_us = le_get_u64(p + 8);
        if (len < FILE_HEADER + RECORD_HEADER + FLAG_BITS || p[FILE_HEADER + 2] != 'B')
                return true;
        /* Any incompatible flag is unknown to this reader, including appended data. */
        return le_get_u64(flags + 8) == 0;
}

bool ulog_next(struct ulog_reader *r, struct ulog_record *out)
{
        while (r->len - r->at >= RECORD_HEADER) {
                const uint8_t *p = r->bytes + r->at;
                size_t len = le_get_u16(p);
                bool sense, wanted;

                if (len > r->len - r->at - RECORD_HEADER)
                        break;
                r->at += RECORD_HEADER + len;
                wanted = record_read(r, (char)p[2], p + RECORD_HEADER, len, out, &sense);
                r->skipped += !sense;
                if (wanted)
                        return true;
        }
        r->truncated = r->at != r->len;
        return false;
}

bool ulog_field(const struct ulog_reader *r, int topic, const char *name,
                const char *type, size_t *offset)
{
        const char *fields;
        size_t len, at = 0;
        struct field f;

        if (topic < 0 || topic >= r->topics)
                return false;
        fields = r->format[r->topic[topic].format].fields;
        len = r->format[r->topic[topic].format].fields_len;
        for (; field_next(&fields, &len, &f); at += type_size(f.type, f.type_len)) {
                if (f.name_len != strlen(name) || memcmp(f.name, name, f.name_len) != 0)
                        continue;
                /* Padding at the end may be missing. */
                if (is_padding(&f))
                        return false;
                *offset = at;
                return f.type_len == strlen(type) &&
                       memcmp(f.type, type, f.type_len) == 0;
        }
        return false;
}

int ulog_topic(const struct ulog_reader *r, const char *name, uint8_t instance)
{
        for (int i = 0; i < r->topics; i++)
                if (r->topic[i].instance == instance &&
                    strcmp(r->format[r->topic[i].format].name, name) == 0)
                        return i;
        return -1;
}
