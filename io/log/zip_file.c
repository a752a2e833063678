/* Zip archives through libarchive. It does not know what their entries mean. */
#include "io/log/zip_file.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/library.h"

/* Loaded with the first archive. */
#ifndef ARCHIVE_LIBRARY
#define ARCHIVE_LIBRARY "libarchive.so"
#endif
/* clang-format off */
#define FUNCTIONS(F)                                                           \
        F(archive_entry_clear) F(archive_entry_free) F(archive_entry_new)      \
        F(archive_entry_pathname) F(archive_entry_set_filetype)                \
        F(archive_entry_set_pathname) F(archive_entry_set_perm)                \
        F(archive_entry_set_size) F(archive_entry_size)                        \
        F(archive_entry_size_is_set) F(archive_error_string)                   \
        F(archive_read_data) F(archive_read_free) F(archive_read_new)          \
        F(archive_read_next_header) F(archive_read_open)                       \
        F(archive_read_open_filename)                                          \
        F(archive_read_support_format_zip_seekable)                            \
        F(archive_read_support_format_zip_streamable) F(archive_write_close)   \
        F(archive_write_data) F(archive_write_finish_entry)                    \
        F(archive_write_free) F(archive_write_header) F(archive_write_new)     \
        F(archive_write_open) F(archive_write_set_bytes_per_block)             \
        F(archive_write_set_format_zip) F(archive_write_set_options)           \
        F(archive_write_zip_set_compression_deflate)
/* clang-format on */

static struct {
        FUNCTIONS(LIBRARY_FUNCTION)
} lib;

static const char *const names[] = { FUNCTIONS(LIBRARY_NAME) };

#define PATH_ROOM 200
#define BLOCK     65536

/* Deflate expands one byte to at most 1032. An archive whose entries share their bytes can claim
 * more, but is not a recording. */
#define EXPANSION 1100

struct zip_reader {
        struct archive *archive;
        int fd; /* of one that is not finished; -1 */
        bool padded;
        uint8_t block[BLOCK];
        char path[PATH_ROOM];
        bool finished, ended;
        uint64_t room; /* bytes that it may still expand to */
        uint64_t file_bytes;
};

struct zip_writer {
        struct archive *archive;
        struct archive_entry *entry;
        char path[PATH_ROOM];
        int fd, error;
};

static bool load(struct link_error *why)
{
        return library_load(&lib, names, sizeof names / sizeof names[0], ARCHIVE_LIBRARY,
                            why->text, sizeof why->text);
}

static bool refuse(struct link_error *why, const char *path, const char *what)
{
        /* Some of the library's messages end with a newline. */
        snprintf(why->text, sizeof why->text, "%s: %.*s", path,
                 (int)strcspn(what, "\r\n"), what);
        return false;
}

static const char *said(struct archive *a)
{
        const char *text = lib.archive_error_string(a);

        return text != NULL ? text : "damaged";
}

static struct archive *open_finished(const char *path)
{
        struct archive *a = lib.archive_read_new();

        if (a == NULL)
                return NULL;
        lib.archive_read_support_format_zip_seekable(a);
        if (lib.archive_read_open_filename(a, path, BLOCK) == ARCHIVE_OK)
                return a;
        lib.archive_read_free(a);
        return NULL;
}

/* Whether the file ends with an entry's CRC and sizes, of 4 or 8 bytes: with a whole entry. */
static bool ends_whole(const struct zip_reader *z)
{
        static const off_t lengths[] = { 16, 24 };
        char magic[4];

        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
                if (pread(z->fd, magic, sizeof magic,
                          (off_t)z->file_bytes - lengths[i]) == (ssize_t)sizeof magic &&
                    memcmp(magic, "PK\007\010", sizeof magic) == 0)
                        return true;
        return false;
}

/* libarchive looks 24 bytes ahead for the end of an entry, and drops the entry's last bytes if the
 * file has fewer: after a whole entry some zeros are appended. */
static la_ssize_t get(struct archive *a, void *context, const void **bytes)
{
        struct zip_reader *z = context;
        ssize_t n;

        (void)a;
        do
                n = read(z->fd, z->block, sizeof z->block);
        while (n < 0 && errno == EINTR);
        if (n <= 0 && !z->padded && ends_whole(z)) {
                z->padded = true;
                n = 64;
                memset(z->block, 0, (size_t)n);
        }
        *bytes = z->block;
        return n > 0 ? n : 0;
}

