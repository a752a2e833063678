/* Which part of a log is a flight. */
#pragma once

#include "hil/retrace/retrace.h"

#define RETRACE_STEP_NS 4000000 /* of the comparison, about */

/* In the log's time: its first command; where the flight begins, at a sample; and where it flies no more. */
struct retrace_span {
        int64_t first_ns, begin_ns, end_ns;
};

/* False: `why`. */
bool retrace_find_span(const struct retrace_job *job, struct retrace_span *span,
                       char *why, size_t cap);
