/* HTTP and WebSocket for the live page, by libwebsockets, which nothing outside web.c knows. */
#pragma once

#include "hil/live/server.h"
#include "hil/live/stream.h"

#define LIVE_TOKEN_LEN 32 /* hexadecimal digits */

struct live_web;

struct live_web_setup {
        struct live_address address; /* its port is found, if it was 0 */
        char token[LIVE_TOKEN_LEN + 1]; /* "": none is asked for */
        const char *page; /* the HTML */
        size_t page_len;
        struct live_stream *stream;
};

/* Listens. The setup is kept. NULL with the reason. */
struct live_web *live_web_open(struct live_web_setup *setup, char *why, size_t cap);
void live_web_close(struct live_web *w); /* NULL is allowed */
/* Serves who is there, until there is nothing more to do, for 15 ms at most. */
void live_web_serve(struct live_web *w);
/* There is something new in the stream. */
void live_web_wake(struct live_web *w);
/* All that was said has gone to all that watch. */
bool live_web_is_done(const struct live_web *w);