/* Without a directory its entries are read in sequence. */
static struct archive *open_unfinished(struct zip_reader *z)
{
        struct archive *a = lib.archive_read_new();

        if (z->fd >= 0)
                close(z->fd);
        z->padded = false;
        z->fd = open(z->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (a == NULL || z->fd < 0) {
                lib.archive_read_free(a);
                return NULL;
        }
        lib.archive_read_support_format_zip_streamable(a);
        if (lib.archive_read_open(a, z, NULL, get, NULL) == ARCHIVE_OK)
                return a;
        lib.archive_read_free(a);
        return NULL;
}

/* libarchive looks at the format with the first entry. */
static bool has_directory(const char *path)
{
        struct archive *a = open_finished(path);
        struct archive_entry *entry;
        int result;

        if (a == NULL)
                return false;
        result = lib.archive_read_next_header(a, &entry);
        lib.archive_read_free(a);
        return result != ARCHIVE_FATAL;
}

static bool check_file(struct zip_reader *z, struct link_error *why)
{
        char magic[4] = "";
        struct stat st;
        int fd = open(z->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        bool is_zip = false, regular = false;

        if (fd < 0)
                return refuse(why, z->path, strerror(errno));
        if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
                regular = true;
                z->file_bytes = (uint64_t)st.st_size;
                is_zip = read(fd, magic, sizeof magic) == (ssize_t)sizeof magic &&
                         memcmp(magic, "PK\003\004", sizeof magic) == 0;
        }
        close(fd);
        if (!regular)
                return refuse(why, z->path, "is not a file");
        return is_zip || refuse(why, z->path, "is not a zip archive");
}

bool zip_rewind(struct zip_reader *z, struct link_error *why)
{
        if (z->archive != NULL)
                lib.archive_read_free(z->archive);
        z->ended = false;
        z->archive = z->finished ? open_finished(z->path) : open_unfinished(z);
        return z->archive != NULL || refuse(why, z->path, "cannot be read");
}

struct zip_reader *zip_open(const char *path, struct link_error *why)
{
        struct zip_reader *z = calloc(1, sizeof *z);

        if (z == NULL) {
                refuse(why, path, "out of memory");
                return NULL;
        }
        z->fd = -1;
        if (strlen(path) >= sizeof z->path) {
                refuse(why, path, "its path is too long");
                zip_close(z);
                return NULL;
        }
        snprintf(z->path, sizeof z->path, "%s", path);
        if (!check_file(z, why) || !load(why)) {
                zip_close(z);
                return NULL;
        }
        z->finished = has_directory(path);
        z->room = (z->file_bytes + BLOCK) * EXPANSION;
        if (!zip_rewind(z, why)) {
                zip_close(z);
                return NULL;
        }
        return z;
}

bool zip_is_finished(const struct zip_reader *z)
{
        return z->finished;
}

int zip_next(struct zip_reader *z, char *name, size_t cap, int64_t *length,
             struct link_error *why)
{
        struct archive_entry *entry;
        const char *path;
        int result;

