/* Writes ULog records to a stream. Knows the records' layout, not their meaning. */
#include "io/log/ulog.h"

#include <assert.h>
#include <string.h>

#include "io/le.h"

#define RECORD_HEADER 3
#define RECORD_MAX    UINT16_MAX
#define KEY_MAX       64

static void put(struct ulog_writer *w, const void *bytes, size_t len)
{
        if (fwrite_unlocked(bytes, 1, len, w->file) != len)
                w->failed = true;
        w->pending += len;
}

/* One record with a fixed head and a body. */
static void put_record(struct ulog_writer *w, char type, const void *head,
                       size_t head_len, const void *body, size_t body_len)
{
        uint8_t bytes[RECORD_HEADER + 96];

        assert(head_len <= sizeof bytes - RECORD_HEADER);
        assert(body_len <= RECORD_MAX - head_len);
        le_put_u16(bytes, (uint16_t)(head_len + body_len));
        bytes[2] = (uint8_t)type;
        memcpy(bytes + RECORD_HEADER, head, head_len);
        put(w, bytes, RECORD_HEADER + head_len);
        put(w, body, body_len);
}

void ulog_begin(struct ulog_writer *w, FILE *file, uint64_t start_us)
{
        uint8_t header[16] = { 0x55, 0x4C, 0x6F, 0x67, 0x01, 0x12, 0x35, 0x01 };
        /* No compatible and no incompatible flags, nothing appended. */
        static const uint8_t flag_bits[40];

        *w = (struct ulog_writer){ .file = file };
        le_put_u64(header + 8, start_us);
        put(w, header, sizeof header);
        put_record(w, 'B', flag_bits, sizeof flag_bits, "", 0);
}

/* "type name" with its length before it, as I records require. */
static size_t key_encode(uint8_t out[96], const char *type, const char *key)
{
        int len = snprintf((char *)out + 1, 95, "%s %s", type, key);

        assert(strlen(key) <= KEY_MAX && len < 95);
        out[0] = (uint8_t)len;
        return 1 + (size_t)len;
}

static size_t clip(size_t len, size_t max)
{
        return len < max ? len : max;
}

void ulog_info_text(struct ulog_writer *w, const char *key, const char *value)
{
        uint8_t head[96];
        char type[16];
        size_t len = clip(strlen(value), RECORD_MAX - sizeof head);

        if (len == 0)
                return;
        snprintf(type, sizeof type, "char[%zu]", len);
        put_record(w, 'I', head, key_encode(head, type, key), value, len);
}

void ulog_info_u64(struct ulog_writer *w, const char *key, uint64_t value)
{
        uint8_t head[96], number[8];

        le_put_u64(number, value);
        put_record(w, 'I', head, key_encode(head, "uint64_t", key), number,
                   sizeof number);
}

void ulog_format(struct ulog_writer *w, const char *format)
{
        put_record(w, 'F', "", 0, format, strlen(format));
}

uint16_t ulog_subscribe(struct ulog_writer *w, const char *name, uint8_t instance)
{
        uint8_t head[3] = { instance };
        uint16_t id = w->next_id++;

        le_put_u16(head + 1, id);
        put_record(w, 'A', head, sizeof head, name, strlen(name));
        return id;
}

void ulog_data(struct ulog_writer *w, uint16_t id, const void *data, size_t len)
{
        uint8_t head[2];

        le_put_u16(head, id);
        put_record(w, 'D', head, sizeof head, data, len);
}

void ulog_text(struct ulog_writer *w, uint64_t t_us, char level, const char *text)
{
        uint8_t head[9] = { (uint8_t)level };

        le_put_u64(head + 1, t_us);
        put_record(w, 'L', head, sizeof head, text,
                   clip(strlen(text), RECORD_MAX - sizeof head));
}

void ulog_dropout(struct ulog_writer *w, uint16_t duration_ms)
{
        uint8_t body[2];

        le_put_u16(body, duration_ms);
        put_record(w, 'O', "", 0, body, sizeof body);
}

bool ulog_flush(struct ulog_writer *w)
{
        if (fflush(w->file) != 0)
                w->failed = true;
        w->pending = 0;
        return !w->failed;
}
