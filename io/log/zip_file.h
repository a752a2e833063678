/* Zip archives, entry by entry: read from a file, even a damaged or hostile one, and written to a
 * file in sequence, with bounded memory. The only file that uses libarchive. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/link/link.h"

struct zip_reader;
struct zip_writer;

/* A regular file. NULL with a reason that begins with the file's name. */
struct zip_reader *zip_open(const char *path, struct link_error *why);
/* False: it ends without a directory, because its writer was killed, or a copy was cut. Its entries
 * are read as far as they go. */
bool zip_is_finished(const struct zip_reader *z);
/* The next entry, in the order of the file: 1, with its name, cut to cap - 1 characters, and its length
 * according to the archive (-1: not given). 0: there are no more. -1: damaged, with a reason. */
int zip_next(struct zip_reader *z, char *name, size_t cap, int64_t *length,
             struct link_error *why);
/* Bytes of this entry, 1 to cap. 0: its end. -1: damaged, or it holds more than a file of this size
 * can (a zip bomb), with a reason. In an unfinished archive a cut entry just ends, and the archive
 * with it. */
long zip_read(struct zip_reader *z, void *bytes, size_t cap, struct link_error *why);
/* Back to before the first entry. False with a reason: the file is no longer there. */
bool zip_rewind(struct zip_reader *z, struct link_error *why);
void zip_close(struct zip_reader *z);

/* Creates or empties the file. NULL with a reason. */
struct zip_writer *zip_create(const char *path, struct link_error *why);
/* A whole entry, compressed, handed to the system before this returns. False with a reason: disk
 * full, ...; everything written before stays readable. */
bool zip_add(struct zip_writer *z, const char *name, const void *bytes, size_t len,
             struct link_error *why);
/* Writes the directory, closes the file and releases z, in any case. False with a reason. */
bool zip_finish(struct zip_writer *z, struct link_error *why);