        if (z->ended)
                return 0;
        result = lib.archive_read_next_header(z->archive, &entry);
        if (result == ARCHIVE_EOF || (result < ARCHIVE_WARN && !z->finished)) {
                z->ended = true;
                return 0;
        }
        if (result < ARCHIVE_WARN) {
                z->ended = true;
                refuse(why, z->path, said(z->archive));
                return -1;
        }
        path = lib.archive_entry_pathname(entry);
        snprintf(name, cap, "%s", path != NULL ? path : "");
        *length =
                lib.archive_entry_size_is_set(entry) ? lib.archive_entry_size(entry) : -1;
        return 1;
}

long zip_read(struct zip_reader *z, void *bytes, size_t cap, struct link_error *why)
{
        la_ssize_t n;

        if (z->ended)
                return 0;
        n = lib.archive_read_data(z->archive, bytes, cap);
        if (n < 0) {
                z->ended = true;
                if (!z->finished)
                        return 0;
                refuse(why, z->path, said(z->archive));
                return -1;
        }
        if ((uint64_t)n > z->room) {
                z->ended = true;
                refuse(why, z->path, "holds more than a file of its size can");
                return -1;
        }
        z->room -= (uint64_t)n;
        return (long)n;
}

void zip_close(struct zip_reader *z)
{
        if (z->archive != NULL)
                lib.archive_read_free(z->archive);
        if (z->fd >= 0)
                close(z->fd);
        free(z);
}

/* Writing. */

/* After an error nothing more is written, but libarchive is not told, because it would leak its
 * compressor's memory. */
static la_ssize_t put(struct archive *a, void *context, const void *bytes, size_t len)
{
        struct zip_writer *z = context;
        size_t at = 0;

        (void)a;
        while (at < len && z->error == 0) {
                ssize_t n = write(z->fd, (const char *)bytes + at, len - at);

                if (n >= 0)
                        at += (size_t)n;
                else if (errno != EINTR)
                        z->error = errno;
        }
        return (la_ssize_t)len;
}

static bool refuse_write(struct zip_writer *z, struct link_error *why)
{
        return refuse(why, z->path,
                      z->error != 0 ? strerror(z->error) : said(z->archive));
}

/* Every byte goes to the system at once: a killed writer leaves everything that it had added. */
static bool begin(struct zip_writer *z, struct link_error *why)
{
        struct archive *a = z->archive = lib.archive_write_new();

        z->entry = lib.archive_entry_new();
        if (a == NULL || z->entry == NULL)
                return refuse(why, z->path, "out of memory");
        lib.archive_write_set_bytes_per_block(a, 0);
        if (lib.archive_write_set_format_zip(a) == ARCHIVE_OK &&
            lib.archive_write_zip_set_compression_deflate(a) == ARCHIVE_OK &&
            lib.archive_write_set_options(a, "zip:compression-level=1") == ARCHIVE_OK &&
            lib.archive_write_open(a, z, NULL, put, NULL) == ARCHIVE_OK && z->error == 0)
                return true;
        return refuse_write(z, why);
}

static void release(struct zip_writer *z)
{
        if (z->archive != NULL)
                lib.archive_write_free(z->archive);
        if (z->entry != NULL)
                lib.archive_entry_free(z->entry);
        if (z->fd >= 0)
                close(z->fd);
        free(z);
}

struct zip_writer *zip_create(const char *path, struct link_error *why)
{
        struct zip_writer *z = calloc(1, sizeof *z);

        if (z == NULL) {
                refuse(why, path, "out of memory");
                return NULL;
        }
        snprintf(z->path, sizeof z->path, "%s", path);
        if (!load(why)) {
                free(z);
                return NULL;
        }
        z->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (z->fd < 0) {
                refuse(why, path, strerror(errno));
        } else if (begin(z, why)) {
                return z;
        }
        release(z);
        return NULL;
}

bool zip_add(struct zip_writer *z, const char *name, const void *bytes, size_t len,
             struct link_error *why)
{
        if (z->error != 0)
                return refuse_write(z, why);
        lib.archive_entry_clear(z->entry);
        lib.archive_entry_set_pathname(z->entry, name);
        lib.archive_entry_set_filetype(z->entry, AE_IFREG);
        lib.archive_entry_set_perm(z->entry, 0644);
        lib.archive_entry_set_size(z->entry, (la_int64_t)len);
        if (lib.archive_write_header(z->archive, z->entry) < ARCHIVE_WARN ||
            lib.archive_write_data(z->archive, bytes, len) != (la_ssize_t)len ||
            lib.archive_write_finish_entry(z->archive) < ARCHIVE_WARN || z->error != 0)
                return refuse_write(z, why);
        return true;
}

bool zip_finish(struct zip_writer *z, struct link_error *why)
{
        bool ok = lib.archive_write_close(z->archive) == ARCHIVE_OK && z->error == 0;
        int fd = z->fd;

        if (!ok)
                refuse_write(z, why);
        z->fd = -1;
        if (close(fd) != 0 && ok)
                ok = refuse(why, z->path, strerror(errno));
        release(z);
        return ok;
}
