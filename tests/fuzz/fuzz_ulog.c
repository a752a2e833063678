/* Any bytes as a ULog file: nothing outside them is read, every field that is promised is there,
 * and reading ends where the whole records end. */
#include "io/log/ulog.h"
#include "tests/fuzz/fuzz.h"

static volatile uint8_t sink;

static void touch(const uint8_t *p, size_t len)
{
        uint8_t sum = 0;

        for (size_t i = 0; i < len; i++)
                sum = (uint8_t)(sum + p[i]);
        sink = sum;
}

/* Looks for every field of the topic by the name and type that its own format gives. */
static void read_fields(const struct ulog_reader *r, const struct ulog_record *rec)
{
        int format = r->topic[rec->topic].format;
        const char *at = r->format[format].fields;
        const char *end = at + r->format[format].fields_len;
        char type[80], name[80];
        size_t offset;

        while (at < end) {
                const char *space = memchr(at, ' ', (size_t)(end - at));
                const char *stop = memchr(at, ';', (size_t)(end - at));

                if (!space || !stop || space > stop)
                        break;
                snprintf(type, sizeof type, "%.*s", (int)(space - at), at);
                snprintf(name, sizeof name, "%.*s", (int)(stop - space - 1), space + 1);
                if (ulog_field(r, rec->topic, name, type, &offset)) {
                        if (offset >= rec->len)
                                abort();
                        touch(rec->data + offset, 1);
                }
                at = stop + 1;
        }
        if (!ulog_field(r, rec->topic, "timestamp", "uint64_t", &offset) || offset != 0)
                abort();
}

static void read_record(const struct ulog_reader *r, const struct ulog_record *rec)
{
        touch(rec->data, rec->len);
        if (rec->data < r->bytes || rec->data + rec->len > r->bytes + r->at)
                abort();
        if (rec->type == 'I' && (rec->key[0] == 0 || strlen(rec->key) >= sizeof rec->key))
                abort();
        if (rec->type != 'D')
                return;
        if (rec->topic < 0 || rec->topic >= r->topics || rec->len < 8)
                abort();
        read_fields(r, rec);
        if (ulog_topic(r, r->format[r->topic[rec->topic].format].name,
                       r->topic[rec->topic].instance) < 0)
                abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
        struct ulog_reader r;
        struct ulog_record rec;
        bool open = ulog_open(&r, data, len);

        if (ulog_whole(data, len) > len)
                abort();
        if (!open)
                return 0;
        while (ulog_next(&r, &rec))
                read_record(&r, &rec);
        if (r.at != ulog_whole(data, len) || r.truncated != (r.at != len))
                abort();
        return 0;
}
