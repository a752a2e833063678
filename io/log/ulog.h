/* The ULog file format (PX4's, version 1): a writer onto a stream of bytes and a reader
 * over a buffer. Enough of it for the run log: I, F, A, D, L, O records and flag bits.
 * Appended data and nested formats are not read. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Writer. Errors of the stream are sticky: check ulog_failed() when it matters. */
struct ulog_writer {
        FILE *file;
        uint16_t next_id;
        size_t pending; /* bytes handed to the stream since the last flush, whole records
                         */
        bool failed;
};

/* Header and flag bits. start_us: time of the log's first moment. */
void ulog_begin(struct ulog_writer *w, FILE *file, uint64_t start_us);
/* "I": a string (an empty one is not written), or a 64-bit number, under a key of at most
 * 64 characters. Before the first subscribe. */
void ulog_info_text(struct ulog_writer *w, const char *key, const char *value);
void ulog_info_u64(struct ulog_writer *w, const char *key, uint64_t value);
/* "F": "name:type field;type[n] field;..."; must open with "uint64_t timestamp;". */
void ulog_format(struct ulog_writer *w, const char *format);
/* "A": returns the message id for ulog_data(). */
uint16_t ulog_subscribe(struct ulog_writer *w, const char *name, uint8_t instance);
/* "D": len bytes (at most ULOG_DATA_MAX) as the format says, packed, timestamp first. */
#define ULOG_DATA_MAX (UINT16_MAX - 2)
void ulog_data(struct ulog_writer *w, uint16_t id, const void *data, size_t len);
/* "L": level is '0' (emergency) to '7' (debug). */
void ulog_text(struct ulog_writer *w, uint64_t t_us, char level, const char *text);
/* "O": records were lost for that long. */
void ulog_dropout(struct ulog_writer *w, uint16_t duration_ms);
bool ulog_flush(struct ulog_writer *w);
static inline bool ulog_failed(const struct ulog_writer *w)
{
        return w->failed;
}

/* How many of the first len bytes of a log, or of a piece of one that starts at a record, are whole
 * records: where to cut a log that could not be written to its end. */
size_t ulog_whole(const void *bytes, size_t len);

/* Reader: over a whole file in memory, any bytes at all. A file cut short reads up to its
 * last whole record. */
#define ULOG_FORMATS_MAX 512
#define ULOG_TOPICS_MAX  12288
#define ULOG_NAME_MAX    64

struct ulog_reader {
        const uint8_t *bytes;
        size_t len, at;
        uint64_t start_us;
        bool truncated; /* ended inside a record */
        uint64_t skipped; /* malformed records, skipped */
        uint64_t
                nested; /* of these, what has formats within formats, which are not read */
        int formats;
        struct {
                char name[ULOG_NAME_MAX];
                const char *fields; /* into bytes, fields_len long, not terminated */
                size_t fields_len;
                size_t size; /* of the packed fields, without trailing padding; 0: formats within */
        } format[ULOG_FORMATS_MAX];
        int topics;
        struct {
                uint16_t id;
                uint8_t instance;
                int format; /* index into format[] */
        } topic[ULOG_TOPICS_MAX];
};

struct ulog_record {
        char type; /* 'D', 'I', 'L', 'O', ... */
        int topic; /* 'D': index into topic[] */
        uint64_t t_us; /* 'D', 'L' */
        char level; /* 'L': '0' to '7' */
        const uint8_t *data; /* 'D': the packed fields; 'L': the text; 'I': the value */
        size_t len; /* 'D': at least the format's size */
        char key[ULOG_NAME_MAX]; /* 'I': without its type */
};

/* False: not a ULog file, or one that needs more than this reader supports. */
bool ulog_open(struct ulog_reader *r, const void *bytes, size_t len);
/* So few bytes that they are the beginning of any log. */
bool ulog_is_header_cut(const void *bytes, size_t len);
/* The next record; B, F and A records are processed on the way. False at the end. */
bool ulog_next(struct ulog_reader *r, struct ulog_record *out);
/* Offset of a field in a topic's packed data; false: no field of that name and type. `type` is the type
 * expected, as in the format ("double", "float[4]"). Offset and size are within every D record's len. */
bool ulog_field(const struct ulog_reader *r, int topic, const char *name,
                const char *type, size_t *offset);
/* Index of a topic by name and instance, or -1: none so far. */
int ulog_topic(const struct ulog_reader *r, const char *name, uint8_t instance);
