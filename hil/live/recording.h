/* A recorded run as documents of the stream: its scene, then its log from the beginning, frame by frame. */
#pragma once

#include "hil/live/document.h"

struct live_recording {
        char *folder;
        struct rig_config *rig;
        struct json *summary; /* NULL: not there */
        char *scene;
        const void *log;
        size_t log_len;
        int64_t frame_ns; /* between two frames of simulated time */
};

/* Reads what does not change; before any thread is started. False with the reason, and nothing to be closed. */
bool live_recording_open(struct live_recording *r, const char *folder, char *why,
                         size_t cap);
void live_recording_close(struct live_recording *r);

/* One's way through it. */
struct live_reading;

/* NULL: no memory. */
struct live_reading *live_reading_open(const struct live_recording *r);
void live_reading_close(struct live_reading *r); /* NULL is allowed */
/* Begins again, with frames alone: others have been asked for. */
void live_reading_again(struct live_reading *r);
/* The next document, freed by the caller; NULL: that was all. */
char *live_reading_next(struct live_reading *r, const struct live_asked *asked);
