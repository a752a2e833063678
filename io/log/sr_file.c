/* Reads a sigrok session as a stream of samples, chunk by chunk. */
#include "io/log/sr_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/log/sr_metadata.h"
#include "io/log/zip_file.h"

#define RAW_MAX 65536
/* Entries in an order other than 1, 2, 3 are searched for from the start, so their number is limited. */
#define UNORDERED_MAX 2000

struct sr_reader {
        struct zip_reader *zip;
        struct sr_info info;
        char path[160];
        char capture[SR_CAPTURE_MAX + 1];
        uint8_t mask; /* of channels that exist */
        bool single; /* one entry without a number */
        bool ordered; /* chunks are in the order of their numbers */
        bool open; /* an entry of samples is being read */
        long chunk; /* number of the newest */
        long chunks; /* there are; not finished: 0 */
        uint8_t raw[RAW_MAX];
        size_t raw_len; /* bytes in it; less than a sample between reads */
};

/* Begins with the file's name. */
static bool refuse(const struct sr_reader *r, struct link_error *why, const char *what)
{
        char text[sizeof why->text];

        snprintf(text, sizeof text, "%s", what);
        snprintf(why->text, sizeof why->text, "%s: %s", r->path, text);
        return false;
}

/* "logic-1-12" of "logic-1": 12; the name alone: 0; others: -1. */
static long chunk_number(const struct sr_reader *r, const char *name)
{
        size_t n = strlen(r->capture);
        char *end;
        long number;

        if (strncmp(name, r->capture, n) != 0)
                return -1;
        if (name[n] == '\0')
                return 0;
        if (name[n] != '-' || name[n + 1] < '1' || name[n + 1] > '9')
                return -1;
        number = strtol(name + n + 1, &end, 10);
        return *end == '\0' ? number : -1;
}

/* A whole small entry as text. Its length, or -1 with a reason. */
static long read_text(struct sr_reader *r, char *text, size_t cap, struct link_error *why)
{
        size_t len = 0;
        long n;

        while ((n = zip_read(r->zip, text + len, cap - len, why)) > 0) {
                len += (size_t)n;
                if (len == cap) {
                        refuse(r, why, "its metadata is too long");
                        return -1;
                }
        }
        return n < 0 ? -1 : (long)len;
}

static bool read_metadata(struct sr_reader *r, struct link_error *why)
{
        static const char missing[] =
                "is not a sigrok session: a zip archive without `metadata`";
        char name[64], *text;
        int64_t length;
        bool ok = false;
        int result;
        long len;

        while ((result = zip_next(r->zip, name, sizeof name, &length, why)) == 1)
                if (strcmp(name, "metadata") == 0)
                        break;
        if (result != 1)
                return result < 0 ? false : refuse(r, why, missing);
        text = malloc(SR_METADATA_MAX);
        if (text == NULL)
                return refuse(r, why, "out of memory");
        len = read_text(r, text, SR_METADATA_MAX, why);
        if (len >= 0) {
                ok = sr_metadata_parse(text, (size_t)len, &r->info, r->capture, why);
                if (!ok)
                        refuse(r, why, why->text);
        }
        free(text);
        r->mask = (uint8_t)((1U << r->info.pads) - 1);
        return ok;
}

/* What the directory says about the chunks. */
static bool survey(struct sr_reader *r, struct link_error *why)
{
        uint64_t bytes = 0;
        char name[128];
        int64_t length;
        int result;

        if (!zip_rewind(r->zip, why))
                return false;
        r->ordered = true;
        while ((result = zip_next(r->zip, name, sizeof name, &length, why)) == 1) {
                long number = chunk_number(r, name);

                if (number < 0)
                        continue;
                r->single |= number == 0;
                r->ordered &= number == 0 || number == r->chunks + 1;
                r->chunks++;
                bytes += length > 0 ? (uint64_t)length : 0;
        }
        if (result < 0)
                return false;
        if (r->chunks == 0)
                return refuse(r, why, "has no logic samples");
        if (r->single && r->chunks > 1)
                return refuse(r, why, "has its samples twice, whole and in chunks");
        if (!r->ordered && r->chunks > UNORDERED_MAX)
                return refuse(r, why, "its chunks are in disorder");
        r->info.samples = bytes / (uint64_t)r->info.unit_bytes;
        return zip_rewind(r->zip, why);
}

