/* What is sent to those who watch: of a flight everything that was said so far and the newest frame, of recorded runs
 * their logs from the beginning. Documents of JSON in, documents out; who carries them is in web.c. One thread. */
#pragma once

#include "hil/live/document.h"
#include "hil/live/recording.h"
#include "hil/time/ring.h"

#define LIVE_HEARD_MAX 4096 /* bytes of one document from a page */

struct live_said {
        char *text; /* NULL: a newer one stands for it */
        int about; /* what a newer one replaces it; -1: nothing does */
};

struct live_stream {
        const struct rig_config *rig; /* of a flight */
        struct ring *orders; /* to the loop; NULL: nobody may give any */
        int faults; /* that were ordered */
        char *scene;
        struct live_said *said;
        size_t count, room;
        bool ended;
        struct live_frame *frame; /* the newest; number 0: there is none yet */
        char *frame_text; /* of that, as soon as someone wants it */
        struct live_recording *recording; /* instead of a flight */
        int recordings;
};

/* One who watches. Begins zeroed. */
struct live_viewer {
        bool greeted;
        size_t sent; /* of stream.said */
        uint64_t seen, lost; /* frames */
        struct live_asked asked;
        int run;
        struct live_reading *reading; /* of that, owned */
        char *refused; /* what it is told first: why an order was not taken; NULL */
        uint64_t misheard; /* documents that were none */
};

/* rig NULL: of recordings, which the caller puts in. False: no memory. */
bool live_stream_open(struct live_stream *s, const struct rig_config *rig,
                      struct ring *orders);
void live_stream_close(struct live_stream *s);

/* Takes the text; NULL is swallowed. about: a number of what it is the newest of; -1: it stays. */
void live_stream_say(struct live_stream *s, int about, char *text);
/* An entry of the ring of words. */
void live_stream_take_word(struct live_stream *s, const struct watched *w, size_t len);
void live_stream_take_frame(struct live_stream *s, const struct live_frame *f);

/* The next document for one of them, freed by the caller; NULL: not now. */
char *live_viewer_next(struct live_viewer *v, struct live_stream *s);
/* All that was said has gone to it. */
bool live_viewer_is_done(const struct live_viewer *v, const struct live_stream *s);
/* A document from a page, any bytes at all. */
void live_viewer_hear(struct live_viewer *v, struct live_stream *s, const char *text,
                      size_t len);
void live_viewer_close(struct live_viewer *v);
