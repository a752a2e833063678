/* Whether a request is meant for the live page, and from whom it may come. */
#pragma once

#include "hil/live/server.h"

/* By the request's Host, with the port that is listened at: a name that was made to point here is refused. */
bool live_host_is_ours(const struct live_address *a, const char *host);
/* By its Origin: only the page itself. */
bool live_origin_is_ours(const char *origin, const char *host);
/* Takes as long for a wrong one as for another of the same length. */
bool live_token_is(const char *token, const char *given);
