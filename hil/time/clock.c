#include "hil/time/clock.h"

#include <errno.h>

int64_t clock_sleep_until(int64_t deadline_ns)
{
        struct timespec t = clock_timespec(deadline_ns);

        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
                ;
        return clock_now_ns();
}
