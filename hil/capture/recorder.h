/* Writes a capture to a .sr file from a thread of its own. Between the two wait up to 64 MiB of
 * samples, 2.8 s at 24 MHz: neither compression nor a slow disk holds up whoever reads the device. */
#pragma once

#include "io/capture/capture.h"
#include "io/log/sr_file.h"

struct capture_recorder;

struct capture_recorded {
        uint64_t samples; /* in the file */
        uint64_t
                lost; /* the disk was too slow: those stand in the file as the level before them */
        uint64_t
                gaps; /* that the device had, in the same way, if not longer than 10 s each */
        int64_t filled_ticks; /* in the file in place of what was lost */
};

/* NULL with a reason. */
struct capture_recorder *capture_recorder_start(const char *path,
                                                const struct sr_info *info,
                                                struct link_error *why);
/* Copies the block. `wait`: until there is room, for a source that waits itself. False: it failed;
 * capture_recorder_finish() says why. */
bool capture_recorder_put(struct capture_recorder *r, const struct capture_block *block,
                          bool wait);
/* Writes what waits, ends the file, releases r. False with a reason: a part of it stays as
 * PATH.part. */
bool capture_recorder_finish(struct capture_recorder *r, struct capture_recorded *done,
                             struct link_error *why);
