/* What the judge remembers of one requirement. */
#ifndef HIL_JUDGE_VERDICT_STATE_H
#define HIL_JUDGE_VERDICT_STATE_H

#include "hil/judge/verdict.h"

struct judge_state {
        /* Of always and eventually. */
        bool decided; /* an `always` that broke, an `eventually` that happened */
        bool seen; /* the window was reached */
        int64_t decided_ns;
        int64_t t_ns; /* of the margin */
        double value; /* of the signal then */
        double margin; /* how far inside min..max: smallest for always, largest for
                        * eventually; negative is outside */
        struct figure figure; /* of a metric */
        struct monitor *monitor; /* of a formula */
        struct monitor_result result; /* of the monitor, when the flight is over */
};

#endif
