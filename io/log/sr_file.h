/* Recordings in sigrok's session format (.sr): a zip of `version`, `metadata` and `logic-1-1`,
 * `logic-1-2`, ..., as sigrok-cli and PulseView read and write them. Up to 8 logic channels of one
 * device; further ones, other devices and analog channels are left out. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/link/link.h"
#include "io/motor/signal.h"

#define SR_NAME_MAX 31
/* Size of a written chunk: a second, or this many samples if that is less. */
#define SR_CHUNK_MAX (4 << 20)

struct sr_info {
        double rate_hz;
        int pads; /* logic channels in a sample, at most 8 */
        /* "": it was not recorded; UTF-8 without control characters. */
        char pad_name[MOTOR_PADS_MAX][SR_NAME_MAX + 1];
        int more_pads; /* logic channels in the samples beyond those, left out */
        int unit_bytes; /* of a sample in the file; those after the first are skipped */
        uint64_t
                samples; /* according to the file's directory; 0: not known before the end */
        bool finished; /* false: its writer was killed, or a copy was cut */
};

struct sr_reader;
struct sr_writer;

/* NULL with a reason that names the file and what was expected. Its memory does not depend on the
 * recording's length. */
struct sr_reader *sr_open(const char *path, struct link_error *why);
const struct sr_info *sr_info(const struct sr_reader *r);
/* Recorded channels, 1 << channel: those with a name, or all if none has one. */
uint8_t sr_recorded(const struct sr_info *info);
/* Up to cap samples, one byte each; bits of channels beyond `pads` are 0. 0: the end. -1: damaged,
 * with a reason; so is a chunk that ends within a sample. A file that is not finished just ends. */
long sr_read(struct sr_reader *r, uint8_t *samples, size_t cap, struct link_error *why);
void sr_close(struct sr_reader *r);

/* From info it uses rate_hz (whole Hz), pads and pad_name ("": D0, D1, ...). It writes to
 * PATH.part, chunk by chunk, and sr_finish() renames that: a file at PATH is always whole. A killed
 * recording is a PATH.part that sr_open() reads to the last whole chunk, and part of the next. If
 * there is one already, nothing is created. */
struct sr_writer *sr_create(const char *path, const struct sr_info *info,
                            struct link_error *why);
/* False with a reason: disk full, ... What was written stays, as with a killed recording. */
bool sr_write(struct sr_writer *w, const uint8_t *samples, size_t count,
              struct link_error *why);
/* Writes what is left, and releases w in any case. False with a reason. */
bool sr_finish(struct sr_writer *w, struct link_error *why);
