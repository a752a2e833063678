/* Relates a device's ticks to host time. What arrives has happened some time before, never after. So
 * the least delayed arrival of each interval is the one to trust, and the straight line that lies under
 * all of them, and closest to them, gives the device's rate, and the time of any tick except for the
 * minimum delay.
 *
 * That line goes through the edge of the points' lower convex hull at their mean tick: the estimate of
 * Moon, Skelly and Towsley ("Estimation and removal of clock skew from network delay measurements",
 * INFOCOM 1999), the most likely one for exponential delays. No clock, no allocation. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define DEVICE_CLOCK_POINTS     64 /* the least delayed arrival of each interval */
#define DEVICE_CLOCK_STRETCH_NS 100000000 /* 100 ms: the line covers the last 6.4 s */
/* A line is fitted once the points span this much; until then the previous rate is used. */
#define DEVICE_CLOCK_SPAN_NS 1000000000
/* No timer is further off its nominal rate, not even with an RC oscillator. */
#define DEVICE_CLOCK_PPM_MAX 20000.0

struct device_clock_point {
        int64_t tick, host_ns;
};

struct device_clock {
        double nominal_hz;
        struct device_clock_point point[DEVICE_CLOCK_POINTS]; /* a ring */
        int count, newest;
        struct device_clock_point least; /* of the present interval */
        int64_t stretch_ends_ns;
        bool known; /* there was an arrival */
        double ns_per_tick;
        /* host_ns = base.host_ns + offset_ns + (tick - base.tick) * ns_per_tick */
        struct device_clock_point base;
        double offset_ns;
        double residual_ns; /* rms of the points about the line; they lie above it */
};

/* nominal_hz above 0. */
void device_clock_init(struct device_clock *c, double nominal_hz);
/* What happened at `tick` had arrived by host_ns. Ticks 0 to 2^62; host time does not go backwards. */
void device_clock_arrival(struct device_clock *c, int64_t tick, int64_t host_ns);
/* After a gap of unknown length, or a restart: the relation of ticks to host time is discarded, the
 * rate is not. */
void device_clock_restart(struct device_clock *c);
/* False before the first arrival. */
bool device_clock_known(const struct device_clock *c);
/* The time of that tick, judging by all arrivals so far: at most the time of its arrival. The
 * result for the same tick changes by the correction when an interval ends. 0 while not known. */
int64_t device_clock_host_ns(const struct device_clock *c, int64_t tick);
/* Device faster than its nominal rate: positive. 0 until the points span a second. */
double device_clock_ppm(const struct device_clock *c);
