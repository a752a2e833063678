/* A capture from its first block to its last: decoded, recorded, shown. */
#pragma once

#include "hil/capture/table.h"

struct capture_job {
        struct capture_spec source;
        struct motor_pad_params pad; /* tick_hz is filled in */
        uint8_t mask; /* of pads; 0: all that there are */
        double seconds; /* of the capture's own time; 0: until it ends */
        const char *record; /* path, or NULL */
        bool json, words;
};

/* Runs it and prints to standard output; messages go to standard error. Returns the exit status: 0; 1:
 * no pad spoke any motor protocol; 2: could not run, the source went, or the file could not be
 * written; 3: the recording is not whole. SIGINT, SIGTERM and SIGHUP end it as its last block
 * would. */
int capture_run(struct capture_job *job);

/* A reason without the "capture" before it, which is the command's name already. */
const char *capture_run_own_words(const char *why);
