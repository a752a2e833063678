/* Host time: CLOCK_MONOTONIC in integer nanoseconds. Nothing outside hil/ reads a clock.
 */
#pragma once

#include <stdint.h>
#include <time.h>

#define NS_PER_S  INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)
#define NS_PER_US INT64_C(1000)

static inline int64_t clock_now_ns(void)
{
        struct timespec t;

        clock_gettime(CLOCK_MONOTONIC, &t);
        return t.tv_sec * NS_PER_S + t.tv_nsec;
}

/* The same hardware's, which nobody adjusts: for comparing. */
static inline int64_t clock_raw_ns(void)
{
        struct timespec t;

        clock_gettime(CLOCK_MONOTONIC_RAW, &t);
        return t.tv_sec * NS_PER_S + t.tv_nsec;
}

static inline struct timespec clock_timespec(int64_t t_ns)
{
        return (struct timespec){ .tv_sec = t_ns / NS_PER_S, .tv_nsec = t_ns % NS_PER_S };
}

/* Sleeps to an absolute deadline; returns the time after it. A signal does not shorten
 * it. */
int64_t clock_sleep_until(int64_t deadline_ns);
