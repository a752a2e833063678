/* The link soak: sensor frames at the rig's period, as in flight, to a board that stays disarmed, and what comes back. */
#pragma once

#include "hil/conform/talk.h"

struct health_soak {
        uint32_t sent, answered,
                unanswered; /* at its end, when the newest had time to come */
        uint32_t crc_errors, lost; /* frames of the board's; by its sequence numbers */
        uint32_t
                odd; /* messages that cannot be, come twice, in disorder or to no frame */
        uint32_t dropped; /* bytes that are part of no message */
        bool gone; /* the link ended */
        bool silent; /* a thousand frames in a row had no answer */
        bool restarted; /* it asked for a new hello */
        bool stopped; /* by the user */
        double late_ratio; /* of the time, in which this host did not let us run */
        /* Of round trips, frame to answer; NAN: none, or the host was late for more than a twentieth of the time */
        double p50_s, p99_s, p999_s;
        double drift_s; /* of the median, from the first quarter to the last; NAN: too few */
};

/* After conform_talk_hello(). The link's errors, or the board's, end it early. */
void health_soak(struct conform_talk *t, int64_t period_ns, double duration_s,
                 struct health_soak *out);
bool health_soak_is_clean(const struct health_soak *s);
/* As latencies are judged: the host ran when it should. */
bool health_soak_is_timely(const struct health_soak *s);
