/* Recordings in sigrok's session format (.sr): a zip of `version`, `metadata` and `logic-1-1`,
 * `logic-1-2`, ..., as sigrok-cli and PulseView read and write them. Up to 8 logic channels. */
#ifndef IO_SR_FILE_H
#define IO_SR_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/link.h"
#include "io/motor_signal.h"

#define SR_NAME_MAX 31

struct sr_info {
        double rate_hz;
        int pads; /* logic channels */
        char pad_name[MOTOR_PADS_MAX][SR_NAME_MAX + 1];
        int unit_bytes; /* of a sample in the file; those behind the first are skipped */
        uint64_t samples; /* 0: not known before the end */
};

struct sr_reader;
struct sr_writer;

/* NULL with a reason that names the file and what was expected. */
struct sr_reader *sr_open(const char *path, struct link_error *why);
const struct sr_info *sr_info(const struct sr_reader *r);
/* Up to cap samples, one byte each. 0: the end. -1: damaged, with a reason. */
long sr_read(struct sr_reader *r, uint8_t *samples, size_t cap, struct link_error *why);
void sr_close(struct sr_reader *r);

struct sr_writer *sr_create(const char *path, const struct sr_info *info,
                            struct link_error *why);
/* False with a reason: disk full, ... What was written stays readable after sr_finish(). */
bool sr_write(struct sr_writer *w, const uint8_t *samples, size_t count,
              struct link_error *why);
bool sr_finish(struct sr_writer *w, struct link_error *why);

#endif