struct sr_reader *sr_open(const char *path, struct link_error *why)
{
        struct sr_reader *r = calloc(1, sizeof *r);

        if (r == NULL) {
                snprintf(why->text, sizeof why->text, "%s: out of memory", path);
                return NULL;
        }
        snprintf(r->path, sizeof r->path, "%s", path);
        r->zip = zip_open(path, why);
        if (r->zip == NULL || !read_metadata(r, why)) {
                sr_close(r);
                return NULL;
        }
        r->info.finished = zip_is_finished(r->zip);
        /* Without a directory a survey would read all of it. */
        r->ordered = true;
        if (!(r->info.finished ? survey(r, why) : zip_rewind(r->zip, why))) {
                sr_close(r);
                return NULL;
        }
        return r;
}

const struct sr_info *sr_info(const struct sr_reader *r)
{
        return &r->info;
}

uint8_t sr_recorded(const struct sr_info *info)
{
        uint8_t named = 0;

        for (int i = 0; i < info->pads; i++)
                if (info->pad_name[i][0] != '\0')
                        named |= (uint8_t)(1U << i);
        if (named == 0)
                return (uint8_t)((1U << info->pads) - 1);
        return named;
}

/* Proceeds to the entry of the next chunk. 1; 0: there is none; -1. */
static int find_chunk(struct sr_reader *r, struct link_error *why)
{
        char name[128];
        int64_t length;
        int result;

        if (r->info.finished && r->chunk == (r->single ? 1 : r->chunks))
                return 0;
        if (!r->ordered && !zip_rewind(r->zip, why))
                return -1;
        while ((result = zip_next(r->zip, name, sizeof name, &length, why)) == 1) {
                long number = chunk_number(r, name);

                if (number != 0 && number != r->chunk + 1)
                        continue;
                r->chunk++;
                r->open = true;
                return 1;
        }
        if (result == 0 && r->info.finished) {
                refuse(r, why, "one of its chunks is missing");
                return -1;
        }
        return result;
}

/* Samples from whole units; a partial unit is kept for the next read. */
static size_t unpack(struct sr_reader *r, uint8_t *samples)
{
        size_t unit = (size_t)r->info.unit_bytes, count = r->raw_len / unit;

        for (size_t i = 0; i < count; i++)
                samples[i] = r->raw[i * unit] & r->mask;
        r->raw_len -= count * unit;
        memmove(r->raw, r->raw + count * unit, r->raw_len);
        return count;
}

static long refuse_chunk(const struct sr_reader *r, struct link_error *why)
{
        char text[80];

        snprintf(text, sizeof text, "chunk %ld ends within a sample of %d bytes",
                 r->chunk, r->info.unit_bytes);
        refuse(r, why, text);
        return -1;
}

long sr_read(struct sr_reader *r, uint8_t *samples, size_t cap, struct link_error *why)
{
        size_t unit = (size_t)r->info.unit_bytes;
        size_t most = cap < RAW_MAX / unit ? cap * unit : RAW_MAX / unit * unit;

        while (most > 0) {
                long n;

                if (!r->open) {
                        int found = find_chunk(r, why);

                        if (found <= 0)
                                return found;
                }
                n = zip_read(r->zip, r->raw + r->raw_len, most - r->raw_len, why);
                if (n < 0)
                        return -1;
                if (n == 0 && r->raw_len > 0 && r->info.finished)
                        return refuse_chunk(r, why);
                if (n == 0) {
                        r->open = false;
                        continue;
                }
                r->raw_len += (size_t)n;
                if (r->raw_len >= unit)
                        return (long)unpack(r, samples);
        }
        return 0;
}

void sr_close(struct sr_reader *r)
{
        if (r->zip != NULL)
                zip_close(r->zip);
        free(r);
}
