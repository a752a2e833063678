/* Writes a sigrok session chunk by chunk, under a temporary name until it is whole. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/log/sr_file.h"
#include "io/log/sr_metadata.h"
#include "io/log/zip_file.h"

/* A killed recording at a low rate loses no more than a second. */
#define CHUNK_MIN 4096

struct sr_writer {
        struct zip_writer *zip;
        char path[160], part[168];
        bool failed;
        struct link_error failure;
        unsigned long chunks;
        size_t room, len; /* of the chunk */
        uint8_t chunk[];
};

static void *fail(struct sr_writer *w, struct link_error *why, const char *path,
                  const char *what)
{
        snprintf(why->text, sizeof why->text, "%s: %s", path, what);
        free(w);
        return NULL;
}

static bool begin(struct sr_writer *w, const struct sr_info *info, struct link_error *why)
{
        char text[1024];
        size_t len = sr_metadata_print(info, text, sizeof text);

        return zip_add(w->zip, "version", "2", 1, why) &&
               zip_add(w->zip, "metadata", text, len, why);
}

/* Reserves the temporary name, which must be free: an existing file may be all that is left of a
 * recording. */
static bool reserve(const char *part, struct link_error *why)
{
        int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

        if (fd >= 0) {
                close(fd);
                return true;
        }
        snprintf(why->text, sizeof why->text, "%.160s: %s", part,
                 errno == EEXIST
                         ? "is there, of a recording that was not finished: remove "
                           "it, or --from it"
                         : strerror(errno));
        return false;
}

struct sr_writer *sr_create(const char *path, const struct sr_info *info,
                            struct link_error *why)
{
        double second = info->rate_hz < SR_CHUNK_MAX ? info->rate_hz : SR_CHUNK_MAX;
        size_t room = second > CHUNK_MIN ? (size_t)second : CHUNK_MIN;
        struct sr_writer *w = malloc(sizeof *w + room);

        if (w == NULL)
                return fail(w, why, path, "out of memory");
        memset(w, 0, sizeof *w);
        w->room = room;
        if (strlen(path) >= sizeof w->path)
                return fail(w, why, path, "its path is too long");
        snprintf(w->path, sizeof w->path, "%s", path);
        snprintf(w->part, sizeof w->part, "%s.part", path);
        if (!reserve(w->part, why)) {
                free(w);
                return NULL;
        }
        w->zip = zip_create(w->part, why);
        if (w->zip == NULL) {
                remove(w->part);
                free(w);
                return NULL;
        }
        if (!begin(w, info, why)) {
                struct link_error again;

                zip_finish(w->zip, &again);
                remove(w->part);
                free(w);
                return NULL;
        }
        return w;
}

static bool flush(struct sr_writer *w, struct link_error *why)
{
        char name[40];

        snprintf(name, sizeof name, "logic-1-%lu", ++w->chunks);
        if (!zip_add(w->zip, name, w->chunk, w->len, &w->failure)) {
                w->failed = true;
                *why = w->failure;
                return false;
        }
        w->len = 0;
        return true;
}

bool sr_write(struct sr_writer *w, const uint8_t *samples, size_t count,
              struct link_error *why)
{
        if (w->failed) {
                *why = w->failure;
                return false;
        }
        while (count > 0) {
                size_t n = w->room - w->len < count ? w->room - w->len : count;

                memcpy(w->chunk + w->len, samples, n);
                w->len += n;
                samples += n;
                count -= n;
                if (w->len == w->room && !flush(w, why))
                        return false;
        }
        return true;
}

/* A session without samples has an empty chunk: sigrok rejects a session without chunks. */
bool sr_finish(struct sr_writer *w, struct link_error *why)
{
        bool ok = !w->failed && ((w->len == 0 && w->chunks > 0) || flush(w, why));
        struct link_error closing;

        if (w->failed)
                *why = w->failure;
        if (!zip_finish(w->zip, &closing) && ok) {
                *why = closing;
                ok = false;
        }
        if (ok && rename(w->part, w->path) != 0) {
                snprintf(why->text, sizeof why->text, "%s: %s", w->path, strerror(errno));
                ok = false;
        }
        free(w);
        return ok;
}
